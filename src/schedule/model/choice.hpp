/// @file
/// Choice: an algorithm and its parameters, the answer to a problem. Also records schedules by it.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "schedule/model/algorithm.hpp"
#include "schedule/model/layout.hpp"

namespace tutti {

/// An algorithm with its parameters. An algorithm alone is a choice, too: the one that leaves them open.
struct Choice {
  Choice(const Algorithm& chosen, Parameters with = {})  // NOLINT: an algorithm is a choice
      : algorithm(&chosen), parameters(std::move(with)) {}

  const Algorithm* algorithm;
  Parameters parameters;

  Claims claims(const Problem& problem, const Layout& layout = {}) const {
    return algorithm->claims(problem, parameters, layout);
  }

  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Messages that a rank sends, or that it receives.
struct PortLoad {
  std::int64_t messages = 0;
  std::int64_t elements = 0;  ///< in all of them
};

/// Size of the schedule that a choice records for all ranks.
struct RecordedSize {
  std::int64_t messages = 0;         ///< messages, by its claims
  std::int64_t slices = 0;           ///< in all messages; about, by what a few ranks record
  std::vector<PortLoad> ports = {};  ///< loads of the few ranks that are recorded, two a rank; empty: none is

  /// Returns the work of recording and simulating, in messages: a slice takes as long as a sixteenth of one.
  std::int64_t effort() const { return messages + slices / 16; }
};

/// Records eight ranks at most, and none where messages are too many anyway. Up to 512 ranks messages stand for slices.
/// The choice has claims.
RecordedSize recorded_size(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// Whether the choice claims no more messages, and no more slices in them, than check_size() lets pass.
bool is_recordable(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// Returns the largest power of two below the problem's ranks for which the algorithm's size fits; 0 if none does, or
/// the problem says more of its ranks than their number.
int ranks_that_fit(const Choice& choice, const Problem& problem, const Layout& layout,
                   const std::function<bool(const RecordedSize& size)>& fits);

/// Throws `Error(unsupported)` where the choice claims more than 2^26 messages, or messages of more than 2^26 slices: a
/// schedule of many gigabytes. Returns how large it is; nothing of a choice without claims.
RecordedSize check_size(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// Checks problem, parameters, layout, the algorithm's needs and the size, then records all ranks. Throws `Error` where
/// they do not fit.
Schedule record(const Choice& choice, const Problem& problem, const Layout& layout = {});

// Records without checks: all ranks, or one rank into a program whose memory is kept. Without a context in a fresh one.
Schedule record_all(const Choice& choice, const Problem& problem, const Layout& layout = {});
Schedule record_all(RecordingContext& context, const Choice& choice, const Problem& problem, const Layout& layout = {});
void record_rank(const Choice& choice, const Problem& problem, int rank, Program& program, const Layout& layout = {},
                 Detail detail = Detail::all);
void record_rank(RecordingContext& context, const Choice& choice, const Problem& problem, int rank, Program& program,
                 const Layout& layout = {}, Detail detail = Detail::all);

}  // namespace tutti

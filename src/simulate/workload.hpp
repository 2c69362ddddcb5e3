/// @file
/// A schedule reduced to what takes time: who exchanges how many bytes with whom, in which step.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/choice.hpp"

namespace tutti {

/// One operation of a rank, in 16 bytes: a million ranks times forty operations fit in memory.
struct Move {
  std::int64_t bytes = 0;
  std::int32_t peer = -1;  ///< -1: local
  OpKind kind = OpKind::send;
  bool ends_step = false;
  bool met = false;  ///< the simulator's mark: the counterpart was found
  bool chained = false;

  bool communicates() const { return peer >= 0; }
  bool receives() const { return kind != OpKind::send; }
};
static_assert(sizeof(Move) == 16);

/// Whether recording goes on behind a rank with these moves. Where it does not, the workload has the ranks so far.
using GoesOn = std::function<bool(int rank, std::span<const Move> moves)>;

/// The moves of all ranks. All constructors throw `Error(invalid_argument)` for a peer that is no rank, and where what
/// is sent is more than 2^63 bytes.
class Workload {
 public:
  /// From a recorded schedule; an element has `element_bytes` bytes.
  Workload(const Schedule& schedule, std::int64_t element_bytes);
  /// From what a choice records, rank by rank, without holding the schedule: 16 bytes an operation. Messages alone are
  /// recorded sooner, and say who sends how much to whom, but are no workload to simulate.
  Workload(const Choice& choice, const Problem& problem, std::int64_t element_bytes, const Layout& layout = {},
           Detail detail = Detail::all, const GoesOn& goes_on = {});
  /// Takes the schedule of a text that is no algorithm.
  Workload(const Record& record, const Problem& problem, std::int64_t element_bytes, const Parameters& parameters = {},
           const Layout& layout = {}, Detail detail = Detail::all);

  int ranks() const { return static_cast<int>(begins_.size()) - 1; }
  std::span<Move> moves() { return moves_; }
  std::span<const Move> moves() const { return moves_; }
  /// The moves of a rank are [begin(rank), begin(rank + 1)).
  std::size_t begin(int rank) const { return begins_[static_cast<std::size_t>(rank)]; }
  std::size_t step_end(std::size_t begin) const;

  /// Whether no step has more than one send or more than one receive.
  bool one_ported() const { return one_ported_; }
  /// Whether any step has two sends to one rank. O(moves).
  bool repeats_peers() const;
  /// Whether any operation is chained to the one before it.
  bool has_chains() const { return has_chains_; }
  /// The phase of the rank's algorithm that the move belongs to; empty where its text names none. O(log ranks).
  std::string_view phase(int rank, std::size_t move) const;
  /// Takes the simulator's marks back, so that the workload can run again.
  void forget_meetings();

  std::int64_t messages() const { return messages_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  /// From this move on, until the next phase or the rank's end.
  struct PhaseBegin {
    std::size_t move = 0;
    std::string_view name;
  };

  void make_room(std::size_t moves, int ranks);
  void add(const Program& program, int ranks, std::int64_t element_bytes);
  void add_all(RecordingContext& context, const Record& record, const Problem& problem, std::int64_t element_bytes,
               const Parameters& parameters, const Layout& layout, Detail detail, const GoesOn& goes_on);

  std::vector<Move> moves_;
  std::vector<std::size_t> begins_{0};
  std::vector<PhaseBegin> phases_;  // phases of all ranks, in order
  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
  bool one_ported_ = true;
  bool has_chains_ = false;
};

}  // namespace tutti

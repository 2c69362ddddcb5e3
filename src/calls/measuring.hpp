/// @file
/// Shapes of calls whose algorithm is found by trying.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "calls/prepared_call.hpp"
#include "plan/trial.hpp"
#include "plan/wisdom.hpp"

namespace tutti::runtime {

/// How a communicator plans, where its ranks are ("threads on 2 cores"), and which winners of earlier trials they know.
struct PlanningHere {
  Planning planning = Planning::estimate;
  std::string place;
  std::shared_ptr<const KnownWinners> winners = std::make_shared<const KnownWinners>();
};

/// One shape of calls, on one rank.
struct Measured {
  Trial trial;
  std::string call;       ///< in words, by which its winner is kept
  std::string told = {};  ///< how the trial has ended
};

/// Whether the operator of a reduction rounds, so that the order of combination shows in the result: floating-point
/// sums and products of more than two ranks, and what the caller defines.
bool rounds(const untyped::Call& call, int ranks);

/// The shapes that one rank of a communicator has met in calls that are to be measured.
class Measurings {
 public:
  /// For calls that ask for `planning`; null where there is nothing to try. All ranks that make the same calls come to
  /// the same answer. `contenders` is called where the shape is new.
  template <typename MakeContenders>
  std::shared_ptr<Measured> find(const PreparedCall& call, Planning planning, const std::string& place,
                                 const MakeContenders& contenders) {
    std::shared_ptr<Measured>& found = shapes_[key_of(call, planning)];
    if (found == nullptr) found = std::make_shared<Measured>(Measured{Trial(contenders()), words_of(call, place)});
    return found->trial.contenders().size() > 1 ? found : nullptr;
  }
  /// The name of the call, by which its winner is kept.
  static std::string words_of(const PreparedCall& call, const std::string& place);
  /// Whether a further shape would take too much memory.
  bool is_full() const { return shapes_.size() >= most; }

 private:
  static constexpr std::size_t most = 4096;

  static std::vector<std::uint64_t> key_of(const PreparedCall& call, Planning planning);

  std::map<std::vector<std::uint64_t>, std::shared_ptr<Measured>> shapes_;
};

/// The sentence that says so of a winner of earlier runs.
std::string found_earlier(const Choice& winner);

/// Ends a trial on the rank that keeps its winner: says what was found, and keeps it for later runs.
void keep_winner(Measured& measured, bool is_keeper);

}  // namespace tutti::runtime

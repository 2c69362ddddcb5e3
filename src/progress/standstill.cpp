#include "progress/standstill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/rank_lists.hpp"
#include "progress/communicator_state.hpp"

namespace tutti::runtime {
namespace {

/// What other ranks wait for, each sentence once: "; ranks 1-6 wait for …; rank 7 is stopped". Most ranks first.
std::string what_others_do(const CommunicatorState& communicator) {
  constexpr std::size_t most_told = 8;
  std::vector<int> stopped;
  RankGroups waiting;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == communicator.rank()) continue;
    const std::string what = communicator.record(rank).waiting();
    if (communicator.world().is_stopped(communicator.member(rank))) {
      stopped.push_back(rank);
    } else if (!what.empty()) {
      waiting.add(rank, what);
    }
  }
  std::string text;
  if (!stopped.empty())
    text += fmt::format("; {}{} {} stopped", list_of(stopped), communicator.of_the_run(stopped),
                        stopped.size() == 1 ? "is" : "are");
  const std::vector<RankGroup> told = waiting.largest_first();
  for (const auto& [ranks, what] : std::span(told).first(std::min(told.size(), most_told))) {
    text += fmt::format("; {}{} {} for {}", list_of(ranks), communicator.of_the_run(ranks),
                        ranks.size() == 1 ? "waits" : "wait", what);
  }
  return told.size() > most_told ? text + "; others for more" : text;
}

}  // namespace

std::string standstill(const Operation& operation) {
  const CommunicatorState& communicator = operation.communicator();
  const int rank = communicator.rank();
  return fmt::format("no progress for {:g} s ({}): rank {}{} waits for {}{}", communicator.timeout.count(),
                     communicator.failure().remedy, rank, communicator.of_the_run({&rank, 1}), operation.waits_for(),
                     what_others_do(communicator));
}

}  // namespace tutti::runtime

#include "progress/standstill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/rank_lists.hpp"
#include "progress/communicator_state.hpp"

namespace tutti::runtime {
namespace {

/// What ranks do, each sentence once, in the order of ranks: "ranks 0, 2 wait for …; rank 1 waits for …; rank 7 is
/// stopped". Where there is too much to tell, what most ranks do is told.
std::string what_ranks_do(const Operation& operation) {
  constexpr std::size_t most_told = 8;
  const CommunicatorState& communicator = operation.communicator();
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
  std::vector<RankGroup> told = waiting.largest_first();
  const bool is_cut = told.size() > most_told;
  if (is_cut) told.resize(most_told);
  told.push_back({{communicator.rank()}, operation.waits_for()});
  std::sort(told.begin(), told.end());
  std::string text;
  for (const auto& [ranks, what] : told) {
    text += fmt::format("{}{}{} {} for {}", text.empty() ? "" : "; ", list_of(ranks), communicator.of_the_run(ranks),
                        ranks.size() == 1 ? "waits" : "wait", what);
  }
  if (is_cut) text += "; others for more";
  if (!stopped.empty())
    text += fmt::format("; {}{} {} stopped", list_of(stopped), communicator.of_the_run(stopped),
                        stopped.size() == 1 ? "is" : "are");
  return text;
}

}  // namespace

std::string standstill(const Operation& operation) {
  const CommunicatorState& communicator = operation.communicator();
  return fmt::format("no progress for {:g} s ({}): {}", communicator.timeout.count(), communicator.failure().remedy,
                     what_ranks_do(operation));
}

}  // namespace tutti::runtime

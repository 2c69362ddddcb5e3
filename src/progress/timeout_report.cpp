#include "progress/timeout_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "agreement/disagreement.hpp"
#include "base/text/rank_lists.hpp"
#include "progress/communicator_state.hpp"
#include "transport/late_after.hpp"

namespace tutti::runtime {
namespace {

/// Returns the waits of ranks, each sentence once, in the order of ranks: "ranks 0, 2 wait for …; rank 1 waits for …".
/// If there is too much to tell, the wait of most ranks is told.
std::string what_ranks_wait_for(const Operation& operation, std::span<const int> stopped) {
  constexpr std::size_t most_told = 8;
  const CommunicatorState& communicator = operation.communicator();
  RankGroups waiting;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const bool is_stopped = std::binary_search(stopped.begin(), stopped.end(), rank);
    if (rank == communicator.rank() || is_stopped) continue;
    if (const std::string what = communicator.record(rank).waiting(); !what.empty()) waiting.add(rank, what);
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
  return is_cut ? text + "; others for more" : text;
}

/// The communicator's other ranks that are stopped.
std::vector<int> stopped_ranks(const CommunicatorState& communicator) {
  std::vector<int> stopped;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank != communicator.rank() && communicator.world().is_stopped(communicator.member(rank)))
      stopped.push_back(rank);
  }
  return stopped;
}

/// "; rank 1 is stopped (…)": and what helps, because who has started a rank that is stopped waits for its end, though
/// all others have ended by this error.
std::string stopped_in_words(const CommunicatorState& communicator, const std::vector<int>& stopped) {
  if (stopped.empty()) return {};
  std::string processes;
  for (const int rank : stopped) {
    const std::int64_t process = communicator.world().process_of(communicator.member(rank));
    if (process != 0) processes += fmt::format(" {}", process);
  }
  const bool is_one = stopped.size() == 1;
  std::string text =
      fmt::format("; {}{} {} stopped", list_of(stopped), communicator.of_the_run(stopped), is_one ? "is" : "are");
  if (!processes.empty()) {
    text += fmt::format(" (the job lasts until {}: 'kill -CONT{}' continues {}, 'kill -KILL{}' ends {})",
                        is_one ? "it has ended" : "they have ended", processes, is_one ? "it" : "them", processes,
                        is_one ? "it" : "them");
  }
  return text;
}

/// The latest call of the rank on the communicator, as far as this rank knows: "barrier (call 1)"; empty: none.
std::string last_call(const CommunicatorState& communicator, int rank) {
  Agreement& agreement = communicator.agreement();
  // A rank enters a collective once all have completed the one that is so far behind: it is not further ahead or
  // behind. So its latest signature is kept until this rank enters more: see kept_calls.
  const std::uint64_t entered = communicator.entered();
  const std::uint64_t least = entered - std::min<std::uint64_t>(entered, collective_slots);
  for (std::uint64_t next = entered + collective_slots; next > least; --next) {
    if (!agreement.has_signed(rank, next - 1)) continue;
    return fmt::format("{} (call {}{})", call_name(agreement.signature(rank, next - 1)), next, communicator.suffix());
  }
  return {};
}

/// Returns the place of a rank of the run, as ranks of the communicator say it.
std::string where_late_rank_is(const CommunicatorState& communicator, int member) {
  const std::optional<int> rank = communicator.rank_of(member);
  const std::string name = rank ? fmt::format("rank {}{}", *rank, communicator.of_the_run({&*rank, 1}))
                                : fmt::format("rank {} of the run", member);
  std::string text = where_rank_is(communicator.world(), member, name);
  if (!rank || !communicator.agreement().hears_at_once()) return text;
  const std::string call = last_call(communicator, *rank);
  return text + (call.empty() ? ", and has called nothing here yet" : ", after its last call, " + call);
}

/// "; rank 0 (process 17) sleeps, in …; rank 2 computes, in …": the first of the late ranks, and how many more.
std::string where_late_ranks_are(const CommunicatorState& communicator, std::span<const int> late) {
  constexpr std::size_t most_told = 4;
  std::string text;
  for (const int member : late.first(std::min(late.size(), most_told)))
    text += "; " + where_late_rank_is(communicator, member);
  if (late.size() > most_told) text += fmt::format("; {} ranks more are late", late.size() - most_told);
  return text;
}

}  // namespace

// Late ranks are found after the waits have been read, in both reports: a rank that has begun to wait meanwhile is none.
std::string timeout_report(const Operation& operation, int number, const WaitState& mine) {
  const CommunicatorState& communicator = operation.communicator();
  const std::vector<int> stopped = stopped_ranks(communicator);
  const std::string waits = what_ranks_wait_for(operation, stopped);
  std::vector<int> late = late_ranks(communicator.world(), number, mine);
  std::erase_if(late, [&](int member) { return communicator.world().is_stopped(member); });
  return fmt::format("no progress for {:g} s ({}): {}{}{}", communicator.timeout.count(), communicator.failure().remedy,
                     waits, stopped_in_words(communicator, stopped), where_late_ranks_are(communicator, late));
}

// Returns the late ranks: the needs of a rank are read from its wait state, and so on from rank to rank.
std::vector<int> late_ranks(const RankDirectory& directory, int number, const WaitState& mine) {
  std::set<int> seen{number};
  std::vector<int> late;
  std::deque<int> open;
  const auto follow = [&](const WaitState& wait_state) {
    for (std::uint32_t k = 0; k < std::min(wait_state.awaited, wait_state.operations); ++k) {
      const PendingOperation& operation = wait_state.operation[k];
      for (const Dependency& dependency :
           std::span(wait_state.dependency).subspan(operation.first_dependency, operation.dependencies)) {
        if (dependency.rank >= 0 && dependency.rank < directory.size() && seen.insert(dependency.rank).second)
          open.push_back(dependency.rank);
      }
    }
  };
  follow(mine);
  while (!open.empty()) {
    const int rank = open.front();
    open.pop_front();
    WaitState told;
    const bool waits = directory.record(rank).wait_state(told) != 0;
    // A rank that waits is stopped all the same, or is not: then others wait for it in turn.
    if (!waits || directory.is_stopped(rank)) late.push_back(rank);
    if (waits) follow(told);
  }
  std::sort(late.begin(), late.end());
  return late;
}

std::string long_wait_report(const Operation& operation, std::chrono::duration<double> waited, int number,
                             const WaitState& mine) {
  const CommunicatorState& communicator = operation.communicator();
  const std::string waits = what_ranks_wait_for(operation, {});
  const std::vector<int> late = late_ranks(communicator.world(), number, mine);
  return fmt::format("no progress for {:.3g} s: {}{}; {}", waited.count(), waits,
                     where_late_ranks_are(communicator, late), how_it_goes_on(communicator.timeout));
}

std::string where_rank_is(const RankDirectory& directory, int rank, const std::string& name) {
  const std::int64_t process = directory.process_of(rank);
  const std::string activity = directory.is_stopped(rank) ? "is stopped" : directory.activity_of(rank);
  return fmt::format("{}{} {}", name, process == 0 ? std::string() : fmt::format(" (process {})", process),
                     activity.empty() ? "does something else" : activity);
}

std::string waits_in_words(const RankGroups& groups) {
  std::string words;
  for (const auto& [ranks, what] : groups.largest_first())
    words += fmt::format("{}{} {} for {}", words.empty() ? "" : "; ", list_of(ranks),
                         ranks.size() == 1 ? "waits" : "wait", what);
  return words;
}

std::string how_it_goes_on(std::chrono::duration<double> timeout) {
  return timeout == no_limit ? fmt::format("the wait goes on ({})", how_to_limit)
                             : fmt::format("the wait goes on until it has lasted {:g} s", timeout.count());
}

}  // namespace tutti::runtime

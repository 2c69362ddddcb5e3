#include "progress/announcement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "progress/deadlock.hpp"

namespace tutti::runtime {
namespace {

// The time between two searches for a cycle doubles from the one to the other, so that a rank which waits for long,
// and for a good reason, spends little time on them.
constexpr std::chrono::milliseconds shortest(5);
constexpr std::chrono::milliseconds longest(2000);

bool same_operations(const PendingOperation& a, const PendingOperation& b) {
  return a.id == b.id && a.dependencies == b.dependencies && a.is_doubtful == b.is_doubtful && a.is_cut == b.is_cut &&
         a.any_suffices == b.any_suffices;
}

bool same_dependencies(const Dependency& a, const Dependency& b) {
  return a.operation == b.operation && a.rank == b.rank && a.kind == b.kind;
}

}  // namespace

bool Announcement::holds(const std::string& text, const WaitState& wait_state, std::uint64_t changes) const {
  return made_ && changes == changes_ && text == text_ && wait_state.operations == told_.operations &&
         wait_state.dependencies == told_.dependencies && wait_state.awaited == told_.awaited &&
         std::equal(wait_state.operation.begin(), wait_state.operation.begin() + wait_state.operations,
                    told_.operation.begin(), same_operations) &&
         std::equal(wait_state.dependency.begin(), wait_state.dependency.begin() + wait_state.dependencies,
                    told_.dependency.begin(), same_dependencies);
}

void Announcement::make(const std::string& text, const WaitState& wait_state, std::uint64_t changes) {
  withdraw();
  board_.announce(rank_, text, wait_state);
  made_ = true;
  changes_ = changes;
  text_ = text;
  told_ = wait_state;
  between_looks_ = shortest;
  next_look_ = clock_.now() + between_looks_;
}

void Announcement::withdraw() {
  if (made_) board_.withdraw(rank_);
  made_ = false;
}

/// Telling of all ranks, each read once.
class Announcement::Heard {
 public:
  explicit Heard(const RankDirectory& ranks) : ranks_(ranks) {}

  const WaitState* wait_state_of(int rank) {
    const Told& one = told(rank);
    return one.stamp == 0 ? nullptr : &one.wait_state;
  }
  WaitBoard::Stand stand_of(int rank) { return {rank, told(rank).stamp}; }

 private:
  struct Told {
    WaitState wait_state;
    std::uint64_t stamp = 0;
  };

  const Told& told(int rank) {
    const auto [found, is_new] = told_.try_emplace(rank);
    if (is_new) found->second.stamp = ranks_.record(rank).wait_state(found->second.wait_state);
    return found->second;
  }

  const RankDirectory& ranks_;
  std::map<int, Told> told_;
};

std::string Announcement::look(std::uint64_t moment, Movers movers) {
  board_.note_quiet(rank_, moment);
  if (clock_.now() < next_look_) return {};
  between_looks_ = std::min<Clock::Duration>(2 * between_looks_, longest);
  next_look_ = clock_.now() + between_looks_;
  Heard heard(ranks_);
  std::string text = find_cycle(heard);
  return text.empty() && movers == Movers::ranks ? wait_of_all(heard) : text;
}

std::string Announcement::find_cycle(Heard& heard) {
  const WaitCycle cycle = wait_cycle_of(rank_, [&](int rank) { return heard.wait_state_of(rank); });
  if (cycle.involves_it) board_.tell_quiet(rank_);
  if (cycle.ranks.empty()) return {};
  std::vector<WaitBoard::Stand> stands;
  for (const int rank : cycle.ranks) stands.push_back(heard.stand_of(rank));
  const std::string text =
      (cycle.ranks.size() == 1 ? "a rank waits for itself, for ever: " : "ranks wait for one another, for ever: ") +
      named(cycle.ranks);
  // The texts were read before this question, so that they belong to the wait states of which it is asked.
  return board_.were_quiet(stands) ? text : std::string();
}

// Ranks have more under way than they can tell, or what they tell leads to no cycle. Each of them has looked at all of
// it since the last one came to wait, and found nothing: what would move the first of them to go on was done before.
std::string Announcement::wait_of_all(Heard& heard) {
  std::vector<int> ranks;
  std::vector<WaitBoard::Stand> stands;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    // Calls of a lost rank's communicators fail by themselves, and name it.
    if (ranks_.record(rank).has_failed()) return {};
    // Acquire, in has_ended(): the moment that is read below is not before the rank's end.
    if (ranks_.record(rank).has_ended()) continue;
    // Before wait states are copied: most looks end here.
    if (ranks_.record(rank).stamp() == 0) return {};
    ranks.push_back(rank);
  }
  for (const int rank : ranks) {
    stands.push_back(heard.stand_of(rank));
    if (stands.back().stamp == 0) return {};
  }
  // A rank may have posted, just before it ended, what another one had not seen in its latest look.
  const std::uint64_t after_ends = board_.moment();
  const auto has_looked_since = [&](int rank) { return ranks_.record(rank).quiet_since() >= after_ends; };
  if (!std::all_of(ranks.begin(), ranks.end(), has_looked_since)) return {};
  const std::string text = "all ranks wait, for ever: " + named(ranks);
  // A cycle of others is theirs to tell. This rank goes on once they have: they may come to what it waits for.
  const auto told = [&](int rank) { return heard.wait_state_of(rank); };
  const bool is_for_others =
      std::any_of(ranks.begin(), ranks.end(), [&](int rank) { return !wait_cycle_of(rank, told).ranks.empty(); });
  return !is_for_others && board_.were_quiet(stands) ? text : std::string();
}

std::string Announcement::named(std::span<const int> ranks) const {
  return describe_wait_cycle(
      ranks, [&](int rank) { return fmt::format("rank {} waits for {}", rank, ranks_.record(rank).waiting()); });
}

}  // namespace tutti::runtime

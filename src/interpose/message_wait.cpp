#include "interpose/message_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/rank_lists.hpp"
#include "interpose/call_site.hpp"
#include "transport/rank_record.hpp"

namespace tutti::interpose {

using runtime::Circle;
using runtime::circle_of;
using runtime::Standing;
using runtime::words_of_circle;
using runtime::World;

namespace {

constexpr int looks_before_naps = 1000;
constexpr std::chrono::microseconds nap(50);
/// A rank that has waited for so long tells the others what it waits for.
constexpr std::chrono::milliseconds long_wait(100);
/// Where the rank that should tell a hang does not, another one does, so much later.
constexpr std::chrono::seconds before_others_tell(10);
/// Looks, and the time that they take at least, after which what has left another rank's hands is taken to have come.
constexpr int looks_of_a_round = 1000;
constexpr std::chrono::milliseconds shortest_round(50);

/// What all ranks of the host tell, each read once.
class Told {
 public:
  Told(World& world, int asking) : world_(world), asking_(asking) {}

  const Standing* raw(int rank) {
    const Entry& told = entry(rank);
    return told.stamp == 0 ? nullptr : &told.standing;
  }
  const Standing* understood(int rank) {
    Entry& told = entry(rank);
    if (told.stamp == 0) return nullptr;
    if (!told.understood)
      told.understood = interpose::understood(rank, told.standing, asking_, [this](int other) { return raw(other); });
    return &*told.understood;
  }
  std::uint64_t stamp(int rank) { return entry(rank).stamp; }

 private:
  struct Entry {
    Standing standing;
    std::uint64_t stamp = 0;
    std::optional<Standing> understood;
  };

  Entry& entry(int rank) {
    const auto [found, is_new] = all_.try_emplace(rank);
    if (is_new) found->second.stamp = world_.record(rank).standing(found->second.standing);
    return found->second;
  }

  World& world_;
  int asking_;
  std::map<int, Entry> all_;
};

/// Whether the rank has said from where it called, and tells a hang by itself.
bool waits_by_message_wait(const Standing& told) { return awaits_messages(told) || is_in_meeting(told); }

}  // namespace

std::string with_call_site(const std::string& what) {
  const Frames frames = Frames::here();
  std::string text;
  for (const int callers : {3, 1}) {
    text = fmt::format("{} called from {}", what, call_site(frames, callers));
    if (text.size() <= runtime::RankRecord::longest_waiting) break;
  }
  return text;
}

int HostRanks::place_of(int rank) const {
  const auto found = std::lower_bound(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() || *found != rank ? Message::other_host : static_cast<int>(found - ranks.begin());
}

std::optional<Hang> MessageWait::pass_time(const std::function<AwaitedMessages()>& awaited) {
  ++looks_;
  if (!naps_) {
    std::this_thread::yield();
    naps_ = looks_ == looks_before_naps;
    return std::nullopt;
  }
  here_.clock->nap(nap);
  waited_ = idle_.look(here_.clock->now());
  if (!is_told_) {
    if (waited_ > long_wait && may_tell()) tell(awaited());
    return std::nullopt;
  }
  if (looks_ < looks_of_a_round || waited_ - round_began_ < shortest_round) return std::nullopt;
  looks_ = 0;
  round_began_ = waited_;
  here_.world->note_quiet(here_.place, moment_);
  moment_ = here_.world->moment();
  return waited_ < here_.timeout ? std::nullopt : hang();
}

void MessageWait::begin_anew() {
  withdraw();
  idle_ = WaitingTime(here_.clock->now());
  waited_ = round_began_ = {};
  looks_ = 0;
}

bool MessageWait::may_tell() {
  if (!may_tell_) may_tell_ = here_.may_tell == nullptr || here_.may_tell();
  return *may_tell_;
}

// The round begins after the standing is told: what it finds, or does not, is of this standing.
void MessageWait::tell(const AwaitedMessages& what) {
  Standing standing;
  if (what.meeting) {
    tell_meeting(standing, what.meeting->communicator, what.meeting->others);
  } else {
    tell_awaited(standing, what.awaited, what.any_suffices);
  }
  tell_beside(standing, what.beside);
  here_.world->announce(here_.place, what.text, standing);
  is_told_ = true;
  looks_ = 0;
  round_began_ = waited_;
  moment_ = here_.world->moment();
}

void MessageWait::withdraw() {
  if (is_told_) here_.world->withdraw(here_.place);
  is_told_ = false;
}

// One rank tells it for all: the first of those that wait for messages, or to meet. Where it does not, because it sees
// another circle or none, each does.
std::optional<Hang> MessageWait::hang() const {
  World& world = *here_.world;
  Told told(world, here_.place);
  const Circle circle = circle_of(here_.place, [&](int rank) { return told.understood(rank); });
  if (circle.ranks.empty()) return std::nullopt;
  Hang found;
  std::vector<World::Stand> waiting;
  int first = here_.place;
  const auto has_ended = [&](int rank) { return is_at_the_end(*told.raw(rank)); };
  for (const int rank : circle.ranks) {
    if (has_ended(rank)) continue;
    const Standing& standing = *told.raw(rank);
    waiting.push_back({rank, told.stamp(rank)});
    waits_by_message_wait(standing) ? void(first = std::min(first, rank)) : found.to_ask.push_back(rank);
  }
  if (first != here_.place && waited_ < here_.timeout + before_others_tell) return std::nullopt;
  const std::size_t ended = circle.ranks.size() - waiting.size();
  found.text = circle.ranks.size() == 1 ? "a rank waits for itself, for ever: "
               : ended == 1             ? "ranks wait for ever for one that has ended: "
               : ended > 1              ? "ranks wait for ever for others that have ended: "
                                        : "ranks wait for one another, for ever: ";
  found.text += words_of_circle(circle.ranks, [&](int rank) {
    const int in_job = here_.ranks[static_cast<std::size_t>(rank)];
    return has_ended(rank) ? fmt::format("rank {} has come to MPI_Finalize", in_job)
                           : fmt::format("rank {} waits for {}", in_job, world.record(rank).waiting());
  });
  // The texts were read before this question, so that they belong to the standings of which it is asked. A rank at its
  // end stays there, and looks no more.
  return world.were_quiet(waiting) ? std::optional(std::move(found)) : std::nullopt;
}

// The first of the ranks that have come tells it; where it does not, each does, later.
std::optional<Hang> MessageWait::overdue(const Meeting& meeting, const std::string& text) const {
  const bool may_be_told_first = waited_ < here_.timeout + before_others_tell;
  Told told(*here_.world, here_.place);
  Hang found;
  RankGroups groups;
  groups.add(here_.ranks[static_cast<std::size_t>(here_.place)], text);
  for (const int rank : meeting.others) {
    const Standing* const standing = told.raw(rank);
    const bool meets = standing != nullptr && is_in_meeting(*standing);
    if (meets && rank < here_.place && may_be_told_first) return std::nullopt;
    const std::string what = here_.world->record(rank).waiting();
    if (!what.empty()) groups.add(here_.ranks[static_cast<std::size_t>(rank)], what);
    if (standing == nullptr || !waits_by_message_wait(*standing)) found.to_ask.push_back(rank);
  }
  std::string words;
  for (const auto& [ranks, what] : groups.largest_first())
    words += fmt::format("{}{} {} for {}", words.empty() ? "" : "; ", list_of(ranks),
                         ranks.size() == 1 ? "waits" : "wait", what);
  found.text = fmt::format("no progress for {:g} s ({}): {}", here_.timeout.count(), longer_wait_of_mpi, words);
  return found;
}

void tell_the_end(const HostRanks& here, const Beside& beside) {
  Standing standing;
  tell_end(standing);
  tell_beside(standing, beside);
  here.world->announce(here.place, {}, standing);
}

}  // namespace tutti::interpose

#include "mpi_check/waits/message_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/system/tell_user.hpp"
#include "base/text/rank_lists.hpp"
#include "mpi_job/process/call_site.hpp"
#include "progress/timeout_report.hpp"
#include "transport/rank_record.hpp"

namespace tutti::interpose {

using runtime::describe_wait_cycle;
using runtime::wait_cycle_of;
using runtime::WaitCycle;
using runtime::WaitState;
using runtime::World;

namespace {

constexpr int looks_before_naps = 1000;
constexpr std::chrono::microseconds nap(50);
/// A rank that has waited for so long tells the others what it waits for.
constexpr std::chrono::milliseconds long_wait(100);
/// Delay after which another rank tells of a hang if the rank that should does not.
constexpr std::chrono::seconds before_others_tell(10);
/// Looks, and the time that they take at least, after which what has left another rank's hands is taken to have come.
constexpr int looks_of_a_round = 1000;
constexpr std::chrono::milliseconds shortest_round(50);

/// Telling of all ranks of the host, each read once.
class ToldStates {
 public:
  ToldStates(World& world, int asking) : world_(world), asking_(asking) {}

  const WaitState* raw(int rank) {
    const Entry& told = entry(rank);
    return told.stamp == 0 ? nullptr : &told.wait_state;
  }
  const WaitState* with_messages_resolved(int rank) {
    Entry& told = entry(rank);
    if (told.stamp == 0) return nullptr;
    if (!told.understood)
      told.understood =
          interpose::with_messages_resolved(rank, told.wait_state, asking_, [this](int other) { return raw(other); });
    return &*told.understood;
  }
  std::uint64_t stamp(int rank) { return entry(rank).stamp; }

 private:
  struct Entry {
    WaitState wait_state;
    std::uint64_t stamp = 0;
    std::optional<WaitState> understood;
  };

  Entry& entry(int rank) {
    const auto [found, is_new] = all_.try_emplace(rank);
    if (is_new) found->second.stamp = world_.record(rank).wait_state(found->second.wait_state);
    return found->second;
  }

  World& world_;
  int asking_;
  std::map<int, Entry> all_;
};

/// Whether the rank has said from where it called, and tells a hang by itself.
bool waits_by_message_wait(const WaitState& told) { return awaits_messages(told) || is_in_meeting(told); }

}  // namespace

static_assert(PendingMessage::other_host == HostRanks::other_host);

std::string with_call_site(const std::string& what) {
  const CallFrames frames = CallFrames::here();
  std::string text;
  for (const int callers : {3, 1}) {
    text = fmt::format("{} called from {}", what, call_site(frames, callers));
    if (text.size() <= runtime::RankRecord::longest_waiting) break;
  }
  return text;
}

std::optional<Hang> MessageWait::pass_time(const std::function<AwaitedMessages()>& awaited) {
  ++looks_;
  if (!naps_) {
    std::this_thread::yield();
    naps_ = looks_ == looks_before_naps;
    return std::nullopt;
  }
  here_.clock->nap(nap);
  return note_looks(0, awaited);
}

WaitingTime::Duration MessageWait::patience() const {
  return manner_ == Manner::polling ? WaitingTime::Duration::zero()
                                    : std::chrono::duration_cast<WaitingTime::Duration>(here_.searches_after());
}

std::optional<Hang> MessageWait::note_looks(int looks, const std::function<AwaitedMessages()>& awaited) {
  looks_ += looks;
  waited_ = idle_.look(here_.clock->now());
  if (late_.take(waited_)) tell_lasting(awaited());
  if (!is_told_) {
    if ((waited_ > long_wait || manner_ == Manner::polling) && may_tell()) tell(awaited());
    return std::nullopt;
  }
  if (looks_ < looks_of_a_round || waited_ - round_began_ < shortest_round) return std::nullopt;
  looks_ = 0;
  round_began_ = waited_;
  here_.world->note_quiet(here_.place, moment_);
  moment_ = here_.world->moment();
  return waited_ < patience() ? std::nullopt : hang(awaited);
}

void MessageWait::begin_anew() {
  withdraw();
  idle_ = WaitingTime(here_.clock->now());
  late_ = runtime::LateMoments(here_.late_after);
  waited_ = round_began_ = {};
  looks_ = 0;
  suspected_.clear();
}

bool MessageWait::may_tell() {
  if (!may_tell_) may_tell_ = here_.may_tell == nullptr || here_.may_tell();
  return *may_tell_;
}

WaitState MessageWait::wait_state_of(const AwaitedMessages& what) const {
  WaitState wait_state;
  bool has_room = true;
  if (what.meeting) {
    tell_meeting(wait_state, what.meeting->communicator, what.meeting->others);
  } else {
    if (!what.awaited.empty()) has_room = tell_awaited(wait_state, what.awaited, what.any_suffices);
    for (const std::vector<PendingMessage>& all : what.or_all_of)
      has_room = has_room && tell_awaited(wait_state, all, false);
    wait_state.awaited = wait_state.operations;
  }
  if (manner_ == Manner::polling) has_room = has_room && tell_polling(wait_state);
  has_room = has_room && tell_under_way(wait_state, what.beside);
  // Nothing is to be concluded of a wait that might end by something that is not told.
  return has_room ? wait_state : WaitState{};
}

// The round begins after the wait state is told: what it finds, or does not, is of this state.
void MessageWait::tell(const AwaitedMessages& what) {
  const WaitState wait_state = wait_state_of(what);
  here_.world->announce(here_.place, what.text, wait_state);
  is_told_ = true;
  looks_ = 0;
  round_began_ = waited_;
  moment_ = here_.world->moment();
}

void MessageWait::withdraw() {
  if (is_told_) here_.world->withdraw(here_.place);
  is_told_ = false;
}

void MessageWait::tell_lasting(const AwaitedMessages& what) const {
  World& world = *here_.world;
  if (what.meeting && waited_ >= here_.timeout) return;  // overdue() says more
  const std::vector<int> late = runtime::late_ranks(world, here_.place, wait_state_of(what));
  if (!world.claim_telling(late.empty() ? here_.place : late.front(), here_.clock->now().time_since_epoch(),
                           late_.gap()))
    return;
  const auto in_job = [&](int place) { return here_.ranks[static_cast<std::size_t>(place)]; };
  RankGroups groups;
  groups.add(in_job(here_.place), what.text);
  for (int place = 0; place < world.size(); ++place) {
    const std::string others = place == here_.place ? std::string() : world.record(place).waiting();
    if (!others.empty()) groups.add(in_job(place), others);
  }
  std::string text = fmt::format("no progress for {:.3g} s: {}", std::chrono::duration<double>(waited_).count(),
                                 runtime::waits_in_words(groups));
  // Found anew, after the waits have been read: a rank that has begun to wait meanwhile is not late.
  for (const int place : runtime::late_ranks(world, here_.place, wait_state_of(what)))
    text += "; " + runtime::where_rank_is(world, place, fmt::format("rank {}", in_job(place)));
  // Nothing says of messages that a rank which computes does not send them.
  tell_user("tutti: {}; {}\n", text, runtime::how_it_goes_on(what.meeting ? here_.timeout : runtime::no_limit));
}

// One rank tells it for all: the first of those that wait for messages, or to meet. Where it does not, because it sees
// another cycle or none, each does.
std::optional<Hang> MessageWait::hang(const std::function<AwaitedMessages()>& awaited) {
  World& world = *here_.world;
  ToldStates told(world, here_.place);
  const WaitCycle circle = wait_cycle_of(here_.place, [&](int rank) { return told.with_messages_resolved(rank); });
  if (circle.ranks.empty()) {
    suspected_.clear();
    return std::nullopt;
  }
  Hang found;
  std::vector<World::Stand> waiting;
  int first = here_.place;
  const auto has_ended = [&](int rank) { return is_at_the_end(*told.raw(rank)); };
  for (const int rank : circle.ranks) {
    if (has_ended(rank)) continue;
    const WaitState& wait_state = *told.raw(rank);
    waiting.push_back({rank, told.stamp(rank)});
    waits_by_message_wait(wait_state) ? void(first = std::min(first, rank)) : found.to_ask.push_back(rank);
  }
  if (first != here_.place && waited_ < patience() + before_others_tell) return std::nullopt;
  // Others that poll may have left their loops since they told. Told anew, this rank's stamp is the latest:
  // were_quiet() asks for a round of each of them that began after it, which a rank that has left its loop does not
  // look for.
  std::vector<std::uint64_t> polling;
  for (const World::Stand& each : waiting) {
    if (each.rank != here_.place && is_polling(*told.raw(each.rank))) polling.push_back(each.stamp);
  }
  if (polling != suspected_) {
    suspected_ = std::move(polling);
    tell(awaited());
    return std::nullopt;
  }
  const std::size_t ended = circle.ranks.size() - waiting.size();
  found.text = circle.ranks.size() == 1 ? "a rank waits for itself, for ever: "
               : ended == 1             ? "ranks wait for ever for one that has ended: "
               : ended > 1              ? "ranks wait for ever for others that have ended: "
                                        : "ranks wait for one another, for ever: ";
  found.text += describe_wait_cycle(circle.ranks, [&](int rank) {
    const int in_job = here_.ranks[static_cast<std::size_t>(rank)];
    return has_ended(rank) ? fmt::format("rank {} has come to MPI_Finalize", in_job)
                           : fmt::format("rank {} waits for {}", in_job, world.record(rank).waiting());
  });
  // The texts were read before this question, so that they belong to the wait states of which it is asked. A rank at
  // its end stays there, and looks no more.
  return world.were_quiet(waiting) ? std::optional(std::move(found)) : std::nullopt;
}

// The first of the ranks that have come tells it; where it does not, each does, later.
std::optional<Hang> MessageWait::overdue(const AwaitedMeeting& meeting, const std::string& text) const {
  const bool may_be_told_first = waited_ < here_.timeout + before_others_tell;
  ToldStates told(*here_.world, here_.place);
  Hang found;
  RankGroups groups;
  groups.add(here_.ranks[static_cast<std::size_t>(here_.place)], text);
  for (const int rank : meeting.others) {
    const WaitState* const wait_state = told.raw(rank);
    const bool meets = wait_state != nullptr && is_in_meeting(*wait_state);
    if (meets && rank < here_.place && may_be_told_first) return std::nullopt;
    const std::string what = here_.world->record(rank).waiting();
    if (!what.empty()) groups.add(here_.ranks[static_cast<std::size_t>(rank)], what);
    if (wait_state == nullptr || !waits_by_message_wait(*wait_state)) found.to_ask.push_back(rank);
  }
  found.text = fmt::format("no progress for {:g} s ({}): {}", here_.timeout.count(), longer_wait_of_mpi,
                           runtime::waits_in_words(groups));
  return found;
}

void tell_the_end(const HostRanks& here, const WorkUnderWay& beside) {
  WaitState wait_state;
  tell_end(wait_state);
  tell_under_way(wait_state, beside);
  here.world->announce(here.place, {}, wait_state);
}

}  // namespace tutti::interpose

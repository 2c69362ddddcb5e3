// How the engine waits: looks, yields, naps, sleep; and what it finds while it does.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/relax.hpp"
#include "progress/announcement.hpp"
#include "progress/backoff.hpp"
#include "progress/communicator_state.hpp"
#include "progress/progress_engine.hpp"
#include "progress/sleep.hpp"
#include "progress/standstill.hpp"
#include "progress/time_slice.hpp"

namespace tutti::runtime {
namespace {

/// What a rank waits for, in words: "rank 1 to send 4 float", "one of 3: …".
std::string waits_for(std::span<Operation* const> awaited) {
  if (awaited.size() == 1) return awaited.front()->waits_for();
  return fmt::format("one of {} operations, the first of them for {}", awaited.size(), awaited.front()->waits_for());
}

/// A rank that has waited for so long tells the others what it waits for.
constexpr std::chrono::milliseconds long_wait(100);

}  // namespace

// A rank first looks again and again without reading the clock, because a peer on another core is usually about to post
// what it waits for. The engine learns how many looks pay: where the peer does not run, because other programs want its
// core too, each row of looks in vain halves the next one.
void ProgressEngine::wait(Operation& operation) {
  if (!is_at_home()) origin_.require_this_process("wait() for " + operation.describe());
  const Recorder::Blocking blocking(rank_.recorder.get());
  for (int spin = 0; spin < spins_; ++spin) {
    const Guard lock = guard();
    if (!operation.active()) {
      spins_ = std::min(2 * spins_, Backoff::most_spins);
      return operation.rethrow();
    }
    if (progress()) {
      spin = 0;
    } else {
      relax();
    }
  }
  if (!outnumbered_) spins_ = std::max(spins_ / 2, Backoff::fewest_spins);
  const Awaited one{&operation};
  wait_patiently({&one, 1});
  operation.rethrow();
}

std::size_t ProgressEngine::wait_any(std::span<const Awaited> awaited) {
  if (!is_at_home()) origin_.require_this_process("wait_any()");
  const Recorder::Blocking blocking(rank_.recorder.get());
  {
    const Guard lock = guard();
    progress();
  }
  return wait_patiently(awaited);
}

/// One wait in which looks grow rarer.
struct ProgressEngine::WaitState {
  WaitState(RankState& rank, Competition& competition, bool outnumbered, std::size_t n)
      : backoff(competition, rank.clock, outnumbered),
        announcement(*rank.world, rank.number, rank.clock),
        idle(rank.clock.now()),
        several(n > 1 ? n : 0) {}

  /// The awaited operations that are still active. A single one costs no allocation, because short collectives come
  /// here too where ranks outnumber cores.
  std::span<Operation*> active() { return several.empty() ? std::span(&one, 1) : std::span(several); }

  Backoff backoff;
  Announcement announcement;
  std::optional<bool> may_tell;  // once the wait is a long one
  WaitingTime idle;
  std::uint64_t moves = 0;
  Operation* one = nullptr;
  std::vector<Operation*> several;
};

std::size_t ProgressEngine::wait_patiently(std::span<const Awaited> awaited) {
  shorten_time_slice();
  placement_.consider(world(), rank_.number);
  WaitState state(rank_, competition_, outnumbered_, awaited.size());
  for (;;) {
    bool moved = false;
    bool carries = false;
    const std::uint32_t losses = world().losses();
    {
      const Guard lock = guard();
      if (const auto done = find_done(awaited, state.active())) {
        state.announcement.withdraw();
        return *done;
      }
      moved = look_patiently(state);
      carries = world().is_carrying();
    }
    if (!moved && carries) {
      state.backoff.pause_briefly();
    } else if (!moved && pass_time(state.active(), state.backoff, losses)) {
      state.announcement.withdraw();
      moved = true;
    }
    if (moved) state.backoff.reset();
  }
}

/// The first that is done; if there is none, `active` has what each of them waits for.
std::optional<std::size_t> ProgressEngine::find_done(std::span<const Awaited> awaited, std::span<Operation*> active) {
  for (std::size_t k = 0; k < awaited.size(); ++k) {
    active[k] = awaited[k].active();
    if (active[k] == nullptr) return k;
  }
  return std::nullopt;
}

/// Makes progress, and says whether anything moved. A rank that has waited for long tells the others what it waits for,
/// and checks whether its wait can end.
bool ProgressEngine::look_patiently(WaitState& state) {
  const std::uint64_t moment = world().moment();
  const bool moved = progress();
  if (moved) state.announcement.withdraw();
  const std::span<Operation* const> active = state.active();
  std::uint64_t moves = 0;
  bool all_go_on = true;
  for (const Operation* each : active) {
    moves += each->moves();
    all_go_on = all_go_on && each->active();
  }
  if (moves != state.moves) {
    state.moves = moves;
    state.idle = WaitingTime(rank_.clock.now());
  } else if (all_go_on && (state.backoff.is_thoughtful() || state.announcement.is_made())) {
    const WaitingTime::Duration waited = state.idle.look(rank_.clock.now());
    inspect(*active.front(), waited);
    const bool is_long = waited > long_wait && active.front()->active();
    if (is_long && !state.may_tell) state.may_tell = may_tell_standing_ == nullptr || may_tell_standing_();
    if (is_long && *state.may_tell && stand(active, state.announcement, moment)) state.backoff.sleep_lightly();
  }
  return moved;
}

// Where a rank has a progress thread, neither that nor the rank's own thread sleeps: both nap by the clock.
bool ProgressEngine::pass_time(std::span<Operation* const> awaited, Backoff& backoff, std::uint32_t losses) {
  if (!backoff.sleeps() || has_thread_) {
    backoff.pause();
    return false;
  }
  Sleep sleep(world(), rank_.number, active_);
  if (!sleep.is_prepared()) {
    backoff.pause();
    return false;
  }
  // This looks for what others have posted before they could know that this rank is about to sleep.
  if (progress()) return true;
  const bool all_go_on =
      std::all_of(awaited.begin(), awaited.end(), [](const Operation* each) { return each->active(); });
  if (!all_go_on || world().losses() != losses) return false;
  if (sleep.until_woken(backoff.next_sleep(awaited.front()->communicator().timeout))) {
    backoff.sleep_lightly();
  } else {
    backoff.note_slept();
  }
  return false;
}

// The standing is told anew whenever it differs from the one that was told last, also where the progress thread has
// changed it. Its needs are read after the look that began at `moment`, so that they leave out all that other ranks had
// done before they told their standings.
bool ProgressEngine::stand(std::span<Operation* const> awaited, Announcement& announcement, std::uint64_t moment) {
  const Standing now = standing(awaited);
  Operation& operation = *awaited.front();
  const std::string text = waits_for(awaited);
  if (!announcement.holds(text, now, changes_)) {
    for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
      if (!communicator->failure().failed()) communicator->agreement().tell_all();
    }
    announcement.make(text, now, changes_);
    return true;
  }
  const std::string circle = announcement.look(moment);
  if (circle.empty()) return false;
  Failure& failure = operation.communicator().failure();
  const auto error = operation.explain();
  failure.fail(error ? error->code() : ErrorCode::timeout, error ? error->what() : circle);
  return false;
}

Standing ProgressEngine::standing(std::span<Operation* const> awaited) const {
  Standing standing;
  bool has_room = true;
  for (const Operation* each : awaited) has_room = has_room && each->tell(standing);
  standing.awaited = standing.parts;
  for (const std::shared_ptr<Operation>& each : active_) {
    const bool is_told = std::find(awaited.begin(), awaited.end(), each.get()) != awaited.end();
    if (!is_told && each->active()) has_room = has_room && each->tell(standing);
  }
  if (tell_also_) has_room = has_room && tell_also_(standing);
  return has_room ? standing : Standing();
}

bool ProgressEngine::test(Operation& operation) {
  if (!is_at_home()) origin_.require_this_process("test() for " + operation.describe());
  const Guard lock = guard();
  const std::uint64_t moves = operation.moves();
  progress();
  if (operation.active()) {
    if (operation.moves() != moves || !operation.idle) operation.idle.emplace(rank_.clock.now());
    inspect(operation, operation.idle->look(rank_.clock.now()));
  }
  operation.rethrow();
  return !operation.active();
}

void ProgressEngine::inspect(Operation& operation, WaitingTime::Duration idle) {
  world().watch();
  for (const std::shared_ptr<Operation>& each : active_) {
    if (!each->active()) continue;
    if (const auto error = each->lost()) each->communicator().failure().fail(error->code(), error->what());
  }
  if (!operation.active() || idle < operation.communicator().timeout) return;
  Failure& failure = operation.communicator().failure();
  if (const auto error = operation.explain()) {
    failure.fail(error->code(), error->what());
  } else {
    failure.fail(ErrorCode::timeout, standstill(operation));
  }
}

}  // namespace tutti::runtime

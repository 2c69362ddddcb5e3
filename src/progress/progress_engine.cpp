#include "progress/progress_engine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "progress/backoff.hpp"
#include "progress/communicator_state.hpp"
#include "progress/core_contention.hpp"
#include "progress/crowding.hpp"
#include "progress/numbered_operation.hpp"
#include "transport/start_thread.hpp"

namespace tutti::runtime {
ProgressEngine::ProgressEngine(std::shared_ptr<World> world, int number, Progress progress, Clock& clock)
    : rank_(std::move(world), number, *this, clock),
      has_thread_(progress == Progress::own_thread),
      outnumbered_(rank_.world->host().is_outnumbered()),
      spins_(outnumbered_ ? 0 : Backoff::most_spins),
      yields_(yields_before_sleep(rank_.world->host())),
      between_rounds_(time_between_rounds(rank_.world->host())),
      placement_(outnumbered_),
      contention_(outnumbered_, is_better_to_yield(rank_.world->host(), time_slice().has_value())) {
  rank_.world->record(number).set_thread(gettid());
  if (has_thread_) thread_ = start_thread([this] { run_progress_thread(); });
}

ProgressEngine::~ProgressEngine() { end_progress_thread(); }

void ProgressEngine::add(const std::shared_ptr<CommunicatorState>& communicator) {
  forget_dropped();
  communicators_.push_back(communicator);
}

bool ProgressEngine::forget_dropped() {
  std::erase_if(communicators_, [](const std::shared_ptr<CommunicatorState>& known) {
    if (known.use_count() > 1) return false;
    // Acquire: pairs with the release by which the last of the program's owners has let go, maybe in another thread.
    std::atomic_thread_fence(std::memory_order_acquire);
    return !known->has_untold_failure() && known->agreement().settled();
  });
  return !communicators_.empty();
}

void ProgressEngine::start(Operation& operation) {
  Failure& failure = operation.communicator().failure();
  if (!is_at_home()) origin_.require_this_process(operation.describe());
  if (world().news() != news_ || has_dropped_.load(std::memory_order_relaxed)) hear_news(operation);
  if (failure.failed()) throw operation.communicator().told_error();
  if (rank_.recorder) {
    // The operation may have its number, with which the other ranks wait for this one: they learn why it does not come.
    try {
      rank_.recorder->begin_call(&operation, operation.title());
    } catch (...) {
      operation.break_off();
      throw;
    }
  }
  ++changes_;
  operation.activate();
  operation.step();
  if (operation.active() && failure.failed()) operation.fail();
  if (rank_.recorder && !operation.active()) rank_.recorder->end_call(&operation);
}

void ProgressEngine::keep_going(const std::shared_ptr<Operation>& operation) {
  try {
    operation->communicator().agreement().flush();
    add_active(operation);
  } catch (...) {
    operation->break_off();
    throw;
  }
  if (active_.size() > 1) progress();
}

/// Operations that wait for the turn of another one are looked at once they have theirs: with n of them under way, a
/// look at all takes no longer than with a few.
void ProgressEngine::add_active(const std::shared_ptr<Operation>& operation) {
  OperationLane* const lane = operation->awaited_lane();
  if (lane != nullptr && lane->has_first()) return lane->park(operation);
  active_.push_back(operation);
  if (lane != nullptr) lane->lead(*operation);
}

void ProgressEngine::let_go_on(Operation& operation) {
  if (operation.lane() == nullptr) return;
  active_.reserve(active_.size() + 1);  // the call that may throw comes first
  if (auto next = operation.lane()->leave(operation)) active_.push_back(std::move(next));
}

/// A rank has failed, or a communicator ended, since this was last asked.
void ProgressEngine::hear_news(const Operation& operation) {
  const std::uint64_t news = world().news();
  if (world().losses() != losses_) look_for_losses(operation);
  news_ = news;
  // Acquire: pairs with note_dropped(). What cannot be forgotten yet is when the next communicator is made or dropped,
  // or ends.
  has_dropped_.exchange(false, std::memory_order_acquire);
  forget_dropped();
  world().tidy();
}

/// A rank has failed since this was last asked: its communicators end, also those that do not wait just now.
void ProgressEngine::look_for_losses(const Operation& operation) {
  require(!is_over_,
          "{} was called after the job's end, which tutti::finalize() or the program's MPI_Finalize() brings",
          operation.describe());
  losses_ = world().losses();
  for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
    if (communicator->failure().failed()) continue;
    if (const auto error = communicator->failure_of_a_rank())
      communicator->failure().fail(error->code(), error->what());
  }
}

bool ProgressEngine::progress() {
  bool moved = false;
  // The loop counts, because a user's operator may call tutti again, which adds to the list or removes what has ended,
  // and because who leaves a lane adds the next of it.
  for (std::size_t k = 0; k < active_.size(); ++k) {
    Operation& operation = *active_[k];
    if (operation.active() && operation.step()) moved = true;
    if (operation.active() && !operation.in_step() && operation.communicator().failure().failed()) operation.fail();
    if (operation.may_leave_lane()) let_go_on(operation);
  }
  std::erase_if(active_, [&](const std::shared_ptr<Operation>& operation) {
    if (operation->active() || operation->in_step() || operation->lane() != nullptr) return false;
    operation->communicator().agreement().flush();
    if (rank_.recorder) rank_.recorder->end_call(operation.get());
    moved = true;
    return true;
  });
  if (moved) ++changes_;
  return moved;
}

void ProgressEngine::wait_all(CommunicatorState& communicator) {
  std::vector<std::shared_ptr<Operation>> mine;
  {
    const Guard lock = guard();
    visit_all([&](const std::shared_ptr<Operation>& operation) {
      if (&operation->communicator() == &communicator) mine.push_back(operation);
      return true;
    });
  }
  for (const auto& operation : mine) wait(*operation);
  std::shared_ptr<SettlingOperation> settling;
  {
    const Guard lock = guard();
    communicator.note_wait_for_all();
    settling = std::make_shared<SettlingOperation>(communicator);
    begin(settling);
  }
  wait(*settling);
}

void ProgressEngine::clear() {
  if (!is_at_home()) return;
  const Guard lock = guard();
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const std::shared_ptr<Operation> operation = active_[k];
    if (OperationLane* const lane = operation->lane()) {
      OperationLane::Parked parked = lane->let_go();
      active_.insert(active_.end(), std::make_move_iterator(parked.begin()), std::make_move_iterator(parked.end()));
    }
    if (operation->active()) operation->abandon();
  }
  active_.clear();
  if (rank_.recorder) rank_.recorder->write();
  // settled() tells the other ranks of all calls that this one has made: they may wait to learn of them.
  for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
    if (!communicator->failure().failed()) static_cast<void>(communicator->agreement().settled());
  }
  communicators_.clear();
  world().end(rank_.number);
}

void ProgressEngine::close() {
  {
    const Guard lock = guard();
    is_over_ = true;
    losses_ = std::numeric_limits<std::uint32_t>::max();  // unlike any count, so that each call comes upon is_over_
    news_ = std::numeric_limits<std::uint64_t>::max();
  }
  end_progress_thread();
}

void ProgressEngine::fail(const std::string& reason) {
  if (!is_at_home()) return;
  const Guard lock = guard();
  world().fail(rank_.number, reason);
  for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
    const Error error = communicator->failure_of(communicator->rank(), reason);
    communicator->failure().fail(error.code(), error.what());
  }
  if (rank_.recorder) rank_.recorder->write();
}

void ProgressEngine::finish() {
  if (!is_at_home()) return;
  if (const std::string call = outstanding(); !call.empty()) {
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("rank {} returned without waiting for its {}: its buffers may be gone", rank_.number, call));
  }
  std::vector<std::shared_ptr<CommunicatorState>> communicators;
  {
    const Guard lock = guard();
    communicators = communicators_;
  }
  for (const auto& communicator : communicators) {
    bool has_failed = false;
    {
      const Guard lock = guard();
      if (communicator->has_untold_failure()) throw communicator->told_error();
      has_failed = communicator->failure().failed();
    }
    if (!has_failed) wait_all(*communicator);
  }
}

// Without progress: what is under way would write into memory that may be gone.
std::string ProgressEngine::outstanding() {
  const Guard lock = guard();
  return active_.empty() ? std::string() : active_.front()->describe();
}

std::string ProgressEngine::waits_in(const CommunicatorState& communicator, std::uint64_t number) const {
  for (const std::shared_ptr<Operation>& each : active_) {
    const auto* const collective = dynamic_cast<const NumberedOperation*>(each.get());
    const bool is_it =
        collective != nullptr && &collective->communicator() == &communicator && collective->number() == number;
    if (is_it && each->active()) return each->waits_for();
  }
  return {};
}

void ProgressEngine::end_progress_thread() {
  if (!is_at_home()) {
    new std::thread(std::move(thread_));  // there is no such thread in a child, to be waited for
    return;
  }
  ends_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

// Until end_progress_thread(); progress() itself waits for nobody without a limit.
void ProgressEngine::run_progress_thread() {
  shorten_time_slice();
  CoreContention contention(true);
  Backoff backoff(contention, rank_.clock, true);  // the rank's own thread may need the core
  while (!ends_.load(std::memory_order_relaxed)) {
    bool moved = false;
    bool idle = true;
    bool carries = false;
    {
      const Guard lock = guard();
      moved = progress();
      idle = active_.empty();
      carries = world().is_carrying();
    }
    if (moved) {
      backoff.reset();
    } else if (idle) {
      backoff.reset();  // a wait for what begins later is another one, and this nap is no yield
      rank_.clock.nap(std::chrono::microseconds(50));
    } else if (carries) {
      backoff.pause_briefly();
    } else {
      backoff.pause();
    }
  }
}

}  // namespace tutti::runtime

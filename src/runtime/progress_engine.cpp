#include "runtime/progress_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "base/rank_lists.hpp"
#include "base/relax.hpp"
#include "runtime/announcement.hpp"
#include "runtime/backoff.hpp"
#include "runtime/collective_operation.hpp"
#include "runtime/communicator_state.hpp"
#include "runtime/sleep.hpp"

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
    if (communicator.owner().world().is_stopped(communicator.member(rank))) {
      stopped.push_back(rank);
    } else if (!what.empty()) {
      waiting.add(rank, what);
    }
  }
  std::string text;
  if (!stopped.empty()) text += fmt::format("; {} {} stopped", list_of(stopped), stopped.size() == 1 ? "is" : "are");
  const std::vector<RankGroup> told = waiting.largest_first();
  for (const auto& [ranks, what] : std::span(told).first(std::min(told.size(), most_told))) {
    text += fmt::format("; {} {} for {}", list_of(ranks), ranks.size() == 1 ? "waits" : "wait", what);
  }
  return told.size() > most_told ? text + "; others for more" : text;
}

/// "no progress for 30 s (…): rank 0 waits for …; rank 3 waits for …".
std::string standstill(const Operation& operation) {
  const CommunicatorState& communicator = operation.communicator();
  return fmt::format("no progress for {:g} s ({}): rank {} waits for {}{}", communicator.timeout.count(), longer_wait,
                     communicator.rank(), operation.waits_for(), what_others_do(communicator));
}

/// What a rank waits for, in words: "rank 1 to send 4 float", "one of 3: …".
std::string waits_for(std::span<Operation* const> awaited) {
  if (awaited.size() == 1) return awaited.front()->waits_for();
  return fmt::format("one of {} operations, the first of them for {}", awaited.size(), awaited.front()->waits_for());
}

/// After this others are told what a rank waits for.
constexpr std::chrono::milliseconds long_wait(100);

}  // namespace

ProgressEngine::ProgressEngine(std::shared_ptr<World> world, int number, Progress progress)
    : world_(std::move(world)),
      number_(number),
      has_thread_(progress == Progress::own_thread),
      outnumbered_(world_->host().is_outnumbered()),
      spins_(outnumbered_ ? 0 : Backoff::most_spins),
      recorder_(Recorder::from_environment(number)),
      scratch_(*world_) {
  if (has_thread_) thread_ = std::thread([this] { run_progress_thread(); });
}

ProgressEngine::~ProgressEngine() { end_progress_thread(); }

void ProgressEngine::add(const std::shared_ptr<CommunicatorState>& communicator) {
  // A communicator that the program has dropped is forgotten here, once all ranks have entered all of its calls.
  std::erase_if(communicators_, [](const std::shared_ptr<CommunicatorState>& known) {
    return known.use_count() == 1 && !known->has_untold_failure() && known->transport().settled();
  });
  communicators_.push_back(communicator);
}

void ProgressEngine::start(Operation& operation) {
  Transport& transport = operation.communicator().transport();
  if (!is_at_home()) origin_.require_this_process(operation.describe());
  if (world_->losses() != losses_) look_for_losses(operation);
  if (transport.failed()) throw operation.communicator().told_error();
  if (recorder_) recorder_->begin_call(&operation, operation.title());
  ++changes_;
  operation.activate();
  operation.step();
  if (operation.active() && transport.failed()) operation.fail();
  if (recorder_ && !operation.active()) recorder_->end_call(&operation);
}

void ProgressEngine::keep_going(std::shared_ptr<Operation> operation) {
  operation->communicator().transport().flush();
  active_.push_back(std::move(operation));
  if (active_.size() > 1) progress();
}

/// A rank has failed since this was last asked: its communicators end, also those that do not wait just now.
void ProgressEngine::look_for_losses(const Operation& operation) {
  require(!is_over_,
          "{} was called after the job's end, which tutti::finalize() or the program's MPI_Finalize() brings",
          operation.describe());
  losses_ = world_->losses();
  for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
    if (communicator->transport().failed()) continue;
    if (const auto error = communicator->failure_of_a_rank())
      communicator->transport().fail(error->code(), error->what());
  }
}

bool ProgressEngine::progress() {
  bool moved = false;
  // By number: a user's operator may call again, and so add to the list, or remove what has ended.
  for (std::size_t k = 0; k < active_.size(); ++k) {
    Operation& operation = *active_[k];
    if (operation.active() && operation.step()) moved = true;
    if (operation.active() && operation.communicator().transport().failed()) operation.fail();
  }
  std::erase_if(active_, [&](const std::shared_ptr<Operation>& operation) {
    if (operation->active()) return false;
    operation->communicator().transport().flush();
    if (recorder_) recorder_->end_call(operation.get());
    moved = true;
    return true;
  });
  if (moved) ++changes_;
  return moved;
}

// What a neighbour on another core does in time needs no clock. How long looking on pays is learned: where the
// neighbour does not run, because other programs want the core too, each vain wait halves the next one.
void ProgressEngine::wait(Operation& operation) {
  if (!is_at_home()) origin_.require_this_process("wait() for " + operation.describe());
  const Recorder::Blocking blocking(recorder_.get());
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
  const Recorder::Blocking blocking(recorder_.get());
  {
    const Guard lock = guard();
    progress();
  }
  const std::size_t done = wait_patiently(awaited);
  awaited[done].operation->rethrow();
  if (awaited[done].second != nullptr) awaited[done].second->rethrow();
  return done;
}

std::size_t ProgressEngine::wait_patiently(std::span<const Awaited> awaited) {
  placement_.consider(*world_, number_);
  Backoff backoff;
  Announcement announcement(*world_, number_);
  WaitingTime idle;
  std::uint64_t moves = 0;
  // Short collectives come here too where ranks outnumber cores: one operation costs no allocation.
  Operation* one = nullptr;
  std::vector<Operation*> several(awaited.size() > 1 ? awaited.size() : 0);
  const std::span<Operation*> active = awaited.size() > 1 ? std::span(several) : std::span(&one, 1);
  for (;;) {
    bool moved = false;
    const std::uint32_t losses = world_->losses();
    {
      const Guard lock = guard();
      for (std::size_t k = 0; k < awaited.size(); ++k) {
        active[k] = awaited[k].active();
        if (active[k] == nullptr) {
          announcement.withdraw();
          return k;
        }
      }
      const std::uint64_t moment = world_->moment();
      moved = progress();
      if (moved) announcement.withdraw();
      std::uint64_t sum = 0;
      bool all_go_on = true;
      for (const Operation* each : active) {
        sum += each->moves();
        all_go_on = all_go_on && each->active();
      }
      if (sum != moves) {
        moves = sum;
        idle = WaitingTime();
      } else if (all_go_on && (backoff.is_thoughtful() || announcement.is_made())) {
        const WaitingTime::Duration waited = idle.look();
        inspect(*active.front(), waited);
        if (waited > long_wait && active.front()->active() && stand(active, announcement, moment))
          backoff.sleep_lightly();
      }
    }
    if (!moved && pass_time(active, backoff, losses)) {
      announcement.withdraw();
      moved = true;
    }
    if (moved) backoff.reset();
  }
}

// A progress thread looks by the clock, and so does the thread beside it.
bool ProgressEngine::pass_time(std::span<Operation* const> awaited, Backoff& backoff, std::uint32_t losses) {
  if (!backoff.sleeps() || has_thread_) {
    backoff.pause();
    return false;
  }
  Sleep sleep(*world_, number_, active_);
  if (!sleep.is_prepared()) {
    backoff.pause();
    return false;
  }
  // What was posted before others could know that this rank sleeps.
  if (progress()) return true;
  const bool all_go_on =
      std::all_of(awaited.begin(), awaited.end(), [](const Operation* each) { return each->active(); });
  if (!all_go_on || world_->losses() != losses) return false;
  if (sleep.until_woken(backoff.next_sleep(awaited.front()->communicator().timeout))) {
    backoff.sleep_lightly();
  } else {
    backoff.note_slept();
  }
  return false;
}

// What is told is told anew whenever it has become another, be it by the progress thread. The needs are read after the
// look that began at `moment`, so that what other ranks had done before they told their standing is not among them.
bool ProgressEngine::stand(std::span<Operation* const> awaited, Announcement& announcement, std::uint64_t moment) {
  const Standing now = standing(awaited);
  Operation& operation = *awaited.front();
  if (!announcement.holds(now, changes_)) {
    for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
      if (!communicator->transport().failed()) communicator->transport().tell_all();
    }
    announcement.make(waits_for(awaited), now, changes_);
    return true;
  }
  const std::string circle = announcement.look(moment);
  if (circle.empty()) return false;
  Transport& transport = operation.communicator().transport();
  const auto error = operation.explain();
  transport.fail(error ? error->code() : ErrorCode::timeout, error ? error->what() : circle);
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
  return has_room ? standing : Standing();
}

bool ProgressEngine::test(Operation& operation) {
  if (!is_at_home()) origin_.require_this_process("test() for " + operation.describe());
  const Guard lock = guard();
  const std::uint64_t moves = operation.moves();
  progress();
  if (operation.active()) {
    if (operation.moves() != moves || !operation.idle) operation.idle.emplace();
    inspect(operation, operation.idle->look());
  }
  operation.rethrow();
  return !operation.active();
}

void ProgressEngine::inspect(Operation& operation, WaitingTime::Duration idle) {
  world_->watch();
  for (const std::shared_ptr<Operation>& each : active_) {
    if (!each->active()) continue;
    if (const auto error = each->lost()) each->communicator().transport().fail(error->code(), error->what());
  }
  if (!operation.active() || idle < operation.communicator().timeout) return;
  Transport& transport = operation.communicator().transport();
  if (const auto error = operation.explain()) {
    transport.fail(error->code(), error->what());
  } else {
    transport.fail(ErrorCode::timeout, standstill(operation));
  }
}

void ProgressEngine::wait_all(CommunicatorState& communicator) {
  std::vector<std::shared_ptr<Operation>> mine;
  {
    const Guard lock = guard();
    for (const auto& operation : active_) {
      if (&operation->communicator() == &communicator) mine.push_back(operation);
    }
  }
  for (const auto& operation : mine) wait(*operation);
  const auto settling = std::make_shared<SettlingOperation>(communicator);
  {
    const Guard lock = guard();
    begin(settling);
  }
  wait(*settling);
}

void ProgressEngine::clear() {
  if (!is_at_home()) return;
  const Guard lock = guard();
  for (const auto& operation : active_) {
    if (operation->active()) operation->abandon();
  }
  active_.clear();
  if (recorder_) recorder_->write();
  // The question tells the others of all calls that this rank has made: they may wait to learn of them.
  for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
    if (!communicator->transport().failed()) static_cast<void>(communicator->transport().settled());
  }
  communicators_.clear();
  world_->record(number_).end();
}

void ProgressEngine::close() {
  {
    const Guard lock = guard();
    is_over_ = true;
    losses_ = std::numeric_limits<std::uint32_t>::max();  // never that many: each call looks, and finds the end
  }
  end_progress_thread();
}

void ProgressEngine::fail(const std::string& reason) {
  if (!is_at_home()) return;
  const Guard lock = guard();
  world_->fail(number_, reason);
  for (const std::shared_ptr<CommunicatorState>& communicator : communicators_) {
    const Error error = communicator->failure_of(communicator->rank(), reason);
    communicator->transport().fail(error.code(), error.what());
  }
  if (recorder_) recorder_->write();
}

void ProgressEngine::finish() {
  if (!is_at_home()) return;
  if (const std::string call = outstanding(); !call.empty()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("rank {} returned without waiting for its {}: its buffers may be gone", number_, call));
  }
  std::vector<std::shared_ptr<CommunicatorState>> communicators;
  {
    const Guard lock = guard();
    communicators = communicators_;
  }
  for (const auto& communicator : communicators) {
    if (communicator->has_untold_failure()) throw communicator->told_error();
    if (!communicator->transport().failed()) wait_all(*communicator);
  }
}

std::string ProgressEngine::outstanding() {
  const Guard lock = guard();
  progress();
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
  Backoff backoff;
  while (!ends_.load(std::memory_order_relaxed)) {
    bool moved = false;
    bool idle = true;
    {
      const Guard lock = guard();
      moved = progress();
      idle = active_.empty();
    }
    if (moved) {
      backoff.reset();
    } else if (idle) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else {
      backoff.pause();
    }
  }
}

}  // namespace tutti::runtime

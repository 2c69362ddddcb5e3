/// @file
/// Progress engine of a rank: advances the operations that it has under way.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "progress/core_contention.hpp"
#include "progress/operation.hpp"
#include "progress/placement.hpp"
#include "progress/rank_state.hpp"
#include "transport/interfaces/world.hpp"
#include "transport/origin.hpp"

namespace tutti::runtime {

/// Whether a rank's operations advance only while it waits or tests, or also on a thread of their own.
enum class Progress : std::uint8_t { when_waiting, own_thread };

class Announcement;
class Backoff;

/// Operations of a handle that is done once these one or two are.
struct AwaitedOperations {
  Operation* operation = nullptr;
  Operation* second = nullptr;

  /// Returns the operation that it waits for; null: it is done.
  Operation* active() const {
    if (operation->active()) return operation;
    return second != nullptr && second->active() ? second : nullptr;
  }
  /// Throws what made it fail, if it did.
  void rethrow() const {
    operation->rethrow();
    if (second != nullptr) second->rethrow();
  }
};

/// Progress engine of one rank: advances its operations, of all communicators, whenever the rank waits or tests. For
/// the rank's thread. A progress thread may run beside that; then guard() guards the engine and its communicators.
class ProgressEngine final : public UnderWay {
 public:
  ProgressEngine(std::shared_ptr<World> world, int number, Progress progress, Clock& clock = Clock::of_this_machine());
  ProgressEngine(const ProgressEngine&) = delete;
  ProgressEngine& operator=(const ProgressEngine&) = delete;
  ~ProgressEngine();

  /// Limits this rank's wait states: from here on it tells others what it waits for, and looks for cycles of ranks that
  /// wait, only where `may` says so when a wait has become a long one.
  void tell_wait_state_where(bool (*may)()) { may_tell_wait_state_ = may; }
  /// Extends this rank's wait states: from here on `tell` adds a part to each wait state of this rank, of what it has
  /// under way beside the engine; false where the wait state has no room.
  void tell_also(std::function<bool(WaitState&)> tell) { tell_also_ = std::move(tell); }

  /// Waits say that they last after that time, instead of late_after(). Before there are communicators.
  void say_late_after(std::chrono::duration<double> time) { rank_.late_after = time; }

  World& world() const { return *rank_.world; }
  int number() const { return rank_.number; }
  RankState& rank_state() { return rank_; }

  /// To be held around everything that touches the rank or its communicators. Free of cost without a progress thread.
  /// Throws `Error(invalid_argument)` where this is a child of the rank's process, in which nobody might ever unlock
  /// it.
  using Guard = std::unique_lock<std::recursive_mutex>;
  Guard guard() {
    if (!has_thread_) return Guard(mutex_, std::defer_lock);
    origin_.require_this_process("a rank");
    return Guard(mutex_);
  }
  /// Whether this is the process that the rank lives in, and not a child of it: nothing of what a child has a copy of
  /// is its own.
  bool is_at_home() const { return origin_.is_this_process(); }

  /// The rank has become part of a communicator.
  void add(const std::shared_ptr<CommunicatorState>& communicator);
  /// Forgets the communicators that the program has dropped, once all ranks have entered all of their calls; says
  /// whether it knows others. Where others than the rank's thread call it, it changes nothing that the rank's uses.
  bool forget_dropped();
  /// The program has dropped a communicator: the next call forgets it, if it can. For any thread.
  void note_dropped() { has_dropped_.store(true, std::memory_order_release); }

  /// Whether a call may run without being begun here: no operation is under way, no progress thread runs, the run is
  /// not traced, no rank has failed or communicator ended since the last look, and this is the rank's own process.
  bool is_quiet() const {
    // Relaxed: hear_news() acquires.
    return active_.empty() && !has_thread_ && rank_.recorder == nullptr && world().news() == news_ &&
           !has_dropped_.load(std::memory_order_relaxed) && is_at_home();
  }
  /// Returns how many looks in a row are worth their time before a rank waits in another way.
  int looks() const { return spins_; }

  /// Starts the operation, which does at once what it can.
  template <typename Kind>
  void begin(const std::shared_ptr<Kind>& operation) {
    start(*operation);
    // The engine shares only what is still active: counting owners takes longer than a short collective.
    if (operation->active()) keep_going(operation);
  }
  /// Returns when the operation has ended, or soon after `wanted`, if there is one, is no longer 0; says whether the
  /// operation has ended. Throws its error.
  bool wait(Operation& operation, const std::atomic<int>* wanted = nullptr);
  /// Returns when one of them has ended, well or not, and which.
  std::size_t wait_any(std::span<const AwaitedOperations> awaited);
  /// Makes progress.
  void look() { progress(); }
  /// Says whether the operation has ended; throws its error.
  bool test(Operation& operation);
  /// Waits for all operations of `communicator`, and until all ranks have come to all calls; throws the first error.
  void wait_all(CommunicatorState& communicator);

  /// The rank's function has returned: throws `Error(invalid_argument)` if something is still under way, the error of a
  /// call to which not all ranks come, and that of a communicator which has failed without anyone here being told.
  void finish();
  /// A call that the rank has not seen done, in words; empty: it has seen all. Nothing moves meanwhile.
  std::string outstanding();
  std::string waits_in(const CommunicatorState& communicator, std::uint64_t number) const override;
  void let_go_on(Operation& operation) override;
  /// The rank has failed: ends its communicators, and tells all others why.
  void fail(const std::string& reason);
  /// Gives up all operations under way, so that no peer reads their memory any more, and ends the rank.
  void clear();
  /// After clear(), for a rank that may outlive its job: every further call is an `Error(invalid_argument)`, and
  /// nothing advances by itself.
  void close();

 private:
  void start(Operation& operation);
  void keep_going(const std::shared_ptr<Operation>& operation);
  void add_active(const std::shared_ptr<Operation>& operation);
  /// Calls `visit` with each operation under way, also where it waits in a lane, until that returns false.
  template <typename Visit>
  void visit_all(const Visit& visit) const;
  bool progress();
  struct PatientWait;
  /// Returns which of them is done first; nothing where `wanted`, if there is one, is no longer 0 before that.
  std::optional<std::size_t> wait_patiently(std::span<const AwaitedOperations> awaited,
                                            const std::atomic<int>* wanted = nullptr);
  void resume(PatientWait& state, Operation& operation);
  void suspend(const PatientWait& state, Operation& operation);
  static std::optional<std::size_t> find_done(std::span<const AwaitedOperations> awaited, std::span<Operation*> active);
  bool look_patiently(PatientWait& state);
  void look_round(PatientWait& state, std::span<Operation* const> active, std::uint64_t moment);
  /// Lets other threads run, or sleeps until another rank posts something that this one may wait for. Returns true
  /// where an operation has moved instead. `losses` is how many ranks were known to have failed at this rank's latest
  /// look.
  bool pass_time(PatientWait& state, std::uint32_t losses);
  /// Tells the others what this rank waits for, and ends the communicator where the ranks wait in a cycle. The latest
  /// look at everything that is under way began at `moment`. Says whether the others have been told something new.
  bool stand(std::span<Operation* const> awaited, Announcement& announcement, std::uint64_t moment);
  WaitState wait_state(std::span<Operation* const> awaited) const;
  /// Ends communicators that cannot go on: because a rank has ended, or because `operation`, which is awaited, or one
  /// of several that are, has been idle for too long.
  void inspect(Operation& operation, WaitingTime::Duration idle);
  /// Returns the time for which the operation has not moved, as far as tests and waits that were broken off have seen.
  WaitingTime::Duration note_idle(Operation& operation);
  /// Inspects by that time.
  void inspect_idle(Operation& operation);
  /// Ends the communicator of the first one where ranks turn out to have called it differently. Otherwise tells the
  /// user who waits for whom, and where the late ranks are, unless another rank has within `gap`.
  void tell_lasting(std::span<Operation* const> awaited, WaitingTime::Duration waited, std::chrono::nanoseconds gap);
  bool are_all_up(const CommunicatorState& communicator) const;
  bool is_first_to_wait(const CommunicatorState& communicator) const;
  void hear_news(const Operation& operation);
  void look_for_losses(const Operation& operation);
  void run_progress_thread();
  void end_progress_thread();

  Origin origin_;
  RankState rank_;
  bool has_thread_;
  bool outnumbered_;                // this host has more ranks than cores: waiting must let others run
  int spins_;                       // looks before a wait becomes patient
  int yields_;                      // yields of a wait before it sleeps
  bool has_waited_ = false;         // patiently
  Clock::Duration between_rounds_;  // time between two looks of a wait at all ranks
  Placement placement_;
  CoreContention contention_;
  std::uint64_t news_ = 0;
  std::atomic<bool> has_dropped_ = false;
  std::uint32_t losses_ = 0;
  bool is_over_ = false;
  bool (*may_tell_wait_state_)() = nullptr;  // null: always
  std::function<bool(WaitState&)> tell_also_;
  std::uint64_t changes_ = 0;                       // changes of what is under way
  std::vector<std::shared_ptr<Operation>> active_;  // but for those that wait behind the first of a lane
  std::vector<std::shared_ptr<CommunicatorState>> communicators_;
  std::recursive_mutex mutex_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

template <typename Visit>
void ProgressEngine::visit_all(const Visit& visit) const {
  for (const std::shared_ptr<Operation>& each : active_) {
    if (!visit(each)) return;
    const OperationLane* const lane = each->lane();
    if (lane == nullptr || !lane->is_first(*each)) continue;
    for (const std::shared_ptr<Operation>& behind : lane->parked()) {
      if (!visit(behind)) return;
    }
  }
}

}  // namespace tutti::runtime

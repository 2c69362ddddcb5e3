/// @file
/// One rank: all that it has under way.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "progress/competition.hpp"
#include "progress/operation.hpp"
#include "progress/placement.hpp"
#include "progress/rank_state.hpp"
#include "transport/origin.hpp"
#include "transport/world.hpp"

namespace tutti::runtime {

/// Whether a rank's operations advance only while it waits or tests, or also on a thread of their own.
enum class Progress : std::uint8_t { when_waiting, own_thread };

class Announcement;
class Backoff;

/// What is done once the one or two operations of a handle are.
struct Awaited {
  Operation* operation = nullptr;
  Operation* second = nullptr;

  /// What it waits for; null: it is done.
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

/// Advances the rank's operations, of all communicators, whenever the rank waits or tests. For the rank's thread,
/// beside which the progress thread may run: then all of it, and its communicators, is guarded by guard().
class ProgressEngine final : public UnderWay {
 public:
  ProgressEngine(std::shared_ptr<World> world, int number, Progress progress, Clock& clock = Clock::of_this_machine());
  ProgressEngine(const ProgressEngine&) = delete;
  ProgressEngine& operator=(const ProgressEngine&) = delete;
  ~ProgressEngine();

  /// From here on this rank tells others what it waits for, and looks for circles of ranks that wait, only where `may`
  /// says so when a wait has become a long one.
  void tell_standing_where(bool (*may)()) { may_tell_standing_ = may; }
  /// From here on `tell` adds a part to each standing of this rank, of what it has under way beside the engine; false
  /// where the standing has no room.
  void tell_also(std::function<bool(Standing&)> tell) { tell_also_ = std::move(tell); }

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

  /// Whether a call may run without being begun here: no operation is under way, no progress thread runs, the run is
  /// not traced, no rank has failed since the last look, and this is the rank's own process.
  bool is_quiet() const {
    return active_.empty() && !has_thread_ && rank_.recorder == nullptr && world().losses() == losses_ && is_at_home();
  }
  /// How many looks in a row are worth their time before a rank waits in another way.
  int looks() const { return spins_; }

  /// Starts the operation, which does at once what it can.
  template <typename Kind>
  void begin(const std::shared_ptr<Kind>& operation) {
    start(*operation);
    // The engine shares only what is still active: counting owners takes longer than a short collective.
    if (operation->active()) keep_going(operation);
  }
  /// Returns when the operation has ended; throws its error.
  void wait(Operation& operation);
  /// Returns when one of them has ended, well or not, and which.
  std::size_t wait_any(std::span<const Awaited> awaited);
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
  bool progress();
  struct WaitState;
  std::size_t wait_patiently(std::span<const Awaited> awaited);
  static std::optional<std::size_t> find_done(std::span<const Awaited> awaited, std::span<Operation*> active);
  bool look_patiently(WaitState& state);
  /// Lets other threads run, or sleeps until another rank posts something that this one may wait for. Returns true
  /// where an operation has moved instead. `losses` is how many ranks were known to have failed at this rank's latest
  /// look.
  bool pass_time(std::span<Operation* const> awaited, Backoff& backoff, std::uint32_t losses);
  /// Tells the others what this rank waits for, and ends the communicator where the ranks wait in a circle. The latest
  /// look at everything that is under way began at `moment`. Says whether the others have been told something new.
  bool stand(std::span<Operation* const> awaited, Announcement& announcement, std::uint64_t moment);
  Standing standing(std::span<Operation* const> awaited) const;
  /// Ends communicators that cannot go on: because a rank has ended, or because `operation`, which is awaited, or one
  /// of several that are, has been idle for too long.
  void inspect(Operation& operation, WaitingTime::Duration idle);
  void look_for_losses(const Operation& operation);
  void run_progress_thread();
  void end_progress_thread();

  Origin origin_;
  RankState rank_;
  bool has_thread_;
  bool outnumbered_;  // this host has more ranks than cores: waiting must let others run
  int spins_;         // looks before a wait becomes patient
  Placement placement_;
  Competition competition_;
  std::uint32_t losses_ = 0;
  bool is_over_ = false;
  bool (*may_tell_standing_)() = nullptr;  // null: always
  std::function<bool(Standing&)> tell_also_;
  std::uint64_t changes_ = 0;  // of what is under way
  std::vector<std::shared_ptr<Operation>> active_;
  std::vector<std::shared_ptr<CommunicatorState>> communicators_;
  std::recursive_mutex mutex_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace tutti::runtime

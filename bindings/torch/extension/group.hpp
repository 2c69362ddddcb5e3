/// @file
/// Group of ranks of torch's: this process's rank in a world of tutti, used by any thread, one at a time.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/torch/extension/helper.hpp"
#include "bindings/torch/extension/report.hpp"
#include "bindings/torch/extension/under_way.hpp"
#include "tutti/communicator.hpp"
#include "tutti/join.hpp"

namespace tutti::torch_backend {

/// Lock of a rank of tutti, which belongs to one thread at a time. Groups of one world of MPI share it.
struct RankLock {
  std::mutex mutex;
  /// Threads that want the rank: a wait that has it lets go.
  std::atomic<int> wanted = 0;
  /// The wait that has the turn; null: none waits.
  std::atomic<const void*> waiter = nullptr;
};

/// Turn of several waits for one rank: the latest waits by the engine, and the others look now and then.
class WaitTurn {
 public:
  explicit WaitTurn(RankLock& lock) : lock_(lock) { lock_.waiter.store(this, std::memory_order_relaxed); }
  WaitTurn(const WaitTurn&) = delete;
  WaitTurn& operator=(const WaitTurn&) = delete;
  ~WaitTurn() {
    const void* mine = this;
    lock_.waiter.compare_exchange_strong(mine, nullptr, std::memory_order_relaxed);
  }
  /// Whether it is this wait's turn; takes it where no other has it.
  bool is_own() {
    const void* found = nullptr;
    return lock_.waiter.compare_exchange_strong(found, this, std::memory_order_relaxed) || found == this;
  }

 private:
  RankLock& lock_;
};

/// Holds the lock of a rank.
class HeldRank {
 public:
  explicit HeldRank(RankLock& lock) : held_(lock.mutex, std::try_to_lock) {
    if (held_.owns_lock()) return;
    lock.wanted.fetch_add(1);
    held_.lock();
    lock.wanted.fetch_sub(1);
  }
  HeldRank(RankLock& lock, std::try_to_lock_t) : held_(lock.mutex, std::try_to_lock) {}
  explicit operator bool() const { return held_.owns_lock(); }

 private:
  std::unique_lock<std::mutex> held_;
};

class Group final : public HelpedGroup {
 public:
  Group(std::optional<JoinedWorld> world, Communicator communicator, std::shared_ptr<RankLock> lock,
        std::chrono::milliseconds timeout);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() override;

  int rank() const { return rank_; }
  int size() const { return size_; }
  std::chrono::milliseconds timeout() const { return timeout_; }
  RankLock& lock() const { return *lock_; }

  // With the lock held:

  /// Throws `Error(invalid_argument)` once the group was left.
  Communicator& communicator();
  CallReport& report() { return report_; }
  /// Keeps the operation, which was begun, until it is done.
  void keep(OperationPointer operation);
  /// Settles all operations that are done by now. Futures are completed later, without the lock.
  void settle_done(std::vector<OperationPointer>& settled);
  /// Has the communicator's waits last no longer than that.
  void limit_waits(std::chrono::milliseconds timeout);

  /// After a barrier: throws `Error(mismatch)` where ranks have called differently before, and nothing has shown it yet, as
  /// after broadcasts from several roots. Not while other operations are under way.
  void compare_calls();

  // Without it:

  Helped help(std::uint64_t tick, bool& moved) override;
  /// Ends this rank's part: waits for what is under way, and for the others. What is wrong is thrown, and the group is left all
  /// the same.
  void leave();
  /// Ends this rank's part as a failure, with that text for the others.
  void abandon(const std::string& why);

 private:
  const int rank_;
  const int size_;
  const pid_t process_ = getpid();
  const std::chrono::milliseconds timeout_;
  std::shared_ptr<RankLock> lock_;
  std::optional<JoinedWorld> world_;
  std::optional<Communicator> communicator_;
  std::chrono::milliseconds limit_;
  std::list<OperationPointer> under_way_;
  CallReport report_;
  std::chrono::steady_clock::time_point latest_;
};

}  // namespace tutti::torch_backend

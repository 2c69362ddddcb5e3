/// @file
/// Helper: the thread of a process that advances operations for which no thread waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tutti::torch_backend {

/// Group that the helper looks after.
class HelpedGroup : public std::enable_shared_from_this<HelpedGroup> {
 public:
  /// Outcome of a look of the helper at a group.
  enum class Helped : std::uint8_t {
    busy,   ///< operations are under way for which nobody waits
    quiet,  ///< nothing to do now
    done,   ///< nothing was under way for a while: the helper looks no more
  };
  virtual ~HelpedGroup() = default;
  /// Advances what nobody waits for, and sets `moved` if something was settled.
  virtual Helped help(std::uint64_t tick, bool& moved) = 0;

 protected:
  HelpedGroup() = default;
  /// Whether the helper looks after it.
  std::atomic<bool> is_helped_ = false;

 private:
  friend class Helper;
};

/// Begins with the first group and sleeps while no group has anything under way. An operation is left to the thread that has begun it
/// until the next tick, so that calls which are waited for at once never meet the helper.
class Helper {
 public:
  /// Helper of this process; a child that was forked has one of its own.
  static Helper& of_this_process();

  /// The current tick.
  std::uint64_t tick() const { return tick_.load(std::memory_order_relaxed); }
  /// Has the helper look at the group from now on, until nothing has been under way there for a while.
  void look_after(HelpedGroup& group);
  /// Whether the calling thread is the helper's.
  bool is_this_thread() const;

 private:
  Helper() = default;
  void run();
  bool look(bool& moved);
  void drop(const std::shared_ptr<HelpedGroup>& group);

  std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<std::weak_ptr<HelpedGroup>> groups_;  // guarded by mutex_
  bool has_thread_ = false;                         // likewise
  std::atomic<std::uint64_t> tick_ = 1;
};

}  // namespace tutti::torch_backend

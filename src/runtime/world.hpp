/// @file
/// All ranks of one run, and all communicators between them.
#pragma once

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/group.hpp"

namespace tutti::runtime {

/// What the ranks of a run share. Thread-safe.
class World {
 public:
  explicit World(int ranks);

  int size() const { return static_cast<int>(ends_.size()); }
  /// The communicator of all ranks.
  std::shared_ptr<Group> whole() const { return whole_; }

  /// The communicator that collective `number` of `parent` makes for `color`: every member asks for it once, and all
  /// get the same one.
  std::shared_ptr<Group> group(const Group& parent, std::uint64_t number, std::int64_t color,
                               const std::vector<int>& members);

  /// The rank's function has returned.
  void ended(int rank);
  /// The rank's function has thrown: all communicators that it is in fail.
  void failed(int rank, std::exception_ptr exception);
  bool has_ended(int rank) const {
    // Acquire: what the rank did before it ended is visible, so that who asks again finds it.
    return ends_[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);
  }

  /// Throws what the first failing rank threw, if any did. Errors that follow from another rank's count last.
  void rethrow() const;

  /// What `rank` waits for, in words; empty: for nothing. Told when another rank's patience ends.
  void set_waiting(int rank, std::string what);
  std::string waiting(int rank) const;

 private:
  using Birth = std::tuple<std::uint64_t, std::uint64_t, std::int64_t>;  // parent, collective, color
  struct Nursery {
    std::shared_ptr<Group> group;
    std::size_t expected;  // members that have not asked yet
  };
  struct Failure {
    int rank;
    std::string message;
    std::exception_ptr exception;
    bool follows;  // from another rank's failure
  };

  void fail_group(Group& group, const Failure& failure) const;

  std::vector<std::atomic<bool>> ends_;
  mutable std::mutex mutex_;  // guards all below
  std::uint64_t next_identity_ = 0;
  std::map<Birth, Nursery> nursery_;
  std::vector<std::weak_ptr<Group>> groups_;
  std::vector<Failure> failures_;
  std::vector<std::string> waiting_;
  std::shared_ptr<Group> whole_;
};

}  // namespace tutti::runtime

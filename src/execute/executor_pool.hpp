/// @file
/// Executors that runs share, one after the other.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "execute/executor.hpp"

namespace tutti::runtime {

/// Executors of one connection that are not in use. For one thread at a time.
class ExecutorPool {
 public:
  explicit ExecutorPool(const Connection& connection) : connection_(connection) {}
  ExecutorPool(const ExecutorPool&) = delete;
  ExecutorPool& operator=(const ExecutorPool&) = delete;

  std::unique_ptr<Executor> take() {
    free_.reserve(most_kept);
    if (free_.empty()) return std::make_unique<Executor>(connection_);
    std::unique_ptr<Executor> executor = std::move(free_.back());
    free_.pop_back();
    return executor;
  }
  /// Takes back one whose run is done.
  void give(std::unique_ptr<Executor> executor) noexcept {
    if (free_.size() < most_kept && free_.capacity() >= most_kept) free_.push_back(std::move(executor));
  }

 private:
  /// Number of runs that are commonly under way.
  static constexpr std::size_t most_kept = 16;

  const Connection& connection_;
  std::vector<std::unique_ptr<Executor>> free_;
};

}  // namespace tutti::runtime

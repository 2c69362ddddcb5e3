/// @file
/// Operation of a group under way: torch's Work.
#pragma once

#include <torch/csrc/distributed/c10d/Work.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bindings/torch/extension/group.hpp"
#include "bindings/torch/extension/under_way.hpp"
#include "tutti/handle.hpp"

namespace tutti::torch_backend {

/// Outcome of an operation, as Work::result() and its future give it.
using Tensors = std::vector<at::Tensor>;
using TensorLists = std::vector<Tensors>;

/// Description of an operation, as torch shows it.
struct Description {
  c10d::OpType type = c10d::OpType::UNKNOWN;
  const char* title = "tutti:operation";  ///< static; in torch's profiler
  std::chrono::milliseconds timeout = c10d::kUnsetTimeout;
};

/// A collective or a message, or several that are done together. Waits, from any number of threads, advance it on the thread that
/// waits; the helper advances it where nobody waits.
class Operation final : public OperationUnderWay {
 public:
  Operation(std::shared_ptr<Group> group, const Description& description, const Tensors& inputs, TensorLists outputs);

  // While it is begun, with the lock held:

  /// Adds a part.
  void add(Handle handle) { handles_.push_back(std::move(handle)); }
  /// Keeps memory until it is done.
  void hold(at::Tensor tensor) { held_.push_back(std::move(tensor)); }
  /// Has `step` run once all parts are done, with the lock held: copies of results, for the most part.
  void then(std::function<void()> step) { steps_.push_back(std::move(step)); }
  /// Part that counts as one receive from anybody: it has the sender.
  void note_receive() { is_receive_ = true; }
  /// Has the caller believe that it is done: its data was copied.
  void complete_early();

  bool test_and_settle() override;
  void tell() override;
  void wait_until_settled(std::chrono::milliseconds timeout) override;

  bool wait(std::chrono::milliseconds timeout) override;
  bool isCompleted() override;
  bool isSuccess() const override;
  std::exception_ptr exception() const override;
  int sourceRank() const override;
  Tensors result() override;
  void synchronize() override {}
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;

 private:
  bool is_settled() const { return settled_.load(std::memory_order_acquire); }
  bool wait_for_parts();
  void settle(std::exception_ptr error);
  void rethrow() const;

  std::shared_ptr<Group> group_;
  std::vector<Handle> handles_;
  Tensors held_;
  TensorLists outputs_;
  std::vector<std::function<void()>> steps_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point begun_;
  int source_ = -1;
  bool is_receive_ = false;
  bool is_early_ = false;
  std::atomic<bool> settled_ = false;
  std::exception_ptr error_;  // written before settled_
  mutable std::mutex future_mutex_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;  // guarded by future_mutex_
  bool is_told_ = false;
};

}  // namespace tutti::torch_backend

/// @file
/// Operation of a group under way: torch's Work.
#pragma once

#include <c10/util/SmallVector.h>
#include <pybind11/pybind11.h>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/torch/extension/group.hpp"
#include "bindings/torch/extension/under_way.hpp"
#include "tutti/handle.hpp"

namespace tutti::torch_backend {

using Tensors = std::vector<at::Tensor>;
using TensorLists = std::vector<Tensors>;

/// Outcome of an operation, as Work::result() and its future give it: a list of tensors, or several.
struct Outcome {
  Outcome(Tensors list) : first(std::move(list)) {}
  Outcome(TensorLists lists) {
    if (lists.size() == 1) {
      first = std::move(lists.front());
    } else {
      all = std::move(lists);
    }
  }

  Tensors first;    ///< unless there are several
  TensorLists all;  ///< empty unless there are several
};

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
  Operation(std::shared_ptr<Group> group, const Description& description, const Tensors& inputs, Outcome outcome);

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
  /// Settles it where no part is under way, and says whether it has. Nobody else knows of it yet.
  bool settle_at_once();
  /// Whether that has settled it.
  bool was_done_at_once() const { return was_done_at_once_; }

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
  Operation(std::shared_ptr<Group> group, const Description& description, const char* title, const Tensors& inputs,
            Outcome outcome);
  bool is_settled() const { return settled_.load(std::memory_order_acquire); }
  void advance_until_settled(std::chrono::milliseconds timeout);
  bool wait_for_parts();
  void settle(std::exception_ptr error);
  void rethrow() const;
  void end_profile();

  std::shared_ptr<Group> group_;
  c10::SmallVector<Handle, 1> handles_;
  c10::SmallVector<at::Tensor, 2> held_;
  Outcome outcome_;
  std::vector<std::function<void()>> steps_;
  std::chrono::milliseconds timeout_;
  int source_ = -1;
  bool is_receive_ = false;
  bool is_early_ = false;
  bool was_done_at_once_ = false;
  std::atomic<bool> settled_ = false;
  std::exception_ptr error_;  // written before settled_
  mutable std::mutex future_mutex_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;  // guarded by future_mutex_
  bool is_told_ = false;
};

/// Adds the class to the module.
void add_operation(pybind11::module_& module);

}  // namespace tutti::torch_backend

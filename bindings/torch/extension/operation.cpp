#include "bindings/torch/extension/operation.hpp"

#include <ATen/core/ivalue.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "bindings/torch/extension/report.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

using c10::ivalue::Future;
using std::chrono::microseconds;

constexpr microseconds shortest_nap(20);
constexpr microseconds longest_nap(10'000);

c10::optional<Tensors> shown(const Tensors& inputs) {
  return inputs.empty() ? c10::optional<Tensors>() : c10::optional<Tensors>(inputs);
}

/// Outcome as a future has it: a list of tensors, or a list of lists where there are several.
c10::IValue value_of(const TensorLists& outputs) {
  if (outputs.empty()) return c10::IValue(Tensors());
  if (outputs.size() > 1) return c10::IValue(outputs);
  return c10::IValue(outputs.front());
}

c10::TypePtr type_of_value(const TensorLists& outputs) {
  const auto list = c10::ListType::create(c10::TensorType::get());
  return outputs.size() > 1 ? c10::TypePtr(c10::ListType::create(list)) : c10::TypePtr(list);
}

}  // namespace

Operation::Operation(std::shared_ptr<Group> group, const Description& description, const Tensors& inputs,
                     TensorLists outputs)
    : OperationUnderWay(group->rank(), description.type, description.title, shown(inputs)),
      group_(std::move(group)),
      outputs_(std::move(outputs)),
      timeout_(description.timeout) {}

void Operation::complete_early() {
  is_early_ = true;
  finish();  // the profiler's
}

bool Operation::test_and_settle() {
  if (is_settled()) return true;
  try {
    for (Handle& handle : handles_) {
      if (!handle.test()) return false;
    }
    settle(nullptr);
  } catch (...) {
    settle(std::current_exception());
  }
  return true;
}

/// With the lock held: waits for all parts; false where another thread wants the rank.
bool Operation::wait_for_parts() {
  if (is_settled()) return true;
  try {
    for (Handle& handle : handles_) {
      if (!handle.wait_until_wanted(group_->lock().wanted)) return false;
    }
    settle(nullptr);
  } catch (...) {
    settle(std::current_exception());
  }
  return true;
}

void Operation::settle(std::exception_ptr error) {
  try {
    if (!error && is_receive_) source_ = handles_.front().envelope().rank;
    if (!error) {
      const at::NoGradGuard values_alone;
      for (const std::function<void()>& step : steps_) step();
    }
  } catch (...) {
    error = std::current_exception();
  }
  steps_.clear();
  handles_.clear();
  held_.clear();
  error_ = std::move(error);
  settled_.store(true, std::memory_order_release);
}

void Operation::tell() {
  c10::intrusive_ptr<Future> future;
  {
    const std::lock_guard lock(future_mutex_);
    if (std::exchange(is_told_, true)) return;
    future = future_;
    // The profiler's: whoever learns that the operation is done may end the profiler, whose memory this writes to.
    finish(error_);
  }
  if (!future || is_early_) return;
  if (error_) {
    future->setError(error_);
  } else {
    future->markCompleted(value_of(outputs_));
  }
}

bool Operation::wait(std::chrono::milliseconds timeout) {
  if (!is_early_) wait_until_settled(timeout);
  return true;
}

void Operation::wait_until_settled(std::chrono::milliseconds timeout) {
  std::vector<OperationPointer> settled;
  WaitTurn turn(group_->lock());
  microseconds nap = shortest_nap;
  while (!is_settled()) {
    const bool is_own_turn = turn.is_own();
    {
      const HeldRank held(group_->lock());
      if (is_settled()) break;
      group_->limit_waits(timeout.count() > 0 ? timeout : timeout_);
      if (!is_own_turn || wait_for_parts()) group_->settle_done(settled);
    }
    if (is_settled()) break;
    // The mutex is not fair: who wants the rank needs time to take it. Looks beside another wait end an eighth late.
    nap = is_own_turn ? shortest_nap : std::min(nap + nap / 8, longest_nap);
    std::this_thread::sleep_for(nap);
  }
  for (const OperationPointer& each : settled) each->tell();
  tell();
  rethrow();
}

bool Operation::isCompleted() {
  if (is_early_) return true;
  std::vector<OperationPointer> settled;
  if (!is_settled()) {
    if (const HeldRank held(group_->lock(), std::try_to_lock); held) group_->settle_done(settled);
  }
  for (const OperationPointer& each : settled) each->tell();
  if (!is_settled()) return false;
  tell();
  return true;
}

bool Operation::isSuccess() const { return is_early_ || (is_settled() && !error_); }

std::exception_ptr Operation::exception() const { return is_settled() ? error_ : nullptr; }

int Operation::sourceRank() const { return source_; }

Tensors Operation::result() {
  TORCH_CHECK(isCompleted(), "the operation is under way: wait() for it before result()");
  rethrow();
  return outputs_.empty() ? Tensors() : outputs_.front();
}

c10::intrusive_ptr<Future> Operation::getFuture() {
  const std::lock_guard lock(future_mutex_);
  if (future_) return future_;
  future_ = c10::make_intrusive<Future>(type_of_value(outputs_));
  if (is_early_ || is_told_) {
    if (error_) {
      future_->setError(error_);
    } else {
      future_->markCompleted(value_of(outputs_));
    }
  }
  return future_;
}

void Operation::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace tutti::torch_backend

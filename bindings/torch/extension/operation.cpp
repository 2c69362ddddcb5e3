#include "bindings/torch/extension/operation.hpp"

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>
#include <pybind11/chrono.h>
#include <torch/csrc/utils/pybind.h>

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

/// The title where a profiler listens: its recorder costs more than a short call.
const char* title_to_record(const Description& description) {
  return at::getStepCallbacksUnlessEmpty(at::RecordScope::USER_SCOPE).has_value() ? description.title : nullptr;
}

c10::optional<Tensors> shown(const char* title, const Tensors& inputs) {
  return title == nullptr || inputs.empty() ? c10::optional<Tensors>() : c10::optional<Tensors>(inputs);
}

/// Outcome as a future has it.
c10::IValue value_of(const Outcome& outcome) {
  return outcome.all.empty() ? c10::IValue(outcome.first) : c10::IValue(outcome.all);
}

c10::TypePtr type_of_value(const Outcome& outcome) {
  const auto list = c10::ListType::create(c10::TensorType::get());
  return outcome.all.empty() ? c10::TypePtr(list) : c10::TypePtr(c10::ListType::create(list));
}

}  // namespace

Operation::Operation(std::shared_ptr<Group> group, const Description& description, const Tensors& inputs,
                     Outcome outcome)
    : Operation(std::move(group), description, title_to_record(description), inputs, std::move(outcome)) {}

Operation::Operation(std::shared_ptr<Group> group, const Description& description, const char* title,
                     const Tensors& inputs, Outcome outcome)
    : OperationUnderWay(group->rank(), description.type, title, shown(title, inputs)),
      group_(std::move(group)),
      outcome_(std::move(outcome)),
      timeout_(description.timeout) {}

void Operation::complete_early() {
  is_early_ = true;
  end_profile();
}

bool Operation::settle_at_once() {
  if (!handles_.empty()) return false;
  settle(nullptr);
  is_told_ = true;
  was_done_at_once_ = true;
  end_profile();
  return true;
}

/// Has the profiler learn that the operation is done, where one listens.
void Operation::end_profile() {
  if (recordFunctionEndCallback_) finish(error_);
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
    if (!error && !steps_.empty()) {
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
    // Whoever learns that the operation is done may end the profiler, whose memory this writes to.
    end_profile();
  }
  if (!future || is_early_) return;
  if (error_) {
    future->setError(error_);
  } else {
    future->markCompleted(value_of(outcome_));
  }
}

bool Operation::wait(std::chrono::milliseconds timeout) {
  if (!is_early_) wait_until_settled(timeout);
  return true;
}

void Operation::wait_until_settled(std::chrono::milliseconds timeout) {
  if (!is_settled()) advance_until_settled(timeout);
  tell();
  rethrow();
}

void Operation::advance_until_settled(std::chrono::milliseconds timeout) {
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
  return outcome_.all.empty() ? outcome_.first : outcome_.all.front();
}

c10::intrusive_ptr<Future> Operation::getFuture() {
  const std::lock_guard lock(future_mutex_);
  if (future_) return future_;
  future_ = c10::make_intrusive<Future>(type_of_value(outcome_));
  if (is_early_ || is_told_) {
    if (error_) {
      future_->setError(error_);
    } else {
      future_->markCompleted(value_of(outcome_));
    }
  }
  return future_;
}

void Operation::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

void add_operation(pybind11::module_& module) {
  namespace py = pybind11;
  const py::object base = py::module_::import("torch._C._distributed_c10d").attr("Work");
  // Nothing is left to wait for where an operation was done at once: the interpreter is not given up.
  const auto wait = [](Operation& operation, std::chrono::milliseconds timeout) {
    if (operation.was_done_at_once()) return operation.wait(timeout);
    const py::gil_scoped_release free;
    return operation.wait(timeout);
  };
  // The class is known by its own type, which pybind11 looks for first, and twice where it is unknown.
  py::class_<Operation, c10d::Work, c10::intrusive_ptr<Operation>>(module, "Operation",
                                                                   "An operation of tutti under way.")
      .def("wait", [wait](Operation& operation) { return wait(operation, kNoTimeout); })
      .def("wait", wait, py::arg("timeout"));
}

}  // namespace tutti::torch_backend

#include "tutti/handle.hpp"

#include <exception>

#include "runtime/communicator_state.hpp"
#include "runtime/plan_state.hpp"
#include "tutti/plan.hpp"

namespace tutti {

Handle::Handle(std::shared_ptr<runtime::Operation> operation)
    : operation_(std::move(operation)), exceptions_(std::uncaught_exceptions()) {}

Handle&& Handle::with(std::shared_ptr<runtime::Operation> second) && {
  second_ = std::move(second);
  return std::move(*this);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this == &other) return *this;
  release();
  operation_ = std::move(other.operation_);
  second_ = std::move(other.second_);
  told_ = other.told_;
  exceptions_ = other.exceptions_;
  return *this;
}

Handle::~Handle() { release(); }

void Handle::release() noexcept {
  release(operation_);
  release(second_);
}

void Handle::release(std::shared_ptr<runtime::Operation>& operation) const noexcept {
  if (operation == nullptr) return;
  if (!operation->communicator().owner().is_at_home()) {
    new std::shared_ptr<runtime::Operation>(std::move(operation));  // the operation is another process's, and goes on
    return;
  }
  // The rank outlives the operation, which may be the last to hold its communicator.
  const std::shared_ptr<runtime::ProgressEngine> owner = operation->communicator().shared_owner();
  const runtime::ProgressEngine::Guard guard = owner->guard();
  if (operation->active() && std::uncaught_exceptions() > exceptions_) operation->abandon();
  operation.reset();
}

void Handle::wait() {
  if (operation_) operation_->communicator().owner().wait(*operation_);
  if (second_) second_->communicator().owner().wait(*second_);
}

bool Handle::test() {
  const auto is_done = [](const std::shared_ptr<runtime::Operation>& operation) {
    return operation == nullptr || operation->communicator().owner().test(*operation);
  };
  return is_done(operation_) && is_done(second_);
}

Envelope Handle::envelope() const { return operation_ ? operation_->envelope() : Envelope(); }

std::string_view Handle::algorithm() const { return operation_ ? operation_->algorithm() : std::string_view(); }

Plan::Plan(std::shared_ptr<runtime::PlanState> state) : state_(std::move(state)) {}

Plan::~Plan() = default;

void Plan::start() { begin(0); }

void Plan::begin(int looks) {
  const auto& operation = state_->operation();
  runtime::ProgressEngine& owner = operation->communicator().owner();
  const runtime::ProgressEngine::Guard guard = owner.guard();
  if (operation->active()) {
    throw Error(ErrorCode::invalid_argument, "a plan was started again before its last run was waited for");
  }
  handle_ = Handle();
  operation->arm();
  if (owner.is_quiet() && operation->run_briefly(looks)) return;
  owner.begin(operation);
  handle_ = Handle(operation);
}

void Plan::wait() { handle_.wait(); }

bool Plan::test() { return handle_.test(); }

void Plan::run() {
  begin(state_->operation()->communicator().owner().looks());
  wait();
}

std::string_view Plan::algorithm() const { return state_->operation()->algorithm(); }

}  // namespace tutti

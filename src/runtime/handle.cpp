#include "tutti/handle.hpp"

#include <exception>

#include "runtime/communicator_state.hpp"
#include "runtime/plan_state.hpp"
#include "tutti/plan.hpp"

namespace tutti {

Handle::Handle(std::shared_ptr<runtime::Operation> operation)
    : operation_(std::move(operation)), exceptions_(std::uncaught_exceptions()) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this == &other) return *this;
  release();
  operation_ = std::move(other.operation_);
  exceptions_ = other.exceptions_;
  return *this;
}

Handle::~Handle() { release(); }

void Handle::release() noexcept {
  if (operation_ == nullptr) return;
  if (!operation_->communicator().owner().is_at_home()) {
    new std::shared_ptr<runtime::Operation>(std::move(operation_));  // the operation is another process's, and goes on
    return;
  }
  // The rank outlives the operation, which may be the last to hold its communicator.
  const std::shared_ptr<runtime::ProgressEngine> owner = operation_->communicator().shared_owner();
  const runtime::ProgressEngine::Guard guard = owner->guard();
  if (operation_->active() && std::uncaught_exceptions() > exceptions_) operation_->abandon();
  operation_.reset();
}

void Handle::wait() {
  if (operation_) operation_->communicator().owner().wait(*operation_);
}

bool Handle::test() { return !operation_ || operation_->communicator().owner().test(*operation_); }

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

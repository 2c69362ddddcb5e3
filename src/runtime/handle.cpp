#include "tutti/handle.hpp"

#include <exception>
#include <utility>

#include "progress/progress_engine.hpp"

namespace tutti {

Handle::Handle(std::shared_ptr<runtime::Operation> operation, std::shared_ptr<runtime::ProgressEngine> engine)
    : engine_(std::move(engine)), operation_(std::move(operation)), exceptions_(std::uncaught_exceptions()) {}

Handle&& Handle::with(std::shared_ptr<runtime::Operation> second) && {
  second_ = std::move(second);
  return std::move(*this);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this == &other) return *this;
  release();
  operation_ = std::move(other.operation_);
  second_ = std::move(other.second_);
  engine_ = std::move(other.engine_);
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
  if (!engine_->is_at_home()) {
    new std::shared_ptr<runtime::Operation>(std::move(operation));  // the operation is another process's, and goes on
    return;
  }
  const runtime::ProgressEngine::Guard guard = engine_->guard();
  if (operation->active() && std::uncaught_exceptions() > exceptions_) operation->abandon();
  operation.reset();
}

void Handle::wait() {
  if (operation_) engine_->wait(*operation_);
  if (second_) engine_->wait(*second_);
}

bool Handle::wait_until_wanted(const std::atomic<int>& wanted) {
  return (operation_ == nullptr || engine_->wait(*operation_, &wanted)) &&
         (second_ == nullptr || engine_->wait(*second_, &wanted));
}

bool Handle::test() {
  const auto is_done = [this](const std::shared_ptr<runtime::Operation>& operation) {
    return operation == nullptr || engine_->test(*operation);
  };
  return is_done(operation_) && is_done(second_);
}

Envelope Handle::envelope() const { return operation_ ? operation_->envelope() : Envelope(); }

std::string_view Handle::algorithm() const {
  if (operation_ == nullptr) return {};
  const runtime::ProgressEngine::Guard guard = engine_->guard();
  return operation_->algorithm();
}

}  // namespace tutti

#include "tutti/plan.hpp"

#include <utility>

#include "calls/collective_operation.hpp"
#include "progress/progress_engine.hpp"

namespace tutti {

Plan::Plan(std::shared_ptr<runtime::CollectiveOperation> operation, std::shared_ptr<runtime::ProgressEngine> engine)
    : engine_(std::move(engine)), operation_(std::move(operation)) {}

Plan::~Plan() = default;

void Plan::start() { begin(0); }

void Plan::begin(int looks) {
  const runtime::ProgressEngine::Guard guard = engine_->guard();
  // Each wait for all of the communicator's operations is one for this, too.
  const std::uint64_t now = operation_->communicator().waits_for_all() + 1;
  if (started_ == now || operation_->active()) {
    throw Error(ErrorCode::invalid_argument, "a plan was started again before its last run was waited for");
  }
  handle_ = Handle();
  operation_->arm();
  if (!engine_->is_quiet() || !operation_->run_fast_path(looks)) {
    engine_->begin(operation_);
    handle_ = Handle(operation_, engine_);
  }
  started_ = now;
}

void Plan::wait() {
  started_ = 0;
  handle_.wait();
}

bool Plan::test() {
  const bool is_done = handle_.test();
  if (is_done) started_ = 0;
  return is_done;
}

void Plan::run() {
  begin(engine_->looks());
  wait();
}

std::string_view Plan::algorithm() const {
  const runtime::ProgressEngine::Guard guard = engine_->guard();
  return operation_->algorithm();
}

std::string Plan::explanation() const {
  const runtime::ProgressEngine::Guard guard = engine_->guard();
  return operation_->explanation();
}

}  // namespace tutti

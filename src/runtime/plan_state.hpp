/// @file
/// What a Plan stands for.
#pragma once

#include <memory>

#include "runtime/collective_operation.hpp"
#include "runtime/communicator_state.hpp"

namespace tutti::runtime {

/// An operation that is begun again and again.
class PlanState {
 public:
  PlanState(const std::shared_ptr<CommunicatorState>& communicator, const untyped::Call& call)
      : operation_(std::make_shared<CollectiveOperation>(*communicator)) {
    operation_->keep(communicator);
    operation_->prepare(communicator->preparations().find(call, *communicator), call);
  }

  const std::shared_ptr<CollectiveOperation>& operation() const { return operation_; }

 private:
  std::shared_ptr<CollectiveOperation> operation_;
};

}  // namespace tutti::runtime

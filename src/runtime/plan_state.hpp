/// @file
/// What a Plan stands for.
#pragma once

#include <memory>

#include "runtime/collective_operation.hpp"

namespace tutti::runtime {

/// An operation that is begun again and again.
class PlanState {
 public:
  PlanState(const std::shared_ptr<Member>& member, Invocation invocation)
      : operation_(std::make_shared<CollectiveOperation>(member, std::move(invocation))) {}

  const std::shared_ptr<CollectiveOperation>& operation() const { return operation_; }

 private:
  std::shared_ptr<CollectiveOperation> operation_;
};

}  // namespace tutti::runtime

/// @file
/// What a Plan stands for.
#pragma once

#include <memory>

#include "runtime/collective_operation.hpp"
#include "runtime/member.hpp"

namespace tutti::runtime {

/// An operation that is begun again and again.
class PlanState {
 public:
  PlanState(const std::shared_ptr<Member>& member, const detail::Call& call)
      : operation_(std::make_shared<CollectiveOperation>(*member)) {
    operation_->keep(member);
    operation_->prepare(member->preparations().find(call, *member), call);
  }

  const std::shared_ptr<CollectiveOperation>& operation() const { return operation_; }

 private:
  std::shared_ptr<CollectiveOperation> operation_;
};

}  // namespace tutti::runtime

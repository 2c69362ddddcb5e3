/// @file
/// The instruction sets that the kernels are compiled for and this processor has.
#pragma once

#include <gtest/gtest.h>

#include "kernels/targets.hpp"

// After targets.hpp, which says what is compiled.
#include <hwy/highway.h>

namespace tutti::testing {

/// Makes one at a time the best that the processor has, and calls f. Kernels are to be looked up anew.
template <typename F>
void for_each_instruction_set(const F& f) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(target));
    f();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace tutti::testing

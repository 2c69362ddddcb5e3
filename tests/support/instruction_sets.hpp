/// @file
/// The instruction sets that the kernels are compiled for and this processor has.
#pragma once

#include <gtest/gtest.h>

#include "kernels/dispatch.hpp"

namespace tutti::testing {

/// Makes one at a time the best that the processor has, and calls f. Kernels are to be looked up anew.
template <typename F>
void for_each_instruction_set(const F& f) {
  const std::int64_t all = runtime::instruction_sets();
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    const std::int64_t set = left & -left;
    runtime::use_instruction_sets(set);
    SCOPED_TRACE(hwy::TargetName(set));
    f();
  }
  runtime::use_instruction_sets(0);
}

}  // namespace tutti::testing

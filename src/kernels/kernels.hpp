/// @file
/// Elementwise reductions over arrays, for every primitive type, on the best instruction set that the processor has.
#pragma once

#include <array>

#include "tutti/detail/operator.hpp"

namespace tutti::runtime {

/// One reduction's kernels, by `Primitive`; null where it does not apply. Who asks for streaming stores fences them
/// (copy.hpp).
using KernelRow = std::array<detail::Kernel, detail::primitive_kinds>;

/// Integers wrap around; 16-bit floats are computed in float and rounded once. No product is fused with a sum.
const KernelRow& sum_kernels();
const KernelRow& product_kernels();
/// If either operand is NaN, so is the result: the first NaN, bit for bit. Of equal operands the right one.
const KernelRow& minimum_kernels();
const KernelRow& maximum_kernels();
/// Integers and bool.
const KernelRow& logical_and_kernels();
const KernelRow& logical_or_kernels();
const KernelRow& logical_xor_kernels();
const KernelRow& bitwise_and_kernels();
const KernelRow& bitwise_or_kernels();
const KernelRow& bitwise_xor_kernels();

}  // namespace tutti::runtime

/// @file
/// Elements and operators of torch as those of tutti.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/Types.hpp>

#include "tutti/untyped.hpp"

namespace tutti::torch_backend {

/// Returns the type of a tensor's elements. Types that tutti does not combine, such as quantized ones, are moved alone.
untyped::Datatype type_of(at::ScalarType type);

/// Refuses what no collective of this backend takes, with `Error(unsupported)`: tensors of other devices than the CPU, and sparse ones.
void require_dense(const char* call, const at::Tensor& tensor);

/// An operator of torch's: a factor before the sum, an operator, and a divisor behind it.
struct Reduction {
  untyped::Operator op;
  /// PREMUL_SUM: the factor of this rank's elements; undefined: none.
  at::Tensor factor;
  /// AVG of integers: the sum is divided by the number of ranks, towards zero. Other averages are an operator of tutti's.
  bool divides = false;

  /// Returns the elements that this rank contributes; with a factor they are a copy.
  at::Tensor scaled(const at::Tensor& tensor) const;
};

/// Throws `Error(unsupported)` where the operator does not apply to the type, such as BAND to floats.
Reduction reduction_of(const char* call, const c10d::ReduceOp& op, at::ScalarType type);

}  // namespace tutti::torch_backend

#include "bindings/torch/extension/elements.hpp"

#include <fmt/format.h>

#include <string>

#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

using untyped::Primitive;
using Built = untyped::Reduction;

Primitive primitive_of(at::ScalarType type) {
  switch (type) {
    case at::kBool:
      return Primitive::boolean;
    case at::kByte:
      return Primitive::uint8;
    case at::kChar:
      return Primitive::int8;
    case at::kShort:
      return Primitive::int16;
    case at::kInt:
      return Primitive::int32;
    case at::kLong:
      return Primitive::int64;
    case at::kHalf:
      return Primitive::half;
    case at::kBFloat16:
      return Primitive::brain;
    case at::kFloat:
      return Primitive::single;
    case at::kDouble:
      return Primitive::twice;
    case at::kComplexFloat:
      return Primitive::complex_single;
    case at::kComplexDouble:
      return Primitive::complex_twice;
    default:
      return Primitive::none;
  }
}

const char* name_of(c10d::ReduceOp::RedOpType op) {
  constexpr const char* names[] = {"SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM"};
  return op < std::size(names) ? names[op] : "an unknown operator";
}

Built built_in_of(c10d::ReduceOp::RedOpType op) {
  switch (op) {
    case c10d::ReduceOp::PRODUCT:
      return Built::product;
    case c10d::ReduceOp::MIN:
      return Built::minimum;
    case c10d::ReduceOp::MAX:
      return Built::maximum;
    case c10d::ReduceOp::BAND:
      return Built::bitwise_and;
    case c10d::ReduceOp::BOR:
      return Built::bitwise_or;
    case c10d::ReduceOp::BXOR:
      return Built::bitwise_xor;
    default:
      return Built::sum;
  }
}

/// Truth values: a sum is true if one of them is, a product if all are.
Built logical_of(c10d::ReduceOp::RedOpType op) {
  switch (op) {
    case c10d::ReduceOp::PRODUCT:
    case c10d::ReduceOp::MIN:
    case c10d::ReduceOp::BAND:
      return Built::logical_and;
    case c10d::ReduceOp::BXOR:
      return Built::logical_xor;
    default:
      return Built::logical_or;
  }
}

at::Tensor factor_of(const char* call, const c10d::ReduceOp& op) {
  const auto* const given = dynamic_cast<const c10d::NCCLPreMulSumSupplement*>(op.supplement_.get());
  if (given == nullptr)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: PREMUL_SUM needs its factor: pass tutti.torch.premul_sum(factor) as op", call));
  return given->tensor_factors.empty() ? at::scalar_tensor(given->double_factor, at::kDouble)
                                       : given->tensor_factors.front();
}

}  // namespace

untyped::Datatype type_of(at::ScalarType type) {
  const Primitive primitive = primitive_of(type);
  if (primitive != Primitive::none) return untyped::type_of(primitive);
  return untyped::type_of_bytes(static_cast<std::uint32_t>(c10::elementSize(type)), c10::toString(type));
}

void require_dense(const char* call, const at::Tensor& tensor) {
  if (!tensor.device().is_cpu())
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: tensors lie on the CPU, not on {}: pass tensor.cpu()", call, tensor.device().str()));
  if (tensor.layout() != at::kStrided)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: a sparse tensor is combined by all_reduce alone: pass tensor.to_dense()", call));
}

at::Tensor Reduction::scaled(const at::Tensor& tensor) const {
  return factor.defined() ? tensor.mul(factor).to(tensor.scalar_type()) : tensor;
}

Reduction reduction_of(const char* call, const c10d::ReduceOp& op, at::ScalarType type) {
  const Primitive primitive = primitive_of(type);
  if (primitive == Primitive::none)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: elements of type {} are moved, but not combined", call, c10::toString(type)));
  const c10d::ReduceOp::RedOpType kind = op;
  Reduction reduction;
  if (kind == c10d::ReduceOp::PREMUL_SUM) reduction.factor = factor_of(call, op);
  try {
    if (type == at::kBool) {
      reduction.op = untyped::built_in(logical_of(kind), primitive);
    } else if (kind == c10d::ReduceOp::AVG && !c10::isIntegralType(type, false)) {
      reduction.op = untyped::built_in_average(primitive);
    } else {
      reduction.divides = kind == c10d::ReduceOp::AVG;
      reduction.op = untyped::built_in(built_in_of(kind), primitive);
    }
  } catch (const Error&) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} does not apply to elements of type {}", call, name_of(kind), c10::toString(type)));
  }
  return reduction;
}

}  // namespace tutti::torch_backend

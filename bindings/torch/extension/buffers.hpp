/// @file
/// Tensors as buffers of calls: where they are contiguous, in place.
#pragma once

#include <cstdint>

#include "bindings/torch/extension/operation.hpp"
#include "tutti/untyped.hpp"

namespace tutti::torch_backend {

/// Elements one behind the other.
struct Buffer {
  void* data = nullptr;
  std::int64_t count = 0;
};

/// Tensors of at least so many bytes in a list travel by themselves; copying shorter ones takes less than messages of their own.
inline constexpr std::int64_t least_apart = 32 * 1024;

/// Tag of messages that are blocks of a list; those of programs are below.
inline constexpr int tag_of_lists = 1 << 30;

/// Returns a tensor's elements, to be read until the operation is done; those of one that is not contiguous are copied.
Buffer read_buffer(Operation& operation, const at::Tensor& tensor);
/// Returns memory for a tensor's elements, which has them when the operation is done.
Buffer written_buffer(Operation& operation, const at::Tensor& tensor);
/// Returns memory that holds a tensor's elements and gets new ones.
Buffer updated_buffer(Operation& operation, const at::Tensor& tensor);

/// Tensors of a list one behind the other, as they are if they lie so. The list has tensors of one dtype.
Buffer read_buffer(Operation& operation, const Tensors& list);
Buffer written_buffer(Operation& operation, const Tensors& list);

/// Refuses tensors of two dtypes.
void require_one_dtype(const char* call, const at::Tensor& input, const at::Tensor& output);
/// Returns the list's only tensor, dense and on the CPU.
const at::Tensor& only(const char* call, const Tensors& list);
/// Returns the only list, of `size` dense tensors of that dtype; each has `count` elements, unless that is negative.
const Tensors& only(const char* call, const TensorLists& lists, int size, at::ScalarType type, std::int64_t count);

/// Returns the call of a collective that moves elements of this type from one buffer to another.
untyped::Call call_of(Collective collective, const Buffer& input, const Buffer& output, at::ScalarType type,
                      int root = 0);

}  // namespace tutti::torch_backend

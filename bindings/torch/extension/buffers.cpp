#include "bindings/torch/extension/buffers.hpp"

#include <fmt/format.h>

#include "bindings/torch/extension/elements.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::invalid_argument, text); }

std::int64_t elements_of(const Tensors& list) {
  std::int64_t count = 0;
  for (const at::Tensor& each : list) count += each.numel();
  return count;
}

bool lies_in_a_row(const Tensors& list) {
  const char* next = nullptr;
  for (const at::Tensor& each : list) {
    if (each.numel() == 0) continue;
    const auto* const data = static_cast<const char*>(each.data_ptr());
    if (!each.is_contiguous() || (next != nullptr && data != next)) return false;
    next = data + each.nbytes();
  }
  return true;
}

void* first_of(const Tensors& list) {
  for (const at::Tensor& each : list) {
    if (each.numel() > 0) return each.data_ptr();
  }
  return nullptr;
}

at::Tensor flat_for(Operation& operation, const Tensors& list) {
  at::Tensor flat = at::empty({elements_of(list)}, list.front().options().memory_format(at::MemoryFormat::Contiguous));
  operation.hold(flat);
  return flat;
}

/// Calls `copy` with each tensor and its place in the flat one.
template <typename Copy>
void each_place(const Tensors& list, const at::Tensor& flat, const Copy& copy) {
  std::int64_t first = 0;
  for (const at::Tensor& each : list) {
    copy(each, flat.narrow(0, first, each.numel()).view(each.sizes()));
    first += each.numel();
  }
}

}  // namespace

Buffer read_buffer(Operation& operation, const at::Tensor& tensor) {
  const at::NoGradGuard values_alone;
  const at::Tensor dense = tensor.contiguous();
  operation.hold(dense);
  return {dense.data_ptr(), dense.numel()};
}

Buffer written_buffer(Operation& operation, const at::Tensor& tensor) {
  operation.hold(tensor);
  if (tensor.is_contiguous()) return {tensor.data_ptr(), tensor.numel()};
  const at::Tensor dense = at::empty(tensor.sizes(), tensor.options());
  operation.then([tensor, dense] { tensor.copy_(dense); });
  return {dense.data_ptr(), dense.numel()};
}

Buffer updated_buffer(Operation& operation, const at::Tensor& tensor) {
  const Buffer buffer = read_buffer(operation, tensor);
  if (!tensor.is_contiguous()) {
    const at::Tensor dense = at::from_blob(buffer.data, tensor.sizes(), tensor.options());
    operation.then([tensor, dense] { tensor.copy_(dense); });
  }
  return buffer;
}

Buffer read_buffer(Operation& operation, const Tensors& list) {
  if (lies_in_a_row(list)) {
    for (const at::Tensor& each : list) operation.hold(each);
    return {first_of(list), elements_of(list)};
  }
  const at::NoGradGuard values_alone;
  const at::Tensor flat = flat_for(operation, list);
  each_place(list, flat, [](const at::Tensor& each, const at::Tensor& place) { place.copy_(each); });
  return {flat.data_ptr(), flat.numel()};
}

Buffer written_buffer(Operation& operation, const Tensors& list) {
  if (lies_in_a_row(list)) {
    for (const at::Tensor& each : list) operation.hold(each);
    return {first_of(list), elements_of(list)};
  }
  const at::Tensor flat = flat_for(operation, list);
  operation.then([list, flat] {
    each_place(list, flat, [](const at::Tensor& each, const at::Tensor& place) { each.copy_(place); });
  });
  return {flat.data_ptr(), flat.numel()};
}

void require_one_dtype(const char* call, const at::Tensor& input, const at::Tensor& output) {
  if (input.scalar_type() != output.scalar_type())
    refuse(fmt::format("{}: input has dtype {}, output {}: pass one dtype", call, c10::toString(input.scalar_type()),
                       c10::toString(output.scalar_type())));
}

const at::Tensor& only(const char* call, const Tensors& list) {
  if (list.size() != 1) refuse(fmt::format("{} takes one tensor, not {}", call, list.size()));
  require_dense(call, list.front());
  return list.front();
}

const Tensors& only(const char* call, const TensorLists& lists, int size, at::ScalarType type, std::int64_t count) {
  if (lists.size() != 1) refuse(fmt::format("{} takes one list of tensors, not {}", call, lists.size()));
  const Tensors& list = lists.front();
  if (list.size() != static_cast<std::size_t>(size))
    refuse(fmt::format("{} over {} ranks takes a tensor of each in its list, not {}", call, size, list.size()));
  for (const at::Tensor& each : list) {
    require_dense(call, each);
    if (each.scalar_type() != type)
      refuse(fmt::format("{}: a tensor of the list has dtype {}, the other tensor {}: pass one dtype", call,
                         c10::toString(each.scalar_type()), c10::toString(type)));
    if (count >= 0 && each.numel() != count)
      refuse(fmt::format("{}: a tensor of the list has {} elements, the other tensor {}: pass tensors of one size",
                         call, each.numel(), count));
  }
  return list;
}

untyped::Call call_of(Collective collective, const Buffer& input, const Buffer& output, at::ScalarType type, int root) {
  return {.collective = collective,
          .input = input.data,
          .input_size = input.count,
          .output = output.data,
          .output_size = output.count,
          .root = root,
          .type = type_of(type)};
}

}  // namespace tutti::torch_backend

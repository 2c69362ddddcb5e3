// Messages between two ranks, and blocks of lists that travel as messages.

#include <fmt/format.h>

#include "bindings/torch/extension/buffers.hpp"
#include "bindings/torch/extension/process_group.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

using c10d::OpType;

// Messages of Gloo that are shorter than what the system buffers let their sender go on; programs rely on that.
constexpr std::int64_t most_buffered = 64 * 1024;

untyped::Parcel parcel_of(const Buffer& buffer, const at::Tensor& tensor) {
  return {buffer.data, buffer.count, type_of(tensor.scalar_type())};
}

void require_tag(const char* call, int tag) {
  if (tag < 0 || tag >= tag_of_lists)
    throw Error(ErrorCode::invalid_argument, fmt::format("{} with tag {}: tags are in [0, 2^30)", call, tag));
}

}  // namespace

void ProcessGroup::send_part(Operation& operation, const at::Tensor& tensor, int to, int tag) {
  const Buffer buffer = read_buffer(operation, tensor);
  operation.add(group_->communicator().start_send(parcel_of(buffer, tensor), to, {.tag = tag}));
}

void ProcessGroup::receive_part(Operation& operation, const at::Tensor& tensor, int from, int tag) {
  const Buffer buffer = written_buffer(operation, tensor);
  operation.add(group_->communicator().start_receive(parcel_of(buffer, tensor), from, {.tag = tag}));
}

void ProcessGroup::exchange(Operation& operation, const Tensors& received, const Tensors& sent) {
  const auto own = static_cast<std::size_t>(rank_);
  const at::NoGradGuard values_alone;
  if (received[own].numel() != sent[own].numel())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("rank {} sends {} elements to itself, but expects {}: pass tensors of one size", rank_,
                            sent[own].numel(), received[own].numel()));
  received[own].copy_(sent[own].view_as(received[own]));
  for (int distance = 1; distance < size_; ++distance) {
    const int from = (rank_ - distance + size_) % size_;
    const int to = (rank_ + distance) % size_;
    receive_part(operation, received[static_cast<std::size_t>(from)], from, tag_of_lists);
    send_part(operation, sent[static_cast<std::size_t>(to)], to, tag_of_lists);
  }
}

ProcessGroup::WorkPointer ProcessGroup::send(Tensors& tensors, int to, int tag) {
  const at::Tensor& tensor = only("send", tensors);
  require_tag("send", tag);
  if (to == rank_)
    throw Error(ErrorCode::invalid_argument, fmt::format("rank {} sends to itself: copy the tensor", to));
  const Description description{OpType::SEND, "tutti:send"};
  return begin(description, tensors, Tensors(), [&](Operation& operation) {
    const bool is_buffered = static_cast<std::int64_t>(tensor.nbytes()) <= most_buffered;
    send_part(operation, is_buffered ? tensor.clone(at::MemoryFormat::Contiguous) : tensor, to, tag);
    if (is_buffered) operation.complete_early();
  });
}

ProcessGroup::WorkPointer ProcessGroup::begin_receive(Tensors& tensors, int from, int tag,
                                                      const Description& description) {
  const at::Tensor& tensor = only("recv", tensors);
  require_tag("recv", tag);
  return begin(description, tensors, tensors, [&](Operation& operation) {
    operation.note_receive();
    receive_part(operation, tensor, from, tag);
  });
}

ProcessGroup::WorkPointer ProcessGroup::recv(Tensors& tensors, int from, int tag) {
  return begin_receive(tensors, from, tag, {OpType::RECV, "tutti:recv"});
}

ProcessGroup::WorkPointer ProcessGroup::recvAnysource(Tensors& tensors, int tag) {
  return begin_receive(tensors, any_rank, tag, {OpType::RECVANYSOURCE, "tutti:recvAnySource"});
}

}  // namespace tutti::torch_backend

// Collectives of lists of tensors.

#include <fmt/format.h>

#include "bindings/torch/extension/buffers.hpp"
#include "bindings/torch/extension/process_group.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

using c10d::OpType;

bool travels_apart(const at::Tensor& block, int size) {
  return size > 1 && static_cast<std::int64_t>(block.nbytes()) >= least_apart;
}

}  // namespace

void ProcessGroup::start_all_gather(Operation& operation, const Description& description, const Tensors& outputs,
                                    const at::Tensor& input) {
  if (travels_apart(input, size_)) return exchange(operation, outputs, Tensors(outputs.size(), input));
  const Buffer sent = read_buffer(operation, input);
  const Buffer all = written_buffer(operation, outputs);
  start(operation, description, call_of(Collective::all_gather, sent, all, input.scalar_type()));
}

ProcessGroup::WorkPointer ProcessGroup::allgather(TensorLists& outputs, Tensors& inputs,
                                                  const c10d::AllgatherOptions& options) {
  const at::Tensor& input = only("all_gather", inputs);
  const Tensors& list = only("all_gather", outputs, size_, input.scalar_type(), input.numel());
  const Description description{OpType::ALLGATHER, "tutti:all_gather", options.timeout};
  return begin(description, inputs, list,
               [&](Operation& operation) { start_all_gather(operation, description, list, input); });
}

ProcessGroup::WorkPointer ProcessGroup::allgather_coalesced(TensorLists& outputs, Tensors& inputs,
                                                            const c10d::AllgatherOptions& options) {
  if (outputs.size() != static_cast<std::size_t>(size_))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("all_gather_coalesced over {} ranks takes a list of each, not {}", size_, outputs.size()));
  for (const Tensors& list : outputs) {
    if (list.size() != inputs.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("all_gather_coalesced of {} tensors got a list of {}", inputs.size(), list.size()));
  }
  const Description description{OpType::ALLGATHER_COALESCED, "tutti:all_gather", options.timeout};
  return begin(description, inputs, outputs, [&](Operation& operation) {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      TensorLists of_all(1);
      for (const Tensors& list : outputs) of_all.front().push_back(list[k]);
      require_dense("all_gather_coalesced", inputs[k]);
      only("all_gather_coalesced", of_all, size_, inputs[k].scalar_type(), inputs[k].numel());
      start_all_gather(operation, description, of_all.front(), inputs[k]);
    }
  });
}

ProcessGroup::WorkPointer ProcessGroup::gather(TensorLists& outputs, Tensors& inputs,
                                               const c10d::GatherOptions& options) {
  const at::Tensor& input = only("gather", inputs);
  const int root = static_cast<int>(options.rootRank);
  const bool is_root = rank_ == root;
  Tensors list;
  if (is_root) list = only("gather", outputs, size_, input.scalar_type(), input.numel());
  const Description description{OpType::GATHER, "tutti:gather", options.timeout};
  return begin(description, inputs, list, [&](Operation& operation) {
    if (travels_apart(input, size_)) {
      if (!is_root) return send_part(operation, input, root, tag_of_lists);
      list[static_cast<std::size_t>(root)].copy_(input);
      for (int from = 0; from < size_; ++from) {
        if (from != root) receive_part(operation, list[static_cast<std::size_t>(from)], from, tag_of_lists);
      }
      return;
    }
    const Buffer sent = read_buffer(operation, input);
    const Buffer all = is_root ? written_buffer(operation, list) : Buffer();
    start(operation, description, call_of(Collective::gather, sent, all, input.scalar_type(), root));
  });
}

ProcessGroup::WorkPointer ProcessGroup::scatter(Tensors& outputs, TensorLists& inputs,
                                                const c10d::ScatterOptions& options) {
  const at::Tensor& output = only("scatter", outputs);
  const int root = static_cast<int>(options.rootRank);
  const bool is_root = rank_ == root;
  Tensors list;
  if (is_root) list = only("scatter", inputs, size_, output.scalar_type(), output.numel());
  const Description description{OpType::SCATTER, "tutti:scatter", options.timeout};
  return begin(description, list, outputs, [&](Operation& operation) {
    if (travels_apart(output, size_)) {
      if (!is_root) return receive_part(operation, output, root, tag_of_lists);
      output.copy_(list[static_cast<std::size_t>(root)]);
      for (int to = 0; to < size_; ++to) {
        if (to != root) send_part(operation, list[static_cast<std::size_t>(to)], to, tag_of_lists);
      }
      return;
    }
    const Buffer all = is_root ? read_buffer(operation, list) : Buffer();
    const Buffer own = written_buffer(operation, output);
    start(operation, description, call_of(Collective::scatter, all, own, output.scalar_type(), root));
  });
}

/// Each rank knows the sizes of its own blocks alone.
ProcessGroup::WorkPointer ProcessGroup::alltoall(Tensors& outputs, Tensors& inputs,
                                                 const c10d::AllToAllOptions& options) {
  if (inputs.empty()) throw Error(ErrorCode::invalid_argument, "all_to_all takes a tensor for each rank, not none");
  const at::ScalarType type = inputs.front().scalar_type();
  only("all_to_all", TensorLists{inputs}, size_, type, -1);
  only("all_to_all", TensorLists{outputs}, size_, type, -1);
  const Description description{OpType::ALLTOALL, "tutti:all_to_all", options.timeout};
  return begin(description, inputs, outputs, [&](Operation& operation) { exchange(operation, outputs, inputs); });
}

}  // namespace tutti::torch_backend

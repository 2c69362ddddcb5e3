// Collectives that combine elements.

#include <algorithm>
#include <functional>

#include "bindings/torch/extension/buffers.hpp"
#include "bindings/torch/extension/process_group.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {

using c10d::OpType;

/// Completes a reduction, of which the input is known, into `output`; this rank's input may lie there.
void ProcessGroup::reduce_into(Operation& operation, const Description& description, untyped::Call& call,
                               const Reduction& reduction, const at::Tensor& output) {
  call.op = reduction.op;
  call.type = type_of(output.scalar_type());
  start(operation, description, call);
  if (reduction.divides) operation.then([output, size = size_] { output.div_(size, "trunc"); });
}

ProcessGroup::WorkPointer ProcessGroup::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  if (tensors.size() == 1 && tensors.front().layout() == at::kSparse)
    return all_reduce_sparse(tensors.front(), options);
  only("all_reduce", tensors);
  return allreduce_coalesced(tensors, {options});
}

ProcessGroup::WorkPointer ProcessGroup::allreduce_coalesced(Tensors& tensors,
                                                            const c10d::AllreduceCoalescedOptions& options) {
  const Description description{OpType::ALLREDUCE, "tutti:all_reduce", options.timeout};
  if (tensors.empty())
    throw Error(ErrorCode::invalid_argument, "all_reduce_coalesced takes a tensor at least, not none");
  return begin(description, tensors, tensors, [&](Operation& operation) {
    for (const at::Tensor& tensor : tensors) {
      require_dense("all_reduce", tensor);
      const Reduction reduction = reduction_of("all_reduce", options.reduceOp, tensor.scalar_type());
      untyped::Call call{.collective = Collective::all_reduce};
      if (reduction.factor.defined()) {
        const Buffer input = read_buffer(operation, reduction.scaled(tensor));
        call.input = input.data;
        call.input_size = input.count;
      }
      call.in_place = !reduction.factor.defined();
      const Buffer output = call.in_place ? updated_buffer(operation, tensor) : written_buffer(operation, tensor);
      call.output = output.data;
      call.output_size = output.count;
      reduce_into(operation, description, call, reduction, tensor);
    }
  });
}

ProcessGroup::WorkPointer ProcessGroup::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  const at::Tensor& tensor = only("reduce", tensors);
  Reduction reduction = reduction_of("reduce", options.reduceOp, tensor.scalar_type());
  const Description description{OpType::REDUCE, "tutti:reduce", options.timeout};
  return begin(description, tensors, tensors, [&](Operation& operation) {
    untyped::Call call{.collective = Collective::reduce};
    call.root = static_cast<int>(options.rootRank);
    const bool is_root = rank_ == call.root;
    call.in_place = is_root && !reduction.factor.defined();
    reduction.divides = reduction.divides && is_root;
    if (!call.in_place) {
      const Buffer input = read_buffer(operation, reduction.scaled(tensor));
      call.input = input.data;
      call.input_size = input.count;
    }
    if (is_root) {
      const Buffer output = call.in_place ? updated_buffer(operation, tensor) : written_buffer(operation, tensor);
      call.output = output.data;
      call.output_size = output.count;
    }
    reduce_into(operation, description, call, reduction, tensor);
  });
}

/// Begins the reduction of `blocks`, of which each rank gets its own in `output`: those of a list, which may differ in size, alike on
/// all ranks, or the equal parts of a single tensor.
ProcessGroup::WorkPointer ProcessGroup::begin_reduce_scatter(const char* call_name, const Description& description,
                                                             const c10d::ReduceOp& op, const Tensors& blocks,
                                                             const at::Tensor& output) {
  const Reduction reduction = reduction_of(call_name, op, output.scalar_type());
  return begin(description, blocks, Tensors{output}, [&](Operation& operation) {
    Tensors scaled;
    std::vector<std::int64_t> counts;
    for (const at::Tensor& each : blocks) {
      scaled.push_back(reduction.scaled(each));
      counts.push_back(each.numel());
    }
    const Buffer all = read_buffer(operation, scaled);
    const Buffer own = written_buffer(operation, output);
    untyped::Call call = call_of(Collective::reduce_scatter, all, own, output.scalar_type());
    call.by_counts = std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) != counts.end();
    if (call.by_counts) call.counts = counts;
    reduce_into(operation, description, call, reduction, output);
  });
}

ProcessGroup::WorkPointer ProcessGroup::reduce_scatter(Tensors& outputs, TensorLists& inputs,
                                                       const c10d::ReduceScatterOptions& options) {
  constexpr const char* call = "reduce_scatter";
  const at::Tensor& output = only(call, outputs);
  const Tensors& list = only(call, inputs, size_, output.scalar_type(), -1);
  return begin_reduce_scatter(call, {OpType::REDUCE_SCATTER, "tutti:reduce_scatter", options.timeout}, options.reduceOp,
                              list, output);
}

ProcessGroup::WorkPointer ProcessGroup::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                             const c10d::ReduceScatterOptions& options) {
  constexpr const char* call = "reduce_scatter_tensor";
  require_dense(call, input);
  require_dense(call, output);
  require_one_dtype(call, input, output);
  return begin_reduce_scatter(call, {OpType::_REDUCE_SCATTER_BASE, "tutti:_reduce_scatter_base", options.timeout},
                              options.reduceOp, {input}, output);
}

}  // namespace tutti::torch_backend

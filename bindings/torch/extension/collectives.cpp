// Collectives of one tensor a rank.

#include <fmt/format.h>

#include <numeric>

#include "bindings/torch/extension/buffers.hpp"
#include "bindings/torch/extension/process_group.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

using c10d::OpType;

/// Elements of the block of each rank, of `rows` rows of a tensor.
std::vector<std::int64_t> counts_of(const std::vector<std::int64_t>& splits, const at::Tensor& tensor, int size) {
  const std::int64_t rows = tensor.dim() == 0 ? 1 : tensor.size(0);
  std::vector<std::int64_t> counts(splits.begin(), splits.end());
  if (counts.empty()) {
    if (rows % size != 0)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("all_to_all_single over {} ranks cannot part {} rows into equal blocks: pass split sizes",
                              size, rows));
    counts.assign(static_cast<std::size_t>(size), rows / size);
  }
  const std::int64_t sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (counts.size() != static_cast<std::size_t>(size) || sum != rows)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("all_to_all_single over {} ranks got {} split sizes of {} rows together, but the tensor has "
                    "{} rows: pass one a rank that add up to them",
                    size, counts.size(), sum, rows));
  const std::int64_t row = rows == 0 ? 0 : tensor.numel() / rows;
  for (std::int64_t& count : counts) count *= row;
  return counts;
}

void require_one_dtype(const char* call, const at::Tensor& a, const at::Tensor& b) {
  if (a.scalar_type() != b.scalar_type())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: input has dtype {}, output {}: pass one dtype", call, c10::toString(a.scalar_type()),
                            c10::toString(b.scalar_type())));
}

/// The call's largest buffer, in bytes.
std::int64_t bytes_of(const untyped::Call& call) {
  return std::max(call.input_size, call.output_size) * static_cast<std::int64_t>(call.type.size);
}

}  // namespace

void ProcessGroup::start(Operation& operation, const Description& description, const untyped::Call& call) {
  Communicator& communicator = group_->communicator();
  Handle handle = communicator.start(call);
  if (CallReport::is_asked_for()) {
    const std::string algorithm(handle.algorithm());
    const std::int64_t blocks = call.by_counts || call.collective == Collective::barrier ? 0 : call.output_size;
    const bool is_known = blocks > 0 && call.collective != Collective::gather && !algorithm.empty();
    const bool joins = call.collective == Collective::all_gather || call.collective == Collective::all_to_all;
    const auto predicted = is_known ? communicator.predicted_time(call.collective, joins ? blocks / size_ : blocks,
                                                                  call.type.size, algorithm)
                                    : Duration(0);
    const auto begun = std::chrono::steady_clock::now();
    operation.then(
        [group = group_.get(), title = description.title, bytes = bytes_of(call), algorithm, predicted, begun] {
          group->report().add(title, bytes, algorithm, predicted, std::chrono::steady_clock::now() - begun);
        });
  }
  operation.add(std::move(handle));
}

ProcessGroup::WorkPointer ProcessGroup::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  const at::Tensor& tensor = only("broadcast", tensors);
  const Description description{OpType::BROADCAST, "tutti:broadcast", options.timeout};
  return begin(description, tensors, {tensors}, [&](Operation& operation) {
    untyped::Call call{.collective = Collective::broadcast, .in_place = true};
    call.root = static_cast<int>(options.rootRank);
    const Buffer buffer = rank_ == call.root ? read_buffer(operation, tensor) : written_buffer(operation, tensor);
    call.output = buffer.data;
    call.output_size = buffer.count;
    call.type = type_of(tensor.scalar_type());
    start(operation, description, call);
  });
}

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
  return begin(description, tensors, {tensors}, [&](Operation& operation) {
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
  return begin(description, tensors, {tensors}, [&](Operation& operation) {
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

ProcessGroup::WorkPointer ProcessGroup::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                        const c10d::AllgatherOptions& options) {
  require_dense("all_gather_into_tensor", input);
  require_dense("all_gather_into_tensor", output);
  require_one_dtype("all_gather_into_tensor", input, output);
  const Description description{OpType::_ALLGATHER_BASE, "tutti:_all_gather_base", options.timeout};
  return begin(description, {input}, {{output}}, [&](Operation& operation) {
    const Buffer sent = read_buffer(operation, input);
    const Buffer all = written_buffer(operation, output);
    start(operation, description, call_of(Collective::all_gather, sent, all, input.scalar_type()));
  });
}

ProcessGroup::WorkPointer ProcessGroup::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                             const c10d::ReduceScatterOptions& options) {
  require_dense("reduce_scatter_tensor", input);
  require_dense("reduce_scatter_tensor", output);
  require_one_dtype("reduce_scatter_tensor", input, output);
  const Reduction reduction = reduction_of("reduce_scatter_tensor", options.reduceOp, input.scalar_type());
  const Description description{OpType::_REDUCE_SCATTER_BASE, "tutti:_reduce_scatter_base", options.timeout};
  return begin(description, {input}, {{output}}, [&](Operation& operation) {
    const Buffer all = read_buffer(operation, reduction.scaled(input));
    const Buffer own = written_buffer(operation, output);
    untyped::Call call{.collective = Collective::reduce_scatter,
                       .input = all.data,
                       .input_size = all.count,
                       .output = own.data,
                       .output_size = own.count};
    reduce_into(operation, description, call, reduction, output);
  });
}

ProcessGroup::WorkPointer ProcessGroup::alltoall_base(at::Tensor& output, at::Tensor& input,
                                                      std::vector<std::int64_t>& output_splits,
                                                      std::vector<std::int64_t>& input_splits,
                                                      const c10d::AllToAllOptions& options) {
  require_dense("all_to_all_single", input);
  require_dense("all_to_all_single", output);
  require_one_dtype("all_to_all_single", input, output);
  const std::vector<std::int64_t> sent = counts_of(input_splits, input, size_);
  const std::vector<std::int64_t> received = counts_of(output_splits, output, size_);
  const Description description{OpType::ALLTOALL_BASE, "tutti:all_to_all", options.timeout};
  return begin(description, {input}, {{output}}, [&](Operation& operation) {
    const Buffer from = read_buffer(operation, input);
    const Buffer into = written_buffer(operation, output);
    untyped::Call call{.collective = Collective::all_to_all,
                       .input = from.data,
                       .input_size = from.count,
                       .output = into.data,
                       .output_size = into.count,
                       .type = type_of(input.scalar_type())};
    call.by_counts = !input_splits.empty() || !output_splits.empty();
    if (call.by_counts) {
      call.counts = sent;
      call.receive_counts = received;
    }
    start(operation, description, call);
  });
}

ProcessGroup::WorkPointer ProcessGroup::barrier(const c10d::BarrierOptions& options) {
  const Description description{OpType::BARRIER, "tutti:barrier", options.timeout};
  return begin(description, {}, {}, [&](Operation& operation) {
    start(operation, description, {.collective = Collective::barrier});
    operation.then([group = group_.get()] { group->compare_calls(); });
  });
}

}  // namespace tutti::torch_backend

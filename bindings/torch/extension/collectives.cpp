// Collectives of one tensor a rank that move elements, and the barrier.

#include <fmt/format.h>

#include <numeric>
#include <optional>

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

/// The call's largest buffer, in bytes.
std::int64_t bytes_of(const untyped::Call& call) {
  return std::max(call.input_size, call.output_size) * static_cast<std::int64_t>(call.type.size);
}

}  // namespace

void ProcessGroup::start(Operation& operation, const Description& description, const untyped::Call& call) {
  Communicator& communicator = group_->communicator();
  if (CallReport::is_asked_for()) return start_reported(operation, description, call);
  if (std::optional<Handle> handle = communicator.run_or_start(call)) operation.add(std::move(*handle));
}

/// Starts the call, and counts it in the report once it is done.
void ProcessGroup::start_reported(Operation& operation, const Description& description, const untyped::Call& call) {
  Communicator& communicator = group_->communicator();
  Handle handle = communicator.start(call);
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
  operation.add(std::move(handle));
}

ProcessGroup::WorkPointer ProcessGroup::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  const at::Tensor& tensor = only("broadcast", tensors);
  const Description description{OpType::BROADCAST, "tutti:broadcast", options.timeout};
  return begin(description, tensors, tensors, [&](Operation& operation) {
    untyped::Call call{.collective = Collective::broadcast, .in_place = true};
    call.root = static_cast<int>(options.rootRank);
    const Buffer buffer = rank_ == call.root ? read_buffer(operation, tensor) : written_buffer(operation, tensor);
    call.output = buffer.data;
    call.output_size = buffer.count;
    call.type = type_of(tensor.scalar_type());
    start(operation, description, call);
  });
}

ProcessGroup::WorkPointer ProcessGroup::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                        const c10d::AllgatherOptions& options) {
  require_dense("all_gather_into_tensor", input);
  require_dense("all_gather_into_tensor", output);
  require_one_dtype("all_gather_into_tensor", input, output);
  const Description description{OpType::_ALLGATHER_BASE, "tutti:_all_gather_base", options.timeout};
  return begin(description, {input}, Tensors{output}, [&](Operation& operation) {
    const Buffer sent = read_buffer(operation, input);
    const Buffer all = written_buffer(operation, output);
    start(operation, description, call_of(Collective::all_gather, sent, all, input.scalar_type()));
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
  return begin(description, {input}, Tensors{output}, [&](Operation& operation) {
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
  return begin(description, {}, Tensors(), [&](Operation& operation) {
    start(operation, description, {.collective = Collective::barrier});
    operation.then([group = group_.get()] { group->compare_calls(); });
  });
}

}  // namespace tutti::torch_backend

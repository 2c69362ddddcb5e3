// Sum of sparse tensors: ranks gather one another's entries.

#include "bindings/torch/extension/buffers.hpp"
#include "bindings/torch/extension/process_group.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

/// Returns the rows of all ranks, of which rank r has `rows[r]`.
at::Tensor gathered(Communicator& communicator, const at::Tensor& own, const std::vector<std::int64_t>& rows) {
  std::int64_t row = 1;
  for (std::int64_t d = 1; d < own.dim(); ++d) row *= own.size(d);
  std::vector<std::int64_t> counts;
  std::int64_t all_rows = 0;
  for (const std::int64_t each : rows) {
    counts.push_back(each * row);
    all_rows += each;
  }
  std::vector<std::int64_t> shape = own.sizes().vec();
  shape.front() = all_rows;
  at::Tensor all = at::empty(shape, own.options());
  communicator.run({.collective = Collective::all_gather,
                    .input = own.data_ptr(),
                    .input_size = own.numel(),
                    .output = all.data_ptr(),
                    .output_size = all.numel(),
                    .by_counts = true,
                    .counts = counts,
                    .type = type_of(own.scalar_type())});
  return all;
}

}  // namespace

/// Returns when it is done: how many entries the others have is known only after a first exchange.
ProcessGroup::WorkPointer ProcessGroup::all_reduce_sparse(at::Tensor& tensor, const c10d::AllreduceOptions& options) {
  if (options.reduceOp.op_ != c10d::ReduceOp::SUM)
    throw Error(ErrorCode::unsupported, "all_reduce of a sparse tensor combines by SUM alone: pass tensor.to_dense()");
  const Description description{c10d::OpType::ALLREDUCE, "tutti:sparse_all_reduce", options.timeout};
  return begin(description, {tensor}, Tensors{tensor}, [&](Operation&) {
    const at::NoGradGuard values_alone;
    Communicator& communicator = group_->communicator();
    const at::Tensor own = tensor.coalesce();
    const std::int64_t entries = own._nnz();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(size_));
    communicator.run({.collective = Collective::all_gather,
                      .input = &entries,
                      .input_size = 1,
                      .output = rows.data(),
                      .output_size = size_,
                      .type = untyped::type_of(untyped::Primitive::int64)});
    const at::Tensor indices = gathered(communicator, own.indices().t().contiguous(), rows);
    const at::Tensor values = gathered(communicator, own.values().contiguous(), rows);
    tensor.copy_(at::sparse_coo_tensor(indices.t(), values, tensor.sizes(), tensor.options()).coalesce());
  });
}

}  // namespace tutti::torch_backend

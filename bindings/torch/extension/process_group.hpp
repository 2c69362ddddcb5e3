/// @file
/// Backend "tutti" of torch.distributed: torch's operations as calls of tutti.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bindings/torch/extension/base.hpp"
#include "bindings/torch/extension/elements.hpp"
#include "bindings/torch/extension/group.hpp"
#include "bindings/torch/extension/operation.hpp"

namespace tutti::torch_backend {

/// Each operation returns at once; what is wrong with its arguments is thrown at once, and what only several ranks can see by wait().
/// Tensors are dense and lie on the CPU; those that are not contiguous are copied.
///
/// A list of tensors that lie one behind the other, as chunks of one tensor do, is one buffer. Others are joined in one while they are
/// small; from `least_apart` bytes a tensor on, each travels by itself, from where it lies to where it is wanted.
class ProcessGroup final : public BackendBase {
 public:
  using WorkPointer = c10::intrusive_ptr<c10d::Work>;

  explicit ProcessGroup(std::shared_ptr<Group> group);
  ~ProcessGroup() override;

  const std::string getBackendName() const override { return "tutti"; }

  WorkPointer broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPointer allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPointer allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) override;
  WorkPointer reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
  WorkPointer allgather(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPointer _allgather_base(at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions& options) override;
  WorkPointer allgather_coalesced(TensorLists& outputs, Tensors& inputs,
                                  const c10d::AllgatherOptions& options) override;
  WorkPointer gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) override;
  WorkPointer scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& options) override;
  WorkPointer reduce_scatter(Tensors& outputs, TensorLists& inputs, const c10d::ReduceScatterOptions& options) override;
  WorkPointer _reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                   const c10d::ReduceScatterOptions& options) override;
  WorkPointer alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<std::int64_t>& output_splits,
                            std::vector<std::int64_t>& input_splits, const c10d::AllToAllOptions& options) override;
  WorkPointer alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) override;
  WorkPointer send(Tensors& tensors, int to, int tag) override;
  WorkPointer recv(Tensors& tensors, int from, int tag) override;
  WorkPointer recvAnysource(Tensors& tensors, int tag) override;
  WorkPointer barrier(const c10d::BarrierOptions& options) override;
  /// Names the ranks that do not come in time: the first, or all of them.
  void monitoredBarrier(const c10d::BarrierOptions& options, bool wait_all_ranks) override;
  void setSequenceNumberForGroup() override {}
  /// The number of operations that this rank has begun.
  std::uint64_t getSequenceNumberForGroup() override { return begun_; }

  /// Keeps the store for monitoredBarrier().
  void set_store(c10::intrusive_ptr<c10d::Store> store) { store_ = std::move(store); }
  Group& group() { return *group_; }

 private:
  /// Begins an operation: `begin` adds its parts, with the rank's lock held.
  template <typename Begin>
  WorkPointer begin(const Description& description, const Tensors& inputs, Outcome outcome, const Begin& begin);
  WorkPointer begin_receive(Tensors& tensors, int from, int tag, const Description& description);
  void start(Operation& operation, const Description& description, const untyped::Call& call);
  void start_reported(Operation& operation, const Description& description, const untyped::Call& call);
  void start_all_gather(Operation& operation, const Description& description, const Tensors& outputs,
                        const at::Tensor& input);
  void send_part(Operation& operation, const at::Tensor& tensor, int to, int tag);
  void receive_part(Operation& operation, const at::Tensor& tensor, int from, int tag);
  /// Moves all blocks of an all-to-all or the like by messages: those of this rank are copied.
  void exchange(Operation& operation, const Tensors& received, const Tensors& sent);
  void reduce_into(Operation& operation, const Description& description, untyped::Call& call,
                   const Reduction& reduction, const at::Tensor& output);
  WorkPointer begin_reduce_scatter(const char* call_name, const Description& description, const c10d::ReduceOp& op,
                                   const Tensors& blocks, const at::Tensor& output);
  WorkPointer all_reduce_sparse(at::Tensor& tensor, const c10d::AllreduceOptions& options);

  std::shared_ptr<Group> group_;
  c10::intrusive_ptr<c10d::Store> store_;
  std::uint64_t begun_ = 0;
};

template <typename Begin>
ProcessGroup::WorkPointer ProcessGroup::begin(const Description& description, const Tensors& inputs, Outcome outcome,
                                              const Begin& begin) {
  const HeldRank held(group_->lock());
  auto operation = c10::make_intrusive<Operation>(group_, description, inputs, std::move(outcome));
  begin(*operation);
  ++begun_;
  if (!operation->settle_at_once()) group_->keep(operation);
  return operation;
}

/// Adds the class and create() to the module.
void add_process_group(pybind11::module_& module);

}  // namespace tutti::torch_backend

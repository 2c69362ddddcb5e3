// Collectives that combine elements.

#include <algorithm>
#include <numeric>

#include "interpose/serve/served_call.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

using untyped::Call;

/// Whether MPI's arguments name an operator on elements.
bool is_foldable(MPI_Count count, MPI_Datatype type, MPI_Op op) { return is_sound(count, type) && op != MPI_OP_NULL; }

/// Whether `count` elements may be read at one place, or else in place, and `results` be written at the other.
bool are_operands(ServedCollective which, const void* send, const void* receive, MPI_Count count, MPI_Count results,
                  const MpiType& type) {
  const bool by_open_mpi = which == ServedCollective::reduce || (which == ServedCollective::all_reduce && count > 1);
  if (send == MPI_IN_PLACE) return may_lie_at(receive, count, type);
  // No MPI looks at the output if an exclusive scan puts nothing there.
  const bool is_unused = which == ServedCollective::exclusive_scan && results * type.size == 0;
  const bool may_receive = is_unused ? type.is_committed : may_lie_at(receive, results, type);
  return may_receive && may_lie_at(send, count, type) && !(count > 0 && are_refused(send, receive, by_open_mpi));
}

Call combining(Collective collective, const ServedReduction& folding) {
  Call call{.collective = collective};
  call.type = folding.type;
  call.op = folding.op;
  return call;
}

/// The collectives in which every rank gives and gets `count` elements, in place or not.
Served combine_alike(ServedCommunicator& on, ServedCollective which, Collective collective, const void* send,
                     void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op) {
  if (!is_foldable(count, type, op)) return std::nullopt;
  const MpiType element = type_of(type);
  // An exclusive scan gives the first rank nothing.
  const MPI_Count results = which == ServedCollective::exclusive_scan && on.rank() == 0 ? 0 : count;
  if (!are_operands(which, send, receive, count, results, element) || on.leaves(which, count * element.size))
    return std::nullopt;
  const std::optional<ServedReduction> folding = reduction_of(op, element, on.handles());
  if (!folding) return std::nullopt;
  const bool in_place = send == MPI_IN_PLACE;
  const PackedOutput output(receive, count, element);
  if (in_place && !element.is_plain) pack(receive, count, element, output.data());
  const PackedInput input = in_place ? PackedInput() : PackedInput(send, count, element);
  Call call = combining(collective, *folding);
  call.in_place = in_place;
  call.input = in_place ? output.data() : input.data();
  call.input_size = count;
  call.output = output.data();
  call.output_size = count;
  // Ranks may differ in that in the scans.
  if (which == ServedCollective::all_reduce) call.type = told_with(call.type, placed(in_place && count > 0));
  const int code = run(on, call, placed(in_place));
  // A rank that gets nothing keeps what it has, and may have no memory there.
  return results < count ? code : output.finished(code);
}

/// The reduction by blocks of that many elements; all ranks know all counts.
Served reduce_blocks(ServedCommunicator& on, ServedCollective which, const void* send, void* receive,
                     std::span<const std::int64_t> counts, MPI_Datatype type, MPI_Op op) {
  const MpiType element = type_of(type);
  const std::int64_t all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const std::int64_t own = counts[static_cast<std::size_t>(on.rank())];
  if (!are_operands(which, send, receive, all, own, element) || on.leaves(which, all / on.size() * element.size))
    return std::nullopt;
  const std::optional<ServedReduction> folding = reduction_of(op, element, on.handles());
  if (!folding) return std::nullopt;
  const bool in_place = send == MPI_IN_PLACE;
  const PackedInput input(in_place ? receive : send, all, element);
  // In place the result goes over what peers still read.
  const PackedOutput output(receive, own, element, in_place);
  Call call = combining(Collective::reduce_scatter, *folding);
  const bool are_equal = std::all_of(counts.begin(), counts.end(), [&](std::int64_t n) { return n == counts[0]; });
  // A program that is checked is told of its counts, where the function that it called has any.
  call.by_counts = !are_equal || (is_checked() && which == ServedCollective::reduce_scatter);
  if (call.by_counts) call.counts = counts;
  call.input = input.data();
  call.input_size = all;
  call.output = output.data();
  call.output_size = own;
  // A rank whose block is empty may have no buffer that it could pass in place of another one.
  if (which == ServedCollective::reduce_scatter_block) call.type = told_with(call.type, placed(in_place && all > 0));
  return output.finished(run(on, call, placed(in_place)));
}

}  // namespace

Served reduce(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
              int root) {
  if (!is_foldable(count, type, op) || !is_root(on, root)) return std::nullopt;
  const MpiType element = type_of(type);
  // MPICH 4.0.2 crashes in some calls that are in place, which the other ranks do not know of.
  const bool may_be_left = !is_mpich;
  const bool is_at_root = on.rank() == root;
  if (is_at_root ? !are_operands(ServedCollective::reduce, send, receive, count, count, element)
                 : !may_lie_at(send, count, element))
    return std::nullopt;
  if (may_be_left && on.leaves(ServedCollective::reduce, count * element.size)) return std::nullopt;
  const std::optional<ServedReduction> folding = reduction_of(op, element, on.handles());
  if (!folding) return std::nullopt;
  const bool in_place = is_at_root && send == MPI_IN_PLACE;
  const PackedOutput output = is_at_root ? PackedOutput(receive, count, element) : PackedOutput();
  if (in_place && !element.is_plain) pack(receive, count, element, output.data());
  const PackedInput input = in_place ? PackedInput() : PackedInput(send, count, element);
  Call call = combining(Collective::reduce, *folding);
  call.root = root;
  call.in_place = in_place;
  call.input = in_place ? output.data() : input.data();
  call.input_size = count;
  call.output = output.data();
  call.output_size = is_at_root ? count : 0;
  return output.finished(run(on, call, placed(in_place)));
}

Served all_reduce(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                  MPI_Op op) {
  return combine_alike(on, ServedCollective::all_reduce, Collective::all_reduce, send, receive, count, type, op);
}

Served scan(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op) {
  return combine_alike(on, ServedCollective::scan, Collective::scan, send, receive, count, type, op);
}

Served exclusive_scan(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                      MPI_Op op) {
  return combine_alike(on, ServedCollective::exclusive_scan, Collective::exclusive_scan, send, receive, count, type,
                       op);
}

Served reduce_scatter(ServedCommunicator& on, const void* send, void* receive, Numbers counts, MPI_Datatype type,
                      MPI_Op op) {
  if (!counts.is_there()) return std::nullopt;
  std::vector<std::int64_t>& elements = on.numbers(0);
  elements.resize(static_cast<std::size_t>(on.size()));
  for (int rank = 0; rank < on.size(); ++rank) {
    if (!is_foldable(counts[rank], type, op)) return std::nullopt;
    elements[static_cast<std::size_t>(rank)] = counts[rank];
  }
  return reduce_blocks(on, ServedCollective::reduce_scatter, send, receive, elements, type, op);
}

Served reduce_scatter_block(ServedCommunicator& on, const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                            MPI_Op op) {
  if (!is_foldable(count, type, op)) return std::nullopt;
  on.numbers(0).assign(static_cast<std::size_t>(on.size()), count);
  return reduce_blocks(on, ServedCollective::reduce_scatter_block, send, receive, on.numbers(0), type, op);
}

}  // namespace tutti::interpose

#include "mpi_check/collectives/intercomm_signatures.hpp"

#include "mpi_check/collectives/nonblocking_signatures.hpp"

namespace tutti::interpose {
namespace {

using Elements = Amount::Elements;

NeededRanks by(int root) { return {NeededRanks::Of::by_root, root}; }

Listed with_one_type(Numbers counts, MPI_Datatype type) {
  return {counts, [type](int) { return type; }};
}

Listed with_types(Numbers counts, Types types) {
  return {counts, [types](int rank) { return types[rank]; }};
}

Amount amount_of(Elements elsewhere, Elements at_root) {
  Amount amount;
  amount.elsewhere = elsewhere;
  amount.at_root = at_root;
  return amount;
}

Amount combined(Elements elements, MPI_Op op) {
  Amount amount = amount_of(elements, elements);
  amount.way = Amount::Way::folded;
  amount.op = op;
  amount.folded = elements.type;
  return amount;
}

/// An all-to-all whose ranks have one list for what they send and one for what they receive.
CallDescription compared_lists(const ServedCommunicator& to, const Listed& sent, const Listed& received) {
  Amount amount;
  amount.flows = [&](int, int ranks) { return flows_of_all_to_all(sent, received, ranks); };
  return compared_between_groups(to, of_all(), amount);
}

}  // namespace

CallDescription compared_in_broadcast(const ServedCommunicator& to, const void*, MPI_Count count, MPI_Datatype type,
                                      int root) {
  return compared_between_groups(to, by(root), from_root(amount_of({count, type}, {count, type})));
}

CallDescription compared_in_reduce(const ServedCommunicator& to, const void*, void*, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, int root) {
  return compared_between_groups(to, by(root), combined({count, type}, op));
}

CallDescription compared_in_all_reduce(const ServedCommunicator& to, const void*, void*, MPI_Count count,
                                       MPI_Datatype type, MPI_Op op) {
  return compared_between_groups(to, of_all(), combined({count, type}, op));
}

CallDescription compared_in_reduce_scatter(const ServedCommunicator& to, const void*, void*, Numbers counts,
                                           MPI_Datatype type, MPI_Op op) {
  Amount amount = combined({1, type}, op);
  amount.blocks = with_one_type(counts, type);
  return compared_between_groups(to, of_all(), amount);
}

CallDescription compared_in_reduce_scatter_block(const ServedCommunicator& to, const void*, void*, MPI_Count count,
                                                 MPI_Datatype type, MPI_Op op) {
  return compared_between_groups(to, of_all(), in_blocks(combined({count, type}, op)));
}

CallDescription compared_in_gather(const ServedCommunicator& to, const void*, MPI_Count send_count,
                                   MPI_Datatype send_type, void*, MPI_Count receive_count, MPI_Datatype receive_type,
                                   int root) {
  return compared_between_groups(to, by(root),
                                 to_root(amount_of({send_count, send_type}, {receive_count, receive_type})));
}

CallDescription compared_in_gather_v(const ServedCommunicator& to, const void*, MPI_Count send_count,
                                     MPI_Datatype send_type, void*, Numbers receive_counts, Numbers,
                                     MPI_Datatype receive_type, int root) {
  Amount amount;
  amount.flows = [&](int rank, int ranks) {
    return flows_of_gather(Elements{send_count, send_type}, with_one_type(receive_counts, receive_type), root, rank,
                           ranks);
  };
  return compared_between_groups(to, by(root), amount);
}

CallDescription compared_in_scatter(const ServedCommunicator& to, const void*, MPI_Count send_count,
                                    MPI_Datatype send_type, void*, MPI_Count receive_count, MPI_Datatype receive_type,
                                    int root) {
  return compared_between_groups(to, by(root),
                                 from_root(amount_of({receive_count, receive_type}, {send_count, send_type})));
}

CallDescription compared_in_scatter_v(const ServedCommunicator& to, const void*, Numbers send_counts, Numbers,
                                      MPI_Datatype send_type, void*, MPI_Count receive_count, MPI_Datatype receive_type,
                                      int root) {
  Amount amount;
  amount.flows = [&](int rank, int ranks) {
    return flows_of_scatter(with_one_type(send_counts, send_type), Elements{receive_count, receive_type}, root, rank,
                            ranks);
  };
  return compared_between_groups(to, by(root), amount);
}

CallDescription compared_in_all_gather(const ServedCommunicator& to, const void*, MPI_Count send_count,
                                       MPI_Datatype send_type, void*, MPI_Count receive_count,
                                       MPI_Datatype receive_type) {
  const Elements sent{send_count, send_type};
  const Elements received{receive_count, receive_type};
  return compared_between_groups(to, of_all(), to_all(amount_of(received, received), amount_of(sent, sent)));
}

CallDescription compared_in_all_gather_v(const ServedCommunicator& to, const void*, MPI_Count send_count,
                                         MPI_Datatype send_type, void*, Numbers receive_counts, Numbers,
                                         MPI_Datatype receive_type) {
  Amount amount;
  amount.flows = [&](int rank, int ranks) {
    return flows_of_all_gather(Elements{send_count, send_type}, with_one_type(receive_counts, receive_type), rank,
                               ranks);
  };
  return compared_between_groups(to, of_all(), amount);
}

CallDescription compared_in_all_to_all_v(const ServedCommunicator& to, const void*, Numbers send_counts, Numbers,
                                         MPI_Datatype send_type, void*, Numbers receive_counts, Numbers,
                                         MPI_Datatype receive_type) {
  return compared_lists(to, with_one_type(send_counts, send_type), with_one_type(receive_counts, receive_type));
}

CallDescription compared_in_all_to_all_w(const ServedCommunicator& to, const void*, Numbers send_counts, Numbers,
                                         Types send_types, void*, Numbers receive_counts, Numbers,
                                         Types receive_types) {
  return compared_lists(to, with_types(send_counts, send_types), with_types(receive_counts, receive_types));
}

}  // namespace tutti::interpose

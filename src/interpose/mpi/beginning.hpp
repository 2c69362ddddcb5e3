/// @file
/// The functions of MPI that begin a collective and make a request of it: where the program is checked, they are
/// counted, and ranks compare what they begin.
#pragma once

// NOLINTBEGIN: a list that no function can make
/// Each of them: its name after MPI_, in letters of both cases; its number of arguments in C, and which ones are the
/// communicator and the request; in Fortran the number, and which one is the error code; whom it needs (Needed), and
/// what all ranks say alike of its length and its operator (Amount).
#define TUTTI_BEGINNINGS(BEGINS)                                              \
  BEGINS(Ibarrier, ibarrier, IBARRIER, 2, a, b, 3, c, of_all(), nothing())    \
  BEGINS(Comm_idup, comm_idup, COMM_IDUP, 3, a, c, 4, d, of_all(), nothing()) \
  TUTTI_BEGINNINGS_WITH_COUNTS(BEGINS, , , )
/// Those of them that MPICH has with counts of either width.
#define TUTTI_BEGINNINGS_WITH_COUNTS(BEGINS, C, LOWER, UPPER)                                                         \
  BEGINS(Ibcast##C, ibcast##LOWER, IBCAST##UPPER, 6, e, f, 7, g, of_root(d), from_root(moved##C(b, c)))               \
  BEGINS(Igather##C, igather##LOWER, IGATHER##UPPER, 9, h, i, 10, j, of_all_by_root(g),                               \
         in_buffers(a, d, to_root(gathered##C(b, c, e, f))))                                                          \
  BEGINS(Igatherv##C, igatherv##LOWER, IGATHERV##UPPER, 10, i, j, 11, k, of_root_by_counts(h),                        \
         listed_gather##C(a, b, c, e, g, h))                                                                          \
  BEGINS(Iscatter##C, iscatter##LOWER, ISCATTER##UPPER, 9, h, i, 10, j, of_root(g),                                   \
         in_buffers(a, d, from_root(gathered##C(e, f, b, c))))                                                        \
  BEGINS(Iscatterv##C, iscatterv##LOWER, ISCATTERV##UPPER, 10, i, j, 11, k, of_root(h),                               \
         listed_scatter##C(b, d, e, f, g, h))                                                                         \
  BEGINS(Iallgather##C, iallgather##LOWER, IALLGATHER##UPPER, 8, g, h, 9, i, of_all(),                                \
         in_buffers(a, d, placed(a, to_all(moved##C(e, f), moved##C(b, c)))))                                         \
  BEGINS(Iallgatherv##C, iallgatherv##LOWER, IALLGATHERV##UPPER, 9, h, i, 10, j, of_unknown(),                        \
         placed(a, listed_all_gather##C(a, b, c, e, g)))                                                              \
  BEGINS(Ialltoall##C, ialltoall##LOWER, IALLTOALL##UPPER, 8, g, h, 9, i, of_all(),                                   \
         in_buffers(a, d, to_each(placed(a, to_all(moved##C(e, f), moved##C(b, c))))))                                \
  BEGINS(Ialltoallv##C, ialltoallv##LOWER, IALLTOALLV##UPPER, 10, i, j, 11, k, of_unknown(),                          \
         placed(a, listed_all_to_all##C(a, b, d, f, h)))                                                              \
  BEGINS(Ialltoallw##C, ialltoallw##LOWER, IALLTOALLW##UPPER, 10, i, j, 11, k, of_unknown(),                          \
         placed(a, listed_all_to_all_w##C(a, b, d, f, h)))                                                            \
  BEGINS(Ireduce##C, ireduce##LOWER, IREDUCE##UPPER, 8, g, h, 9, i, of_all_by_root(f),                                \
         in_buffers(a, b, folded##C(c, d, e)))                                                                        \
  BEGINS(Iallreduce##C, iallreduce##LOWER, IALLREDUCE##UPPER, 7, f, g, 8, h, of_all(),                                \
         in_buffers(a, b, placed(a, folded##C(c, d, e))))                                                             \
  BEGINS(Ireduce_scatter##C, ireduce_scatter##LOWER, IREDUCE_SCATTER##UPPER, 7, f, g, 8, h, of_unknown(),             \
         listed_fold##C(c, d, e))                                                                                     \
  BEGINS(Ireduce_scatter_block##C, ireduce_scatter_block##LOWER, IREDUCE_SCATTER_BLOCK##UPPER, 7, f, g, 8, h,         \
         of_all(), in_buffers(a, b, placed(a, in_blocks(folded##C(c, d, e)))))                                        \
  BEGINS(Iscan##C, iscan##LOWER, ISCAN##UPPER, 7, f, g, 8, h, of_lower(), in_buffers(a, b, folded##C(c, d, e)))       \
  BEGINS(Iexscan##C, iexscan##LOWER, IEXSCAN##UPPER, 7, f, g, 8, h, of_lower(),                                       \
         not_to_first(in_buffers(a, b, folded##C(c, d, e))))                                                          \
  BEGINS(Ineighbor_allgather##C, ineighbor_allgather##LOWER, INEIGHBOR_ALLGATHER##UPPER, 8, g, h, 9, i, of_unknown(), \
         neighbours##C(b, c, e, f, g))                                                                                \
  BEGINS(Ineighbor_allgatherv##C, ineighbor_allgatherv##LOWER, INEIGHBOR_ALLGATHERV##UPPER, 9, h, i, 10, j,           \
         of_unknown(), neighbours_v##C(b, c, e, g, h))                                                                \
  BEGINS(Ineighbor_alltoall##C, ineighbor_alltoall##LOWER, INEIGHBOR_ALLTOALL##UPPER, 8, g, h, 9, i, of_unknown(),    \
         neighbours##C(b, c, e, f, g))                                                                                \
  BEGINS(Ineighbor_alltoallv##C, ineighbor_alltoallv##LOWER, INEIGHBOR_ALLTOALLV##UPPER, 10, i, j, 11, k,             \
         of_unknown(), neighbours_each##C(b, d, f, h, i))                                                             \
  BEGINS(Ineighbor_alltoallw##C, ineighbor_alltoallw##LOWER, INEIGHBOR_ALLTOALLW##UPPER, 10, i, j, 11, k,             \
         of_unknown(), neighbours_each_w##C(b, d, f, h, i))
/// Those that MPICH alone has.
#define TUTTI_BEGINNINGS_OF_MPICH(BEGINS) \
  BEGINS(Comm_idup_with_info, comm_idup_with_info, COMM_IDUP_WITH_INFO, 4, a, d, 5, e, of_all(), nothing())
// NOLINTEND

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpose/mpi/comparison.hpp"
#include "interpose/mpi/fortran_arguments.hpp"
#include "interpose/mpi/requests.hpp"
#include "interpose/mpi/words.hpp"

namespace tutti::interpose {

/// Counts of elements of a rank's own, one for each rank, with a type for all of them or one for each.
struct Listed {
  Numbers counts;
  std::function<MPI_Datatype(int rank)> type;
};

/// What all ranks of a collective say alike of its length and its operator, as far as they do.
struct Amount {
  struct Elements {
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
  };
  /// Who gets the elements, where that is asked: between groups the ranks of one get what those of the other one give.
  enum class Way : std::uint8_t { unknown, from_root, to_root, to_all, folded };

  std::optional<Elements> elsewhere;
  std::optional<Elements> at_root;
  std::optional<MPI_Op> op;
  std::optional<MPI_Datatype> folded;  ///< the elements' type, where there is an operator
  bool in_place = false;               ///< where all ranks are to say the same of that
  /// Of a collective by counts: what rank `rank` of `ranks` sends and awaits. Null elsewhere. Between groups, `rank` is
  /// negative, and `ranks` those of the other one.
  std::function<Flows(int rank, int ranks)> flows;
  Way way = Way::unknown;
  std::optional<Elements> sent;  ///< where they go to all; `elsewhere` says what is received
  const void* input = nullptr;   ///< where this rank's elements lie; null: not known, or in place
  const void* output = nullptr;  ///< and where what it gets goes
  bool is_to_each = false;       ///< `sent` goes to each rank, not the same to all
  bool is_not_to_first = false;  ///< the first rank gets nothing
  bool is_in_blocks = false;     ///< what is folded has a block of `elsewhere` for each rank
  std::optional<Listed> blocks;  ///< of what is folded, those of each rank
};

/// The bytes of these; nothing where MPI has something to say against the type.
std::optional<MPI_Count> bytes_of(const Amount::Elements& elements);
/// The same of each of `ranks` that a list has; -1 where MPI has something to say against its counts or types.
std::vector<std::int64_t> bytes_of(const Listed& listed, int ranks);

// What these describe; empty where MPI has something to say against it. An input that is MPI_IN_PLACE has no elements.
Flows flows_of_gather(const std::optional<Amount::Elements>& input, const Listed& output, int root, int rank,
                      int ranks);
Flows flows_of_scatter(const Listed& input, const std::optional<Amount::Elements>& output, int root, int rank,
                       int ranks);
Flows flows_of_all_gather(const std::optional<Amount::Elements>& input, const Listed& output, int rank, int ranks);
Flows flows_of_all_to_all(const std::optional<Listed>& input, const Listed& output, int ranks);
/// All ranks know all counts.
Flows flows_of_fold(const Listed& blocks, int rank, int ranks);

/// What a predefined operator sees in the elements, which is the same on all ranks: "int32". Empty for others.
std::string kind_of(const Amount& amount);

/// What a rank passes in a collective of that intercommunicator, but for the words.
Beginning passed_between(const Taken& on, const Needed& needed, const Amount& amount);

/// How many bytes a rank reads and writes, too, in a collective of one group whose blocks are of one length.
std::int64_t bytes_in_common(const Needed& needed, const Amount& amount, int rank, int ranks);

/// "MPI_Ireduce with root 0, 16 bytes and MPI_SUM", as rank `rank` has begun it.
std::string words_of(const char* function, const Needed& needed, const Amount& amount, int rank);

inline Needed of_all() { return {Needed::Of::all}; }
inline Needed of_lower() { return {Needed::Of::lower}; }
inline Needed of_unknown() { return {Needed::Of::unknown}; }

// Arguments as words, of functions with counts of either width, or as the addresses that Fortran passes.
template <typename T, typename Count>
T argument_of(Word word) {
  return argument<T, Count>(word);
}
template <typename T, typename>
T argument_of(void* address) {
  return fortran_argument<T>(address);
}
inline bool is_in_place(Word buffer) { return reinterpret_cast<const void*>(buffer) == MPI_IN_PLACE; }
inline bool is_in_place(void* buffer) { return buffer_of(buffer) == MPI_IN_PLACE; }
/// Of a list of types; MPI refuses null.
inline MPI_Datatype type_at(Word types, int rank) {
  return types == 0 ? MPI_DATATYPE_NULL : reinterpret_cast<const MPI_Datatype*>(types)[rank];
}
inline MPI_Datatype type_at(void* types, int rank) { return PMPI_Type_f2c(static_cast<MPI_Fint*>(types)[rank]); }
template <typename Count, typename A>
Amount::Elements elements(A count, A type) {
  return {argument_of<MPI_Count, Count>(count), argument_of<MPI_Datatype, Count>(type)};
}
inline Amount nothing() { return {}; }
template <typename Count = int, typename A>
Amount gathered(A count, A type, A count_at_root, A type_at_root) {
  return {elements<Count>(count, type), elements<Count>(count_at_root, type_at_root), {}};
}
template <typename Count = int, typename A>
Amount moved(A count, A type) {
  return gathered<Count>(count, type, count, type);
}
template <typename Count = int, typename A>
Amount folded(A count, A type, A op) {
  Amount amount = moved<Count>(count, type);
  amount.way = Amount::Way::folded;
  amount.op = argument_of<MPI_Op, Count>(op);
  amount.folded = argument_of<MPI_Datatype, Count>(type);
  return amount;
}
inline Amount from_root(Amount amount) {
  amount.way = Amount::Way::from_root;
  return amount;
}
inline Amount to_root(Amount amount) {
  amount.way = Amount::Way::to_root;
  return amount;
}
inline Amount to_all(Amount received, const Amount& sent) {
  received.way = Amount::Way::to_all;
  received.sent = sent.elsewhere;
  return received;
}
inline Amount to_each(Amount amount) {
  amount.is_to_each = true;
  return amount;
}
inline Amount not_to_first(Amount amount) {
  amount.is_not_to_first = true;
  return amount;
}
inline Amount in_blocks(Amount amount) {
  amount.is_in_blocks = true;
  return amount;
}
template <typename A>
Amount in_buffers(A input, A output, Amount amount) {
  const void* const both[] = {argument_of<const void*, int>(input), argument_of<const void*, int>(output)};
  const auto if_apart = [](const void* buffer) { return buffer == MPI_IN_PLACE ? nullptr : buffer; };
  amount.input = if_apart(both[0]);
  amount.output = if_apart(both[1]);
  return amount;
}
template <typename A>
Amount placed(A input, Amount amount) {
  amount.in_place = is_in_place(input);
  return amount;
}
template <typename Count, typename A>
Listed listed(A counts, A type) {
  return {argument_of<Numbers, Count>(counts), [=](int) { return argument_of<MPI_Datatype, Count>(type); }};
}
template <typename Count, typename A>
Listed listed_with_types(A counts, A types) {
  return {argument_of<Numbers, Count>(counts), [=](int rank) { return type_at(types, rank); }};
}
template <typename Count, typename A>
std::optional<Amount::Elements> unless_in_place(A buffer, A count, A type) {
  return is_in_place(buffer) ? std::nullopt : std::optional(elements<Count>(count, type));
}
template <typename Count = int, typename A>
Amount listed_gather(A input, A count, A type, A counts, A type_at_root, A root) {
  Amount amount;
  amount.flows = [=](int rank, int ranks) {
    return flows_of_gather(unless_in_place<Count>(input, count, type), listed<Count>(counts, type_at_root),
                           argument_of<int, int>(root), rank, ranks);
  };
  return amount;
}
template <typename Count = int, typename A>
Amount listed_scatter(A counts, A type_at_root, A output, A count, A type, A root) {
  Amount amount;
  amount.flows = [=](int rank, int ranks) {
    return flows_of_scatter(listed<Count>(counts, type_at_root), unless_in_place<Count>(output, count, type),
                            argument_of<int, int>(root), rank, ranks);
  };
  return amount;
}
template <typename Count = int, typename A>
Amount listed_all_gather(A input, A count, A type, A counts, A type_of_output) {
  Amount amount;
  amount.flows = [=](int rank, int ranks) {
    return flows_of_all_gather(unless_in_place<Count>(input, count, type), listed<Count>(counts, type_of_output), rank,
                               ranks);
  };
  return amount;
}
template <typename A, typename Sent, typename Expected>
Amount exchanged(A input, const Sent& sent, const Expected& expected) {
  Amount amount;
  amount.flows = [=](int, int ranks) {
    return flows_of_all_to_all(is_in_place(input) ? std::nullopt : std::optional(sent()), expected(), ranks);
  };
  return amount;
}
template <typename Count = int, typename A>
Amount listed_all_to_all(A input, A counts, A type, A counts_of_output, A type_of_output) {
  return exchanged(
      input, [=] { return listed<Count>(counts, type); },
      [=] { return listed<Count>(counts_of_output, type_of_output); });
}
template <typename Count = int, typename A>
Amount listed_all_to_all_w(A input, A counts, A types, A counts_of_output, A types_of_output) {
  return exchanged(
      input, [=] { return listed_with_types<Count>(counts, types); },
      [=] { return listed_with_types<Count>(counts_of_output, types_of_output); });
}
template <typename Count = int, typename A>
Amount listed_fold(A counts, A type, A op) {
  Amount amount;
  amount.op = argument_of<MPI_Op, Count>(op);
  amount.folded = argument_of<MPI_Datatype, Count>(type);
  amount.way = Amount::Way::folded;
  amount.blocks = listed<Count>(counts, type);
  amount.flows = [=](int rank, int ranks) { return flows_of_fold(listed<Count>(counts, type), rank, ranks); };
  return amount;
}

/// The same of arguments whose counts are MPI_Count, as NAME_c().
#define TUTTI_OF_LARGE_COUNTS(NAME)       \
  template <typename... A>                \
  Amount NAME##_c(A... arguments) {       \
    return NAME<MPI_Count>(arguments...); \
  }
TUTTI_OF_LARGE_COUNTS(listed_gather)
TUTTI_OF_LARGE_COUNTS(listed_scatter)
TUTTI_OF_LARGE_COUNTS(listed_all_gather)
TUTTI_OF_LARGE_COUNTS(listed_all_to_all)
TUTTI_OF_LARGE_COUNTS(listed_all_to_all_w)
TUTTI_OF_LARGE_COUNTS(listed_fold)
TUTTI_OF_LARGE_COUNTS(gathered)
TUTTI_OF_LARGE_COUNTS(moved)
TUTTI_OF_LARGE_COUNTS(folded)

}  // namespace tutti::interpose

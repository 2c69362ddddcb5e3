/// @file
/// Signatures of nonblocking collectives: MPI's functions that begin a collective and return a request for it. In a
/// checked program they are counted, and ranks compare what they begin.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mpi_check/collectives/call_data.hpp"
#include "mpi_check/collectives/call_signature.hpp"
#include "mpi_check/collectives/needed_ranks.hpp"
#include "mpi_job/arguments/argument_word.hpp"
#include "mpi_job/arguments/entry_arguments.hpp"
#include "mpi_job/arguments/fortran_arguments.hpp"
#include "mpi_job/communicators/served_communicator.hpp"

namespace tutti::interpose {

/// Length and operator of a collective, as far as all its ranks say them alike.
struct Amount {
  using Elements = interpose::Elements;
  /// Way of the elements, if that is asked for: between groups the ranks of one get what those of the other one give.
  enum class Way : std::uint8_t { unknown, from_root, to_root, to_all, folded };

  std::optional<Elements> elsewhere;
  std::optional<Elements> at_root;
  std::optional<MPI_Op> op;
  std::optional<MPI_Datatype> folded;  ///< the elements' type, where there is an operator
  bool in_place = false;               ///< whether all ranks are to say the same of that
  /// Flows of a collective by counts: what rank `rank` of `ranks` sends and awaits. Null elsewhere. Between groups,
  /// `rank` is negative, and `ranks` those of the other one.
  std::function<RankFlows(int rank, int ranks)> flows;
  Way way = Way::unknown;
  std::optional<Elements> sent;  ///< elements that are sent, if they go to all; `elsewhere` says what is received
  const void* input = nullptr;   ///< address of this rank's elements; null: not known, or in place
  const void* output = nullptr;  ///< and where what it gets goes
  bool is_to_each = false;       ///< `sent` goes to each rank, not the same to all
  bool is_not_to_first = false;  ///< the first rank gets nothing
  bool is_in_blocks = false;     ///< whether the folded elements have a block of `elsewhere` for each rank
  std::optional<Listed> blocks;  ///< folded elements of each rank
  std::optional<CallData> data;  ///< all data of the call
};

/// The bytes of these; nothing where MPI has something to say against the type.
std::optional<MPI_Count> bytes_of(const Amount::Elements& elements);
/// Returns the bytes of each of `ranks` ranks in a list; -1 if MPI has something to say against its counts or types.
std::vector<std::int64_t> bytes_of(const Listed& listed, int ranks);

// Returns the flows of these arguments; empty if MPI has something to say against them. An input that is MPI_IN_PLACE
// has no elements.
RankFlows flows_of_gather(const std::optional<Amount::Elements>& input, const Listed& output, int root, int rank,
                          int ranks);
RankFlows flows_of_scatter(const Listed& input, const std::optional<Amount::Elements>& output, int root, int rank,
                           int ranks);
RankFlows flows_of_all_gather(const std::optional<Amount::Elements>& input, const Listed& output, int rank, int ranks);
RankFlows flows_of_all_to_all(const std::optional<Listed>& input, const Listed& output, int ranks);
/// All ranks know all counts.
RankFlows flows_of_fold(const Listed& blocks, int rank, int ranks);

/// Returns the kind of elements that a predefined operator sees, which is equal on all ranks: "int32". Empty for
/// others.
std::string kind_of(const Amount& amount);

/// Returns a rank's arguments in a collective of that intercommunicator, but for the words.
CallDescription compared_between_groups(const ServedCommunicator& on, const NeededRanks& needed, const Amount& amount);

/// Returns how many bytes a rank reads and writes, too, in a collective of one group whose blocks are of one length.
std::int64_t bytes_in_common(const NeededRanks& needed, const Amount& amount, int rank, int ranks);

/// "MPI_Ireduce with root 0, 16 bytes and MPI_SUM", as rank `rank` has begun it.
std::string words_of(const char* function, const NeededRanks& needed, const Amount& amount, int rank);

inline NeededRanks of_all() { return {NeededRanks::Of::all}; }
inline NeededRanks of_lower() { return {NeededRanks::Of::lower}; }
inline NeededRanks of_unknown() { return {NeededRanks::Of::unknown}; }

// Arguments as words, of functions with counts of either width, or as the addresses that Fortran passes.
template <typename A>
NeededRanks of_root(A root) {
  return {NeededRanks::Of::root, argument_of<int, int>(root)};
}
template <typename A>
NeededRanks of_root_by_counts(A root) {
  return {NeededRanks::Of::unknown, argument_of<int, int>(root)};
}
template <typename A>
NeededRanks of_all_by_root(A root) {
  return {NeededRanks::Of::by_root, argument_of<int, int>(root)};
}
inline bool is_in_place(Word buffer) { return reinterpret_cast<const void*>(buffer) == MPI_IN_PLACE; }
inline bool is_in_place(void* buffer) { return buffer_of(buffer) == MPI_IN_PLACE; }
template <typename Count, typename A>
Amount::Elements elements(A count, A type) {
  return {argument_of<MPI_Count, Count>(count), argument_of<MPI_Datatype, Count>(type)};
}
inline Amount nothing() { return {}; }
template <typename T, typename Count, typename A>
T data_argument(A argument) {
  if constexpr (std::is_same_v<T, Addresses>) {
    return T(argument);
  } else {
    return argument_of<T, Count>(argument);
  }
}
/// An amount with all data of the call, which `make` makes of its arguments.
template <typename Count, typename... T, typename... A>
Amount with_data(Amount amount, CallData (*make)(T...), A... arguments) {
  amount.data = make(data_argument<T, Count>(arguments)...);
  return amount;
}
template <typename Count, typename A>
Amount gathered(A count, A type, A count_at_root, A type_at_root) {
  return {elements<Count>(count, type), elements<Count>(count_at_root, type_at_root), {}};
}
template <typename Count, typename A>
Amount moved(A count, A type) {
  return gathered<Count>(count, type, count, type);
}
template <typename Count, typename A>
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
  return {argument_of<Numbers, Count>(counts), [all = Types(types)](int rank) { return all[rank]; }};
}
template <typename Count, typename A>
std::optional<Amount::Elements> unless_in_place(A buffer, A count, A type) {
  return is_in_place(buffer) ? std::nullopt : std::optional(elements<Count>(count, type));
}
template <typename Count, typename A>
Amount listed_gather(A input, A count, A type, A counts, A type_at_root, A root) {
  Amount amount;
  amount.flows = [=](int rank, int ranks) {
    return flows_of_gather(unless_in_place<Count>(input, count, type), listed<Count>(counts, type_at_root),
                           argument_of<int, int>(root), rank, ranks);
  };
  return amount;
}
template <typename Count, typename A>
Amount listed_scatter(A counts, A type_at_root, A output, A count, A type, A root) {
  Amount amount;
  amount.flows = [=](int rank, int ranks) {
    return flows_of_scatter(listed<Count>(counts, type_at_root), unless_in_place<Count>(output, count, type),
                            argument_of<int, int>(root), rank, ranks);
  };
  return amount;
}
template <typename Count, typename A>
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
template <typename Count, typename A>
Amount listed_all_to_all(A input, A counts, A type, A counts_of_output, A type_of_output) {
  return exchanged(
      input, [=] { return listed<Count>(counts, type); },
      [=] { return listed<Count>(counts_of_output, type_of_output); });
}
template <typename Count, typename A>
Amount listed_all_to_all_w(A input, A counts, A types, A counts_of_output, A types_of_output) {
  return exchanged(
      input, [=] { return listed_with_types<Count>(counts, types); },
      [=] { return listed_with_types<Count>(counts_of_output, types_of_output); });
}
template <typename Count, typename A>
Amount listed_fold(A counts, A type, A op) {
  Amount amount;
  amount.op = argument_of<MPI_Op, Count>(op);
  amount.folded = argument_of<MPI_Datatype, Count>(type);
  amount.way = Amount::Way::folded;
  amount.blocks = listed<Count>(counts, type);
  amount.flows = [=](int rank, int ranks) { return flows_of_fold(listed<Count>(counts, type), rank, ranks); };
  return amount;
}

}  // namespace tutti::interpose

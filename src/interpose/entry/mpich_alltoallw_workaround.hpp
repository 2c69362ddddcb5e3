/// @file
/// Workaround for nonblocking and persistent all-to-alls of MPICH 4.0.2 that are in place, with a type for each rank.
///
/// MPICH has two ranks exchange blocks such that the one of the lower number receives by its own type for itself
/// instead of that for the other rank: the message is cut off, and what memory held before is taken for it. If types
/// differ, a copy of what is sent is packed, and the call is not in place.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "mpi_check/collectives/call_data.hpp"
#include "mpi_job/arguments/argument_word.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {

/// Whether a function of MPI is one of these, and how wide its counts are.
enum class AlltoallwWorkaround : std::uint8_t { no, of_ints, of_counts };
constexpr AlltoallwWorkaround alltoallw_workaround(std::string_view function) {
  if (!is_mpich) return AlltoallwWorkaround::no;
  if (function == "MPI_Ialltoallw" || function == "MPI_Alltoallw_init") return AlltoallwWorkaround::of_ints;
  const bool is_wide = function == "MPI_Ialltoallw_c" || function == "MPI_Alltoallw_init_c";
  return is_wide ? AlltoallwWorkaround::of_counts : AlltoallwWorkaround::no;
}

/// Call of MPI_Ialltoallw or MPI_Alltoallw_init, with counts of either width.
struct AllToAllInPlace {
  const void* send;
  void* receive;
  Numbers counts;
  Numbers displacements;
  Types types;
  MPI_Comm comm;
  std::optional<MPI_Info> info;  ///< info of MPI_Alltoallw_init
  MPI_Request* request;
};

/// Makes the call apart; nothing where MPI's own does as well.
std::optional<int> begin_out_of_place(const AllToAllInPlace& call);

/// Packs what is sent by a persistent request that is about to be started, where begin_out_of_place() has made the
/// request.
void pack_started(MPI_Request request);
/// Forgets a request that is about to be freed.
void forget_started(MPI_Request request);

template <typename Count, typename... Words>
AllToAllInPlace all_to_all_in_place(Word send, Word, Word, Word, Word receive, Word counts, Word displacements,
                                    Word types, Word comm, Words... last) {
  const Word all[] = {last...};
  constexpr std::size_t request = sizeof...(last) - 1;
  std::optional<MPI_Info> info;
  if (request > 0) info = argument<MPI_Info, int>(all[0]);
  return {argument<const void*, Count>(send),
          argument<void*, Count>(receive),
          argument<Numbers, Count>(counts),
          argument<Numbers, Count>(displacements),
          Types(types),
          argument<MPI_Comm, Count>(comm),
          info,
          argument<MPI_Request*, Count>(all[request])};
}

/// Makes the call by `next`, or apart where it is one of these.
template <AlltoallwWorkaround Which, typename Next, typename... Words>
int begin_by_mpi_or_out_of_place(const Next& next, Words... words) {
  if constexpr (Which != AlltoallwWorkaround::no) {
    using Count = std::conditional_t<Which == AlltoallwWorkaround::of_ints, int, MPI_Count>;
    if (const auto code = begin_out_of_place(all_to_all_in_place<Count>(words...))) return *code;
  }
  return next(words...);
}

}  // namespace tutti::interpose

/// @file
/// Common part of all collectives that are served.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpose/serve/served_collectives.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {

/// Placement of a rank's input: apart from its output, or, by MPI_IN_PLACE, in it.
enum class InputPlacement : std::uint8_t { apart, in_place };
inline InputPlacement placed(bool in_place) { return in_place ? InputPlacement::in_place : InputPlacement::apart; }

/// Makes the call. What tutti finds wrong is told in a line, and by the communicator's error handler: where the program
/// is checked also that what this rank sends and what it receives have bytes in common, once the call has ended.
int run(ServedCommunicator& on, const untyped::Call& call, InputPlacement input = InputPlacement::apart);

/// The type of a call in which all ranks pass MPI_IN_PLACE, or none does: where the program is checked, its name says
/// which, so that a rank that does otherwise is named.
untyped::Datatype told_with(const untyped::Datatype& type, InputPlacement input);

/// Bytes as elements that are only moved: of 64, 8 or 1 of them, whatever divides all that the ranks know alike.
struct ByteUnits {
  std::int64_t unit = 1;

  /// For messages of that many bytes.
  static ByteUnits dividing(std::int64_t bytes);
  untyped::Datatype type() const;
  std::int64_t elements(std::int64_t bytes) const { return bytes / unit; }
};

/// Whether a rank's own arguments are any that tutti could look at. Where they are not, MPI says so.
inline bool is_sound(MPI_Count count, MPI_Datatype type) { return count >= 0 && type != MPI_DATATYPE_NULL; }
/// Whether so many elements of a type that is committed may lie there. Null is MPI_BOTTOM, where elements lie whose
/// type has their addresses. Open MPI refuses MPI_IN_PLACE where it has no meaning, even for nothing.
inline bool may_lie_at(const void* buffer, MPI_Count count, const MpiType& type) {
  const bool is_nothing = count * type.size == 0;
  if (buffer == MPI_IN_PLACE) return type.is_committed && is_nothing && is_mpich;
  return type.is_committed && (is_nothing || buffer != nullptr || type.first_byte != 0);
}
/// Whether MPI refuses one address for what is sent and what is received, without which it goes its own way: MPICH does
/// in all collectives, Open MPI in some.
inline bool are_refused(const void* send, const void* receive, bool is_refused_by_open_mpi = false) {
  return (is_refused_by_open_mpi || is_mpich) && send == receive && send != nullptr;
}
inline std::byte* bytes_of(void* buffer) { return static_cast<std::byte*>(buffer); }
inline bool is_root(const ServedCommunicator& on, int root) { return root >= 0 && root < on.size(); }

}  // namespace tutti::interpose

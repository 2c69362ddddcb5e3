/// @file
/// What all collectives that are served have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpose/mpi/serve.hpp"
#include "interpose/mpi/types.hpp"

namespace tutti::interpose {

/// Where a rank's input lies: apart from its output, or, by MPI_IN_PLACE, in it.
enum class Placed : std::uint8_t { apart, in_place };
inline Placed placed(bool in_place) { return in_place ? Placed::in_place : Placed::apart; }

/// Makes the call. What tutti finds wrong is told in a line, and by the communicator's error handler: where the program
/// is checked also that what this rank sends and what it receives have bytes in common, once the call has ended.
int run(Taken& on, const untyped::Call& call, Placed input = Placed::apart);

/// The type of a call in which all ranks pass MPI_IN_PLACE, or none does: where the program is checked, its name says
/// which, so that a rank that does otherwise is named.
untyped::Datatype told_with(const untyped::Datatype& type, Placed input);

/// Bytes as elements that are only moved: of 64, 8 or 1 of them, whatever divides all that the ranks know alike.
struct Bytes {
  std::int64_t unit = 1;

  /// For messages of that many bytes.
  static Bytes dividing(std::int64_t bytes);
  untyped::Datatype type() const;
  std::int64_t elements(std::int64_t bytes) const { return bytes / unit; }
};

/// Whether a rank's own arguments are any that tutti could look at. Where they are not, MPI says so.
inline bool is_sound(MPI_Count count, MPI_Datatype type) { return count >= 0 && type != MPI_DATATYPE_NULL; }
/// Whether so many elements of a type that is committed may lie there. Null is MPI_BOTTOM, where elements lie whose
/// type has their addresses. Open MPI refuses MPI_IN_PLACE where it has no meaning, even for nothing.
inline bool may_lie_at(const void* buffer, MPI_Count count, const Type& type) {
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
inline bool is_root(const Taken& on, int root) { return root >= 0 && root < on.size(); }

/// The p blocks of a buffer: where they begin, and how many elements of its type each has.
class Blocks {
 public:
  Blocks(const Taken& on, Numbers counts, Numbers displacements, const Type& type)
      : ranks_(on.size()), counts_(counts), displacements_(displacements), type_(type) {}

  bool are_sound() const;
  /// In bytes of packed elements.
  void put_counts(std::vector<std::int64_t>& bytes) const;
  std::int64_t count(int rank) const { return counts_[rank]; }
  std::int64_t packed_bytes() const;
  bool are_equal() const;
  /// Whether each begins where the one before it ends.
  bool are_in_a_row() const;
  /// Whether two have a byte in common, for a plain type.
  bool overlap() const;
  /// The bytes between the first block's begin and the last one's end, for a plain type: where they begin in the
  /// buffer, and how many they are.
  struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  Range range() const;
  /// For a plain type, from the range's begin on.
  void put_displacements(std::vector<std::int64_t>& bytes, const Range& range) const;
  template <typename Buffer>
  Buffer* block(Buffer* buffer, int rank) const {
    return buffer + displacements_[rank] * type_.extent;
  }
  void pack_all(const std::byte* buffer, std::byte* packed) const;
  void unpack_all(const std::byte* packed, std::byte* buffer) const;
  const Type& type() const { return type_; }

 private:
  int ranks_;
  Numbers counts_;
  Numbers displacements_;
  Type type_;
};

}  // namespace tutti::interpose

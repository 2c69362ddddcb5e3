/// @file
/// Blocks of the ranks in one buffer, as counts and displacements say them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/arguments/types.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {

/// The p blocks of a buffer: where they begin, and how many elements each has, of one type or of a type of its own.
class RankBlocks {
 public:
  /// Displacements are in elements of the type.
  RankBlocks(const ServedCommunicator& on, Numbers counts, Numbers displacements, const MpiType& type)
      : ranks_(on.size()), counts_(counts), displacements_(displacements), type_(type) {}
  /// Displacements are in bytes. MPICH does not look at the type of a block of nothing.
  RankBlocks(const ServedCommunicator& on, Numbers counts, Numbers displacements, Types types);

  bool are_sound() const;
  /// Whether blocks may lie at `buffer`: see may_lie_at() of served_call.hpp.
  bool may_lie_at(const void* buffer) const;
  /// In bytes of packed elements.
  void put_counts(std::vector<std::int64_t>& bytes) const;
  std::int64_t count(int rank) const { return counts_[rank]; }
  std::int64_t packed_bytes() const;
  bool are_equal() const;
  /// Whether each begins where the one before it ends.
  bool are_in_a_row() const;
  /// Whether all elements lie in memory as they are packed.
  bool are_plain() const { return are_plain_; }
  /// Whether two have a byte in common, if they are plain.
  bool overlap() const;
  /// The bytes between the first block's begin and the last one's end, if they are plain: where they begin in the
  /// buffer, and how many they are.
  struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  Range range() const;
  /// From the range's begin on, if they are plain.
  void put_displacements(std::vector<std::int64_t>& bytes, const Range& range) const;
  template <typename Buffer>
  Buffer* block(Buffer* buffer, int rank) const {
    return buffer + begin(rank);
  }
  void pack_all(const std::byte* buffer, std::byte* packed) const;
  void unpack_all(const std::byte* packed, std::byte* buffer) const;
  /// The type of the rank's block; null for a block of nothing that is not looked at.
  const MpiType& type(int rank = 0) const { return types_.empty() ? type_ : types_[static_cast<std::size_t>(rank)]; }

 private:
  bool is_ignored(int rank) const { return is_mpich && !types_.empty() && counts_[rank] == 0; }
  std::int64_t begin(int rank) const { return displacements_[rank] * (types_.empty() ? type_.extent : 1); }
  std::int64_t packed_bytes(int rank) const { return counts_[rank] * type(rank).size; }

  int ranks_;
  Numbers counts_;
  Numbers displacements_;
  MpiType type_;                // type of all blocks, unless each has one of its own
  std::vector<MpiType> types_;  // types of each; empty: there is no such list
  bool are_plain_ = type_.is_plain;
};

}  // namespace tutti::interpose

/// @file
/// Blocks of the ranks in one buffer, as counts and displacements say them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"

namespace tutti::interpose {

/// The p blocks of a buffer: where they begin, and how many elements of its type each has.
class RankBlocks {
 public:
  RankBlocks(const ServedCommunicator& on, Numbers counts, Numbers displacements, const MpiType& type)
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
  const MpiType& type() const { return type_; }

 private:
  int ranks_;
  Numbers counts_;
  Numbers displacements_;
  MpiType type_;
};

}  // namespace tutti::interpose

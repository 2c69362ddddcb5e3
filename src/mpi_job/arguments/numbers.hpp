/// @file
/// Lists of counts and displacements in the arguments of a collective.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace tutti::interpose {

/// A list of counts or displacements, one for each rank, in one of the widths that MPI has for them.
class Numbers {
 public:
  Numbers(const int* narrow) : narrow_(narrow) {}  // NOLINT: a list is a list
  Numbers(const MPI_Count* wide) : wide_(wide) {}  // NOLINT
  std::int64_t operator[](int rank) const { return narrow_ != nullptr ? narrow_[rank] : wide_[rank]; }
  bool is_there() const { return narrow_ != nullptr || wide_ != nullptr; }
  /// Whether both are one list, not only equal numbers.
  friend bool operator==(const Numbers&, const Numbers&) = default;

 private:
  const int* narrow_ = nullptr;
  const MPI_Count* wide_ = nullptr;
};

}  // namespace tutti::interpose

/// @file
/// Construction of a datatype: its combiner and arguments, as MPI tells them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::interpose {

/// Whether a type that was made in that way is MPI's own, so that a handle of it cannot be freed.
inline bool is_kept_by_mpi(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
         combiner == MPI_COMBINER_F90_INTEGER;
}

/// The combiner of a type, and what it was made of. Of a type that was made with counts of MPI_Count, MPI 4 tells only
/// by the functions that have such counts.
class TypeConstruction {
 public:
  explicit TypeConstruction(MPI_Datatype type);
  TypeConstruction(const TypeConstruction&) = delete;
  TypeConstruction& operator=(const TypeConstruction&) = delete;
  /// Frees the handles of types that MPI has made for this.
  ~TypeConstruction();

  int combiner() const { return combiner_; }
  bool has_large_counts() const { return !counts_.empty(); }
  std::size_t integers() const { return integers_.size(); }
  int integer(std::size_t k) const { return integers_[k]; }
  /// Number k of all that it was made of: integers, then addresses, then large counts, in the order in which MPI lists
  /// them; the same whether counts are large or not, but for subarrays.
  std::int64_t number(std::size_t k) const {
    if (k < integers_.size()) return integers_[k];
    k -= integers_.size();
    return k < addresses_.size() ? addresses_[k] : counts_[k - addresses_.size()];
  }
  std::size_t numbers() const { return integers_.size() + addresses_.size() + counts_.size(); }
  std::int64_t large_count(std::size_t k) const { return counts_[k]; }
  std::size_t types() const { return types_.size(); }
  MPI_Datatype type(std::size_t k) const { return types_[k]; }

 private:
  int combiner_ = MPI_COMBINER_NAMED;
  std::vector<int> integers_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Datatype> types_;
};

/// The combiner alone.
int combiner_of(MPI_Datatype type);

}  // namespace tutti::interpose

#include "mpi_job/datatypes/type_construction.hpp"

namespace tutti::interpose {

#if MPI_VERSION >= 4

int combiner_of(MPI_Datatype type) {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count counts = 0;
  MPI_Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
  return combiner;
}

TypeConstruction::TypeConstruction(MPI_Datatype type) {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count counts = 0;
  MPI_Count types = 0;
  PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner_);
  if (is_kept_by_mpi(combiner_)) return;
  integers_.resize(static_cast<std::size_t>(integers));
  addresses_.resize(static_cast<std::size_t>(addresses));
  counts_.resize(static_cast<std::size_t>(counts));
  types_.resize(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
  PMPI_Type_get_contents_c(type, integers, addresses, counts, types, integers_.data(), addresses_.data(),
                           counts_.data(), types_.data());
}

#else

int combiner_of(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner;
}

TypeConstruction::TypeConstruction(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner_);
  if (is_kept_by_mpi(combiner_)) return;
  integers_.resize(static_cast<std::size_t>(integers));
  addresses_.resize(static_cast<std::size_t>(addresses));
  types_.resize(static_cast<std::size_t>(types), MPI_DATATYPE_NULL);
  PMPI_Type_get_contents(type, integers, addresses, types, integers_.data(), addresses_.data(), types_.data());
}

#endif

TypeConstruction::~TypeConstruction() {
  for (MPI_Datatype& type : types_) {
    if (type != MPI_DATATYPE_NULL && !is_kept_by_mpi(combiner_of(type))) PMPI_Type_free(&type);
  }
}

}  // namespace tutti::interpose

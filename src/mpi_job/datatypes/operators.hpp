/// @file
/// Operators of MPI as tutti's: the library's own where it has one, else MPI's function itself.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "mpi_job/datatypes/mpi_types.hpp"
#include "tutti/untyped.hpp"

namespace tutti::interpose {

/// Elements of a reduction as tutti sees them, and their combination.
struct ServedReduction {
  untyped::Datatype type;
  untyped::Operator op;
};

/// Handles of the call that is under way, with which an operator of MPI's own is carried out.
struct OperatorHandles {
  MPI_Op op = MPI_OP_NULL;
  MpiType type;
};

/// Whether the operator is one of MPI's own.
bool is_predefined(MPI_Op op);

/// Returns the kind of elements that this operator of MPI's own takes elements of that predefined type for, in a few
/// words: ranks must agree on it, because other elements may have as many bytes. Empty if nothing is known.
std::string_view elements_of(MPI_Op op, const MpiType& type);

/// Nothing for an operator and a type that do not go together, or that MPI alone can judge: all ranks have the same
/// operator on the same elements, so all of them get the same answer. `handles` must outlive the call.
///
/// Operators that are not the library's go through MPI_Reduce_local, on the elements as this rank describes them, and
/// in the order of ranks unless MPI_Op_commutative says that it does not matter.
std::optional<ServedReduction> reduction_of(MPI_Op op, const MpiType& type, OperatorHandles& handles);

}  // namespace tutti::interpose

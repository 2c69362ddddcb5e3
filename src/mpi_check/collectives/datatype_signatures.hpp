/// @file
/// Signatures of MPI's datatypes.
///
/// Basic types of C and Fortran match where their elements are of one kind and length: MPI_INT, MPI_INT32_T and
/// MPI_INTEGER do. MPI_BYTE matches itself alone; MPI_PACKED matches any.
#pragma once

#include <mpi.h>

#include "mpi_check/signatures/type_signature.hpp"

namespace tutti::interpose {

/// Returns the signature of `count` elements of a type, of any handle: not known where MPI has something to say against
/// it. Takes a look at each type and block that the type was made of, and log(count) steps.
TypeSignature signature_of(MPI_Count count, MPI_Datatype type);

}  // namespace tutti::interpose

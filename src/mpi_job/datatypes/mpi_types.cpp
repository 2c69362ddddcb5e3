#include "mpi_job/datatypes/mpi_types.hpp"

#include <complex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_job/datatypes/type_construction.hpp"

namespace tutti::interpose {
namespace {

using untyped::Primitive;

Primitive real_of(int size) { return size == 4 ? Primitive::single : size == 8 ? Primitive::twice : Primitive::none; }

Primitive complex_of(int size) {
  return size == 8 ? Primitive::complex_single : size == 16 ? Primitive::complex_twice : Primitive::none;
}

enum class PrimitiveFamily : std::uint8_t { signed_integer, unsigned_integer, real, complex, moved };

using Predefined = std::pair<MPI_Datatype, PrimitiveFamily>;

/// A type of Fortran that this MPI was built without is MPI_DATATYPE_NULL, or has no bytes.
std::vector<Predefined> predefined() {
  using enum PrimitiveFamily;
  return {
      {MPI_CHAR, signed_integer},
      {MPI_SIGNED_CHAR, signed_integer},
      {MPI_SHORT, signed_integer},
      {MPI_INT, signed_integer},
      {MPI_LONG, signed_integer},
      {MPI_LONG_LONG, signed_integer},
      {MPI_INT8_T, signed_integer},
      {MPI_INT16_T, signed_integer},
      {MPI_INT32_T, signed_integer},
      {MPI_INT64_T, signed_integer},
      {MPI_AINT, signed_integer},
      {MPI_OFFSET, signed_integer},
      {MPI_COUNT, signed_integer},
      {MPI_INTEGER, signed_integer},
      {MPI_INTEGER1, signed_integer},
      {MPI_INTEGER2, signed_integer},
      {MPI_INTEGER4, signed_integer},
      {MPI_INTEGER8, signed_integer},
      {MPI_LOGICAL, signed_integer},
      {MPI_UNSIGNED_CHAR, unsigned_integer},
      {MPI_UNSIGNED_SHORT, unsigned_integer},
      {MPI_UNSIGNED, unsigned_integer},
      {MPI_UNSIGNED_LONG, unsigned_integer},
      {MPI_UNSIGNED_LONG_LONG, unsigned_integer},
      {MPI_UINT8_T, unsigned_integer},
      {MPI_UINT16_T, unsigned_integer},
      {MPI_UINT32_T, unsigned_integer},
      {MPI_UINT64_T, unsigned_integer},
      {MPI_C_BOOL, unsigned_integer},
      {MPI_CXX_BOOL, unsigned_integer},
      {MPI_BYTE, unsigned_integer},
      {MPI_FLOAT, real},
      {MPI_DOUBLE, real},
      {MPI_REAL, real},
      {MPI_REAL4, real},
      {MPI_REAL8, real},
      {MPI_DOUBLE_PRECISION, real},
      {MPI_C_FLOAT_COMPLEX, complex},
      {MPI_C_DOUBLE_COMPLEX, complex},
      {MPI_CXX_FLOAT_COMPLEX, complex},
      {MPI_CXX_DOUBLE_COMPLEX, complex},
      {MPI_COMPLEX, complex},
      {MPI_DOUBLE_COMPLEX, complex},
      {MPI_COMPLEX8, complex},
      {MPI_COMPLEX16, complex},
      {MPI_WCHAR, moved},
      {MPI_CHARACTER, moved},
      {MPI_PACKED, moved},
      {MPI_CXX_LONG_DOUBLE_COMPLEX, moved},
      {MPI_LONG_DOUBLE, moved},
      {MPI_C_LONG_DOUBLE_COMPLEX, moved},
      {MPI_2INT, moved},
      {MPI_FLOAT_INT, moved},
      {MPI_DOUBLE_INT, moved},
      {MPI_LONG_INT, moved},
      {MPI_SHORT_INT, moved},
      {MPI_LONG_DOUBLE_INT, moved},
      {MPI_2INTEGER, moved},
      {MPI_2REAL, moved},
      {MPI_2DOUBLE_PRECISION, moved},
  };
}

Primitive primitive_of(PrimitiveFamily family, int size) {
  switch (family) {
    case PrimitiveFamily::signed_integer:
      return untyped::integer_of(size, true);
    case PrimitiveFamily::unsigned_integer:
      return untyped::integer_of(size, false);
    case PrimitiveFamily::real:
      return real_of(size);
    case PrimitiveFamily::complex:
      return complex_of(size);
    case PrimitiveFamily::moved:
      break;
  }
  return Primitive::none;
}

MpiType measured(MPI_Datatype handle) {
  MpiType type{.handle = handle};
  MPI_Count size = 0;
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  PMPI_Type_size_x(handle, &size);
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  type.size = size;
  type.extent = extent;
  type.is_plain = lower == 0 && size == extent;
  PMPI_Type_get_true_extent_x(handle, &lower, &extent);
  type.first_byte = lower;
  return type;
}

std::unordered_map<std::uintptr_t, MpiType>& known() {
  static std::unordered_map<std::uintptr_t, MpiType> all;
  return all;
}

/// Whether a type that the program has made is so many elements of a plain type, one after another. Others may have the
/// size of their extent and yet be out of order.
bool is_row_of_plain(MPI_Datatype handle) {
  const int combiner = combiner_of(handle);
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
  const TypeConstruction making(handle);
  return making.types() == 1 && type_of(making.type(0)).is_plain;
}

/// MPI tells it of no type, but packs nothing, either, of one that is not committed.
bool is_committed(MPI_Datatype handle) {
  std::byte none{};
  int position = 0;
  return PMPI_Pack(&none, 0, handle, &none, sizeof(none), &position, quiet_self()) == MPI_SUCCESS;
}

}  // namespace

MPI_Comm quiet_self() {
  static const MPI_Comm only = [] {
    MPI_Comm fresh = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &fresh);  // a duplicate would call the program's own functions
    PMPI_Comm_set_errhandler(fresh, MPI_ERRORS_RETURN);
    return fresh;
  }();
  return only;
}

void learn_types() {
  for (const auto& [handle, family] : predefined()) {
    if (handle == MPI_DATATYPE_NULL) continue;
    MpiType type = measured(handle);
    if (type.size <= 0) continue;
    type.is_predefined = true;
    type.is_committed = true;
    type.primitive = primitive_of(family, static_cast<int>(type.size));
    known().emplace(key_of(handle), type);
  }
}

const MpiType* predefined_type(MPI_Datatype handle) {
  // The table is complete before a second thread can be here.
  thread_local std::uintptr_t latest = 0;
  thread_local const MpiType* found = nullptr;
  if (found != nullptr && latest == key_of(handle)) return found;
  const auto at = known().find(key_of(handle));
  if (at == known().end()) return nullptr;
  latest = at->first;
  found = &at->second;
  return found;
}

// Whether it is committed is asked first: for a handle that is none, MPI calls a handler of the program's in answer to
// anything else.
MpiType type_of(MPI_Datatype handle) {
  if (const MpiType* const predefined = predefined_type(handle)) return *predefined;
  if (!is_committed(handle)) return {.handle = handle};
  MpiType type = measured(handle);
  type.is_plain = type.is_plain && is_row_of_plain(handle);
  type.is_committed = true;
  return type;
}

}  // namespace tutti::interpose

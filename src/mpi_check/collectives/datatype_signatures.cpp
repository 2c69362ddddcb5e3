#include "mpi_check/collectives/datatype_signatures.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/datatypes/type_construction.hpp"
#include "mpi_job/job/null_safe_queries.hpp"

namespace tutti::interpose {
namespace {

using SignatureTable = std::unordered_map<std::uintptr_t, TypeSignature>;

/// Basic types by their kinds. A type of Fortran that this MPI was built without is MPI_DATATYPE_NULL, or has no bytes.
std::vector<std::pair<const char*, std::vector<MPI_Datatype>>> basic_types() {
  return {
      {"character", {MPI_CHAR, MPI_CHARACTER}},
      {"wide character", {MPI_WCHAR}},
      {"byte", {MPI_BYTE}},
      {"logical", {MPI_LOGICAL}},
      {"boolean", {MPI_C_BOOL, MPI_CXX_BOOL}},
      {"integer",
       {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T,
        MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}},
      {"unsigned",
       {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T,
        MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T}},
      {"real", {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_REAL16, MPI_DOUBLE_PRECISION}},
      {"long real", {MPI_LONG_DOUBLE}},
      {"complex",
       {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_COMPLEX,
        MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32}},
      {"long complex", {MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX}},
  };
}

/// Pairs of basic types, whose signature is that of both after one another.
std::vector<std::pair<MPI_Datatype, std::pair<MPI_Datatype, MPI_Datatype>>> pair_types() {
  return {{MPI_2INT, {MPI_INT, MPI_INT}},
          {MPI_FLOAT_INT, {MPI_FLOAT, MPI_INT}},
          {MPI_DOUBLE_INT, {MPI_DOUBLE, MPI_INT}},
          {MPI_LONG_INT, {MPI_LONG, MPI_INT}},
          {MPI_SHORT_INT, {MPI_SHORT, MPI_INT}},
          {MPI_LONG_DOUBLE_INT, {MPI_LONG_DOUBLE, MPI_INT}},
          {MPI_2INTEGER, {MPI_INTEGER, MPI_INTEGER}},
          {MPI_2REAL, {MPI_REAL, MPI_REAL}},
          {MPI_2DOUBLE_PRECISION, {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION}}};
}

/// Types of that kind match where they have one size.
TypeSignature basic(const char* kind, MPI_Count size, const char* name) {
  return {fmt::format("{} of {}", kind, size), name};
}

MPI_Count size_of_type(MPI_Datatype handle) {
  MPI_Count size = 0;
  PMPI_Type_size_x(handle, &size);
  return size;
}

SignatureTable table_of_predefined() {
  SignatureTable all;
  for (const auto& [kind, handles] : basic_types()) {
    for (const MPI_Datatype handle : handles) {
      const MPI_Count size = handle == MPI_DATATYPE_NULL ? 0 : size_of_type(handle);
      if (size <= 0) continue;
      char name[MPI_MAX_OBJECT_NAME] = {};
      int length = 0;
      PMPI_Type_get_name(handle, name, &length);
      all.emplace(key_of(handle), basic(kind, size, name));
    }
  }
  for (const auto& [handle, both] : pair_types()) {
    const auto first = all.find(key_of(both.first));
    const auto second = all.find(key_of(both.second));
    if (handle == MPI_DATATYPE_NULL || first == all.end() || second == all.end()) continue;
    TypeSignature pair = first->second;
    pair.append(second->second);
    all.emplace(key_of(handle), pair);
  }
  return all;
}

/// Null for a type that the program has made.
const TypeSignature* signature_of_predefined(MPI_Datatype handle) {
  static const SignatureTable& all = *new SignatureTable(table_of_predefined());
  const auto found = all.find(key_of(handle));
  return found == all.end() ? nullptr : &found->second;
}

/// Signatures of the types that one type was made of. Handles stand for one type as long as that one lives.
class TypeWalk {
 public:
  TypeSignature signature(MPI_Datatype handle) {
    if (const TypeSignature* const own = signature_of_predefined(handle)) return *own;
    const auto [known, is_new] = known_.try_emplace(key_of(handle));
    if (!is_new) return known->second;
    TypeSignature fresh = made(handle);
    return known_[key_of(handle)] = std::move(fresh);
  }

 private:
  TypeSignature made(MPI_Datatype handle) {
    const MPI_Count size = size_of_type(handle);
    if (size == 0) return {};
    switch (combiner_of(handle)) {
      case MPI_COMBINER_F90_REAL:
        return basic("real", size, "MPI_REAL");
      case MPI_COMBINER_F90_COMPLEX:
        return basic("complex", size, "MPI_COMPLEX");
      case MPI_COMBINER_F90_INTEGER:
        return basic("integer", size, "MPI_INTEGER");
      case MPI_COMBINER_NAMED:
        return TypeSignature::unknown();
      default:
        break;
    }
    const TypeConstruction making(handle);
    if (making.combiner() == MPI_COMBINER_STRUCT || making.types() != 1) return of_structure(making);
    // All others repeat one type, wherever its elements lie.
    const MPI_Count each = size_of_type(making.type(0));
    return each <= 0 ? TypeSignature::unknown() : signature(making.type(0)).times(size / each);
  }

  /// Its first number says how many blocks there are, the next ones how long each is.
  TypeSignature of_structure(const TypeConstruction& making) {
    TypeSignature row;
    for (std::size_t block = 0; block < making.types(); ++block) {
      const std::int64_t count = making.has_large_counts() ? making.large_count(block + 1) : making.integer(block + 1);
      row.append(signature(making.type(block)).times(count));
    }
    return row;
  }

  SignatureTable known_;
};

}  // namespace

TypeSignature signature_of(MPI_Count count, MPI_Datatype type) {
  if (count < 0 || type == MPI_DATATYPE_NULL) return count == 0 ? TypeSignature() : TypeSignature::unknown();
  if (count == 0) return {};
  if (const TypeSignature* const predefined = signature_of_predefined(type)) return predefined->times(count);
  const NullSafeQueries quiet;
  MPI_Count size = 0;
  if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS) return TypeSignature::unknown();
  return TypeWalk().signature(type).times(count);
}

}  // namespace tutti::interpose

#include "interpose/mpi/types.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tutti::interpose {
namespace {

using untyped::Primitive;

/// Integers of C and Fortran are known by their size and whether they have a sign.
Primitive integer_of(int size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? Primitive::int8 : Primitive::uint8;
    case 2:
      return is_signed ? Primitive::int16 : Primitive::uint16;
    case 4:
      return is_signed ? Primitive::int32 : Primitive::uint32;
    case 8:
      return is_signed ? Primitive::int64 : Primitive::uint64;
    default:
      return Primitive::none;
  }
}

Primitive real_of(int size) { return size == 4 ? Primitive::single : size == 8 ? Primitive::twice : Primitive::none; }

Primitive complex_of(int size) {
  return size == 8 ? Primitive::complex_single : size == 16 ? Primitive::complex_twice : Primitive::none;
}

enum class Family : std::uint8_t { signed_integer, unsigned_integer, real, complex, moved };

using Predefined = std::pair<MPI_Datatype, Family>;

/// A type of Fortran that this MPI was built without is MPI_DATATYPE_NULL, or has no bytes.
std::vector<Predefined> predefined() {
  using enum Family;
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
      {MPI_BYTE, unsigned_integer},
      {MPI_FLOAT, real},
      {MPI_DOUBLE, real},
      {MPI_REAL, real},
      {MPI_REAL4, real},
      {MPI_REAL8, real},
      {MPI_DOUBLE_PRECISION, real},
      {MPI_C_FLOAT_COMPLEX, complex},
      {MPI_C_DOUBLE_COMPLEX, complex},
      {MPI_COMPLEX, complex},
      {MPI_DOUBLE_COMPLEX, complex},
      {MPI_COMPLEX8, complex},
      {MPI_COMPLEX16, complex},
      {MPI_WCHAR, moved},
      {MPI_CHARACTER, moved},
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

Primitive primitive_of(Family family, int size) {
  switch (family) {
    case Family::signed_integer:
      return integer_of(size, true);
    case Family::unsigned_integer:
      return integer_of(size, false);
    case Family::real:
      return real_of(size);
    case Family::complex:
      return complex_of(size);
    case Family::moved:
      break;
  }
  return Primitive::none;
}

Type measured(MPI_Datatype handle) {
  Type type{.handle = handle};
  MPI_Count size = 0;
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  PMPI_Type_size_x(handle, &size);
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  type.size = size;
  type.extent = extent;
  type.is_plain = lower == 0 && size == extent;
  return type;
}

std::unordered_map<std::uintptr_t, Type>& known() {
  static std::unordered_map<std::uintptr_t, Type> all;
  return all;
}

/// Whether a type that the program has made is so many elements of a plain type, one after another. Others may have the
/// size of their extent and yet be out of order.
bool is_row_of_plain(MPI_Datatype handle) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  PMPI_Type_get_envelope(handle, &integers, &addresses, &types, &combiner);
  if ((combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) || integers > 1 || types != 1) return false;
  int count = 0;
  MPI_Aint none = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  PMPI_Type_get_contents(handle, integers, addresses, types, &count, &none, &inner);
  const bool is_plain = type_of(inner).is_plain;
  int inner_combiner = 0;
  PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &inner_combiner);
  if (inner_combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&inner);
  return is_plain;
}

/// How many elements a call of MPI_Pack may have: it counts bytes in an int.
std::int64_t elements_at_once(const Type& type) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  return std::max<std::int64_t>(most / std::max<std::int64_t>(type.size, 1), 1);
}

}  // namespace

void learn_types() {
  for (const auto& [handle, family] : predefined()) {
    if (handle == MPI_DATATYPE_NULL) continue;
    Type type = measured(handle);
    if (type.size <= 0) continue;
    type.is_predefined = true;
    type.primitive = primitive_of(family, static_cast<int>(type.size));
    known().emplace(key_of(handle), type);
  }
}

Type type_of(MPI_Datatype handle) {
  // The table is complete before a second thread can be here.
  thread_local std::uintptr_t latest = 0;
  thread_local const Type* found = nullptr;
  if (found != nullptr && latest == key_of(handle)) return *found;
  if (const auto at = known().find(key_of(handle)); at != known().end()) {
    latest = at->first;
    found = &at->second;
    return at->second;
  }
  Type type = measured(handle);
  type.is_plain = type.is_plain && is_row_of_plain(handle);
  return type;
}

std::unique_ptr<std::byte[]> memory_of(std::int64_t bytes) {
  return std::unique_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))]);
}

/// Elements at MPI_BOTTOM, as MPICH's packing takes them: it refuses a null address, and takes any other from which the
/// type's own addresses are reckoned back.
class Reckoned {
 public:
  Reckoned(std::byte* elements, int count, const Type& type) : elements_(elements), count_(count), type_(type.handle) {
    if (elements != nullptr) return;
    const MPI_Aint back = -shift;
    PMPI_Type_create_hindexed(1, &count, &back, type.handle, &type_);
    PMPI_Type_commit(&type_);
    elements_ = reinterpret_cast<std::byte*>(shift);
    count_ = 1;
    is_own_ = true;
  }
  Reckoned(const Reckoned&) = delete;
  Reckoned& operator=(const Reckoned&) = delete;
  ~Reckoned() {
    if (is_own_) PMPI_Type_free(&type_);
  }

  std::byte* elements() const { return elements_; }
  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  static constexpr std::intptr_t shift = 64;
  std::byte* elements_;
  int count_;
  MPI_Datatype type_;
  bool is_own_ = false;
};

void pack(const void* elements, std::int64_t count, const Type& type, std::byte* packed) {
  const std::int64_t most = elements_at_once(type);
  for (std::int64_t k = 0; k < count; k += most) {
    const auto n = static_cast<int>(std::min(most, count - k));
    int position = 0;
    auto* const from = static_cast<std::byte*>(const_cast<void*>(elements)) + k * type.extent;
    const Reckoned part(from, n, type);
    PMPI_Pack(part.elements(), part.count(), part.type(), packed + k * type.size, static_cast<int>(n * type.size),
              &position, MPI_COMM_SELF);
  }
}

void unpack(const std::byte* packed, std::int64_t count, const Type& type, void* elements) {
  const std::int64_t most = elements_at_once(type);
  for (std::int64_t k = 0; k < count; k += most) {
    const auto n = static_cast<int>(std::min(most, count - k));
    int position = 0;
    const Reckoned part(static_cast<std::byte*>(elements) + k * type.extent, n, type);
    PMPI_Unpack(packed + k * type.size, static_cast<int>(n * type.size), &position, part.elements(), part.count(),
                part.type(), MPI_COMM_SELF);
  }
}

Input::Input(const void* elements, std::int64_t count, const Type& type)
    : data_(static_cast<const std::byte*>(elements)), bytes_(count * type.size) {
  if (!type.is_plain) *this = copy_of(elements, count, type);
}

Input Input::copy_of(const void* elements, std::int64_t count, const Type& type) {
  Input copy;
  copy.bytes_ = count * type.size;
  copy.packed_ = memory_of(copy.bytes_);
  copy.data_ = copy.packed_.get();
  if (type.is_plain) {
    if (count > 0) std::memcpy(copy.packed_.get(), elements, static_cast<std::size_t>(copy.bytes_));
  } else {
    pack(elements, count, type, copy.packed_.get());
  }
  return copy;
}

Output::Output(void* elements, std::int64_t count, const Type& type, bool is_apart)
    : elements_(elements), count_(count), type_(type), data_(static_cast<std::byte*>(elements)) {
  if (type.is_plain && !is_apart) return;
  packed_ = memory_of(count * type.size);
  data_ = packed_.get();
}

int Output::finished(int code) const {
  if (packed_ == nullptr || code != MPI_SUCCESS || count_ == 0) return code;
  if (type_.is_plain) {
    std::memcpy(elements_, packed_.get(), static_cast<std::size_t>(count_ * type_.size));
  } else {
    unpack(packed_.get(), count_, type_, elements_);
  }
  return code;
}

}  // namespace tutti::interpose

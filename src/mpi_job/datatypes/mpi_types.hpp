/// @file
/// Datatypes of MPI as tutti sees them: so many bytes an element, in the order of its signature.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "tutti/untyped.hpp"

namespace tutti::interpose {

/// Whether the library is built for MPICH.
constexpr bool is_mpich = std::string_view(TUTTI_MPI_FLAVOR) == "mpich";

/// One rank's description of its data. Ranks may describe the same data by different types: what they have in common
/// is the bytes of the packed elements, and their order.
struct MpiType {
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  std::int64_t size = 0;    ///< bytes of a packed element
  std::int64_t extent = 0;  ///< from one element to the next
  /// Offset of its first byte from the element: an address, for elements at MPI_BOTTOM.
  std::int64_t first_byte = 0;
  /// Elements lie in memory as they are packed: nothing is between them, and nothing is out of order.
  bool is_plain = false;
  bool is_predefined = false;
  bool is_committed = false;
  /// Primitive that the library's own operators see; `none` for what they do not know.
  untyped::Primitive primitive = untyped::Primitive::none;
};

/// A handle as a key: MPIs have pointers for them, or numbers.
template <typename Handle>
std::uintptr_t key_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uintptr_t>(handle);
  }
}

/// A communicator of this rank alone on which MPI returns errors, instead of calling a handler of the program's.
MPI_Comm quiet_self();

/// Reads the predefined types; once MPI works, by one thread.
void learn_types();

/// A table look-up; null for a type that the program has made.
const MpiType* predefined_type(MPI_Datatype handle);

/// Returns the type of a handle that is valid. A table look-up for predefined types; others are asked about each time,
/// because a handle may be freed, and used again for another type.
MpiType type_of(MPI_Datatype handle);

/// Memory for `bytes` bytes that nobody has written yet.
std::unique_ptr<std::byte[]> memory_of(std::int64_t bytes);

/// Packs `count` elements to `packed`, and unpacks them: by the type's layout, or by MPI's own functions where they are
/// few or their type is made in a way that is not known.
void pack(const void* elements, std::int64_t count, const MpiType& type, std::byte* packed);
void unpack(const std::byte* packed, std::int64_t count, const MpiType& type, void* elements);

/// Elements that are read: where they lie, or packed.
class PackedInput {
 public:
  PackedInput() = default;
  PackedInput(const void* elements, std::int64_t count, const MpiType& type);
  /// Returns the bytes in memory of their own: for what is written in place.
  static PackedInput copy_of(const void* elements, std::int64_t count, const MpiType& type);

  const std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::byte[]> packed_;
  const std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Elements that are written: where they lie, or packed until the call has ended.
class PackedOutput {
 public:
  PackedOutput() = default;
  /// `is_apart`: in memory of their own in any case, until the call has ended.
  PackedOutput(void* elements, std::int64_t count, const MpiType& type, bool is_apart = false);

  std::byte* data() const { return data_; }
  /// After the call, which has ended with that code. What has failed leaves the elements as they were.
  int finished(int code) const;

 private:
  void* elements_ = nullptr;
  std::int64_t count_ = 0;
  MpiType type_;
  std::unique_ptr<std::byte[]> packed_;
  std::byte* data_ = nullptr;
};

}  // namespace tutti::interpose

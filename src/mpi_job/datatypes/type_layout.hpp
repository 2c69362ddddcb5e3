/// @file
/// Layout of a derived type in memory: which bytes an element has, in the order in which they are packed.
///
/// MPI's own packing looks at one element at a time, and at types beyond 2 GiB not at all. A layout is read once for a
/// call, from how the type was made, and any range of the packed bytes is then copied by itself, at the speed of
/// memory.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tutti::interpose {

/// Bytes of the packed elements, from one on.
struct PackedRange {
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
};

/// Plain bytes, or items of which each has a layout: a row of equal ones, or a list of blocks that lie anywhere.
class TypeLayout {
 public:
  /// The layout of so many elements of the type, `extent` bytes apart. Nothing where the type is made in a way that is
  /// not known here: then MPI packs it.
  static std::optional<TypeLayout> of(MPI_Datatype type, std::int64_t count, std::int64_t extent);

  /// Bytes of all elements, packed.
  std::int64_t size() const { return size_; }
  /// Copies that range of the packed bytes from the elements at `elements`, which may be null (MPI_BOTTOM), to
  /// `packed`, or back.
  void pack(const void* elements, const PackedRange& range, std::byte* packed) const;
  void unpack(const std::byte* packed, const PackedRange& range, void* elements) const;

 private:
  /// One block of a list: so many bytes from the beginning of the whole, and the packed bytes before it.
  struct Block {
    std::int64_t at = 0;
    std::int64_t packed_before = 0;
    std::shared_ptr<const TypeLayout> item;
  };

  static TypeLayout bytes(std::int64_t size);
  static TypeLayout row(std::int64_t count, std::int64_t stride, TypeLayout item);
  static std::optional<TypeLayout> of_one(MPI_Datatype type);
  struct Making;
  static std::optional<TypeLayout> made(const Making& making);
  static std::optional<TypeLayout> vector(const Making& making, bool is_in_bytes);
  static std::optional<TypeLayout> indexed(const Making& making, bool is_in_bytes, bool has_one_length);
  static std::optional<TypeLayout> structure(const Making& making);
  static std::optional<TypeLayout> subarray(const Making& making);
  void add_block(std::int64_t at, const std::shared_ptr<const TypeLayout>& item);

  template <typename Copy>
  void walk(std::intptr_t at, PackedRange range, Copy& copy) const;
  template <typename Copy>
  void walk_row(std::intptr_t at, PackedRange range, Copy& copy) const;
  template <typename Copy>
  void walk_blocks(std::intptr_t at, PackedRange range, Copy& copy) const;

  std::int64_t size_ = 0;
  std::int64_t count_ = 0;   // elements of a row; 0: no row
  std::int64_t stride_ = 0;  // stride of a row
  std::shared_ptr<const TypeLayout> item_;
  std::vector<Block> blocks_;
};

}  // namespace tutti::interpose

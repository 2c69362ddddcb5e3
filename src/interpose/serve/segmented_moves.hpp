/// @file
/// Segmented moves: packs and moves long messages a part at a time.
///
/// A rank whose elements do not lie in memory as they travel packs them. A long message is cut into parts, so that one
/// rank packs the next part while others still move or unpack the last, waiting ranks see every part come, and the
/// memory for packed parts stays small. All ranks cut alike, also those whose elements need no packing: the length of a
/// part depends on numbers alone that all know.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/datatypes/type_layout.hpp"

namespace tutti::interpose {

/// Elements of a buffer as the bytes that travel, of which any part is read or written. What cannot be packed by parts
/// is packed as a whole, when it is first read or after all was written.
class SegmentedElements {
 public:
  SegmentedElements() = default;
  SegmentedElements(const void* elements, std::int64_t count, const MpiType& type);

  /// Whether a part of the bytes lies in the buffer itself.
  bool are_plain() const { return type_.is_plain; }
  std::byte* data() const { return elements_; }
  /// Before parts are read that lie nowhere yet.
  void pack_whole();
  /// Copies that part of the bytes to `room`, or from there.
  void read(const PackedRange& part, std::byte* room) const;
  void write(const PackedRange& part, const std::byte* room);
  /// After the last part was written.
  void finish();

 private:
  bool is_whole() const { return !type_.is_plain && !layout_; }
  void take_whole();

  std::byte* elements_ = nullptr;
  std::int64_t count_ = 0;
  MpiType type_;
  std::optional<TypeLayout> layout_;
  std::unique_ptr<std::byte[]> whole_;
};

/// One side of a collective of equal blocks on this rank.
struct SegmentedSide {
  SegmentedElements elements;
  std::int64_t first = 0;   ///< byte where the one block begins
  bool has_all = false;     ///< a block of each rank, from byte 0 on
  bool is_used = false;     ///< the rank has something to give, or gets something
  bool is_dropped = false;  ///< whether it has already what it gets
};

inline SegmentedSide one_block(SegmentedElements&& elements, std::int64_t first = 0) {
  return {std::move(elements), first, false, true};
}
inline SegmentedSide all_blocks(SegmentedElements&& elements) { return {std::move(elements), 0, true, true}; }

/// The bytes of each block that move at a time, where blocks are of so many bytes; as many where they are moved whole.
/// `blocks` are those that pass through the memory of a rank.
std::int64_t part_of(const ServedCommunicator& on, std::int64_t block, std::int64_t blocks);

/// Makes the call by parts: a scatter, a gather, an all_gather or an all_to_all of blocks of so many bytes.
int move_by_parts(ServedCommunicator& on, Collective collective, int root, SegmentedSide& input, SegmentedSide& output,
                  std::int64_t block, std::int64_t part);
int broadcast_by_parts(ServedCommunicator& on, int root, SegmentedElements& message, std::int64_t bytes,
                       std::int64_t part);

}  // namespace tutti::interpose

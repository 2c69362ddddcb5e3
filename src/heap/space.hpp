/// @file
/// Space of a heap: which blocks are in use, and where the next one goes. Offsets alone; the memory is the caller's.
#pragma once

#include <bit>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <utility>

namespace tutti::heap {

/// An extent of a heap: where it begins there, and how long it is. Extents double,
///
///     | 2 MiB | 2 MiB | 4 MiB | 8 MiB | … | 32 GiB |
///
/// so that a heap with room for more than a machine has memory is mapped piece by piece, by few calls.
struct Extent {
  static constexpr std::size_t least = std::size_t{2} << 20;

  std::size_t offset = 0;
  std::size_t bytes = 0;

  static constexpr Extent number(int index) {
    const std::size_t half = index == 0 ? 0 : least << (index - 1);
    return {half, index == 0 ? least : half};
  }
  /// The number of the extent that has byte `offset` of a heap.
  static constexpr int number_at(std::size_t offset) { return static_cast<int>(std::bit_width(offset / least)); }
  /// Whether an extent begins at that byte of a heap: what is allocated never lies on both sides.
  static constexpr bool begins_at(std::size_t offset) {
    return offset == 0 || (offset >= least && std::has_single_bit(offset));
  }
  /// The bytes of a heap of so many extents.
  static constexpr std::size_t sum(int extents) { return least << (extents - 1); }
};

/// Allocator of a heap's blocks by offset: best fit over the free pieces; freed neighbours merge. A block lies within
/// one extent. For one thread at a time.
///
/// Its lists lie in nodes of up to 64 bytes: two for a free piece, one for a block. take() and resize() leave all as it
/// was if they get none; give_back() needs one node more than it returns at most, and has to get it.
class Space {
 public:
  using Piece = std::pair<std::size_t, std::size_t>;  // offset, bytes

  using Blocks = std::pmr::map<std::size_t, std::size_t>;  // bytes by offset

  /// A heap of so many extents, all of it free. Nodes come from `nodes`, which outlives it.
  explicit Space(int extents, std::pmr::memory_resource* nodes = std::pmr::get_default_resource());

  /// Takes a block of that many bytes at a multiple of `alignment`, a power of two up to an extent's least size; where
  /// it can be had, in a piece of at least `room` bytes, so that the block can grow. Nothing where there is no room for
  /// it.
  std::optional<std::size_t> take(std::size_t bytes, std::size_t alignment, std::size_t room = 0);
  /// The bytes of the block in use that begins there; 0 where none does.
  std::size_t bytes_at(std::size_t offset) const;
  /// The bytes from there to the end of the block in use that has byte `offset`; 0 where none has.
  std::size_t bytes_from(std::size_t offset) const;
  /// Frees the block in use that begins there.
  void give_back(std::size_t offset);
  /// Gives the block that begins there another size where it lies; false where what follows is not free.
  bool resize(std::size_t offset, std::size_t bytes);

  /// Bytes of all blocks in use.
  std::size_t used() const { return used_bytes_; }
  const Blocks& blocks() const { return used_; }
  const Blocks& free_pieces() const { return free_; }

 private:
  std::optional<std::size_t> take_of(std::size_t least, std::size_t bytes, std::size_t alignment);
  void merge(Piece piece);
  void insert(Piece piece);
  void erase(Piece piece);

  Blocks free_;                   // no two are neighbours
  std::pmr::set<Piece> by_size_;  // pieces as (bytes, offset)
  Blocks used_;
  std::size_t used_bytes_ = 0;
};

}  // namespace tutti::heap

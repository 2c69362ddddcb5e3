/// @file
/// The heaps that processes of a run share, where tutti's heap is preloaded into them.
///
/// A block of such a heap is told by its rank and its offset in that rank's arena, never by its address:
///
///     | 0 | 1 | rank: 14 bits | offset: 48 bits |
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "heap/arena_description.hpp"
#include "heap/extent.hpp"
#include "transport/processes/known_pages.hpp"

namespace tutti::runtime {

class Segment;

/// The arena of this process; its base is 0 where it has none.
heap::ArenaDescription own_arena();
/// What tells of an address whether it is that arena's; null where the process has none.
heap::IsInArena* own_arena_test();

/// A place in the arena of a rank.
struct ArenaPlace {
  int rank = 0;
  std::uint64_t offset = 0;

  static constexpr std::uint64_t mark = std::uint64_t{1} << 62;
  static constexpr unsigned offset_bits = 48;

  constexpr std::uint64_t told() const { return mark | static_cast<std::uint64_t>(rank) << offset_bits | offset; }
  static constexpr bool is_told(std::uint64_t address) { return (address & mark) != 0 && address >> 63 == 0; }
  static constexpr ArenaPlace heard(std::uint64_t address) {
    return {static_cast<int>((address & ~mark) >> offset_bits), address & ((std::uint64_t{1} << offset_bits) - 1)};
  }
};

/// What this process has mapped of the other ranks' arenas: an extent when it first needs it, only to be read until it
/// is to be written. What it may not map, it does not ask for again. Thread-safe. The segment outlives it.
class PeerArenas {
 public:
  explicit PeerArenas(const Segment& segment);
  PeerArenas(const PeerArenas&) = delete;
  PeerArenas& operator=(const PeerArenas&) = delete;
  ~PeerArenas();

  /// Where the place lies in this process; null where the rank has no arena, or this process cannot map it. So many
  /// bytes there are about to be read.
  std::byte* at(const ArenaPlace& place, std::size_t bytes);
  /// The same to be written.
  std::byte* writable_at(const ArenaPlace& place, std::size_t bytes);
  /// Whether the arena of that rank can be mapped, which is tried once.
  bool can_map(int rank);

 private:
  static constexpr int most_extents = 32;

  struct Arena {
    std::array<std::atomic<std::byte*>, most_extents> extents{};  // where each is mapped
    std::array<std::atomic<bool>, most_extents> are_writable{};
    std::array<std::unique_ptr<KnownPages>, most_extents> pages{};  // of each that is mapped
    bool is_refused = false;
  };

  Arena& arena_of(int rank);
  std::byte* map(int rank, int extent);
  std::byte* extent_of(const ArenaPlace& place);
  std::byte* expected(const ArenaPlace& place, std::byte* begin, std::size_t bytes, KnownPages::Use use);

  const Segment& segment_;
  std::mutex mutex_;                               // guards what is mapped
  std::unique_ptr<std::atomic<Arena*>[]> arenas_;  // by rank; null: nothing is mapped
};

}  // namespace tutti::runtime

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

#include "heap/arena_description.hpp"
#include "heap/space.hpp"

namespace tutti::runtime {

/// Parts of a mapping that the system was asked for ahead of their use.
///
/// A page that another process has touched is there, but this process's page table does not know it until it is touched
/// here as well: a fault for each page that is written, one for sixteen that are read. To write 4 MiB for the first
/// time took 11 µs a page, and 1.3 where the system had been asked for all of it (two cores of an AMD EPYC under a
/// hypervisor, which other programs used too). Thread-safe.
///
/// Marks are hints: what its owner has given back and touched anew has its mark and is met page by page.
class KnownPages {
 public:
  /// Takes a mapping of so many bytes; none are known.
  explicit KnownPages(std::size_t bytes);

  enum class Use : std::uint8_t { read, write };
  /// The process is about to use `bytes` of the mapping, which begins at `begin`, from byte `at` on. What has less than
  /// a whole window is left to be met page by page, unless it is met together with one.
  void expect(std::byte* begin, std::size_t at, std::size_t bytes, Use use);

 private:
  static constexpr std::size_t window = std::size_t{64} << 10;  // has one mark
  static constexpr std::size_t bits = 64;                       // marks in a word
  using Marks = std::unique_ptr<std::atomic<std::uint64_t>[]>;

  Marks& marks_of(Use use) { return use == Use::read ? read_ : written_; }
  static bool has_all(const Marks& marks, std::size_t first, std::size_t end);

  std::size_t bytes_;
  Marks read_;
  Marks written_;
};

class Segment;

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

/// Mappings of the other ranks' arenas in this process: an extent when it first needs it, only to be read until it is
/// to be written. Extents that it may not map are not asked for again. Thread-safe. The segment outlives it.
class PeerArenas {
 public:
  explicit PeerArenas(const Segment& segment);
  PeerArenas(const PeerArenas&) = delete;
  PeerArenas& operator=(const PeerArenas&) = delete;
  ~PeerArenas();

  /// Returns the address of the place in this process; null if the rank has no arena, or this process cannot map it. So
  /// many bytes there are about to be read.
  std::byte* at(const ArenaPlace& place, std::size_t bytes);
  /// Returns the address of the place, to be written.
  std::byte* writable_at(const ArenaPlace& place, std::size_t bytes);
  /// Whether the arena of that rank can be mapped, which is tried once.
  bool can_map(int rank);

 private:
  static constexpr int most_extents = 32;

  struct Arena {
    std::array<std::atomic<std::byte*>, most_extents> extents{};  // address of each mapping
    std::array<std::atomic<bool>, most_extents> are_writable{};
    std::array<std::unique_ptr<KnownPages>, most_extents> pages{};  // pages of each that is mapped
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

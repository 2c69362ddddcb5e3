/// @file
/// Memory of another process whose pages the system tells this one of, many at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tutti::runtime {

/// Which parts of a mapping the system was asked for ahead of their use.
///
/// A page that another process has touched is there, but this process's page table does not know it until it is touched
/// here as well: a fault for each page that is written, one for sixteen that are read. To write 4 MiB for the first
/// time took 11 µs a page, and 1.3 where the system had been asked for all of it (two cores of an AMD EPYC under a
/// hypervisor, which other programs used too). Thread-safe.
///
/// Marks are hints: what its owner has given back and touched anew has its mark and is met page by page.
class KnownPages {
 public:
  /// Of a mapping of so many bytes; none are known.
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

}  // namespace tutti::runtime

/// @file
/// One file of shared memory that joins the ranks of a run on one machine.
///
///     header | a RankRecord a rank | control area | arena of rank 0 | arena of rank 1 | …
///
/// The launcher makes the file without a name, so that nothing is left behind whatever dies: its memory goes back when
/// the last process that has it open or mapped ends. Ranks inherit the open descriptor and find its number in their
/// environment. Header, records and control area are reserved at once; the arenas are holes until an `Arena` fills
/// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/transport/rank_record.hpp"
#include "runtime/transport/shared/block.hpp"

namespace tutti::runtime {

/// Where the parts of a segment lie: offsets and sizes in bytes, which depend on the number of ranks alone.
struct SegmentGeometry {
  std::size_t records = 0;
  std::size_t control = 0;
  std::size_t control_bytes = 0;
  std::size_t arenas = 0;
  std::size_t arena_bytes = 0;
  std::size_t file_bytes = 0;

  static SegmentGeometry of(int ranks);
};

/// A mapped segment. Movable; the addresses of its parts stay. Not for two threads at once, but the parts have rules of
/// their own.
class Segment {
 public:
  /// The most ranks that one machine's segment joins.
  static constexpr int most_ranks = 4096;

  /// A segment for `ranks` new ranks, of mode 0600. This process is its launcher and no rank.
  /// Throws `Error(invalid_argument)` for fewer than one or more than `most_ranks` ranks, and `Error(unsupported)`
  /// where the system has no shared memory, or too little.
  static Segment create(int ranks);
  /// The segment that this process was started with, joined as its rank; nothing where it was started without one.
  /// Throws `Error(invalid_argument)` for a segment that is not there, belongs to someone else, is of another build of
  /// tutti, or has this rank already.
  static std::optional<Segment> inherited();

  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&& other) noexcept;
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  /// "NAME=value", three of them: what `inherited` reads in a process that has the descriptor open as well.
  std::vector<std::string> environment(int rank) const;

  int ranks() const { return ranks_; }
  /// Which rank this process is; -1 in the launcher.
  int rank() const { return rank_; }
  /// The process that made the segment.
  std::int64_t launcher() const;
  RankRecord& record(int rank) const { return records()[static_cast<std::size_t>(rank)]; }
  std::span<RankRecord> records() const;
  /// The communicator of all ranks, which lies in the control area.
  Block whole() const { return {base_ + geometry_.control, ranks_}; }
  /// A rank is gone for that reason: its record says so, and all who look for losses learn of it. The rank is yet to
  /// be ended.
  void lose(int rank, std::string_view why);
  /// The same from another rank, for one that has joined and that nobody else reports: it is ended as well.
  void find_lost(int rank, std::string_view why) const;
  /// Whether the process that has joined as that other rank still runs.
  bool is_held(int rank) const;
  /// The memory of one rank's arena; only its `Arena` says which parts of it may be touched.
  std::span<std::byte> arena(int rank) const { return {base_ + arena_offset(rank), geometry_.arena_bytes}; }
  /// Where that arena begins in the file.
  std::size_t arena_offset(int rank) const {
    return geometry_.arenas + static_cast<std::size_t>(rank) * geometry_.arena_bytes;
  }
  std::byte* base() const { return base_; }
  std::size_t bytes() const { return geometry_.file_bytes; }
  int fd() const { return file_; }

 private:
  Segment(int file, int ranks, int rank) : file_(file), ranks_(ranks), rank_(rank) {}
  void map();
  void hold() const;

  int file_ = -1;  // owned; stays open across exec, so that a program between launcher and rank does no harm
  int ranks_ = 0;
  int rank_ = -1;
  SegmentGeometry geometry_;
  std::byte* base_ = nullptr;
};

}  // namespace tutti::runtime

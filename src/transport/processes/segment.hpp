/// @file
/// One file of shared memory that joins the ranks of a run on one machine.
///
///     header | gathering | a place a rank | a RankRecord a rank | control area | heap of rank 0 | heap of rank 1 | …
///
/// The launcher, or the first of the ranks that another launcher has started, makes the file without a name
/// (memfd_create), so that nothing is left behind whatever dies: its memory goes back when the last process that has it
/// open or mapped ends. Ranks inherit the open descriptor and find its number in their environment, or are told where
/// to open it. Header, records and control area are reserved and mapped at once; the heaps are holes
/// until a `SharedHeap` fills them, and are mapped as they grow (SegmentMap).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/processes/gathering.hpp"
#include "transport/processes/segment_map.hpp"
#include "transport/proposal.hpp"
#include "transport/rank_record.hpp"
#include "transport/shared/control_segment.hpp"

namespace tutti::runtime {

/// Geometry of a segment: offsets and sizes of its parts in bytes, which depend on the number of ranks alone.
struct SegmentGeometry {
  std::size_t gathering = 0;
  std::size_t places = 0;
  std::size_t records = 0;
  std::size_t records_end = 0;  ///< nothing lies between this and the control segment, which begins a page
  std::size_t control = 0;
  std::size_t control_bytes = 0;
  std::size_t heaps = 0;  ///< offset of the first heap; each has `heap_size` bytes
  std::size_t file_bytes = 0;

  static SegmentGeometry of(int ranks);
};

struct SegmentHeader;

/// Invitation to a segment that processes of one machine and user have not inherited. Plain bytes.
struct Invitation {
  std::int64_t process = 0;  ///< process that has the file open
  std::int32_t file = -1;    ///< under this number
  std::uint64_t secret = 0;  ///< secret in the file's header: numbers may mean something else in another namespace
};

/// A mapped segment. Movable; the addresses of its parts stay. Not for two threads at once, but the parts have rules of
/// their own.
class Segment {
 public:
  /// The most ranks that one machine's segment joins.
  static constexpr int most_ranks = Gathering::most_ranks;

  /// A segment for `ranks` new ranks, of mode 0600. This process is its launcher, and no rank until it joins.
  /// Throws `Error(invalid_argument)` for fewer than one or more than `most_ranks` ranks, and `Error(unsupported)`
  /// where the system has no shared memory, or too little.
  static Segment create(int ranks);
  /// The segment that this process was started with, joined as its rank; nothing where it was started without one.
  /// Throws `Error(invalid_argument)` for a segment that is not there, belongs to someone else, is of another build of
  /// tutti, or has this rank already.
  /// Rank 0 proposes what `propose` makes.
  static std::optional<Segment> inherited(Propose propose = no_proposal);
  /// The segment that another process has made, not joined yet. Throws as `inherited`, for a segment that cannot be
  /// opened as well.
  static Segment invited(const Invitation& invitation);
  Invitation invitation() const;
  /// Joins it as that rank, which proposes that. Throws `Error(invalid_argument)` where the rank is taken. To be
  /// called once.
  void join(int rank, const Proposal& proposal = {});

  /// "NAME=value", three of them: what `inherited` reads in a process that has the descriptor open as well.
  std::vector<std::string> environment(int rank) const;

  int ranks() const { return ranks_; }
  /// Returns the rank of this process; -1 in the launcher.
  int rank() const { return rank_; }
  RankRecord& record(int rank) const { return records()[static_cast<std::size_t>(rank)]; }
  std::span<RankRecord> records() const;
  /// Returns the places of the ranks' processes, which all read side by side. Only once all have come.
  std::span<ProcessPlace> places() const;
  /// Whether a rank has ended. To be asked before all records are.
  bool has_ends() const { return record(0).ends().load(std::memory_order_acquire) != 0; }
  /// Returns the gathering of the ranks.
  Gathering& gathering() const;
  /// The communicator of all ranks, which lies in the control area.
  ControlSegment whole() const { return {map_->control() + geometry_.control, ranks_}; }
  /// A rank is gone for that reason: its record says so, and all who look for losses learn of it. The rank is yet to
  /// be ended.
  void lose(int rank, std::string_view why);
  /// The rank has ended; who waits for it to come learns of it at once.
  void end(int rank) const;
  /// Both from another rank, for one that has joined and that nobody else reports.
  void find_lost(int rank, std::string_view why) const;
  /// The rank of which one of these was said first, here or in another process. Nothing: of none.
  std::optional<int> first_lost() const { return whole().header().first_loss(); }
  /// This process is the rank that it has joined as no more: is_held() says that it is gone. Its record stays.
  void leave() { lock_ = {}; }
  /// Whether the process that has joined as that rank still runs. Says so too where that cannot be known: because the
  /// program has closed the descriptor, or the system has no /proc.
  bool is_held(int rank) const;
  /// The number by which this process knows the one that has joined as that rank; 0: there is none, or this process may
  /// not look at it.
  pid_t process_of(int rank) const;
  /// Whether the rank is stopped, as far as can be known: by who has started it, or because this process may look at
  /// the one that has joined.
  bool is_stopped(int rank) const;

  /// Returns the offset in the file of an address of this process; `AddressIndex::none` if that is no memory of the
  /// segment.
  std::uint64_t offset_of(const void* pointer) const noexcept { return map_->offset_of(pointer); }
  /// Returns the address of byte `offset` of the file: any thread may ask. In a heap only its `SharedHeap` says which
  /// parts may be touched. Throws `Error(unsupported)` if there are no addresses left for it.
  std::byte* at(std::uint64_t offset) const { return map_->at(offset); }
  /// Returns the offset of a rank's heap in the file.
  std::size_t heap_offset(int rank) const { return geometry_.heaps + static_cast<std::size_t>(rank) * heap_size; }
  /// Gives memory of the segment that holds nothing yet pages: see reserve_pages().
  void reserve(std::byte* memory, std::size_t bytes) const;
  int fd() const { return map_->file().number(); }

 private:
  Segment(SegmentFile file, int ranks);
  SegmentHeader& header() const;
  void hold();

  int ranks_ = 0;
  int rank_ = -1;
  SegmentGeometry geometry_;
  std::unique_ptr<SegmentMap> map_;
  LastingLock lock_;  // on the byte of the file that has this rank's number
};

}  // namespace tutti::runtime

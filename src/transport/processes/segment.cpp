#include "transport/processes/segment.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/units.hpp"
#include "heap/memory.hpp"
#include "heap/own_arena.hpp"
#include "heap/pages.hpp"
#include "transport/location.hpp"
#include "transport/processes/access_kind.hpp"
#include "transport/processes/activity.hpp"
#include "transport/processes/segment_file.hpp"
#include "transport/shared/alarm.hpp"
#include "transport/shared/pair_memory.hpp"

namespace tutti::runtime {
namespace {

constexpr std::uint64_t magic = 0x7475'7474'6973'6567;  // "tuttiseg"
constexpr std::uint32_t layout = 19;                    // changes with anything that processes share
constexpr std::size_t page_multiple = std::size_t{64} << 10;

/// Tells builds apart that share other things.
const std::size_t bytes_to_share = ControlSegment::bytes(1) + PairMemory::slots_bytes;

}  // namespace

/// Header of the file.
struct alignas(line_pair) SegmentHeader {
  std::uint64_t magic = 0;
  std::uint32_t layout = 0;
  std::int32_t ranks = 0;
  // Beside the layout's number, because nobody remembers to change it each time.
  std::uint64_t record_bytes = 0;
  std::uint64_t control_bytes = 0;
  std::uint64_t secret = 0;
};

namespace {

using heap::round_up;

std::string reason() { return std::generic_category().message(errno); }

// The checks of an open descriptor that need no look inside.
void check_file(int file) {
  struct stat status = {};
  require(
      fstat(file, &status) == 0,
      "descriptor {} in TUTTI_SEGMENT is not open: a program between `tutti run` and this one closed it, or is itself "
      "the rank",
      file);
  require(S_ISREG(status.st_mode), "descriptor {} in TUTTI_SEGMENT is no shared memory: start this with `tutti run`",
          file);
  require(status.st_uid == geteuid(), "the segment belongs to user {}, not {}: run all ranks as the launcher's user",
          status.st_uid, geteuid());
  require((status.st_mode & (S_IRWXG | S_IRWXO)) == 0,
          "the segment has mode {:o}, which lets other users in: it must be 600", status.st_mode & 0777U);
}

// The number of ranks of a segment that this program can share.
int check_header(int file) {
  SegmentHeader header;
  const bool is_read = pread(file, &header, sizeof(header), 0) == static_cast<ssize_t>(sizeof(header));
  require(is_read && header.magic == magic,
          "descriptor {} in TUTTI_SEGMENT is no segment of tutti: start this with `tutti run`", file);
  require(header.layout == layout, "the segment has layout {}, this program has {}: build both with the same tutti",
          header.layout, layout);
  require(header.record_bytes == sizeof(RankRecord) && header.control_bytes == bytes_to_share,
          "the segment has records of {} and {} bytes a rank, this program has {} and {}: build both with the same "
          "tutti",
          header.record_bytes, header.control_bytes, sizeof(RankRecord), bytes_to_share);
  require(header.ranks >= 1 && header.ranks <= Segment::most_ranks,
          "the segment is for {} ranks, not for 1 to {}: start this with `tutti run`", header.ranks,
          Segment::most_ranks);
  struct stat status = {};
  const std::size_t expected = SegmentGeometry::of(header.ranks).file_bytes;
  require(fstat(file, &status) == 0 && static_cast<std::size_t>(status.st_size) == expected,
          "the segment for {} ranks has {} bytes, not {}: build launcher and program with the same tutti", header.ranks,
          status.st_size, expected);
  return header.ranks;
}

int integer_in(const char* name, int least, int most) {
  const char* value = environment_variable(name);
  require(value != nullptr, "TUTTI_SEGMENT is set but {} is not: start this with `tutti run`", name);
  return static_cast<int>(parse_integer(value, name, least, most));
}

/// Sets the file's size as ftruncate() does, but a process that comes to the limit of file sizes is told, not killed.
int set_size(int file, std::size_t bytes) {
  struct sigaction ignored = {};
  struct sigaction before = {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignored, &before);
  const int result = ftruncate(file, static_cast<off_t>(bytes));
  const int why = errno;
  sigaction(SIGXFSZ, &before, nullptr);
  errno = why;
  return result;
}

}  // namespace

SegmentGeometry SegmentGeometry::of(int ranks) {
  const auto p = static_cast<std::size_t>(ranks);
  SegmentGeometry geometry;
  geometry.gathering = sizeof(SegmentHeader);
  geometry.places = geometry.gathering + sizeof(Gathering);
  geometry.records = round_up(geometry.places + p * sizeof(ProcessPlace), line_pair);
  geometry.records_end = geometry.records + p * sizeof(RankRecord);
  geometry.control = round_up(geometry.records_end, page_multiple);
  geometry.control_bytes = round_up(ControlSegment::bytes(ranks), page_multiple);
  geometry.heaps = round_up(geometry.control + geometry.control_bytes, AddressIndex::unit);
  geometry.file_bytes = geometry.heaps + p * heap_size;
  return geometry;
}

Segment::Segment(SegmentFile file, int ranks)
    : ranks_(ranks),
      geometry_(SegmentGeometry::of(ranks)),
      map_(std::make_unique<SegmentMap>(std::move(file), geometry_.heaps, ranks)) {}

Segment Segment::create(int ranks) {
  require(ranks >= 1 && ranks <= most_ranks, "a run has 1 to {} ranks, not {}", most_ranks, ranks);
  const int opened = heap::memory_file("tutti", 0);  // programs that ranks start inherit it
  if (opened < 0)
    fail(ErrorCode::unsupported, "no shared memory to be had ({}): {}", reason(),
         errno == EMFILE ? "raise the limit of open files (ulimit -n)" : "the system must permit memfd_create()");
  SegmentFile file(moved_up(opened, Inheritance::inherited));
  const SegmentGeometry geometry = SegmentGeometry::of(ranks);
  // The mode, because memory of this kind begins open to all.
  if (fchmod(file.number(), 0600) != 0 || set_size(file.number(), geometry.file_bytes) != 0)
    fail(ErrorCode::unsupported, "no shared memory of {} ({}): raise the limit of file sizes (ulimit -f)",
         text_of(Bytes{static_cast<std::int64_t>(geometry.file_bytes)}), reason());
  reserve_file(file.number(), 0, geometry.records_end);
  reserve_file(file.number(), geometry.control, ControlSegment::bytes(ranks));
  Segment segment(std::move(file), ranks);
  auto* header = new (segment.map_->control()) SegmentHeader;
  header->secret = Origin().mark().value;
  header->layout = layout;
  header->ranks = ranks;
  header->record_bytes = sizeof(RankRecord);
  header->control_bytes = bytes_to_share;
  new (&segment.gathering()) Gathering;
  for (ProcessPlace& place : segment.places()) new (&place) ProcessPlace;
  for (RankRecord& record : segment.records()) new (&record) RankRecord;
  header->magic = magic;
  return segment;
}

std::optional<Segment> Segment::inherited(Propose propose) {
  if (environment_variable("TUTTI_SEGMENT") == nullptr) return std::nullopt;
  const int file = integer_in("TUTTI_SEGMENT", 0, std::numeric_limits<int>::max());
  check_file(file);
  const int ranks = check_header(file);
  const int expected = integer_in("TUTTI_RANKS", 1, most_ranks);
  require(expected == ranks, "TUTTI_RANKS says {} ranks, the segment {}: start this with `tutti run`", expected, ranks);
  const int rank = integer_in("TUTTI_RANK", 0, ranks - 1);
  // Processes that this rank starts are no ranks.
  Segment segment(SegmentFile(moved_up(file, Inheritance::closed)), ranks);
  segment.join(rank, rank == 0 ? propose() : Proposal());
  return segment;
}

Segment Segment::invited(const Invitation& invitation) {
  const std::string path = fmt::format("/proc/{}/fd/{}", invitation.process, invitation.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  require(file >= 0, "{} cannot be opened ({})", path, reason());
  SegmentFile opened(moved_up(file, Inheritance::closed));
  check_file(opened.number());
  const int ranks = check_header(opened.number());
  Segment segment(std::move(opened), ranks);
  require(segment.header().secret == invitation.secret, "{} is another segment", path);
  return segment;
}

Invitation Segment::invitation() const { return {getpid(), fd(), header().secret}; }

void Segment::join(int rank, const Proposal& proposal) {
  rank_ = rank;
  fcntl(fd(), F_SETFD, FD_CLOEXEC);
  hold();
  const UsableCores cores = UsableCores::of_this_process();
  const std::int64_t before = record(rank).join(getpid(), Origin().mark(), heap::own_arena());
  require(before == 0, "rank {} is already taken by process {}: one program of a rank can take part in a run", rank,
          before);
  if (rank == 0) gathering().propose(proposal);
  gathering().note_cores(cores);
  gathering().note_kind(access_kind_of_this_process());
  places()[static_cast<std::size_t>(rank)] = place_of_this_process(cores);  // published by arrive()
  if (register_for_barriers()) gathering().note_barriers();
  gathering().arrive(ranks_);
}

std::vector<std::string> Segment::environment(int rank) const {
  return {fmt::format("TUTTI_SEGMENT={}", fd()), fmt::format("TUTTI_RANK={}", rank),
          fmt::format("TUTTI_RANKS={}", ranks_)};
}

// Refused where the rank is taken, which its record tells.
void Segment::hold() {
  if (lock_.take(map_->file(), rank_)) gathering().set_guarded(rank_);
}

bool Segment::is_held(int rank) const {
  const SegmentFile& file = map_->file();
  return !gathering().is_guarded(rank) || !file.is_ours() || LastingLock::is_taken(file, rank);
}

// The number that the rank knows itself by may be a stranger's here, and a number comes again.
pid_t Segment::process_of(int rank) const {
  const RankRecord& joined = record(rank);
  const auto process = static_cast<pid_t>(joined.process());
  return process > 0 && has_mark(process, joined.mark()) ? process : 0;
}

// The state that was read is the rank's, if the number was its process's before and after.
bool Segment::is_stopped(int rank) const {
  if (record(rank).is_stopped()) return true;
  const pid_t process = process_of(rank);
  return process > 0 && is_stopped_here(process) && process_of(rank) == process;
}

void Segment::reserve(std::byte* memory, std::size_t bytes) const {
  reserve_pages(map_->file(), offset_of(memory), memory, bytes);
}

void Segment::lose(int rank, std::string_view why) {
  record(rank).note_death(why);
  whole().header().count_loss(rank);
  wake_all(records());
}

void Segment::end(int rank) const {
  end_rank(records(), rank);
  gathering().tell();
}

void Segment::find_lost(int rank, std::string_view why) const {
  record(rank).note_gone(why);
  whole().header().count_loss(rank);
  end(rank);
  wake_all(records());
}

SegmentHeader& Segment::header() const { return *std::launder(reinterpret_cast<SegmentHeader*>(map_->control())); }

Gathering& Segment::gathering() const {
  return *std::launder(reinterpret_cast<Gathering*>(map_->control() + geometry_.gathering));
}

std::span<ProcessPlace> Segment::places() const {
  std::byte* const first = map_->control() + geometry_.places;
  return {std::launder(reinterpret_cast<ProcessPlace*>(first)), static_cast<std::size_t>(ranks_)};
}

std::span<RankRecord> Segment::records() const {
  std::byte* const first = map_->control() + geometry_.records;
  return {std::launder(reinterpret_cast<RankRecord*>(first)), static_cast<std::size_t>(ranks_)};
}

}  // namespace tutti::runtime

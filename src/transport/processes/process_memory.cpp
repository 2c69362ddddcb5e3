#include "transport/processes/process_memory.hpp"

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "heap/own_arena.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

/// Marks an offset into the segment; no address of a process has it.
constexpr std::uint64_t offset_mark = std::uint64_t{1} << 63;

/// Between two looks at the other ranks' processes, at so many of them.
constexpr std::chrono::milliseconds look_interval(50);
constexpr int looks = 64;
/// Times that a process must be found gone before this rank says so: the launcher, which says it at once, knows why.
constexpr int patience = 4;

/// Why this thread's latest copy was refused.
thread_local std::optional<Refusal> latest_refusal;

void* pointer_from(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));  // NOLINT: an address is what it is
}

}  // namespace

bool may_read_peers() {
  const char* const setting = environment_variable("TUTTI_PEER_READS");
  if (setting == nullptr) return true;
  const std::string_view value = setting;
  require(value == "0" || value == "1", "TUTTI_PEER_READS is '{}': 0 forbids to read other ranks' memory, 1 allows it",
          value);
  return value == "1";
}

static_assert(Segment::most_ranks == RankRecord::most_ranks);

ProcessMemory::ProcessMemory(const Segment& segment)
    : segment_(segment),
      heap_(segment, segment.rank()),
      arena_(segment.record(segment.rank()).arena()),
      is_in_arena_(heap::own_arena_test()),
      arenas_(segment) {
  find_reach();
}

// The next rank stands for all where all processes are of one kind. Else each rank is asked for what only its process
// has: one that may be read tells nothing of the others, which may live in other namespaces or have rights of their
// own.
void ProcessMemory::find_reach() {
  const int next = (segment_.rank() + 1) % segment_.ranks();
  const bool reaches_all = (segment_.gathering().are_of_one_kind() && reads_mark(next)) || reaches_each();
  segment_.record(segment_.rank()).set_reach(reaches_all ? RankRecord::Reach::all : RankRecord::Reach::some);
  segment_.gathering().note_reach(reaches_all);
  latest_refusal.reset();  // a refusal here is no reason why a later copy fails
}

bool ProcessMemory::reads_mark(int rank) const {
  std::uint64_t copy = 0;
  return may_read_peers() && read(rank, segment_.record(rank).mark().address, &copy, sizeof(copy));
}

/// Asks each rank, and takes a note of which can be read or mapped. Returns whether all can be read.
bool ProcessMemory::reaches_each() {
  RankRecord& mine = segment_.record(segment_.rank());
  bool reaches_all = true;
  for (int rank = 0; rank < segment_.ranks(); ++rank) {
    const bool reaches = reads_mark(rank);
    if (reaches) {
      mine.note_reads(rank);
    } else if (arenas_.can_map(rank)) {
      mine.note_maps(rank);
    }
    reaches_all = reaches_all && reaches;
  }
  return reaches_all;
}

bool ProcessMemory::reaches_private() const noexcept {
  // Relaxed, both: a hint that is computed anew where it is not there.
  const RankRecord::Reach known = common_reach_.load(std::memory_order_relaxed);
  if (known != RankRecord::Reach::unknown) return known == RankRecord::Reach::all;
  const std::optional<bool> all = segment_.gathering().do_all_reach_all(segment_.ranks());
  if (!all) return false;
  common_reach_.store(*all ? RankRecord::Reach::all : RankRecord::Reach::some, std::memory_order_relaxed);
  return *all;
}

bool ProcessMemory::is_reached_by(int rank) const noexcept {
  const RankRecord& record = segment_.record(rank);
  const RankRecord::Reach reach = record.reach();
  return reach == RankRecord::Reach::all || (reach == RankRecord::Reach::some && record.reads(segment_.rank()));
}

std::uint64_t ProcessMemory::address_of(const void* pointer) const noexcept {
  if (is_in_own_arena(pointer)) {
    return ArenaPlace{segment_.rank(), reinterpret_cast<std::uintptr_t>(pointer) - arena_.base}.told();
  }
  const std::uint64_t offset = segment_.offset_of(pointer);
  return offset == AddressIndex::none ? reinterpret_cast<std::uintptr_t>(pointer) : offset | offset_mark;
}

std::byte* ProcessMemory::pointer_to(std::uint64_t address, std::size_t bytes) const {
  if ((address & offset_mark) != 0) return segment_.at(address & ~offset_mark);
  if (!ArenaPlace::is_told(address)) return nullptr;
  const ArenaPlace place = ArenaPlace::heard(address);
  if (place.rank != segment_.rank()) return arenas_.at(place, bytes);
  return static_cast<std::byte*>(pointer_from(arena_.base + place.offset));
}

std::byte* ProcessMemory::writable_pointer_to(std::uint64_t address, std::size_t bytes) const {
  if (!ArenaPlace::is_told(address)) return pointer_to(address, bytes);
  const ArenaPlace place = ArenaPlace::heard(address);
  return place.rank == segment_.rank() ? pointer_to(address, bytes) : arenas_.writable_at(place, bytes);
}

// Memory that a peer may read it may map as well, or else asks the system for: see address_there().
bool ProcessMemory::lies_open(const void* pointer, int rank) const {
  if (is_in_own_arena(pointer)) return is_reached_by(rank) || segment_.record(rank).maps(segment_.rank());
  return segment_.offset_of(pointer) != AddressIndex::none;
}

/// Returns the address in the process that told it.
std::uint64_t ProcessMemory::address_there(std::uint64_t address) const noexcept {
  if (!ArenaPlace::is_told(address)) return address;
  const ArenaPlace place = ArenaPlace::heard(address);
  return segment_.record(place.rank).arena().base + place.offset;
}

// The mark comes with the bytes, by the same call, which looks at the memory of one process: whose mark it is, theirs
// are the bytes, even where the rank ends meanwhile and another process gets its number.
bool ProcessMemory::read(int rank, std::uint64_t told, void* to, std::size_t bytes) const noexcept {
  const std::uint64_t from = address_there(told);
  latest_refusal.reset();
  const RankRecord& peer = segment_.record(rank);
  for (std::size_t done = 0; done < bytes;) {
    std::uint64_t mark = 0;
    const std::array<iovec, 2> here{{{&mark, sizeof(mark)}, {static_cast<std::byte*>(to) + done, bytes - done}}};
    const std::array<iovec, 2> there{
        {{pointer_from(peer.mark().address), sizeof(mark)}, {pointer_from(from + done), bytes - done}}};
    const ssize_t moved =
        process_vm_readv(static_cast<pid_t>(peer.process()), here.data(), here.size(), there.data(), there.size(), 0);
    // A mark that is not there, or is another's: the rank's process has ended, or runs another program.
    if (moved < 0) return errno != EFAULT && refuse({rank, from, bytes, errno, false});
    if (static_cast<std::size_t>(moved) < sizeof(mark) || mark != peer.mark().value) return false;
    const std::size_t n = static_cast<std::size_t>(moved) - sizeof(mark);
    if (n == 0) return refuse(fault(rank, from + done, {rank, from, bytes, EFAULT, false}, to));
    done += n;
  }
  return true;
}

// Nothing can be read and written by the same call: here the mark is read before each.
std::size_t ProcessMemory::write(int rank, std::uint64_t told, const void* from, std::size_t bytes,
                                 std::uint64_t gate) const noexcept {
  const std::uint64_t to = address_there(told);
  const RankRecord& peer = segment_.record(rank);
  std::byte key{};
  for (std::size_t done = 0; done < bytes;) {
    std::uint64_t copy = 0;
    if (!read(rank, peer.mark().address, &copy, sizeof(copy))) return done;
    std::byte* const at = static_cast<std::byte*>(const_cast<void*>(from)) + done;
    const std::array<iovec, 2> here{{{&key, 1}, {at, bytes - done}}};
    const std::array<iovec, 2> there{{{pointer_from(gate), 1}, {pointer_from(to + done), bytes - done}}};
    const ssize_t moved =
        process_vm_writev(static_cast<pid_t>(peer.process()), here.data(), here.size(), there.data(), there.size(), 0);
    if (moved <= 1) {
      refuse({rank, to, bytes, moved < 0 ? errno : EFAULT, true});
      return done;
    }
    done += static_cast<std::size_t>(moved) - 1;
  }
  return bytes;
}

/// The refusal as it is, or the one that this rank's own memory is to blame for: whose it is, errno does not say.
Refusal ProcessMemory::fault(int rank, std::uint64_t at, const Refusal& refusal, const void* own) const noexcept {
  std::byte byte{};
  const iovec here{&byte, 1};
  const iovec there{pointer_from(at), 1};
  const auto process = static_cast<pid_t>(segment_.record(rank).process());
  if (process_vm_readv(process, &here, 1, &there, 1, 0) != 1) return refusal;
  return {segment_.rank(), reinterpret_cast<std::uintptr_t>(own), refusal.bytes, refusal.error, true};
}

/// Takes a note of what the system says of a rank that is there; returns false.
bool ProcessMemory::refuse(const Refusal& refusal) const noexcept {
  const RankRecord& peer = segment_.record(refusal.rank);
  const bool is_gone = refusal.error == ESRCH || peer.has_ended() || !is_there(refusal.rank);
  if (!is_gone) latest_refusal = refusal;
  return false;
}

bool ProcessMemory::is_there(int rank) const noexcept { return rank == segment_.rank() || segment_.is_held(rank); }

std::optional<Refusal> ProcessMemory::take_refusal() const noexcept {
  return std::exchange(latest_refusal, std::nullopt);
}

std::byte* ProcessMemory::allocate(std::size_t bytes) {
  origin_.require_this_process("allocate()");
  return heap_.allocate(bytes, 4096);
}

void ProcessMemory::free(std::byte* memory) noexcept {
  if (origin_.is_this_process()) heap_.free(memory);
}

bool ProcessMemory::ended(int rank) const noexcept { return segment_.record(rank).has_ended(); }

bool ProcessMemory::lost(int rank) const noexcept {
  const RankRecord& record = segment_.record(rank);
  return record.has_ended() && record.has_failed();
}

bool ProcessMemory::is_stopped(int rank) const {
  return may_read_peers() ? segment_.is_stopped(rank) : segment_.record(rank).is_stopped();
}

// Behind a script the launcher learns of a rank's end only when the script ends. One rank at a time looks for all.
void ProcessMemory::watch() noexcept {
  const std::int64_t now = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
  const int n = std::min(looks, segment_.ranks());
  const std::optional<int> first = segment_.gathering().take_watch(now, look_interval, n, segment_.ranks());
  if (!first) return;
  bool is_alarmed = false;
  for (int k = 0; k < n; ++k) is_alarmed |= look_at((*first + k) % segment_.ranks());
  // Relaxed: a hint for how long to sleep.
  is_alarmed_.store(is_alarmed, std::memory_order_relaxed);
}

/// Whether the rank's process has been found gone, and not yet often enough to say so.
bool ProcessMemory::look_at(int rank) const noexcept {
  RankRecord& record = segment_.record(rank);
  if (record.has_ended() || is_there(rank)) {
    record.note_there();
    return false;
  }
  const int missed = record.note_missed();
  if (missed == patience) segment_.find_lost(rank, "its process is gone");
  return missed < patience;
}

}  // namespace tutti::runtime

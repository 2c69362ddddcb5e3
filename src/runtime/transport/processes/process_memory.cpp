#include "runtime/transport/processes/process_memory.hpp"

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/environment.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

/// Marks an offset into the segment; no address of a process has it.
constexpr std::uint64_t offset_mark = std::uint64_t{1} << 63;

/// Between two looks at the other ranks' processes, at so many of them.
constexpr std::chrono::milliseconds look_interval(50);
constexpr int looks = 64;
/// So often a process must be found gone before this rank says so: the launcher, which says it at once, knows why.
constexpr int patience = 4;

void* pointer_from(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));  // NOLINT: an address is what it is
}

/// All of it, however often the system stops in between.
bool bring(std::int64_t process, std::uint64_t there, void* here, std::size_t bytes) {
  auto* local_at = static_cast<std::byte*>(here);
  while (bytes > 0) {
    const iovec local{local_at, bytes};
    const iovec remote{pointer_from(there), bytes};
    const ssize_t moved = process_vm_readv(static_cast<pid_t>(process), &local, 1, &remote, 1, 0);
    if (moved <= 0) return false;
    local_at += moved;
    there += static_cast<std::uint64_t>(moved);
    bytes -= static_cast<std::size_t>(moved);
  }
  return true;
}

/// Whether this rank may read the memory of its neighbour, and so, as all belong to one user, everyone everyone's: asks
/// for a byte of the page that nobody has, which is another error than not being allowed to ask. TUTTI_PEER_READS=0
/// forbids it.
bool probe(const Segment& segment) {
  const char* const setting = environment_variable("TUTTI_PEER_READS");
  if (setting != nullptr && std::string_view(setting) == "0") return false;
  const int neighbour = (segment.rank() + 1) % segment.ranks();
  std::byte byte{};
  return !bring(segment.record(neighbour).process(), 1, &byte, 1) && errno == EFAULT;
}

}  // namespace

ProcessMemory::ProcessMemory(const Segment& segment)
    : segment_(segment), arena_(segment, segment.rank()), reaches_private_(probe(segment)) {
  missed_.resize(static_cast<std::size_t>(segment.ranks()));
}

std::uint64_t ProcessMemory::address_of(const void* pointer) const noexcept {
  const std::uint64_t offset = segment_.offset_of(pointer);
  return offset == AddressIndex::none ? reinterpret_cast<std::uintptr_t>(pointer) : offset | offset_mark;
}

std::byte* ProcessMemory::pointer_to(std::uint64_t address) const {
  return (address & offset_mark) == 0 ? nullptr : segment_.at(address & ~offset_mark);
}

bool ProcessMemory::read(int rank, std::uint64_t from, void* to, std::size_t bytes) const noexcept {
  return bring(segment_.record(rank).process(), from, to, bytes);
}

std::size_t ProcessMemory::write(int rank, std::uint64_t to, const void* from, std::size_t bytes,
                                 std::uint64_t gate) const noexcept {
  const auto process = static_cast<pid_t>(segment_.record(rank).process());
  std::byte key{};
  for (std::size_t done = 0; done < bytes;) {
    std::byte* const at = static_cast<std::byte*>(const_cast<void*>(from)) + done;
    const std::array<iovec, 2> here{{{&key, 1}, {at, bytes - done}}};
    const std::array<iovec, 2> there{{{pointer_from(gate), 1}, {pointer_from(to + done), bytes - done}}};
    const ssize_t moved = process_vm_writev(process, here.data(), here.size(), there.data(), there.size(), 0);
    if (moved <= 1) return done;
    done += static_cast<std::size_t>(moved) - 1;
  }
  return bytes;
}

bool ProcessMemory::prepare(std::byte* memory, std::size_t bytes) noexcept {
  try {
    segment_.reserve(memory, bytes);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool ProcessMemory::ended(int rank) const noexcept { return segment_.record(rank).has_ended(); }

bool ProcessMemory::lost(int rank) const noexcept {
  const RankRecord& record = segment_.record(rank);
  return record.has_ended() && record.has_failed();
}

// Behind a script the launcher learns of a rank's end only when the script ends.
void ProcessMemory::watch() noexcept {
  const std::unique_lock lock(watching_, std::try_to_lock);
  const Clock::time_point now = Clock::now();
  if (!lock || now < next_look_) return;
  next_look_ = now + look_interval;
  for (int n = std::min(looks, segment_.ranks()); n > 0; --n) {
    const int rank = next_rank_;
    next_rank_ = (next_rank_ + 1) % segment_.ranks();
    int& missed = missed_[static_cast<std::size_t>(rank)];
    if (rank == segment_.rank() || segment_.record(rank).has_ended() || segment_.is_held(rank)) {
      missed = 0;
    } else if (++missed == patience) {
      segment_.find_lost(rank, "its process is gone");
    }
  }
}

}  // namespace tutti::runtime

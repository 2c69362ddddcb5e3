/// @file
/// How ranks on one machine reach one another's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::runtime {

/// A copy to or from the memory of a rank that is there, which the system has refused.
struct Refusal {
  int rank = 0;               ///< whose memory it was
  std::uint64_t address = 0;  ///< in it
  std::size_t bytes = 0;
  int error = 0;  ///< errno
  bool writes = false;
};

/// Addresses that ranks tell one another, and what can be done with them. Ranks are those of the whole run.
/// Thread-safe.
class PeerMemory {
 public:
  PeerMemory() = default;
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  virtual ~PeerMemory() = default;

  /// What to tell a peer of this rank's memory at `pointer`.
  virtual std::uint64_t address_of(const void* pointer) const noexcept = 0;
  /// Where an address that was told lies in this rank's memory; null if it is another's alone. Throws
  /// `Error(unsupported)` where this process has no room for a peer's memory; never for what `address_of` told here.
  /// So many `bytes` from there on are about to be read: where the system has them known to this process page by page,
  /// it is asked for all of them at once. 0 where nothing is read, or nobody knows how much.
  virtual std::byte* pointer_to(std::uint64_t address, std::size_t bytes) const = 0;
  /// The same for memory that peers write as if it were theirs, as its owner sees it alike: null for what they may only
  /// read, and write by write(). The bytes are about to be written.
  virtual std::byte* writable_pointer_to(std::uint64_t address, std::size_t bytes) const {
    return pointer_to(address, bytes);
  }
  /// Whether that rank reads this rank's memory at `pointer` where it lies, as if it were its own.
  virtual bool lies_open(const void* pointer, int) const { return pointer_to(address_of(pointer), 0) != nullptr; }
  /// Whether all ranks can reach all others' own memory, by read() and write() or directly. May become true later.
  virtual bool reaches_private() const noexcept = 0;
  /// Whether that rank can reach this one's own memory. May become true later; true stays.
  virtual bool is_reached_by(int rank) const noexcept = 0;
  /// Copy between this rank's memory and another's own. False if the other has ended, or take_refusal() says why.
  virtual bool read(int rank, std::uint64_t from, void* to, std::size_t bytes) const noexcept = 0;
  /// Here, the bytes that were written: fewer where it cannot go on. Each call of the system writes a byte to `gate`
  /// first, which is the other's Gate, and nothing where it cannot.
  virtual std::size_t write(int rank, std::uint64_t to, const void* from, std::size_t bytes,
                            std::uint64_t gate) const noexcept = 0;
  /// Like errno: why this thread's latest read() or write() has failed, unless that was because the other has ended.
  /// Told once.
  virtual std::optional<Refusal> take_refusal() const noexcept { return std::nullopt; }

  /// Zeroed memory that all ranks reach, aligned to a page. Throws `Error` where there is none.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory) noexcept = 0;

  /// Whether ranks touch one another's own memory as if it were theirs, and not by asking the system: then a peer must
  /// not find it gone.
  virtual bool is_common() const noexcept = 0;

  /// Whether a rank of the run has ended, however it did: it touches nobody's memory any more.
  virtual bool ended(int rank) const noexcept = 0;
  /// Whether it has ended for a reason that its record tells.
  virtual bool lost(int rank) const noexcept = 0;
  /// Whether a rank of the run is known to be stopped, as by SIGSTOP.
  virtual bool is_stopped(int) const { return false; }
  /// To be called often while waiting: finds ranks that have ended without anybody having said so, where that can be.
  virtual void watch() noexcept {}
  /// Whether that has found a rank gone, and is to look again before it says so.
  virtual bool is_alarmed() const noexcept { return false; }
};

}  // namespace tutti::runtime

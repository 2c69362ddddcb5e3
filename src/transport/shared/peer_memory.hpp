/// @file
/// Reach of ranks on one machine into one another's memory, and what a rank holds of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "transport/shared/control_segment.hpp"

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

  /// Returns the address that a peer is told for this rank's memory at `pointer`.
  virtual std::uint64_t address_of(const void* pointer) const noexcept = 0;
  /// Returns the place of an address that was told in this rank's memory; null if it is another's alone. Throws
  /// `Error(unsupported)` where this process has no room for a peer's memory; never for what `address_of` told here.
  /// So many `bytes` from there on are about to be read: where the system has them known to this process page by page,
  /// it is asked for all of them at once. 0 where nothing is read, or nobody knows how much.
  virtual std::byte* pointer_to(std::uint64_t address, std::size_t bytes) const = 0;
  /// Returns the place of memory that peers write as if it were theirs, as its owner sees it alike: null for what they
  /// may only read, and write by write(). The bytes are about to be written.
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

/// Memory that this rank has taken and that peers may read until all ranks have left the communicator.
class HeldMemory {
 public:
  explicit HeldMemory(PeerMemory& memory) : memory_(memory) {}
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  /// Zeroed, aligned to a page. Throws `Error(unsupported)` where there is no more.
  std::byte* take(std::size_t bytes) {
    taken_.reserve(taken_.size() + 1);
    return taken_.emplace_back(memory_.allocate(bytes));
  }
  /// Frees what nobody reads any more before the rank leaves; nothing where it is null.
  void give_back(std::byte* memory) noexcept {
    if (std::erase(taken_, memory) > 0) memory_.free(memory);
  }
  std::vector<std::byte*> let_go() { return std::exchange(taken_, {}); }

 private:
  PeerMemory& memory_;
  std::vector<std::byte*> taken_;
};

/// Leftovers: held memory of ranks of this process on communicators that they have left. Thread-safe.
///
/// A rank that leaves counts itself in `left` of the control segment, after its last look at memory of others. Once all
/// ranks have left, each frees what it holds and counts itself in `gone`. Once all are gone, the rank that has founded
/// the communicator frees the segment, which lies in its memory. Who is the last to leave, or to be gone, counts that
/// in `departures` of the run, so that the others come to sweep.
class Leftovers {
 public:
  /// `run` is the header of the control segment of all ranks of the run; null: nobody waits for news.
  explicit Leftovers(PeerMemory& memory, ControlHeader* run = nullptr) : memory_(memory), run_(run) {}
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;

  /// Whose the control segment is: it goes with the communicator where the rank that leaves has founded it.
  enum class Owner : std::uint8_t { this_rank, other };

  /// A rank leaves the communicator with this memory, and looks at none of its memory after this.
  void leave(const ControlSegment& control, std::vector<std::byte*> held, Owner owner);
  /// Frees what nobody can read any more.
  void sweep();

 private:
  struct Left {
    ControlSegment control;
    std::vector<std::byte*> held;
    Owner owner;
    bool is_freed = false;  // whether the held memory was freed
  };

  bool is_over(Left& left);
  void tell() const;

  PeerMemory& memory_;
  ControlHeader* run_;
  std::mutex mutex_;
  std::vector<Left> left_;
};

}  // namespace tutti::runtime

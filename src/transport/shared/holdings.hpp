/// @file
/// What a rank has taken of the memory that all ranks reach, for one communicator, and when it goes back.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "transport/shared/control_segment.hpp"
#include "transport/shared/peer_memory.hpp"

namespace tutti::runtime {

/// Memory that this rank has taken and that peers may read until all ranks have left the communicator.
class Holdings {
 public:
  explicit Holdings(PeerMemory& memory) : memory_(memory) {}
  Holdings(const Holdings&) = delete;
  Holdings& operator=(const Holdings&) = delete;

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

/// The holdings of ranks of this process on communicators that they have left. Thread-safe.
///
/// A rank that leaves counts itself in `left` of the control segment, after its last look at memory of others. Once all
/// ranks have left, each frees what it holds and counts itself in `gone`. Once all are gone, the rank that has founded
/// the communicator frees the segment, which lies in its memory.
class Leftovers {
 public:
  explicit Leftovers(PeerMemory& memory) : memory_(memory) {}
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;

  /// Whose the control segment is: it goes with the communicator where the rank that leaves has founded it.
  enum class Owner : std::uint8_t { this_rank, other };

  /// A rank leaves the communicator with these holdings, and looks at none of its memory after this.
  void leave(const ControlSegment& control, std::vector<std::byte*> held, Owner owner);
  /// Frees what nobody can read any more.
  void sweep();

 private:
  struct Left {
    ControlSegment control;
    std::vector<std::byte*> held;
    Owner owner;
    bool is_freed = false;  // what was held
  };

  bool is_over(Left& left);

  PeerMemory& memory_;
  std::mutex mutex_;
  std::vector<Left> left_;
};

}  // namespace tutti::runtime

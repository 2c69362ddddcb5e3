/// @file
/// Where the ranks of a communicator sign what they call, and see whether all call the same.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/cache_line.hpp"
#include "runtime/signature.hpp"
#include "runtime/transport/transport.hpp"

namespace tutti::runtime {

/// The signatures of the latest collectives. Collective number s of a communicator runs on lane s mod L, L =
/// collective_lanes, after number s - L is complete on this rank. Rank r signs number s in slot [r][s mod 2L].
///
/// Why a slot may be written again: rank j signs s only after j has completed s - L, hence read all signatures of s -
/// L. When this rank has completed s, it has seen all ranks sign s, so nobody reads the signatures of s - L any more.
/// It overwrites its own with that of s + L, which it signs only after it has completed s.
class Board {
 public:
  explicit Board(int ranks);

  /// Writes this rank's signature of collective `number`.
  void sign(int rank, std::uint64_t number, const Signature& signature);
  /// Whether `rank` has signed `number`.
  bool has_signed(int rank, std::uint64_t number) const {
    // Acquire: the signature was written before; so was all that the signer completed.
    return slots_[place(rank, number)].signed_number.load(std::memory_order_acquire) == number + 1;
  }
  /// The signature, once signed and until this rank completes the collective.
  const Signature& signature(int rank, std::uint64_t number) const { return slots_[place(rank, number)].signature; }

 private:
  struct alignas(line_pair) Slot {
    std::atomic<std::uint64_t> signed_number = 0;  // number + 1; written by the rank that owns the slot
    Signature signature;
  };

  static std::size_t place(int rank, std::uint64_t number) {
    constexpr std::uint64_t depth = 2 * collective_lanes;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(rank) * depth + number % depth);
  }

  std::vector<Slot> slots_;
};

}  // namespace tutti::runtime

/// @file
/// Whether programs are one pattern, turned round the ranks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::proof {

/// Whether the buffer has a rank's own block alone, rather than those of all ranks.
bool has_own_block(const Problem& problem, Buffer buffer);

/// Compares programs with the pattern: what rank 0 does where every block has one element.
///
/// Turned to rank r, an operation of the pattern has r added to its peer and to its blocks, modulo p, and blocks have
/// the lengths that the problem gives them. The program of rank r must have these operations in this order, in these
/// steps and chains, adjacent slices joined. Left out are exactly those whose blocks are all empty, and steps that have
/// no others. The sides of receive_reduce are free: the operator commutes.
class Turning {
 public:
  /// Borrows the pattern, which is well formed for the problem with one element in every block.
  Turning(const Problem& problem, const Program& pattern);

  /// Cost: O(operations), each some nanoseconds.
  bool is_program_of(int rank, const Program& program);

 private:
  bool is_alike(int rank, const Op& op, const Program& program, const Op& other);
  bool is_turned(int rank, std::span<const Slice> runs, const Program& program, std::span<const Slice> slices);
  std::span<const Slice> turned(int rank, std::span<const Slice> runs);
  Slice elements(Buffer buffer, int block, int end) const;
  void turn(int rank, const Slice& run);
  bool is_own(Buffer buffer) const { return own_block_[static_cast<std::size_t>(buffer)]; }
  // n + rank modulo p, for n <= p.
  int turned(int rank, int n) const { return n + rank < p_ ? n + rank : n + rank - p_; }

  const Program& pattern_;
  int p_;
  std::array<bool, 3> own_block_{};   // by buffer: has_own_block()
  std::vector<std::int64_t> firsts_;  // where each block begins, and the total
  Slice one_;                         // what turned() says
  Message turned_;                    // the same where it is no single slice
};

}  // namespace tutti::proof

/// @file
/// Symmetry matcher: compares programs with one pattern, turned to each rank.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/model/problem_blocks.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti {

/// Whether the buffer has a rank's own block alone, rather than those of all ranks.
bool has_own_block(const Problem& problem, Buffer buffer);

/// Whether a rank's scratch has places for the blocks of all ranks, each at its own, rather than places for any block.
bool has_blocks_in_scratch(Collective collective);

/// The problem with one element in every block.
Problem with_unit_blocks(const Problem& problem);

/// Compares programs with the pattern: what rank 0 does where every block has one element.
///
/// Turned to rank r, an operation of the pattern has its peer and its blocks turned by r's turn, and blocks have the
/// lengths that the problem gives them. The program of rank r must have these operations in this order, in these steps
/// and chains, adjacent slices joined. Left out are exactly those whose blocks are all empty, and steps that have no
/// others. The sides of receive_reduce are free: the operator commutes.
///
/// In an all-to-all, of blocks that are all of one length, each rank has blocks of its own from and for each rank, and
/// its scratch has places for any of them: those are as long as a block, and are not turned. There blocks keep their
/// order, by whatever turns.
///
/// Elsewhere they do so by rotation. By other turns those of a run, as many of a list as follow one another, block 0
/// the last one, are in ascending order again: by exchange and swing they are sorted, and none are that are more than
/// all blocks; by reflection odd ranks have them the other way round. A turn after another does the same as one
/// turn, so lists that correspond block by block and run by run in the pattern do at all ranks.
class SymmetryMatcher {
 public:
  /// Borrows turns and pattern, which is well formed for the problem with one element in every block.
  SymmetryMatcher(const RankSymmetry& turns, const Problem& problem, const Program& pattern,
                  const BlockCache* known = nullptr);

  /// Cost: O(operations), each some nanoseconds.
  bool is_program_of(int rank, const Program& program);

  /// Returns the places of the blocks of an operation's slices at that rank, adjacent slices joined, empty ones left
  /// out; valid until the next call.
  std::span<const Slice> turned(int rank, std::span<const Slice> slices);

 private:
  bool is_alike(int rank, const Op& op, const Program& program, const Op& other);
  bool is_turned(int rank, std::span<const Slice> runs, const Program& program, std::span<const Slice> slices);
  Slice elements(Buffer buffer, int block, int end) const;
  void turn_run(int rank, std::span<const Slice> run);
  void turn_slice(int rank, const Slice& slice);
  void turn_each(int rank, const Slice& slice);
  std::size_t run_end(std::span<const Slice> slices, std::size_t begin) const;
  bool has_long_runs() const;
  bool has_long_run(std::span<const Slice> slices) const;
  bool is_own(Buffer buffer) const { return own_block_[static_cast<std::size_t>(buffer)]; }
  /// Whether the blocks in the buffer turn with the rank.
  bool turns(Buffer buffer) const { return !is_own(buffer) && (turns_scratch_ || buffer != Buffer::scratch); }

  /// Blocks [begin, end) in a buffer, or a rank's own one.
  struct Piece {
    Buffer buffer;
    int begin;
    int end;
  };

  const RankSymmetry& turns_;
  const Program& pattern_;
  int p_;
  std::array<bool, 3> own_block_{};  // by buffer: has_own_block()
  bool turns_scratch_;               // whether its places are those of blocks
  Blocks blocks_;                    // all blocks, or places
  bool too_long_ = false;            // whether a run that would be sorted is longer than all blocks together
  std::vector<Piece> pieces_;        // pieces of the run that is being turned
  Slice one_;                        // result of turned()
  Message turned_;                   // result of turned(), if it is no single slice
};

}  // namespace tutti

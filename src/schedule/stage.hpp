/// @file
/// A part of an algorithm that is an algorithm itself: some of the ranks, some of the memory.
#pragma once

#include "schedule/script.hpp"

namespace tutti {

/// How a stage's ranks and buffers lie in those of the whole.
///
/// A stage's buffer is a view: position x of it is element x of the concatenated slices. Scratch past the end of its
/// view is taken from the whole's scratch, from `scratch_base` on; the other views must hold all that the stage uses.
/// Where two views share memory, copies between the same places vanish: that is how a stage works in place.
struct Stage {
  Problem problem;     ///< what the stage solves; its ranks are numbered 0 .. problem.ranks - 1
  int rank = 0;        ///< this rank's number in the stage
  int first_rank = 0;  ///< rank k of the stage is rank first_rank + k * stride of the whole
  int stride = 1;
  Message input = {};
  Message output = {};
  Message scratch = {};
  std::int64_t scratch_base = 0;
};

/// The stage on all ranks of the whole: the same numbers, no views yet.
Stage stage_of_all(const Script& me, const Problem& problem);

/// Records what this rank does in the stage.
void perform(Script& me, const Record& record, const Stage& stage);

/// Plays a program that was recorded for a stage on the whole's script, all of it or one step at a time.
class StagePlayer {
 public:
  explicit StagePlayer(const Stage& stage);

  /// Plays the ops [from, to), which are whole chains, without the waits.
  void play(Script& me, const Program& program, std::size_t from, std::size_t to) const;

 private:
  // A buffer's view with the position at which each slice begins.
  struct View {
    Message slices;
    std::vector<std::int64_t> firsts;
    std::int64_t total = 0;
  };

  // Kept between operations to spare allocations.
  struct Lists {
    Message slices;
    Message operand;
    Message second;
  };

  void play(Script& me, const Program& program, const Op& op) const;
  void resolve(Script& me, std::span<const Slice> slices, Message& into) const;
  void resolve(Script& me, const Slice& slice, Message& into) const;

  int first_rank_;
  int stride_;
  std::int64_t scratch_base_;
  View views_[3];
  mutable Lists lists_;
};

}  // namespace tutti

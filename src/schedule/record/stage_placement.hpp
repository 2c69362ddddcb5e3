/// @file
/// Stage: the part of an algorithm that some ranks do on some memory, and its placement in the whole program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/model/parameters.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/append.hpp"

namespace tutti {

/// Stage: the places of its ranks and buffers in those of the whole.
///
/// A stage's buffer is a view: position x of it is element x of the concatenated slices. Scratch past the end of its
/// view is taken from the whole's scratch, from `scratch_base` on; the other views must hold all that the stage uses.
/// Where two views share memory, copies between the same places vanish: that is how a stage works in place.
struct Stage {
  Problem problem;  ///< problem of the stage; its ranks are numbered 0 .. problem.ranks - 1
  Parameters parameters = {};
  int rank = 0;        ///< this rank's number in the stage
  int first_rank = 0;  ///< rank k of the stage is rank first_rank + k * stride of the whole
  int stride = 1;
  std::span<const int> ranks = {};  ///< instead, where not empty: rank k of the stage is rank ranks[k] of the whole
  Message input = {};
  Message output = {};
  Message scratch = {};
  std::int64_t scratch_base = 0;
};

/// Placement of a stage's ranks and buffers in the program that is being recorded, through all stages around it.
class StagePlacement {
 public:
  /// Becomes that of a stage in what `around` places, or null: in the whole program. Borrows neither, and keeps its
  /// memory. Places ranks alone: messages by themselves lie nowhere.
  void place_ranks(const Stage& stage, const StagePlacement* around);
  /// Places the buffers of the same stage, too.
  void place_buffers(const Stage& stage, const StagePlacement* around);

  int rank(int k) const { return ranks_.empty() ? first_rank_ + k * stride_ : ranks_[static_cast<std::size_t>(k)]; }
  /// Whether ranks 0 .. n - 1 of the stage have the same numbers in the program.
  bool is_of_first(int n) const {
    return ranks_.empty()
               ? first_rank_ == 0 && (stride_ == 1 || n == 1)
               : std::is_sorted(ranks_.begin(), ranks_.end()) && ranks_.front() == 0 && ranks_.back() == n - 1;
  }
  /// Appends where the slice lies to the program's pool, joined to its slices from `begin` on, and grows its scratch.
  /// Throws `Error(internal)` where the slice goes past its view.
  void add(const Slice& slice, Program& program, std::size_t begin) const {
    const std::vector<Part>& parts = view(slice.buffer).parts;
    if (!parts.empty() && slice.end() <= parts.front().whole.count) {
      const Slice& whole = parts.front().whole;
      pour({whole.buffer, whole.first + slice.first, slice.count}, program, begin);
    } else {
      add_parts(slice, program, begin);
    }
  }

 private:
  // A slice of a buffer's view, and the position in the view at which it begins.
  struct Part {
    std::int64_t first;
    Slice whole;
  };
  struct View {
    std::vector<Part> parts;
    std::int64_t total = 0;
  };

  static void pour(const Slice& part, Program& program, std::size_t begin) {
    if (part.buffer == Buffer::scratch) program.scratch = std::max(program.scratch, part.end());
    append(program.pool, begin, part);
  }
  void add_parts(const Slice& slice, Program& program, std::size_t begin) const;
  const View& view(Buffer buffer) const { return views_[static_cast<std::size_t>(buffer)]; }
  bool extend(View& made, const Slice& slice, const StagePlacement* whole) const;
  template <typename See>
  static std::int64_t for_each_part(const View& view, const Slice& slice, const See& see);

  int first_rank_ = 0;
  int stride_ = 1;
  std::vector<int> ranks_;  // the ranks, if they are not evenly spaced
  View views_[3];
};

}  // namespace tutti

#include "schedule/record/stage_placement.hpp"

#include "base/check.hpp"

namespace tutti {
namespace {

constexpr std::int64_t no_end = std::int64_t{1} << 62;

}  // namespace

void StagePlacement::place_ranks(const Stage& stage, const StagePlacement* around) {
  first_rank_ = stage.first_rank;
  stride_ = stage.stride;
  ranks_.clear();
  for (View& view : views_) {
    view.parts.clear();
    view.total = 0;
  }
  if (!stage.ranks.empty() || (around != nullptr && !around->ranks_.empty())) {
    for (int k = 0; k < stage.problem.ranks; ++k) {
      const int in_whole =
          stage.ranks.empty() ? stage.first_rank + k * stage.stride : stage.ranks[static_cast<std::size_t>(k)];
      ranks_.push_back(around != nullptr ? around->rank(in_whole) : in_whole);
    }
  } else if (around != nullptr) {
    first_rank_ = around->rank(first_rank_);
    stride_ *= around->stride_;
  }
}

void StagePlacement::place_buffers(const Stage& stage, const StagePlacement* around) {
  const auto make = [&](Buffer buffer, const Message& slices) {
    View& made = views_[static_cast<std::size_t>(buffer)];
    return std::all_of(slices.begin(), slices.end(), [&](const Slice& slice) { return extend(made, slice, around); });
  };
  make(Buffer::input, stage.input);
  make(Buffer::output, stage.output);
  if (!make(Buffer::scratch, stage.scratch)) return;
  const Slice rest{Buffer::scratch, stage.scratch_base, no_end - stage.scratch_base};
  extend(views_[static_cast<std::size_t>(Buffer::scratch)], rest, around);
}

// Adds a slice of the whole to the view; false where it goes past the whole's own view. Then the view ends there.
bool StagePlacement::extend(View& made, const Slice& slice, const StagePlacement* whole) const {
  const auto add = [&](const Slice& part) {
    made.parts.push_back({made.total, part});
    made.total += part.count;
  };
  if (slice.count == 0) return true;
  if (whole != nullptr) return for_each_part(whole->view(slice.buffer), slice, add) == slice.end();
  add(slice);
  return true;
}

// Sees where the slice lies, part by part; the position at which the view ends before it does, or else the slice's end.
template <typename See>
std::int64_t StagePlacement::for_each_part(const View& view, const Slice& slice, const See& see) {
  std::int64_t at = slice.first;
  const std::int64_t end = slice.end();
  if (at == end) return end;
  auto part = std::upper_bound(view.parts.begin(), view.parts.end(), at,
                               [](std::int64_t position, const Part& each) { return position < each.first; });
  for (; at < end && at < view.total; ++part) {
    const auto& [first, whole] = *(part - 1);
    const std::int64_t count = std::min(first + whole.count, end) - at;
    see(Slice{whole.buffer, whole.first + at - first, count});
    at += count;
  }
  return at;
}

void StagePlacement::add_parts(const Slice& slice, Program& program, std::size_t begin) const {
  const View& whole = view(slice.buffer);
  if (for_each_part(whole, slice, [&](const Slice& part) { pour(part, program, begin); }) == slice.end()) return;
  fail(ErrorCode::internal, "a stage uses {}[{}..{}), past its view of {} elements", name_of(slice.buffer), slice.first,
       slice.end(), whole.total);
}

}  // namespace tutti

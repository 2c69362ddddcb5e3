#include "draw/steps/liveness.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/interval_map.hpp"
#include "schedule/model/problem_blocks.hpp"

namespace tutti::draw {
namespace {

// Whether an element is of use.
struct ElementUse {
  bool live = false;

  ElementUse after(std::int64_t) const { return *this; }
  friend bool operator==(const ElementUse&, const ElementUse&) = default;
};

class LiveElements {
 public:
  void set(std::span<const Slice> slices, bool live) {
    for (const Slice& slice : slices)
      buffers_[static_cast<std::size_t>(slice.buffer)].assign(slice.first, slice.count, {live});
  }

  std::vector<Slice> slices() const {
    std::vector<Slice> found;
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      const auto see = [&](std::int64_t first, std::int64_t count, ElementUse use) {
        if (use.live) found.push_back({buffer, first, count});
      };
      buffers_[static_cast<std::size_t>(buffer)].visit(0, std::numeric_limits<std::int64_t>::max(), see);
    }
    return found;
  }

 private:
  std::array<IntervalMap<ElementUse>, 3> buffers_;
};

}  // namespace

// Backwards from the result: what an operation writes was of no use before it, what it reads was.
std::vector<std::vector<Slice>> live_slices(const Schedule& schedule, int rank) {
  const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
  LiveElements live;
  live.set(std::array{Slice{Buffer::output, 0, output_blocks(schedule.problem, rank).total()}}, true);
  std::vector<std::vector<Slice>> found{live.slices()};
  for (std::size_t at = program.ops.size(); at-- > 0;) {
    const Op& op = program.ops[at];
    const bool sends = op.kind == OpKind::send;
    if (op.ends_step && at + 1 < program.ops.size()) found.push_back(live.slices());
    if (!sends) live.set(program.slices(op), false);
    if (sends) live.set(program.slices(op), true);
    live.set(program.operand(op), true);
    live.set(program.second(op), true);
  }
  if (!program.ops.empty()) found.push_back(live.slices());
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace tutti::draw

#include "draw/liveness.hpp"

#include <algorithm>
#include <array>

#include "base/interval_map.hpp"

namespace tutti::draw {
namespace {

// Whether an element is of use.
struct Use {
  bool live = false;

  Use after(std::int64_t) const { return *this; }
  friend bool operator==(const Use&, const Use&) = default;
};

class Live {
 public:
  void set(std::span<const Slice> slices, bool live) {
    for (const Slice& slice : slices)
      buffers_[static_cast<std::size_t>(slice.buffer)].assign(slice.first, slice.count, {live});
  }

  std::vector<Slice> slices() const {
    std::vector<Slice> found;
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      for (const auto& run : buffers_[static_cast<std::size_t>(buffer)].runs()) {
        if (run.value.live) found.push_back({buffer, run.first, run.end - run.first});
      }
    }
    return found;
  }

 private:
  std::array<IntervalMap<Use>, 3> buffers_;
};

}  // namespace

// Backwards from the result: what an operation writes was of no use before it, what it reads was.
std::vector<std::vector<Slice>> live_slices(const Schedule& schedule, int rank) {
  const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
  Live live;
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

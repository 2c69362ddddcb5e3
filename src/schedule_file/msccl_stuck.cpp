#include "schedule_file/msccl_stuck.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>

#include "base/check.hpp"

namespace tutti::msccl {
namespace {

/// A thread block that has not come to its end.
struct Stuck {
  std::size_t rank = 0;
  std::size_t block = 0;

  friend auto operator<=>(const Stuck&, const Stuck&) = default;
};

class Waits {
 public:
  Waits(const MscclAlgorithm& algorithm, const Reached& reached) : algorithm_(algorithm), reached_(reached) {}

  const ThreadBlock& block_of(const Stuck& stuck) const { return algorithm_.gpus[stuck.rank].blocks[stuck.block]; }
  std::size_t reached(const Stuck& stuck) const { return reached_[stuck.rank][stuck.block]; }
  const Step& step_of(const Stuck& stuck) const { return block_of(stuck).steps[reached(stuck)]; }

  std::optional<Stuck> find() const {
    for (std::size_t rank = 0; rank < reached_.size(); ++rank) {
      for (std::size_t block = 0; block < reached_[rank].size(); ++block) {
        if (reached_[rank][block] < algorithm_.gpus[rank].blocks[block].steps.size()) return Stuck{rank, block};
      }
    }
    return std::nullopt;
  }

  // Whether it waits for a step of its own rank; otherwise it waits for a message.
  bool waits_for_step(const Stuck& stuck) const {
    const Step& step = step_of(stuck);
    return step.after_block >= 0 && reached_[stuck.rank][static_cast<std::size_t>(step.after_block)] <=
                                        static_cast<std::size_t>(step.after_step);
  }

  // Returns what keeps it from going on; nothing if nobody is left to send its message.
  std::optional<Stuck> keeper_of(const Stuck& stuck) const {
    if (waits_for_step(stuck)) return Stuck{stuck.rank, static_cast<std::size_t>(step_of(stuck).after_block)};
    const ThreadBlock& own = block_of(stuck);
    const auto sender = static_cast<std::size_t>(own.receive_from);
    for (std::size_t block = 0; block < reached_[sender].size(); ++block) {
      const Stuck other{sender, block};
      const ThreadBlock& theirs = block_of(other);
      const bool connected = theirs.send_to == static_cast<int>(stuck.rank) && theirs.channel == own.channel &&
                             theirs.send_lane == own.receive_lane;
      if (connected && has_sends_left(other)) return other;
    }
    return std::nullopt;
  }

 private:
  bool has_sends_left(const Stuck& stuck) const {
    const auto& steps = block_of(stuck).steps;
    return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(reached(stuck)), steps.end(),
                       [](const Step& step) { return step.sends; });
  }

  const MscclAlgorithm& algorithm_;
  const Reached& reached_;
};

}  // namespace

void check_waits(const MscclAlgorithm& algorithm, const std::string& name) {
  for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
    const auto& blocks = algorithm.gpus[rank].blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t s = 0; s < blocks[b].steps.size(); ++s) {
        const Step& step = blocks[b].steps[s];
        if (step.after_block < 0) continue;
        const auto other = static_cast<std::size_t>(step.after_block);
        require(other < blocks.size() && step.after_step >= 0 &&
                    static_cast<std::size_t>(step.after_step) < blocks[other].steps.size(),
                "{}: it waits for step {} of thread block {}, which does not exist", FilePlace{name, rank, b, s},
                step.after_step, step.after_block);
        require(other != b || static_cast<std::size_t>(step.after_step) < s,
                "{}: '{}' waits for ever for step {} of its own thread block, which does not come before it",
                FilePlace{name, rank, b, s}, step.type, step.after_step);
      }
    }
  }
}

void check_ends(const MscclAlgorithm& algorithm, const Reached& reached, const std::string& name) {
  const Waits waits(algorithm, reached);
  std::map<Stuck, std::size_t> path;  // each is kept by the next one; how many were looked at before it
  std::size_t circle = 0;             // number of those that wait for one another
  Stuck last;
  for (auto stuck = waits.find(); stuck && circle == 0; stuck = waits.keeper_of(last)) {
    last = *stuck;
    const auto [seen, is_new] = path.emplace(last, path.size());
    if (!is_new) circle = path.size() - seen->second;
  }
  if (path.empty()) return;
  const Step& step = waits.step_of(last);
  const ThreadBlock& block = waits.block_of(last);
  const std::string what = waits.waits_for_step(last)
                               ? fmt::format("step {} of thread block {}", step.after_step, step.after_block)
                               : fmt::format("a message from rank {} on channel {}", block.receive_from, block.channel);
  const std::string others = circle > 0 ? fmt::format("; {} thread blocks wait for one another", circle) : "";
  fail(ErrorCode::invalid_argument, "{}: '{}' waits for ever for {}{}",
       FilePlace{name, last.rank, last.block, waits.reached(last)}, step.type, what, others);
}

void record(Script& me, const Planned& planned) {
  const auto used = [&](const Slice& slice) {
    return slice.buffer == Buffer::scratch ? me.scratch(slice.first, slice.count) : slice;
  };
  const Slice into = used(planned.into);
  const Slice mine = used(planned.mine);
  switch (planned.kind) {
    case OpKind::send:
      return me.send(into, planned.peer);
    case OpKind::receive:
      return me.receive(into, planned.peer);
    case OpKind::receive_reduce:
      return me.receive_reduce(into, mine, planned.peer);
    case OpKind::copy:
      return me.copy(into, mine);
    case OpKind::reduce:
      return me.reduce(into, into, mine);
  }
}

}  // namespace tutti::msccl

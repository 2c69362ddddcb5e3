#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>

#include "base/check.hpp"
#include "schedule/script.hpp"
#include "schedule_file/check_in_file.hpp"
#include "schedule_file/msccl_places.hpp"
#include "schedule_file/msccl_races.hpp"
#include "schedule_file/msccl_stuck.hpp"

namespace tutti::msccl {
namespace {

/// An operation of a rank, in the step of a number that is the same on all ranks.
struct Planned {
  OpKind kind = OpKind::copy;
  int peer = -1;
  Slice into = {};  // of a send: what it sends
  Slice mine = {};  // what is combined with what comes in; of a copy its source
};

/// A send that its receiver has not come to yet.
struct Posted {
  std::size_t rank = 0;
  std::size_t block = 0;
  std::size_t step = 0;
  int level = 0;
  Slice source = {};
};

bool overlap(const Slice& a, const Slice& b) { return a.buffer == b.buffer && a.first < b.end() && b.first < a.end(); }

/// Lets all thread blocks run, level by level: in a level every message that is posted and awaited passes, and every
/// local step that nothing holds up is done.
class Run {
 public:
  Run(const Algorithm& algorithm, const Places& places, const std::string& name)
      : algorithm_(algorithm), places_(places), name_(name), planned_(algorithm.gpus.size()) {
    for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
      scratch_.push_back(places.scratch_end(rank));
      cursors_.emplace_back(algorithm.gpus[rank].blocks.size());
      for (const ThreadBlock& block : algorithm.gpus[rank].blocks) done_[rank].emplace_back(block.steps.size(), never);
    }
  }

  void to_its_end() {
    for (level_ = 0;; ++level_) {
      const bool posted = post();
      const bool passed = pass();
      if (!posted && !passed) break;
    }
    check_all_have_ended();
  }

  const std::vector<std::map<int, std::vector<Planned>>>& planned() const { return planned_; }

 private:
  static constexpr int never = -1;

  /// How far a thread block is.
  struct Cursor {
    std::size_t step = 0;
    bool received = false;  // and has still to send
    int from_level = 0;     // in which it goes on
    Slice result = {};      // of what it has received
  };
  /// A receive or a local step that could be done in this level.
  struct Candidate {
    std::size_t rank = 0;
    std::size_t block = 0;
    Planned planned = {};
  };
  using Connection = std::tuple<std::size_t, std::size_t, int>;  // from, to, channel

  const Step* step_of(std::size_t rank, std::size_t block) const {
    const auto& steps = algorithm_.gpus[rank].blocks[block].steps;
    const Cursor& cursor = cursors_[rank][block];
    return cursor.step < steps.size() ? &steps[cursor.step] : nullptr;
  }

  template <typename See>
  void for_each_block(const See& see) {
    for (std::size_t rank = 0; rank < cursors_.size(); ++rank) {
      for (std::size_t block = 0; block < cursors_[rank].size(); ++block) see(rank, block);
    }
  }

  bool may_begin(std::size_t rank, const Step& step, const Cursor& cursor) const {
    if (cursor.from_level > level_) return false;
    if (cursor.received || step.after_block < 0) return true;
    const int done =
        done_.at(rank)[static_cast<std::size_t>(step.after_block)][static_cast<std::size_t>(step.after_step)];
    return done != never && done < level_;
  }

  void finish(std::size_t rank, std::size_t block, int next_level) {
    Cursor& cursor = cursors_[rank][block];
    done_[rank][block][cursor.step] = level_;
    cursor = {.step = cursor.step + 1, .received = false, .from_level = next_level, .result = {}};
  }

  // Posts what blocks have to send, and passes over what does nothing: neither keeps a block from going on.
  bool post() {
    bool any = false;
    for_each_block([&](std::size_t rank, std::size_t block) {
      for (const Step* step = step_of(rank, block); step != nullptr; step = step_of(rank, block)) {
        const Cursor& cursor = cursors_[rank][block];
        const bool sends = step->sends && (!step->receives || cursor.received);
        const bool does_nothing = !step->sends && !step->receives && !step->stores;
        if (!(sends || does_nothing) || !may_begin(rank, *step, cursor)) return;
        if (sends) post(rank, block, *step);
        finish(rank, block, level_);
        any = true;
      }
    });
    return any;
  }

  void post(std::size_t rank, std::size_t block, const Step& step) {
    const ThreadBlock& own = algorithm_.gpus[rank].blocks[block];
    const Cursor& cursor = cursors_[rank][block];
    const Slice source = step.receives ? cursor.result : places_.of(step.source, rank);
    posted_[{rank, static_cast<std::size_t>(own.send_to), own.channel}].push_back(
        {rank, block, cursor.step, level_, source});
  }

  bool pass() {
    std::vector<Candidate> candidates;
    for_each_block([&](std::size_t rank, std::size_t block) {
      const Step* step = step_of(rank, block);
      if (step == nullptr || !may_begin(rank, *step, cursors_[rank][block]) || cursors_[rank][block].received) return;
      if (step->sends && !step->receives) return;
      if (!step->receives) return candidates.push_back({rank, block, local(rank, *step)});
      const ThreadBlock& own = algorithm_.gpus[rank].blocks[block];
      const auto found = posted_.find({static_cast<std::size_t>(own.receive_from), rank, own.channel});
      if (found == posted_.end() || found->second.empty()) return;
      candidates.push_back({rank, block, receive(rank, block, *step, found->second.front())});
    });
    for (const Candidate& candidate : candidates) {
      if (leaves_sends_alone(candidate)) carry_out(candidate);
    }
    // Whatever was held back waits for a send of this level.
    return !candidates.empty();
  }

  Planned local(std::size_t rank, const Step& step) const {
    return {step.reduces ? OpKind::reduce : OpKind::copy, -1, places_.of(step.target, rank),
            places_.of(step.source, rank)};
  }

  Planned receive(std::size_t rank, std::size_t block, const Step& step, const Posted& message) {
    const ThreadBlock& own = algorithm_.gpus[rank].blocks[block];
    Planned planned{.kind = step.reduces ? OpKind::receive_reduce : OpKind::receive, .peer = own.receive_from};
    if (step.reduces) planned.mine = places_.of(step.source, rank);
    const std::int64_t count = step.stores ? places_.of(step.target, rank).count : planned.mine.count;
    const std::size_t number = cursors_[rank][block].step;
    require(count == message.source.count,
            "{}: it receives {} elements of a message of {}, which rank {} sends in thread block {}, step {}",
            FilePlace{name_, rank, block, number}, count, message.source.count, message.rank, message.block,
            message.step);
    if (step.stores) {
      planned.into = places_.of(step.target, rank);
    } else {
      planned.into = {Buffer::scratch, scratch_[rank], count};
      scratch_[rank] += count;
    }
    return planned;
  }

  // Whether the rank neither sends in this level what is written, nor has just posted it; what it has posted earlier is
  // copied out of the way.
  bool leaves_sends_alone(const Candidate& candidate) {
    const std::vector<Planned>& now = planned_[candidate.rank][level_];
    bool alone = std::none_of(now.begin(), now.end(), [&](const Planned& other) {
      return other.kind == OpKind::send && overlap(other.into, candidate.planned.into);
    });
    if (!alone) return false;
    constexpr int least = std::numeric_limits<int>::min();
    const auto end = posted_.lower_bound({candidate.rank + 1, 0, least});
    for (auto of_rank = posted_.lower_bound({candidate.rank, 0, least}); of_rank != end; ++of_rank) {
      for (Posted& message : of_rank->second) {
        if (!overlap(message.source, candidate.planned.into)) continue;
        if (message.level == level_) {
          alone = false;
        } else {
          copy_away(message);
        }
      }
    }
    return alone;
  }

  void copy_away(Posted& message) {
    const Slice place{Buffer::scratch, scratch_[message.rank], message.source.count};
    scratch_[message.rank] += message.source.count;
    planned_[message.rank][message.level].push_back({OpKind::copy, -1, place, message.source});
    message.source = place;
  }

  void carry_out(const Candidate& candidate) {
    const auto [rank, block, planned] = candidate;
    planned_[rank][level_].push_back(planned);
    if (planned.peer >= 0) {
      const int channel = algorithm_.gpus[rank].blocks[block].channel;
      auto& messages = posted_.at({static_cast<std::size_t>(planned.peer), rank, channel});
      // Both ends record it here, so that messages between two ranks stand in one order at both.
      planned_[messages.front().rank][level_].push_back(
          {OpKind::send, static_cast<int>(rank), messages.front().source, {}});
      messages.pop_front();
    }
    const Step& step = *step_of(rank, block);
    if (!step.sends) return finish(rank, block, level_ + 1);
    Cursor& cursor = cursors_[rank][block];
    cursor.received = true;
    cursor.from_level = level_ + 1;
    cursor.result = planned.into;
  }

  void check_all_have_ended() const {
    Reached reached;
    for (const std::vector<Cursor>& of_rank : cursors_) {
      std::vector<std::size_t>& steps = reached.emplace_back();
      for (const Cursor& cursor : of_rank) steps.push_back(cursor.step);
    }
    check_ends(algorithm_, reached, name_);
    for (const auto& [connection, messages] : posted_) {
      if (messages.empty()) continue;
      const Posted& message = messages.front();
      fail(ErrorCode::invalid_argument, "{}: rank {} never receives what it sends on channel {}",
           FilePlace{name_, message.rank, message.block, message.step}, std::get<1>(connection),
           std::get<2>(connection));
    }
  }

  const Algorithm& algorithm_;
  const Places& places_;
  const std::string& name_;
  int level_ = 0;
  std::vector<std::map<int, std::vector<Planned>>> planned_;   // of each rank, by level
  std::vector<std::vector<Cursor>> cursors_;                   // of each rank's blocks
  std::map<std::size_t, std::vector<std::vector<int>>> done_;  // of each rank, block and step: in which level
  std::map<Connection, std::deque<Posted>> posted_;
  std::vector<std::int64_t> scratch_;  // of each rank: the first element that nothing uses
};

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

}  // namespace

Schedule ordered(const Algorithm& algorithm, std::int64_t elements, const std::string& name) {
  const Places places(algorithm, elements);
  Run run(algorithm, places, name);
  run.to_its_end();
  check_orders_its_steps(algorithm, name);
  const auto whole = [&](Script& me, const Problem&) {
    places.begin(me);
    for (const auto& [level, operations] : run.planned()[static_cast<std::size_t>(me.rank())]) {
      for (const Planned& planned : operations) record(me, planned);
      me.wait();
    }
    places.end(me);
  };
  const Problem problem = places.problem();
  check_in_file(problem, name);
  return record_all(whole, problem);
}

}  // namespace tutti::msccl

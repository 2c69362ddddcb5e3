#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/check.hpp"
#include "schedule/record/script.hpp"
#include "schedule_file/msccl_places.hpp"
#include "schedule_file/msccl_races.hpp"
#include "schedule_file/msccl_stuck.hpp"
#include "schedule_file/schedule_file.hpp"

namespace tutti::msccl {
namespace {

/// A send that its receiver has not come to yet.
struct PostedSend {
  std::size_t rank = 0;
  std::size_t block = 0;
  std::size_t step = 0;
  int level = 0;
  Slice source = {};
};

bool overlap(const Slice& a, const Slice& b) { return a.buffer == b.buffer && a.first < b.end() && b.first < a.end(); }

/// Lets all thread blocks run, level by level: in a level every message that is posted and awaited passes, and every
/// local step that nothing holds up is done.
class OrderedRun {
 public:
  OrderedRun(const MscclAlgorithm& algorithm, const ChunkPlaces& places, const std::string& name)
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
  const Senders& senders() const { return senders_; }

 private:
  static constexpr int never = -1;

  /// Cursor of a thread block.
  struct Cursor {
    std::size_t step = 0;
    bool received = false;  // and has still to send
    int from_level = 0;     // in which it goes on
    Slice result = {};      // result of what it has received
  };
  /// A receive or a local step that could be done in this level.
  struct Candidate {
    std::size_t rank = 0;
    std::size_t block = 0;
    Planned planned = {};
  };
  using Connection = std::tuple<std::size_t, std::size_t, int, int>;  // from, to, channel, lane

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
    posted_[{rank, static_cast<std::size_t>(own.send_to), own.channel, own.send_lane}].push_back(
        {rank, block, cursor.step, level_, source});
  }

  // The level from which on the block's step could be done.
  int ready_since(std::size_t rank, std::size_t block) const {
    const Step& step = *step_of(rank, block);
    const int from = cursors_[rank][block].from_level;
    if (step.after_block < 0) return from;
    return std::max(
        from,
        1 + done_.at(rank)[static_cast<std::size_t>(step.after_block)][static_cast<std::size_t>(step.after_step)]);
  }

  // Whether a block that competes for messages is the one that takes the next: the first that was ready.
  bool is_first_in_line(std::size_t rank, std::size_t block) const {
    const auto& blocks = algorithm_.gpus[rank].blocks;
    if (!blocks[block].competes) return true;
    for (std::size_t other = 0; other < blocks.size(); ++other) {
      const Step* step = step_of(rank, other);
      const bool waits = other != block && step != nullptr && step->receives && !cursors_[rank][other].received &&
                         may_begin(rank, *step, cursors_[rank][other]);
      if (!waits || blocks[other].receive_from != blocks[block].receive_from ||
          blocks[other].channel != blocks[block].channel)
        continue;
      if (std::pair(ready_since(rank, other), other) < std::pair(ready_since(rank, block), block)) return false;
    }
    return true;
  }

  bool pass() {
    std::vector<Candidate> candidates;
    for_each_block([&](std::size_t rank, std::size_t block) {
      const Step* step = step_of(rank, block);
      if (step == nullptr || !may_begin(rank, *step, cursors_[rank][block]) || cursors_[rank][block].received) return;
      if (step->sends && !step->receives) return;
      if (!step->receives) return candidates.push_back({rank, block, local(rank, *step)});
      const ThreadBlock& own = algorithm_.gpus[rank].blocks[block];
      const Connection connection{static_cast<std::size_t>(own.receive_from), rank, own.channel, own.receive_lane};
      const auto found = posted_.find(connection);
      if (found == posted_.end() || found->second.empty() || !is_first_in_line(rank, block)) return;
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

  Planned receive(std::size_t rank, std::size_t block, const Step& step, const PostedSend& message) {
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
    const auto end = posted_.lower_bound({candidate.rank + 1, 0, least, least});
    for (auto of_rank = posted_.lower_bound({candidate.rank, 0, least, least}); of_rank != end; ++of_rank) {
      for (PostedSend& message : of_rank->second) {
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

  void copy_away(PostedSend& message) {
    const Slice place{Buffer::scratch, scratch_[message.rank], message.source.count};
    scratch_[message.rank] += message.source.count;
    planned_[message.rank][message.level].push_back({OpKind::copy, -1, place, message.source});
    message.source = place;
  }

  void carry_out(const Candidate& candidate) {
    const auto [rank, block, planned] = candidate;
    planned_[rank][level_].push_back(planned);
    if (planned.peer >= 0) {
      const ThreadBlock& own = algorithm_.gpus[rank].blocks[block];
      auto& messages = posted_.at({static_cast<std::size_t>(planned.peer), rank, own.channel, own.receive_lane});
      senders_.emplace(StepPlace{rank, block, cursors_[rank][block].step},
                       StepPlace{messages.front().rank, messages.front().block, messages.front().step});
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
      const PostedSend& message = messages.front();
      fail(ErrorCode::invalid_argument, "{}: rank {} never receives what it sends on channel {}",
           FilePlace{name_, message.rank, message.block, message.step}, std::get<1>(connection),
           std::get<2>(connection));
    }
  }

  const MscclAlgorithm& algorithm_;
  const ChunkPlaces& places_;
  const std::string& name_;
  int level_ = 0;
  std::vector<std::map<int, std::vector<Planned>>> planned_;   // plans of each rank, by level
  std::vector<std::vector<Cursor>> cursors_;                   // cursors of each rank's blocks
  std::map<std::size_t, std::vector<std::vector<int>>> done_;  // level of each rank's block and step
  std::map<Connection, std::deque<PostedSend>> posted_;
  Senders senders_;
  std::vector<std::int64_t> scratch_;  // first element of each rank that nothing uses
};

}  // namespace

Schedule ordered(const MscclAlgorithm& algorithm, std::int64_t elements, const std::string& name) {
  const ChunkPlaces places(algorithm, elements);
  OrderedRun run(algorithm, places, name);
  run.to_its_end();
  check_orders_its_steps(algorithm, run.senders(), name);
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

/// @file
/// Rounds, messages and elements of a schedule, by letting the ranks meet.

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/check.hpp"
#include "schedule/schedule.hpp"

namespace tutti {
namespace {

// A rank inside its current step.
struct RankClock {
  std::size_t next = 0;    // the first op after the step
  std::int64_t begun = 0;  // the round in which the step began
  // The rounds in which both sides of its messages were ready, in the order in which they were.
  std::vector<std::int64_t> sends = {};
  std::vector<std::int64_t> receives = {};
  int open = 0;  // messages that have not met their counterpart
};

// The round after the last message, where one port takes a message a round, each once both of its sides are ready.
std::int64_t after_all(std::vector<std::int64_t>& ready, std::int64_t round) {
  std::sort(ready.begin(), ready.end());
  for (const std::int64_t each : ready) round = std::max(round, each) + 1;
  return round;
}

// Operations on one ordered pair of ranks that wait for their counterpart: all sends, or all receives.
struct Channel {
  std::vector<std::int64_t> begun;
  std::size_t head = 0;
  bool sends = false;
};

class Meeting {
 public:
  explicit Meeting(const Schedule& schedule) : schedule_(schedule), clocks_(schedule.programs.size()) {}

  Traffic run() {
    for (std::size_t rank = 0; rank < clocks_.size(); ++rank) ready_.push_back(static_cast<int>(rank));
    while (!ready_.empty()) {
      const int rank = ready_.back();
      ready_.pop_back();
      begin_steps(rank);
    }
    for (std::size_t rank = 0; rank < clocks_.size(); ++rank) {
      if (clocks_[rank].open > 0) fail(ErrorCode::internal, "rank {} waits for a message that never comes", rank);
      traffic_.rounds = std::max(traffic_.rounds, clocks_[rank].begun);
    }
    return traffic_;
  }

 private:
  RankClock& clock(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

  // Posts the step at hand, and the following ones as long as they complete at once.
  void begin_steps(int rank) {
    const Program& program = schedule_.programs[static_cast<std::size_t>(rank)];
    RankClock& mine = clock(rank);
    while (mine.next < program.ops.size()) {
      const std::size_t end = program.step_end(mine.next);
      mine.open = 1;  // held until all are posted
      for (std::size_t at = mine.next; at < end; ++at) {
        const Op& op = program.ops[at];
        if (!op.communicates()) continue;
        post(rank, op, Slices(program.slices(op)).elements());
      }
      mine.next = end;
      if (--mine.open > 0) return;
      end_step(mine);
    }
  }

  static void end_step(RankClock& clock) {
    clock.begun = std::max(after_all(clock.sends, clock.begun), after_all(clock.receives, clock.begun));
    clock.sends.clear();
    clock.receives.clear();
  }

  void post(int rank, const Op& op, std::int64_t elements) {
    const bool send = !op.receives();
    if (send) {
      ++traffic_.messages;
      traffic_.elements += elements;
    }
    const auto from = static_cast<std::uint64_t>(send ? rank : op.peer);
    const auto to = static_cast<std::uint64_t>(send ? op.peer : rank);
    Channel& channel = channels_[from << 32 | to];
    RankClock& mine = clock(rank);
    if (channel.head == channel.begun.size() || channel.sends == send) {
      channel.sends = send;
      channel.begun.push_back(mine.begun);
      ++mine.open;
      return;
    }
    const std::int64_t met = std::max(mine.begun, channel.begun[channel.head++]);
    if (channel.head == channel.begun.size()) {
      channel.begun.clear();
      channel.head = 0;
    }
    (send ? mine.sends : mine.receives).push_back(met);
    RankClock& peer = clock(op.peer);
    (send ? peer.receives : peer.sends).push_back(met);
    if (--peer.open > 0) return;
    end_step(peer);
    ready_.push_back(op.peer);
  }

  const Schedule& schedule_;
  std::vector<RankClock> clocks_;
  std::unordered_map<std::uint64_t, Channel> channels_;
  std::vector<int> ready_;
  Traffic traffic_;
};

}  // namespace

Traffic traffic_of(const Schedule& schedule) { return Meeting(schedule).run(); }

}  // namespace tutti

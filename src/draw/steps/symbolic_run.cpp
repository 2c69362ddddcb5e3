#include "draw/steps/symbolic_run.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "base/check.hpp"
#include "draw/steps/liveness.hpp"
#include "verify/execution.hpp"

namespace tutti::draw {
namespace {

using proof::OpPosition;

// Assigns messages to steps, and keeps what the first ranks hold.
class StepObserver final : public proof::Observer {
 public:
  StepObserver(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases, const std::vector<int>& floors)
      : schedule_(schedule),
        limits_(limits),
        phases_(phases),
        floors_(floors),
        ends_(phases.names().size()),
        clocks_(schedule.programs.size()) {
    const int shown = std::min(limits.ranks, schedule.problem.ranks);
    states_.resize(static_cast<std::size_t>(shown));
    for (int rank = 0; rank < shown; ++rank) live_.push_back(live_slices(schedule, rank));
  }

  void run_begins(const proof::Execution& execution) override {
    execution_ = &execution;
    for (int rank = 0; rank < static_cast<int>(states_.size()); ++rank) keep_state(rank);
  }

  // A chain takes its messages in one after the other, so a later one belongs to no earlier step.
  void message_passes(OpPosition send, OpPosition receive, std::span<const proof::Piece> content) override {
    RankClock& sender = clock(send.rank);
    RankClock& receiver = clock(receive.rank);
    int step = std::max(sender.begun, receiver.begun);
    const Program& program = schedule_.programs[static_cast<std::size_t>(receive.rank)];
    if (program.ops[receive.op].chained) step = std::max(step, receiver.chain);
    const int phase = std::max(phases_.number_of(send.rank, send.op), phases_.number_of(receive.rank, receive.op));
    if (phase >= 0) {
      step = std::max(step, floors_[static_cast<std::size_t>(phase)]);
      ends_[static_cast<std::size_t>(phase)] = std::max(ends_[static_cast<std::size_t>(phase)], step + 1);
    }
    receiver.chain = step;
    sender.last = std::max(sender.last, step);
    receiver.last = std::max(receiver.last, step);
    steps_ = std::max(steps_, step + 1);
    if (step < limits_.first - 1 || step >= limits_.last || std::min(send.rank, receive.rank) >= limits_.ranks) return;
    FramedMessage message{send, receive, step, phase, 0, contents_of(content, execution_->expressions())};
    for (const proof::Piece& piece : content) message.elements += piece.count;
    messages_.push_back(std::move(message));
  }

  void step_ends(int rank, std::size_t) override {
    RankClock& mine = clock(rank);
    mine.begun = std::max(mine.begun, mine.last + 1);
    ++mine.own_steps;
    if (rank < static_cast<int>(states_.size())) keep_state(rank);
  }

  /// The first step that each phase may have, so that it begins when those before it have ended.
  std::vector<int> floors() const {
    std::vector<int> found(ends_.size());
    for (std::size_t k = 1; k < found.size(); ++k) found[k] = std::max(found[k - 1], ends_[k - 1]);
    return found;
  }
  /// Takes what was recorded.
  SymbolicRun take() {
    std::sort(messages_.begin(), messages_.end(), [](const FramedMessage& a, const FramedMessage& b) {
      return std::tie(a.step, a.send.rank, a.send.op) < std::tie(b.step, b.send.rank, b.send.op);
    });
    return {steps_, std::move(messages_), std::move(states_)};
  }

 private:
  struct RankClock {
    int begun = 0;      // the step of the drawing in which the rank's own step begins
    int last = -1;      // step of its last message so far
    int chain = 0;      // step of the last message of its chain
    int own_steps = 0;  // steps of its own that have ended
  };

  RankClock& clock(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

  // Keeps what the rank holds at the beginning of the step that it is about to enter.
  void keep_state(int rank) {
    const RankClock& mine = clock(rank);
    if (mine.begun > limits_.last) return;
    std::vector<proof::Piece> pieces;
    for (const Slice& slice : live_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(mine.own_steps)]) {
      execution_->memory(rank).visit(slice, [&](std::int64_t, std::int64_t count, const proof::Value* value) {
        if (value != nullptr) pieces.push_back({count, *value});
      });
    }
    std::vector<HeldState>& states = states_[static_cast<std::size_t>(rank)];
    const bool unseen = limits_.first > 1 && mine.begun < limits_.first;
    const bool again = !states.empty() && mine.begun > 0 && states.back().from_step == mine.begun;
    if (!states.empty() && (unseen || again)) states.pop_back();
    states.push_back({mine.begun, contents_of(pieces, execution_->expressions())});
  }

  const Schedule& schedule_;
  const Limits& limits_;
  const PhaseOrder& phases_;
  const std::vector<int>& floors_;  // by phase: its first step at least
  std::vector<int> ends_;           // by phase: one past its last step
  const proof::Execution* execution_ = nullptr;
  std::vector<RankClock> clocks_;
  std::vector<std::vector<std::vector<Slice>>> live_;  // by rank, by own step
  std::vector<std::vector<HeldState>> states_;         // by rank
  std::vector<FramedMessage> messages_;
  int steps_ = 0;
};

// Throws `Error` for a schedule that cannot be run to its end.
std::unique_ptr<StepObserver> observed_run(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases,
                                           const std::vector<int>& floors) {
  auto run = std::make_unique<StepObserver>(schedule, limits, phases, floors);
  if (const auto failure = observe(schedule, *run))
    fail(ErrorCode::invalid_argument, "the schedule cannot be drawn because it is wrong: {}", describe(*failure));
  return run;
}

}  // namespace

SymbolicRun symbolic_run_of(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases) {
  std::vector<int> floors(phases.names().size());
  std::unique_ptr<StepObserver> run = observed_run(schedule, limits, phases, floors);
  // A phase that begins later puts off those after it: each round settles one more.
  for (std::size_t round = 1; round < floors.size() && run->floors() != floors; ++round) {
    floors = run->floors();
    run = observed_run(schedule, limits, phases, floors);
  }
  return run->take();
}

}  // namespace tutti::draw

#include "draw/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "base/check.hpp"
#include "draw/contents.hpp"
#include "draw/liveness.hpp"
#include "schedule/phases.hpp"
#include "verify/execution.hpp"
#include "verify/observe.hpp"

namespace tutti::draw {
namespace {

using proof::Place;

struct Message {
  Place send;
  Place receive;
  int step = 0;    // of the drawing
  int phase = -1;  // its number; -1: none
  std::int64_t elements = 0;
  std::vector<Content> contents;
};

// What a rank holds from the beginning of a step of the drawing on, until it holds something else.
struct State {
  int from_step = 0;
  std::vector<Content> contents;
};

// Assigns messages to steps, and keeps what the first ranks hold.
class Recorder final : public proof::Observer {
 public:
  Recorder(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases, const std::vector<int>& floors)
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
  void message_passes(Place send, Place receive, std::span<const proof::Piece> content) override {
    Clock& sender = clock(send.rank);
    Clock& receiver = clock(receive.rank);
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
    Message message{send, receive, step, phase, 0, contents_of(content, execution_->expressions())};
    for (const proof::Piece& piece : content) message.elements += piece.count;
    messages_.push_back(std::move(message));
  }

  void step_ends(int rank, std::size_t) override {
    Clock& mine = clock(rank);
    mine.begun = std::max(mine.begun, mine.last + 1);
    ++mine.own_steps;
    if (rank < static_cast<int>(states_.size())) keep_state(rank);
  }

  int steps() const { return steps_; }
  /// The first step that each phase may have, so that it begins when those before it have ended.
  std::vector<int> floors() const {
    std::vector<int> found(ends_.size());
    for (std::size_t k = 1; k < found.size(); ++k) found[k] = std::max(found[k - 1], ends_[k - 1]);
    return found;
  }
  std::vector<Message>& messages() { return messages_; }
  const std::vector<State>& states(int rank) const { return states_[static_cast<std::size_t>(rank)]; }

 private:
  struct Clock {
    int begun = 0;      // the step of the drawing in which the rank's own step begins
    int last = -1;      // that of its last message so far
    int chain = 0;      // that of the last message of its chain
    int own_steps = 0;  // that have ended
  };

  Clock& clock(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

  // What the rank holds counts from the step that it is about to begin.
  void keep_state(int rank) {
    const Clock& mine = clock(rank);
    if (mine.begun > limits_.last) return;
    std::vector<proof::Piece> pieces;
    for (const Slice& slice : live_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(mine.own_steps)]) {
      execution_->memory(rank).visit(slice, [&](std::int64_t, std::int64_t count, const proof::Value* value) {
        if (value != nullptr) pieces.push_back({count, *value});
      });
    }
    std::vector<State>& states = states_[static_cast<std::size_t>(rank)];
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
  std::vector<Clock> clocks_;
  std::vector<std::vector<std::vector<Slice>>> live_;  // by rank, by own step
  std::vector<std::vector<State>> states_;             // by rank
  std::vector<Message> messages_;
  int steps_ = 0;
};

// The vertices on a message's way; its ends alone where others on it are not shown.
std::vector<int> route_between(const Topology& topology, int from, int to, bool whole) {
  std::vector<int> route{from};
  if (whole) {
    for (const LinkId link : route_of(topology, from, to)) route.push_back(topology.link(link).to);
  } else {
    route.push_back(to);
  }
  return route;
}

std::vector<Load> loads_of(const std::vector<Arrow>& arrows) {
  std::map<std::pair<int, int>, Load> loads;
  for (const Arrow& arrow : arrows) {
    for (std::size_t k = 1; k < arrow.route.size(); ++k) {
      Load& load = loads[{arrow.route[k - 1], arrow.route[k]}];
      load = {arrow.route[k - 1], arrow.route[k], load.messages + 1, load.elements + arrow.elements};
    }
  }
  std::vector<Load> found;
  for (const auto& [ends, load] : loads) found.push_back(load);
  return found;
}

void add_arrows(Frames& frames, Recorder& run, const Names& names, const Topology& topology, const Schedule& schedule) {
  const Layout& layout = schedule.layout;
  std::vector<Message>& messages = run.messages();
  std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
    return std::tie(a.step, a.send.rank, a.send.op) < std::tie(b.step, b.send.rank, b.send.op);
  });
  for (const Message& message : messages) {
    if (std::max(message.send.rank, message.receive.rank) >= frames.shown_ranks) continue;
    std::vector<Arrow>& arrows = frames.shown[static_cast<std::size_t>(message.step - frames.first + 1)].arrows;
    const Op& taken = schedule.programs[static_cast<std::size_t>(message.receive.rank)].ops[message.receive.op];
    arrows.push_back(
        {.number = static_cast<int>(arrows.size()) + 1,
         .from = message.send.rank,
         .to = message.receive.rank,
         .route = route_between(topology, message.send.rank, message.receive.rank, frames.shown_ranks == frames.ranks),
         .elements = message.elements,
         .content = fmt::format("{}", fmt::join(names.lines_for(message.contents), " ")),
         .between_nodes = layout.node_of(message.send.rank) != layout.node_of(message.receive.rank),
         .combined = taken.kind == OpKind::receive_reduce});
  }
  for (Frame& frame : frames.shown) frame.loads = loads_of(frame.arrows);
}

void add_holdings(Frames& frames, const Recorder& run, const Names& names) {
  for (int rank = 0; rank < frames.shown_ranks; ++rank) {
    const std::vector<State>& states = run.states(rank);
    std::vector<std::string> held = names.lines_for(states.front().contents);
    std::size_t next = 1;
    const auto hold_from = [&](int step) {
      for (; next < states.size() && states[next].from_step <= step; ++next)
        held = names.lines_for(states[next].contents);
    };
    int step = frames.first - 1;
    for (Frame& frame : frames.shown) {
      RankFrame& mine = frame.ranks[static_cast<std::size_t>(rank)];
      mine.before = held;
      hold_from(++step);
      mine.after = held;
    }
  }
}

// Operations with a message belong to its step, others to the step of the message before them.
void add_operations(Frames& frames, const Schedule& schedule, const std::vector<Message>& messages) {
  std::map<std::pair<int, std::size_t>, int> step_of;
  for (const Message& message : messages) {
    step_of[{message.send.rank, message.send.op}] = message.step;
    step_of[{message.receive.rank, message.receive.op}] = message.step;
  }
  for (int rank = 0; rank < frames.shown_ranks; ++rank) {
    const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
    int step = 0;
    for (std::size_t at = 0; at < program.ops.size(); ++at) {
      const Op& op = program.ops[at];
      const auto found = step_of.find({rank, at});
      if (found != step_of.end()) step = found->second;
      if (op.communicates() && found == step_of.end()) continue;  // in a step that is not shown
      const int place = step - frames.first + 1;
      if (place < 0 || place >= static_cast<int>(frames.shown.size())) continue;
      frames.shown[static_cast<std::size_t>(place)].ranks[static_cast<std::size_t>(rank)].operations.push_back(
          text_of(program, op));
    }
  }
}

// Throws `Error` for a schedule that cannot be run to its end.
std::unique_ptr<Recorder> recorded(const Schedule& schedule, const Limits& limits, const PhaseOrder& phases,
                                   const std::vector<int>& floors) {
  auto run = std::make_unique<Recorder>(schedule, limits, phases, floors);
  if (const auto failure = observe(schedule, *run))
    fail(ErrorCode::invalid_argument, "the schedule cannot be drawn because it is wrong: {}", describe(*failure));
  return run;
}

// How many steps are shown of so many.
int steps_shown(int steps, const Limits& limits) {
  require(limits.first >= 1 && limits.first <= limits.last, "steps are numbered from 1 upwards, not {} to {}",
          limits.first, limits.last);
  require(limits.first <= std::max(1, steps), "the schedule has {} step{}, and so no step {}", steps,
          steps == 1 ? "" : "s", limits.first);
  return std::min(steps, limits.last) - (limits.first - 1);
}

}  // namespace

bool has_arrow(const Frames& frames, bool combined) {
  return std::any_of(frames.shown.begin(), frames.shown.end(), [&](const Frame& frame) {
    return std::any_of(frame.arrows.begin(), frame.arrows.end(),
                       [&](const Arrow& arrow) { return arrow.combined == combined; });
  });
}

std::string_view meaning_of_color(bool combined) {
  return combined ? "a message that its receiver combines with what it holds" : "a message that its receiver stores";
}

Frames frames_of(const Schedule& schedule, const Topology& topology, const Limits& limits) {
  const int ranks = schedule.problem.ranks;
  require(topology.ranks() == ranks, "{} has {} ranks and the schedule {}; draw it on a network of its own size",
          topology.name(), topology.ranks(), ranks);
  require(ranks <= most_ranks_framed, "a schedule of {} ranks is too large to draw; take at most {}", ranks,
          most_ranks_framed);
  const PhaseOrder phases(schedule);
  std::vector<int> floors(phases.names().size());
  std::unique_ptr<Recorder> held = recorded(schedule, limits, phases, floors);
  // A phase that begins later puts off those after it: each round settles one more.
  for (std::size_t round = 1; round < floors.size() && held->floors() != floors; ++round) {
    floors = held->floors();
    held = recorded(schedule, limits, phases, floors);
  }
  Recorder& run = *held;

  Frames frames{.title = describe(schedule.problem),
                .ranks = ranks,
                .shown_ranks = std::min(ranks, limits.ranks),
                .steps = run.steps(),
                .first = limits.first,
                .shown = std::vector<Frame>(static_cast<std::size_t>(steps_shown(run.steps(), limits)))};
  for (Frame& frame : frames.shown) frame.ranks.resize(static_cast<std::size_t>(frames.shown_ranks));
  if (schedule.layout.nodes() > 1) {
    frames.title += ", " + describe(schedule.layout, ranks);
    for (int rank = 0; rank < frames.shown_ranks; ++rank) frames.nodes.push_back(schedule.layout.node_of(rank));
  }
  Names names(schedule.problem);
  for (const Message& message : run.messages()) names.see(message.contents);
  for (int rank = 0; rank < frames.shown_ranks; ++rank) {
    for (const State& state : run.states(rank)) names.see(state.contents);
  }
  if (!frames.shown.empty()) frames.legend = names.legend();
  if (frames.shown_ranks < ranks)
    frames.notes.push_back(fmt::format("Only the first {} of {} ranks are drawn.", frames.shown_ranks, ranks));
  const int shown = static_cast<int>(frames.shown.size());
  if (shown == 1 && frames.steps > 1)
    frames.notes.push_back(fmt::format("Only step {} of {} is drawn.", frames.first, frames.steps));
  else if (shown < frames.steps)
    frames.notes.push_back(
        fmt::format("Only steps {} to {} of {} are drawn.", frames.first, frames.first + shown - 1, frames.steps));
  add_arrows(frames, run, names, topology, schedule);
  for (const Message& message : run.messages()) {
    if (message.phase >= 0)
      frames.shown[static_cast<std::size_t>(message.step - frames.first + 1)].phase =
          phases.names()[static_cast<std::size_t>(message.phase)];
  }
  add_holdings(frames, run, names);
  add_operations(frames, schedule, run.messages());
  return frames;
}

}  // namespace tutti::draw

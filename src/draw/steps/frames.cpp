#include "draw/steps/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/steps/content_names.hpp"
#include "draw/steps/symbolic_run.hpp"

namespace tutti::draw {
namespace {

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

// Returns the content that messages carry together, in a few words; empty if that takes more than a line.
std::string content_of(const std::vector<const FramedMessage*>& messages, const ContentNames& names) {
  if (messages.size() < 2) return {};
  std::vector<SymbolicContent> all;
  for (const FramedMessage* message : messages)
    all.insert(all.end(), message->contents.begin(), message->contents.end());
  std::vector<std::string> lines = names.lines_for(all);
  return lines.size() == 1 ? std::move(lines.front()) : std::string();
}

// The messages of a step, which are in order of its arrows.
void add_loads(Frame& frame, std::span<const FramedMessage* const> messages, const ContentNames& names) {
  std::map<std::pair<int, int>, std::vector<const FramedMessage*>> by_link;
  std::map<int, std::vector<const FramedMessage*>> by_sender;
  for (std::size_t k = 0; k < frame.arrows.size(); ++k) {
    const std::vector<int>& route = frame.arrows[k].route;
    for (std::size_t hop = 1; hop < route.size(); ++hop) by_link[{route[hop - 1], route[hop]}].push_back(messages[k]);
    by_sender[frame.arrows[k].from].push_back(messages[k]);
  }
  for (const auto& [ends, carried] : by_link) {
    DrawnLoad load{.from = ends.first, .to = ends.second, .messages = static_cast<int>(carried.size())};
    for (const FramedMessage* message : carried) load.elements += message->elements;
    load.content = content_of(carried, names);
    frame.loads.push_back(std::move(load));
  }
  for (const auto& [rank, sent] : by_sender) frame.ranks[static_cast<std::size_t>(rank)].sent = content_of(sent, names);
}

Arrow arrow_of(const FramedMessage& message, const ScheduleFrames& frames, const ContentNames& names,
               const Topology& topology, const Schedule& schedule) {
  const int from = message.send.rank;
  const int to = message.receive.rank;
  const Op& taken = schedule.programs[static_cast<std::size_t>(to)].ops[message.receive.op];
  return {.from = from,
          .to = to,
          .route = route_between(topology, from, to, frames.shown_ranks == frames.ranks),
          .elements = message.elements,
          .content = fmt::format("{}", fmt::join(names.lines_for(message.contents), " ")),
          .between_nodes = schedule.layout.node_of(from) != schedule.layout.node_of(to),
          .combined = taken.kind == OpKind::receive_reduce};
}

void add_arrows(ScheduleFrames& frames, const SymbolicRun& run, const ContentNames& names, const Topology& topology,
                const Schedule& schedule) {
  std::vector<std::vector<const FramedMessage*>> by_frame(frames.shown.size());
  for (const FramedMessage& message : run.messages) {
    if (std::max(message.send.rank, message.receive.rank) >= frames.shown_ranks) continue;
    const auto place = static_cast<std::size_t>(message.step - frames.first + 1);
    std::vector<Arrow>& arrows = frames.shown[place].arrows;
    arrows.push_back(arrow_of(message, frames, names, topology, schedule));
    arrows.back().number = static_cast<int>(arrows.size());
    by_frame[place].push_back(&message);
  }
  for (std::size_t k = 0; k < frames.shown.size(); ++k) add_loads(frames.shown[k], by_frame[k], names);
}

void add_contents(ScheduleFrames& frames, const SymbolicRun& run, const ContentNames& names) {
  for (int rank = 0; rank < frames.shown_ranks; ++rank) {
    const std::vector<HeldState>& states = run.states[static_cast<std::size_t>(rank)];
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
void add_operations(ScheduleFrames& frames, const Schedule& schedule, const std::vector<FramedMessage>& messages) {
  constexpr int not_shown = -1;
  std::vector<std::vector<int>> step_of;  // by rank, by operation
  for (const Program& program : schedule.programs) step_of.emplace_back(program.ops.size(), not_shown);
  for (const FramedMessage& message : messages) {
    for (const auto& [rank, op] : {message.send, message.receive})
      step_of[static_cast<std::size_t>(rank)][op] = message.step;
  }
  for (int rank = 0; rank < frames.shown_ranks; ++rank) {
    const Program& program = schedule.programs[static_cast<std::size_t>(rank)];
    int step = 0;
    for (std::size_t at = 0; at < program.ops.size(); ++at) {
      const Op& op = program.ops[at];
      const int found = step_of[static_cast<std::size_t>(rank)][at];
      if (found != not_shown) step = found;
      if (op.communicates() && found == not_shown) continue;
      const int place = step - frames.first + 1;
      if (place < 0 || place >= static_cast<int>(frames.shown.size())) continue;
      frames.shown[static_cast<std::size_t>(place)].ranks[static_cast<std::size_t>(rank)].operations.push_back(
          text_of(program, op));
    }
  }
}

// Returns how many of so many steps are shown.
int steps_shown(int steps, const Limits& limits) {
  require(limits.first >= 1 && limits.first <= limits.last, "steps are numbered from 1 upwards, not {} to {}",
          limits.first, limits.last);
  require(limits.first <= std::max(1, steps), "the schedule has {}, and so no step {}", counted(steps, "step"),
          limits.first);
  return std::min(steps, limits.last) - (limits.first - 1);
}

}  // namespace

bool has_arrow(const ScheduleFrames& frames, bool combined) {
  return std::any_of(frames.shown.begin(), frames.shown.end(), [&](const Frame& frame) {
    return std::any_of(frame.arrows.begin(), frame.arrows.end(),
                       [&](const Arrow& arrow) { return arrow.combined == combined; });
  });
}

std::string_view meaning_of_color(bool combined) {
  return combined ? "a message that its receiver combines with what it holds" : "a message that its receiver stores";
}

ScheduleFrames frames_of(const Schedule& schedule, const Topology& topology, const Limits& limits, Unit unit) {
  const int ranks = schedule.problem.ranks;
  require(topology.ranks() == ranks, "{} has {} and the schedule {}; draw it on a network of its own size",
          topology.name(), counted(topology.ranks(), "rank"), ranks);
  require(ranks <= most_ranks_framed, "a schedule of {} ranks is too large to draw; take at most {}", ranks,
          most_ranks_framed);
  const PhaseOrder phases(schedule);
  const SymbolicRun run = symbolic_run_of(schedule, limits, phases);

  ScheduleFrames frames{.title = describe(schedule.problem, unit),
                        .unit = unit,
                        .ranks = ranks,
                        .shown_ranks = std::min(ranks, limits.ranks),
                        .steps = run.steps,
                        .first = limits.first,
                        .shown = std::vector<Frame>(static_cast<std::size_t>(steps_shown(run.steps, limits)))};
  for (Frame& frame : frames.shown) {
    frame.ranks.resize(static_cast<std::size_t>(frames.shown_ranks));
    frame.is_partial = frames.shown_ranks < ranks;
  }
  if (schedule.layout.nodes() > 1) {
    frames.title += ", " + describe(schedule.layout, ranks);
    for (int rank = 0; rank < frames.shown_ranks; ++rank) frames.nodes.push_back(schedule.layout.node_of(rank));
  }
  ContentNames names(schedule.problem);
  for (const FramedMessage& message : run.messages) names.add_cuts_of(message.contents);
  for (int rank = 0; rank < frames.shown_ranks; ++rank) {
    for (const HeldState& state : run.states[static_cast<std::size_t>(rank)]) names.add_cuts_of(state.contents);
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
  for (const FramedMessage& message : run.messages) {
    if (message.phase >= 0)
      frames.shown[static_cast<std::size_t>(message.step - frames.first + 1)].phase =
          phases.names()[static_cast<std::size_t>(message.phase)];
  }
  add_contents(frames, run, names);
  add_operations(frames, schedule, run.messages);
  return frames;
}

}  // namespace tutti::draw

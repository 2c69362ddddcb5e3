#include "draw/book/prefix_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/integers.hpp"
#include "draw/steps/symbolic_run.hpp"
#include "schedule/record/script.hpp"

namespace tutti::draw {
namespace {

using Ranks = std::set<int>;

// Both partners send their sums; the one with the greater number adds what comes to its result, too.
void record_with_all_sends(Script& me, const Problem& problem) {
  const std::int64_t n = problem.count;
  me.copy(me.output(), me.input());
  me.copy(me.scratch(0, n), me.input());
  me.wait();
  for (int bit = 1; bit < me.size(); bit *= 2) {
    const int partner = me.rank() ^ bit;
    const Slice sum = me.scratch(0, n);
    const Slice received = me.scratch(n, n);
    me.send(sum, partner);
    me.receive(received, partner);
    me.wait();
    if (partner < me.rank()) {
      me.reduce(me.output(), received, me.output());
      me.reduce(sum, received, sum);
    } else {
      me.reduce(sum, sum, received);
    }
    me.wait();
  }
}

std::string sum_of(const Ranks& ranks) { return text_of_set({ranks.begin(), ranks.end()}); }

Ranks ranks_in(const FramedMessage& message) {
  Ranks ranks;
  for (const SymbolicContent& content : message.contents) ranks.insert(content.ranks.begin(), content.ranks.end());
  return ranks;
}

struct PrefixState {
  Ranks result;
  Ranks sum;
};

std::vector<std::string> words_of(const PrefixState& state, bool sends) {
  std::vector<std::string> words{fmt::format("[{}]", sum_of(state.result))};
  if (sends) words.push_back(fmt::format("({})", sum_of(state.sum)));
  return words;
}

NetworkPanel panel_of(const std::vector<PrefixState>& states, std::string caption, bool sends) {
  NetworkPanel panel{.caption = std::move(caption), .is_numbered = false};
  for (const PrefixState& state : states) {
    panel.frame.ranks.emplace_back();
    panel.frame.ranks.back().before = words_of(state, sends);
  }
  return panel;
}

}  // namespace

bool is_on_hypercube(const Schedule& scan) {
  if (!is_power_of_two(scan.problem.ranks)) return false;
  for (std::size_t rank = 0; rank < scan.programs.size(); ++rank) {
    for (const Op& op : scan.programs[rank].ops) {
      if (op.communicates() && !is_power_of_two(static_cast<int>(rank) ^ op.peer)) return false;
    }
  }
  return true;
}

std::vector<NetworkPanel> prefix_sum_panels(const Problem& problem) {
  const Schedule schedule = record_all(Record(record_with_all_sends), problem);
  const Limits limits{.ranks = problem.ranks, .first = 1, .last = 64};
  const SymbolicRun run = symbolic_run_of(schedule, limits, PhaseOrder(schedule));
  std::vector<PrefixState> states;
  for (int rank = 0; rank < problem.ranks; ++rank) states.push_back({{rank}, {rank}});
  std::vector<NetworkPanel> panels;
  for (int step = 0; step < run.steps; ++step) {
    panels.push_back(panel_of(states,
                              step == 0 ? "values at the start, with the messages of step 1"
                                        : fmt::format("sums before step {}, with its messages", step + 1),
                              true));
    Frame& frame = panels.back().frame;
    for (const FramedMessage& message : run.messages) {
      if (message.step != step) continue;
      const auto [from, to] = std::pair(message.send.rank, message.receive.rank);
      frame.arrows.push_back({.number = step + 1, .from = from, .to = to, .route = {from, to}});
      PrefixState& receiver = states[static_cast<std::size_t>(to)];
      const Ranks ranks = ranks_in(message);
      receiver.sum.insert(ranks.begin(), ranks.end());
      if (from < to) receiver.result.insert(ranks.begin(), ranks.end());
    }
  }
  panels.push_back(panel_of(states, "prefix sums at the end", false));
  return panels;
}

}  // namespace tutti::draw

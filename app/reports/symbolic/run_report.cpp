#include "app/reports/symbolic/run_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/symbolic/cases.hpp"
#include "base/units.hpp"
#include "cost/closed_form.hpp"

namespace tutti::app {
namespace {

constexpr std::size_t column = 15;

std::string way_in_words(const Topology& topology, const Detour& detour) {
  std::string words = node_in_words(topology, detour.from);
  for (const LinkId link : detour.way) words += '-' + node_in_words(topology, topology.link(link).to);
  return words;
}

std::string ways_in_words(const Topology& topology, const WayOutcome& outcome) {
  std::vector<std::string> ways;
  for (const Detour& detour : outcome.example) ways.push_back(way_in_words(topology, detour));
  return fmt::format("{}", fmt::join(ways, ", "));
}

std::string shared_in_words(const Topology& topology, const WayOutcome& outcome) {
  if (outcome.most_shared <= 1) return "no link carries two messages at a time";
  const std::string most = fmt::format("{} messages are on a link at a time", outcome.most_shared);
  if (!outcome.shared) return most;
  const Link link = topology.link(*outcome.shared);
  return fmt::format("{}, from {} to {}", most, node_in_words(topology, link.from), node_in_words(topology, link.to));
}

std::size_t choices_in(const std::vector<WayOutcome>& ways) {
  std::size_t all = 0;
  for (const WayOutcome& outcome : ways) all += outcome.choices;
  return all;
}

std::string text_of_ways(const SymbolicRun& run, const SymbolNames& names) {
  if (run.ways.empty()) return "";
  const std::size_t all = choices_in(run.ways);
  if (run.ways.size() == 1)
    return titled("Ways", fmt::format("all {} choices of shortest ways take as long", all), column);
  std::string text = titled("It depends", "on which of the shortest ways the messages take:", column);
  for (const WayOutcome& outcome : run.ways) {
    text +=
        titled("",
               fmt::format("{} by {} of {} choices, such as {}: {}", in_a_line(outcome.cases, names), outcome.choices,
                           all, ways_in_words(*run.topology, outcome), shared_in_words(*run.topology, outcome)),
               column);
  }
  return text;
}

Json json_of_ways(const SymbolicRun& run, const SymbolNames& names) {
  Json all = Json::array();
  for (const WayOutcome& outcome : run.ways) {
    Json example = Json::array();
    for (const Detour& detour : outcome.example) example.push_back(way_in_words(*run.topology, detour));
    all.push_back({{"time", in_a_line(outcome.cases, names)},
                   {"choices", outcome.choices},
                   {"example", example},
                   {"most_shared", outcome.most_shared}});
  }
  return all;
}

std::string values_in_words(const Machine& machine, const SymbolicRun& run, const SymbolNames& names) {
  std::string words =
      fmt::format("{} = {}, {} = {}, {} = {}", names.ts, text_of(Seconds{machine.ts}), names.tw,
                  text_of(Seconds{machine.tw}), names.m, text_of(Bytes{static_cast<std::int64_t>(run.m)}));
  if (machine.th > 0) words += fmt::format(", th = {}", text_of(Seconds{machine.th}));
  if (machine.tc > 0) words += fmt::format(", tc = {}", text_of(Seconds{machine.tc}));
  return words;
}

// The formula's seconds, where they are not the run's own, and why.
std::string formula_in_words(const SymbolicRun& run) {
  constexpr double rounding = 1e-9;
  const double by_formula = seconds(run.cases, run.machine, run.m);
  if (std::abs(by_formula - run.simulated) <= rounding * run.simulated) return {};
  const bool has_no_hops = run.machine.switching == Switching::cut_through && run.machine.th == 0;
  const std::string_view why = run.m == 0            ? "is for m above 0"
                               : has_no_hops         ? "is for th above 0"
                               : !run.cases.is_whole ? "holds nearby alone"
                                                     : "is for an m that ranks and segments divide";
  return fmt::format("; the formula, which {}, gives {}", why, text_of(Seconds{by_formula}));
}

double ratio_of(const Machine& machine, double m) {
  return machine.ts > 0 && machine.tw > 0 ? machine.ts / (machine.tw * m) : 1;
}

bool messages_are_alike(const Schedule& schedule) {
  std::optional<std::int64_t> size;
  for (const Program& program : schedule.programs) {
    for (const Op& op : program.ops) {
      if (op.kind != OpKind::send) continue;
      const std::int64_t elements = Slices(program.slices(op)).elements();
      if (size.value_or(elements) != elements) return false;
      size = elements;
    }
  }
  return true;
}

Json machine_json(const Machine& m) { return {{"ts", m.ts}, {"tw", m.tw}, {"th", m.th}, {"tc", m.tc}}; }

}  // namespace

SymbolicRun symbolic_run(const Choice& choice, const Problem& problem, const TopologyPtr& topology,
                         const Machine& machine, const Layout& layout, const SimulationOptions& options,
                         bool holds_forms) {
  const ProbedRun probed = probed_run(choice, problem, topology, machine, layout, options);
  const bool has_size = problem.counts.empty() && problem.collective != Collective::barrier;
  const double m = has_size ? static_cast<double>(problem.count) : probed.m;
  Workload workload(choice, problem, 1, layout);
  SimulationOptions plain = options;
  plain.timeline = false;
  SymbolicRun run{.title = fmt::format("{} over {} by {} on {}, {}, {} engine", name_of(problem.collective),
                                       counted(problem.ranks, "rank"), choice.algorithm->name, topology->name(),
                                       name_of(machine.switching), name_of(options.engine)),
                  .topology = topology,
                  .machine = machine,
                  .cases = time_cases(probed, {.nearby = ratio_of(machine, std::max(1.0, m))}),
                  .m = m,
                  .simulated = simulate(workload, *topology, machine, plain).seconds,
                  .m_words = problem.counts.empty() ? "" : "the sum of --counts"};
  if (!holds_forms) return run;
  if (const auto priced = price(choice, problem, *topology, machine, layout))
    run.formula = (priced->exactly ? "" : "at most ") + priced->formula;
  run.bounds = symbolic_bounds(problem, *topology, machine);
  run.growth = growth_of(problem, machine, run.bounds);
  return run;
}

SymbolicRun symbolic_run(const Schedule& schedule, const TopologyPtr& topology, const Machine& machine,
                         const SimulationOptions& options) {
  const ProbedRun probed = probed_run(schedule, topology, machine, options);
  SymbolicRun run{.title = {},
                  .topology = topology,
                  .machine = machine,
                  .cases = time_cases(probed, {.nearby = ratio_of(machine, probed.m)}),
                  .m = probed.m,
                  .simulated = probed.time(machine, 1),
                  .m_words = messages_are_alike(schedule) ? "each message's size"
                                                          : "the greatest common divisor of the messages' sizes"};
  if (options.routing == Routing::own) run.ways = outcomes_by_way(schedule, topology, machine, options);
  return run;
}

std::string text_of(const SymbolicRun& run, const SymbolNames& names) {
  std::string text = screen_text(run.title) + '\n';
  const auto line = [&](std::string_view title, const std::string& words) { text += titled(title, words, column); };
  if (run.cases.times.empty()) {
    line("Critical path", "no formula was found: the time has too many cases");
    line("In seconds",
         fmt::format("{} with {}", text_of(Seconds{run.simulated}), values_in_words(run.machine, run, names)));
    return text;
  }
  line("Critical path", in_a_line(run.cases, names));
  for (std::size_t at = 0; run.cases.is_greatest && run.cases.times.size() > 1 && at < run.cases.times.size(); ++at)
    line("", fmt::format("{} where {}", text_of(run.cases.times[at], names), where(run.cases, at, names)));
  if (run.cases.times.size() == 1 && run.cases.is_whole) {
    const std::string left = simplified(run.cases.times.front(), names);
    if (!left.empty()) line("Simplified", left);
  }
  if (!run.formula.empty()) line("For any p", renamed(run.formula, names));
  line("In seconds",
       fmt::format("{} with {}{}{}", text_of(Seconds{run.simulated}), values_in_words(run.machine, run, names),
                   run.m_words.empty() ? "" : ", " + run.m_words, formula_in_words(run)));
  text += text_of_ways(run, names);
  if (!run.bounds.empty()) text += "\nNo algorithm takes less than\n" + text_of(run.bounds, run.growth, column, names);
  return text;
}

Json json_of(const SymbolicRun& run, const SymbolNames& names) {
  const bool found = !run.cases.times.empty();
  return {{"title", run.title},
          {"topology", run.topology->name()},
          {"ranks", run.topology->ranks()},
          {"machine", machine_json(run.machine)},
          {"symbols", {names.ts, names.tw, names.m}},
          {"m_bytes", run.m},
          {"critical_path", in_a_line(run.cases, names)},
          {"critical_path_by_cases", json_of(run.cases, names)},
          {"formula", run.formula.empty() ? Json(nullptr) : Json(renamed(run.formula, names))},
          {"seconds", run.simulated},
          {"formula_seconds", found ? Json(seconds(run.cases, run.machine, run.m)) : Json(nullptr)},
          {"ways", json_of_ways(run, names)},
          {"bounds", json_of(run.bounds, names)},
          {"growth", run.growth.empty() ? Json(nullptr) : Json(renamed(run.growth, names))}};
}

}  // namespace tutti::app

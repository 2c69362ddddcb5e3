#include "app/reports/symbolic/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_line/terminal.hpp"

namespace tutti::app {

std::string_view growth_of(const Problem& problem, const Machine& machine, const std::vector<SymbolicBound>& bounds) {
  const bool even = problem.counts.empty() && problem.ranks > 1;
  const bool starts = std::any_of(bounds.begin(), bounds.end(), [](const SymbolicBound& bound) {
    return bound.name == "rounds" && !bound.time.starts.is_zero();
  });
  return machine.ports == Ports::single && even && starts ? least_growth(problem.collective) : std::string_view();
}

Json json_of(const SymbolicTime& time, const SymbolNames& names) {
  return {{"formula", text_of(time, names)}, {"ts", text_of(time.starts)},       {"tw_m", text_of(time.sizes)},
          {"tw", text_of(time.bytes)},       {"th", text_of(time.hops)},         {"tc_m", text_of(time.combined)},
          {"tc", text_of(time.operations)},  {"tr_m", text_of(time.rearranged)}, {"seconds", time.seconds}};
}

Json json_of(const TimeCases& cases, const SymbolNames& names) {
  Json all = Json::array();
  for (std::size_t at = 0; at < cases.times.size(); ++at) {
    all.push_back(json_of(cases.times[at], names));
    all.back()["where"] = where(cases, at, names);
  }
  Json elsewhere = Json::array();
  for (const SymbolicTime& time : cases.elsewhere) elsewhere.push_back(json_of(time, names));
  const bool one = cases.times.size() == 1 && cases.is_whole;
  return {{"cases", all},
          {"elsewhere", elsewhere},
          {"is_greatest", cases.is_greatest},
          {"is_whole", cases.is_whole},
          {"simplified", one ? simplified(cases.times.front(), names) : ""}};
}

Json json_of(const std::vector<SymbolicBound>& bounds, const SymbolNames& names) {
  Json all = Json::array();
  for (const SymbolicBound& bound : bounds) {
    all.push_back({{"name", bound.name},
                   {"reason", bound.reason},
                   {"time", text_of(bound.time, names)},
                   {"formula", bound.formula.empty() ? Json(nullptr) : Json(renamed(bound.formula, names))}});
  }
  return all;
}

std::string in_a_line(const TimeCases& cases, const SymbolNames& names) {
  if (cases.times.empty()) return "-";
  if (!cases.is_whole) return text_of(cases.times.front(), names) + " here";
  if (cases.times.size() == 1 && cases.elsewhere.empty()) return text_of(cases.times.front(), names);
  std::string words;
  if (cases.is_greatest) {
    for (const auto* list : {&cases.times, &cases.elsewhere}) {
      for (const SymbolicTime& time : *list) words += (words.empty() ? "max(" : ", ") + text_of(time, names);
    }
    return words + ')';
  }
  for (std::size_t at = 0; at < cases.times.size(); ++at) {
    const std::string condition = where(cases, at, names);
    words += (at == 0 ? "" : "; ") + text_of(cases.times[at], names);
    if (!condition.empty()) words += " where " + condition;
  }
  return words;
}

std::string text_of(const std::vector<SymbolicBound>& bounds, std::string_view growth, std::size_t column,
                    const SymbolNames& names) {
  std::string text;
  for (const SymbolicBound& bound : bounds) {
    const std::string time = text_of(bound.time, names);
    const std::string formula = renamed(bound.formula, names);
    const std::string any = formula.empty() || formula == time ? "" : fmt::format(" = {}", formula);
    text += titled(bound.name, fmt::format("{}{}: {}", time, any, bound.reason), column);
  }
  if (!growth.empty()) {
    text += titled("together",
                   fmt::format("Ω({}): messages and bytes bound the time at once, and the greater of two bounds is at "
                               "least half of their sum",
                               renamed(growth, names)),
                   column);
  }
  return text;
}

}  // namespace tutti::app

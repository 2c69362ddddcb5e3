#include "app/reports/symbolic/price_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/command_line/terminal.hpp"
#include "app/reports/symbolic/cases.hpp"
#include "base/integers.hpp"

namespace tutti::app {
namespace {

constexpr std::size_t column_of_bounds = 15;

// "p = 8, d = log2 p = 3"
std::string ranks_in_words(int ranks) {
  if (ranks < 2 || !is_power_of_two(ranks)) return fmt::format("p = {}", ranks);
  return fmt::format("p = {}, d = log2 p = {}", ranks, ceil_log2(ranks));
}

std::string assumptions_of(const PricingRequest& request) {
  const bool combines = reduces(request.problem.collective) && request.machine.tc == 0;
  return ranks_in_words(request.problem.ranks) + (combines ? "; tc = 0: combining is left out" : "");
}

std::string basis_in_words(const SymbolicPrice& price, const SymbolNames& names) {
  switch (price.basis) {
    case Basis::closed_form: {
      const bool cuts = price.parameters.segments > 0 && price.formula.find("S segments") != std::string::npos;
      return renamed(price.formula, names) + (cuts ? fmt::format("; S = {}", price.parameters.segments) : "");
    }
    case Basis::simulation:
      return price.cases.is_whole ? "simulated" : "simulated; at other sizes another formula";
    case Basis::upper_bound:
      return "at most " + renamed(price.formula, names);
    case Basis::none:
      break;
  }
  return "not simulated (too large)";
}

std::string winner_name(const SymbolicWinner& winner) {
  const std::string name(winner.algorithm->name);
  if (winner.first_segments == 0) return name;
  if (winner.first_segments == winner.last_segments) return fmt::format("{}, S = {}", name, winner.first_segments);
  return fmt::format("{}, S = {} to {}", name, winner.first_segments, winner.last_segments);
}

// Returns its time for the smallest of its messages, and for the longest where that is another formula.
std::string time_in_words(const SymbolicWinner& winner, const SymbolNames& names) {
  const std::string first = text_of(winner.first, names);
  return winner.first == winner.last ? first : fmt::format("{} … {}", first, text_of(winner.last, names));
}

std::vector<SymbolicPrice> in_order(const PricingRequest& request, double m) {
  std::vector<SymbolicPrice> prices = symbolic_prices(request, m);
  const auto time = [&](const SymbolicPrice& price) { return seconds(price.cases, request.machine, m); };
  std::stable_sort(prices.begin(), prices.end(), [&](const SymbolicPrice& a, const SymbolicPrice& b) {
    const bool both = a.basis != Basis::none && b.basis != Basis::none;
    return both ? time(a) < time(b) : a.basis != Basis::none && b.basis == Basis::none;
  });
  return prices;
}

std::vector<std::string_view> not_compared(const std::vector<SymbolicPrice>& prices) {
  std::vector<std::string_view> names;
  for (const SymbolicPrice& price : prices) {
    if (price.basis == Basis::none || !price.cases.is_whole) names.push_back(price.algorithm->name);
  }
  return names;
}

}  // namespace

std::string symbolic_price_text(const PricingRequest& request, double m, const SymbolNames& names) {
  const std::vector<SymbolicPrice> prices = in_order(request, m);
  std::vector<std::vector<std::string>> rows{
      {"ALGORITHM", fmt::format("TIME FOR p = {}", request.problem.ranks), "TIMES THE BOUND", "FOR ANY p"}};
  const std::vector<SymbolicBound> bounds = symbolic_bounds(request.problem, *request.topology, request.machine);
  for (const SymbolicPrice& price : prices) {
    const double factor = greatest_factor(price.cases, bounds, request.machine);
    rows.push_back({std::string(price.algorithm->name), in_a_line(price.cases, names),
                    factor > 0 ? fmt::format("<= {:.3f}", factor) : "-", basis_in_words(price, names)});
  }
  std::string text =
      screen_text(fmt::format("{} over {}, {}; {}", name_of(request.problem.collective), request.topology->name(),
                              name_of(request.machine.switching), assumptions_of(request))) +
      '\n' + screen_table(rows);
  const std::vector<SymbolicWinner> winners = symbolic_winners(request, prices);
  if (!winners.empty()) {
    std::vector<std::vector<std::string>> fastest{{"FASTEST", "WHERE", "TIME"}};
    for (std::size_t at = 0; at < winners.size(); ++at)
      fastest.push_back({winner_name(winners[at]), where(winners, at, names), time_in_words(winners[at], names)});
    text += '\n' + screen_table(fastest);
  }
  const std::vector<std::string_view> others = not_compared(prices);
  if (!others.empty()) {
    text +=
        screen_text(fmt::format("Not compared, because of too many cases or messages: {}", fmt::join(others, ", ")));
  }
  if (!bounds.empty())
    text += "\nNo algorithm takes less than\n" +
            text_of(bounds, growth_of(request.problem, request.machine, bounds), column_of_bounds, names);
  return text;
}

Json symbolic_price_json(const PricingRequest& request, double m, const SymbolNames& names) {
  const std::vector<SymbolicPrice> prices = in_order(request, m);
  const std::vector<SymbolicBound> bounds = symbolic_bounds(request.problem, *request.topology, request.machine);
  Json ranked = Json::array();
  for (const SymbolicPrice& price : prices) {
    const double factor = greatest_factor(price.cases, bounds, request.machine);
    const bool known = price.basis != Basis::none;
    ranked.push_back({{"algorithm", price.algorithm->name},
                      {"basis", known ? Json(name_of(price.basis)) : Json(nullptr)},
                      {"segments", price.parameters.segments == 0 ? Json(nullptr) : Json(price.parameters.segments)},
                      {"time", in_a_line(price.cases, names)},
                      {"greatest_ratio", factor > 0 ? Json(factor) : Json(nullptr)},
                      {"formula", price.formula.empty() ? Json(nullptr) : Json(renamed(price.formula, names))}});
    ranked.back().update(json_of(price.cases, names));
  }
  Json fastest = Json::array();
  const std::vector<SymbolicWinner> winners = symbolic_winners(request, prices);
  for (std::size_t at = 0; at < winners.size(); ++at) {
    const SymbolicWinner& winner = winners[at];
    const bool cuts = winner.first_segments != 0;
    fastest.push_back({{"algorithm", winner.algorithm->name},
                       {"where", where(winners, at, names)},
                       {"time", text_of(winner.first, names)},
                       {"segments", cuts ? Json(winner.first_segments) : Json(nullptr)}});
  }
  const std::string_view growth = growth_of(request.problem, request.machine, bounds);
  return {{"collective", name_of(request.problem.collective)},
          {"ranks", request.problem.ranks},
          {"topology", request.topology->name()},
          {"switching", name_of(request.machine.switching)},
          {"symbols", {names.ts, names.tw, names.m}},
          {"algorithms", ranked},
          {"fastest", fastest},
          {"not_compared", not_compared(prices)},
          {"bounds", json_of(bounds, names)},
          {"growth", growth.empty() ? Json(nullptr) : Json(renamed(growth, names))}};
}

}  // namespace tutti::app

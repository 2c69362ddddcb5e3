#include "app/reports/prices/price_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_line/terminal.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

std::string short_time(const PricedAlgorithm& priced) {
  const std::string time = text_of(Seconds{priced.seconds});
  switch (priced.basis) {
    case Basis::closed_form:
      return time;
    case Basis::simulation:
      return time + '*';
    case Basis::upper_bound:
      return "<= " + time;
    case Basis::none:
      break;
  }
  return "-";
}

std::string short_factor(const PriceLine& line) {
  const auto factor = times_the_bound(line.ranking.front(), line.bound);
  return factor ? fmt::format("{:.3f}", *factor) : "-";
}

// Appends name and time of the algorithm in that place; dashes where there is none.
void add_place(std::vector<std::string>& cells, const PriceLine& line, std::size_t place) {
  const bool is_known = place < line.ranking.size() && line.ranking[place].is_known();
  cells.push_back(is_known ? std::string(line.ranking[place].algorithm->name) : "-");
  cells.push_back(is_known ? short_time(line.ranking[place]) : "-");
}

TableRows rows_of_fastest(std::string_view heading, const std::vector<PriceLine>& lines) {
  TableRows rows{{std::string(heading), "FASTEST", "TIME", "RUNNER-UP", "TIME", "TIMES THE BOUND"}};
  for (const PriceLine& line : lines) {
    std::vector<std::string>& cells = rows.emplace_back(1, line.label);
    add_place(cells, line, 0);
    add_place(cells, line, 1);
    cells.push_back(short_factor(line));
  }
  return rows;
}

// In the order of their names, which is that of every line.
std::vector<std::string_view> names_in(const std::vector<PriceLine>& lines) {
  std::vector<std::string_view> names;
  for (const PriceLine& line : lines) {
    for (const PricedAlgorithm& priced : line.ranking) names.push_back(priced.algorithm->name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

TableRows rows_of_each(std::string_view heading, const std::vector<PriceLine>& lines) {
  const std::vector<std::string_view> names = names_in(lines);
  TableRows rows{{std::string(heading)}};
  for (const std::string_view name : names) rows.front().emplace_back(name);
  if (names.size() > 1) rows.front().emplace_back("FASTEST");
  rows.front().emplace_back("TIMES THE BOUND");
  for (const PriceLine& line : lines) {
    std::vector<std::string>& cells = rows.emplace_back(1, line.label);
    for (const std::string_view name : names) {
      const auto found = std::find_if(line.ranking.begin(), line.ranking.end(),
                                      [&](const PricedAlgorithm& priced) { return priced.algorithm->name == name; });
      cells.push_back(found == line.ranking.end() ? "-" : short_time(*found));
    }
    const PricedAlgorithm& best = line.ranking.front();
    if (names.size() > 1) cells.push_back(best.is_known() ? std::string(best.algorithm->name) : "-");
    cells.push_back(short_factor(line));
  }
  return rows;
}

// Sources of the times in the table: each formula once, and the meaning of the stars.
std::string bases_below(const std::vector<PriceLine>& lines, std::size_t places) {
  std::vector<std::pair<std::string_view, std::string_view>> formulas;
  std::size_t longest = 0;
  bool simulates = false;
  for (const PriceLine& line : lines) {
    for (std::size_t k = 0; k < std::min(places, line.ranking.size()); ++k) {
      const PricedAlgorithm& priced = line.ranking[k];
      simulates = simulates || priced.basis == Basis::simulation;
      const bool has_form = priced.basis == Basis::closed_form || priced.basis == Basis::upper_bound;
      const std::pair<std::string_view, std::string_view> formula(priced.algorithm->name, priced.formula);
      if (!has_form || std::find(formulas.begin(), formulas.end(), formula) != formulas.end()) continue;
      formulas.push_back(formula);
      longest = std::max(longest, formula.first.size());
    }
  }
  std::string text;
  for (const auto& [name, formula] : formulas) text += titled(fmt::format("  {}", name), formula, longest + 3);
  if (!text.empty()) text = "By the formulas:\n" + text;
  return simulates ? text + "* simulated, because no formula holds here\n" : text;
}

}  // namespace

std::optional<double> times_the_bound(const PricedAlgorithm& priced, const LowerBound& bound) {
  return priced.is_known() && bound.seconds > 0 ? std::optional(priced.seconds / bound.seconds) : std::nullopt;
}

std::string short_table(std::string_view heading, const std::vector<PriceLine>& lines, PriceColumns columns) {
  constexpr std::size_t shown_places = 2;
  if (columns == PriceColumns::each) {
    return screen_table_in_parts(rows_of_each(heading, lines)) + '\n' +
           bases_below(lines, lines.front().ranking.size());
  }
  return screen_table(rows_of_fastest(heading, lines), {5}) + '\n' + bases_below(lines, shown_places);
}

}  // namespace tutti::app

#include "app/reports/prices/price_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/prices/price_table.hpp"
#include "base/units.hpp"
#include "pricing/pricing_in_words.hpp"

namespace tutti::app {
namespace {

std::string how_known(const PricedAlgorithm& priced, const Parameters& asked) {
  const int segments = priced.parameters.segments;
  switch (priced.basis) {
    case Basis::closed_form:
      // Algorithms that cut nothing have the number that was asked for, too.
      if (segments > 0 && priced.formula.find("S segments") != std::string::npos)
        return fmt::format("{}; S = {}", priced.formula, segments);
      return priced.formula;
    case Basis::simulation:
      return segments > 0 && asked.segments == 0 ? fmt::format("simulated; S = {}", segments) : "simulated";
    case Basis::upper_bound:
      return fmt::format("at most {}", priced.formula);
    case Basis::none:
      break;
  }
  return "not simulated (too large)";
}

std::string table_for(Prices& prices, std::int64_t bytes) {
  const LowerBound bound = prices.bound(bytes);
  std::vector<std::vector<std::string>> rows{{"ALGORITHM", "TIME", "TIMES THE BOUND", "BY"}};
  for (const PricedAlgorithm& priced : prices.ranking(bytes)) {
    const auto factor = times_the_bound(priced, bound);
    rows.push_back({std::string(priced.algorithm->name),
                    priced.basis != Basis::none ? text_of(Seconds{priced.seconds}) : "-",
                    factor ? fmt::format("{:.3f}", *factor) : "-", how_known(priced, prices.request().parameters)});
  }
  return screen_text(fmt::format("{}: no algorithm takes less than {} ({}: {})", text_of(Bytes{bytes}),
                                 text_of(Seconds{bound.seconds}), bound.name, bound.reason)) +
         screen_table(rows);
}

Json ranked_json(const PricedAlgorithm& priced, const LowerBound& bound) {
  const auto factor = times_the_bound(priced, bound);
  const bool known = priced.basis != Basis::none;
  const bool own_source = priced.form && !priced.form->source.empty();
  return Json{{"algorithm", priced.algorithm->name},
              {"basis", known ? Json(name_of(priced.basis)) : Json(nullptr)},
              {"formula", priced.form ? Json(priced.formula) : Json(nullptr)},
              {"segments", priced.parameters.segments == 0 ? Json(nullptr) : Json(priced.parameters.segments)},
              {"seconds", known ? Json(priced.seconds) : Json(nullptr)},
              {"ratio", factor ? Json(*factor) : Json(nullptr)},
              {"source", own_source ? priced.form->source : priced.algorithm->source}};
}

Json json_for(Prices& prices, std::int64_t bytes) {
  const LowerBound bound = prices.bound(bytes);
  Json ranked = Json::array();
  for (const PricedAlgorithm& priced : prices.ranking(bytes)) ranked.push_back(ranked_json(priced, bound));
  return Json{{"bytes", bytes},
              {"lower_bound",
               {{"seconds", bound.seconds}, {"name", bound.name}, {"reason", bound.reason}, {"source", bound.source}}},
              {"algorithms", ranked}};
}

std::vector<std::string_view> names_of(const std::vector<const Algorithm*>& algorithms) {
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms) names.push_back(algorithm->name);
  return names;
}

std::string winners_text(Prices& prices, const WinnerRanges& winners) {
  if (!winners.looks_between && winners.all.empty())
    return screen_text("Who is fastest at other sizes takes too long to simulate; name the sizes: --bytes A..B");
  if (winners.all.empty()) return "";
  std::string text = winners.looks_between ? "Fastest, by size:\n" : "Fastest, of the sizes above:\n";
  for (const WinnerRange& range : winners.all) {
    const bool simulated = prices.price_of(*range.algorithm, range.sizes.least).basis == Basis::simulation;
    text += fmt::format("  {} to {}: {}{}\n", text_of(Bytes{range.sizes.least}), text_of(Bytes{range.sizes.most}),
                        range.algorithm->name, simulated ? " (simulated)" : "");
  }
  const std::vector<std::string_view> unknown = names_of(prices.unknown());
  if (!unknown.empty())
    text += screen_text(fmt::format("Not compared, because too large to simulate: {}", fmt::join(unknown, ", ")));
  return text;
}

}  // namespace

bool has_one_size(const Problem& problem) {
  return problem.collective == Collective::barrier || !problem.counts.empty();
}

Json report_json(Prices& prices, const WinnerRanges& winners) {
  Json shown_sizes = Json::array();
  for (const std::int64_t bytes : prices.listed()) shown_sizes.push_back(json_for(prices, bytes));
  Json reigning = Json::array();
  for (const WinnerRange& range : winners.all) {
    reigning.push_back(Json{{"from_bytes", range.sizes.least},
                            {"to_bytes", range.sizes.most},
                            {"algorithm", range.algorithm->name},
                            {"basis", name_of(prices.price_of(*range.algorithm, range.sizes.least).basis)}});
  }
  const PricingRequest& pricing = prices.request();
  const Machine& m = pricing.machine;
  const Json traffic = pricing.beyond_forms ? json_of_traffic(pricing.traffic) : Json(nullptr);
  return Json{{"collective", name_of(pricing.problem.collective)},
              {"ranks", pricing.problem.ranks},
              {"topology", pricing.topology->name()},
              {"switching", name_of(m.switching)},
              {"machine", {{"ts", m.ts}, {"tw", m.tw}, {"th", m.th}, {"tc", m.tc}}},
              {"traffic", traffic},
              {"sizes", shown_sizes},
              {"winners", reigning},
              {"winners_between_sizes", winners.looks_between},
              {"not_simulated", names_of(prices.unknown())}};
}

std::string network_line(const PricingRequest& pricing) {
  return screen_text(fmt::format("{} over {}, {}", name_of(pricing.problem.collective), pricing.topology->name(),
                                 costs_in_words(pricing))) +
         '\n';
}

std::string report_text(Prices& prices, const WinnerRanges& winners) {
  std::vector<std::string> parts;
  for (const std::int64_t bytes : prices.listed()) parts.push_back(table_for(prices, bytes));
  if (!has_one_size(prices.request().problem)) parts.push_back(winners_text(prices, winners));
  std::erase(parts, "");
  return network_line(prices.request()) + fmt::format("{}", fmt::join(parts, "\n"));
}

std::string short_report_text(Prices& prices, const WinnerRanges& winners, PriceColumns columns) {
  std::vector<PriceLine> lines;
  for (const std::int64_t bytes : prices.listed())
    lines.push_back({text_of(Bytes{bytes}), prices.ranking(bytes), prices.bound(bytes)});
  const std::string ranges = winners_text(prices, winners);
  return network_line(prices.request()) + short_table("SIZE", lines, columns) + (ranges.empty() ? "" : "\n" + ranges);
}

}  // namespace tutti::app

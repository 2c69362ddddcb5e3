#include "app/price_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/terminal.hpp"
#include "app/traffic_options.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

// Above the bound by which factor; none where nothing can be compared.
std::optional<double> ratio(const Offer& offer, const LowerBound& bound) {
  const bool known = offer.basis != Basis::none;
  return known && bound.seconds > 0 ? std::optional(offer.seconds / bound.seconds) : std::nullopt;
}

std::string how_known(const Offer& offer, const Parameters& asked) {
  const int segments = offer.parameters.segments;
  switch (offer.basis) {
    case Basis::closed_form:
      // Algorithms that cut nothing have the number that was asked for, too.
      if (segments > 0 && offer.formula.find("S segments") != std::string::npos)
        return fmt::format("{}; S = {}", offer.formula, segments);
      return offer.formula;
    case Basis::simulation:
      return segments > 0 && asked.segments == 0 ? fmt::format("simulated; S = {}", segments) : "simulated";
    case Basis::upper_bound:
      return fmt::format("at most {}", offer.formula);
    case Basis::none:
      break;
  }
  return "not simulated (too large)";
}

std::string table_for(Prices& prices, std::int64_t bytes) {
  const LowerBound bound = prices.bound(bytes);
  std::vector<std::vector<std::string>> rows{{"ALGORITHM", "TIME", "TIMES THE BOUND", "BY"}};
  for (const Offer& offer : prices.offers(bytes)) {
    const auto factor = ratio(offer, bound);
    rows.push_back({std::string(offer.algorithm->name),
                    offer.basis != Basis::none ? text_of(Seconds{offer.seconds}) : "-",
                    factor ? fmt::format("{:.3f}", *factor) : "-", how_known(offer, prices.question().parameters)});
  }
  return screen_text(fmt::format("{}: no algorithm takes less than {} ({}: {})", text_of(Bytes{bytes}),
                                 text_of(Seconds{bound.seconds}), bound.name, bound.reason)) +
         screen_table(rows);
}

Json json_of(const Offer& offer, const LowerBound& bound) {
  const auto factor = ratio(offer, bound);
  const bool known = offer.basis != Basis::none;
  const bool own_source = offer.form && !offer.form->source.empty();
  return Json{{"algorithm", offer.algorithm->name},
              {"basis", known ? Json(name_of(offer.basis)) : Json(nullptr)},
              {"formula", offer.form ? Json(offer.formula) : Json(nullptr)},
              {"segments", offer.parameters.segments == 0 ? Json(nullptr) : Json(offer.parameters.segments)},
              {"seconds", known ? Json(offer.seconds) : Json(nullptr)},
              {"ratio", factor ? Json(*factor) : Json(nullptr)},
              {"source", own_source ? offer.form->source : offer.algorithm->source}};
}

Json json_for(Prices& prices, std::int64_t bytes) {
  const LowerBound bound = prices.bound(bytes);
  Json ranked = Json::array();
  for (const Offer& offer : prices.offers(bytes)) ranked.push_back(json_of(offer, bound));
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

std::string winners_text(Prices& prices, const Reigns& winners) {
  if (!winners.looks_between && winners.all.empty())
    return screen_text("Who is fastest at other sizes takes too long to simulate; name the sizes: --bytes A..B");
  if (winners.all.empty()) return "";
  std::string text = winners.looks_between ? "Fastest, by size:\n" : "Fastest, of the sizes above:\n";
  for (const Reign& reign : winners.all) {
    const bool simulated = prices.offer(*reign.algorithm, reign.sizes.least).basis == Basis::simulation;
    text += fmt::format("  {} to {}: {}{}\n", text_of(Bytes{reign.sizes.least}), text_of(Bytes{reign.sizes.most}),
                        reign.algorithm->name, simulated ? " (simulated)" : "");
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

Json report_json(Prices& prices, const Reigns& winners) {
  Json shown_sizes = Json::array();
  for (const std::int64_t bytes : prices.listed()) shown_sizes.push_back(json_for(prices, bytes));
  Json reigning = Json::array();
  for (const Reign& reign : winners.all) {
    reigning.push_back(Json{{"from_bytes", reign.sizes.least},
                            {"to_bytes", reign.sizes.most},
                            {"algorithm", reign.algorithm->name},
                            {"basis", name_of(prices.offer(*reign.algorithm, reign.sizes.least).basis)}});
  }
  const Question& question = prices.question();
  const Machine& m = question.machine;
  const Json traffic = question.beyond_forms ? json_of_traffic(question.traffic) : Json(nullptr);
  return Json{{"collective", name_of(question.problem.collective)},
              {"ranks", question.problem.ranks},
              {"topology", question.topology->name()},
              {"switching", name_of(m.switching)},
              {"machine", {{"ts", m.ts}, {"tw", m.tw}, {"th", m.th}, {"tc", m.tc}}},
              {"traffic", traffic},
              {"sizes", shown_sizes},
              {"winners", reigning},
              {"winners_between_sizes", winners.looks_between},
              {"not_simulated", names_of(prices.unknown())}};
}

std::string report_text(Prices& prices, const Reigns& winners) {
  const Question& question = prices.question();
  std::string text = screen_text(fmt::format("{} over {}, {}", name_of(question.problem.collective),
                                             question.topology->name(), costs_in_words(question))) +
                     '\n';
  std::vector<std::string> parts;
  for (const std::int64_t bytes : prices.listed()) parts.push_back(table_for(prices, bytes));
  if (!has_one_size(question.problem)) parts.push_back(winners_text(prices, winners));
  std::erase(parts, "");
  return text + fmt::format("{}", fmt::join(parts, "\n"));
}

}  // namespace tutti::app

#include "app/reports/search_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_line/terminal.hpp"
#include "base/units.hpp"
#include "pricing/pricing_in_words.hpp"

namespace tutti::app {
namespace {

constexpr std::size_t most_listed = 12;

std::string basis_in_words(const PricedAlgorithm& priced) {
  if (priced.basis == Basis::simulation) return "simulated";
  return fmt::format("{}{}", priced.basis == Basis::upper_bound ? "at most " : "", priced.formula);
}

std::vector<std::string> row_of(const PricedWay& way, std::string_view size) {
  const Parameters& parameters = way.priced.parameters;
  return {std::string(size),
          text_of(Seconds{way.priced.seconds}),
          way.ratio > 0 ? fmt::format("{:.3f}", way.ratio) : "-",
          std::string(way.priced.algorithm->name),
          parameters.segments == 0 ? "-" : fmt::format("{}", parameters.segments),
          parameters.radix == 0 ? "-" : fmt::format("{}", parameters.radix),
          parameters.grid.empty() ? "-" : text_of(parameters.grid),
          fmt::format("{}", way.root),
          way.embedding.empty() ? "-" : way.embedding,
          basis_in_words(way.priced)};
}

}  // namespace

std::string text_of(const std::vector<PricedWays>& found, const PricingRequest& pricing) {
  std::vector<std::vector<std::string>> rows{
      {"SIZE", "TIME", "TIMES THE BOUND", "ALGORITHM", "SEGMENTS", "RADIX", "GRID", "ROOT", "EMBEDDING", "BY"}};
  std::size_t known = 0;
  int unknown = 0;
  for (const PricedWays& ways : found) {
    const std::size_t listed = found.size() == 1 ? std::min(ways.known.size(), most_listed) : 1;
    for (std::size_t k = 0; k < std::min(listed, ways.known.size()); ++k)
      rows.push_back(row_of(ways.known[k], text_of(Bytes{ways.bytes})));
    known = std::max(known, ways.tried);
    unknown = std::max(unknown, ways.unknown);
  }
  const std::string more = unknown == 0 ? "" : fmt::format("; {} more are too large to simulate", unknown);
  return screen_text(fmt::format("{} over {}, {}", name_of(pricing.problem.collective), pricing.topology->name(),
                                 costs_in_words(pricing))) +
         '\n' + screen_table(rows, {8, 7, 2, 5, 6}) +
         screen_text(fmt::format(
             "{} ways were searched{}; - is the algorithm's own, and rank r in the network's place r.", known, more));
}

Json json_of(const std::vector<PricedWays>& found, const PricingRequest& pricing) {
  Json sizes = Json::array();
  for (const PricedWays& ways : found) {
    Json list = Json::array();
    for (std::size_t k = 0; k < std::min(ways.known.size(), most_listed); ++k) {
      const PricedWay& way = ways.known[k];
      const Parameters& parameters = way.priced.parameters;
      list.push_back({{"algorithm", way.priced.algorithm->name},
                      {"segments", parameters.segments == 0 ? Json(nullptr) : Json(parameters.segments)},
                      {"radix", parameters.radix == 0 ? Json(nullptr) : Json(parameters.radix)},
                      {"grid", parameters.grid.empty() ? Json(nullptr) : Json(text_of(parameters.grid))},
                      {"root", way.root},
                      {"embedding", way.embedding.empty() ? Json(nullptr) : Json(way.embedding)},
                      {"basis", name_of(way.priced.basis)},
                      {"seconds", way.priced.seconds},
                      {"ratio", way.ratio > 0 ? Json(way.ratio) : Json(nullptr)}});
    }
    sizes.push_back({{"bytes", ways.bytes}, {"ways", list}, {"known", ways.tried}, {"unknown", ways.unknown}});
  }
  return Json{{"collective", name_of(pricing.problem.collective)},
              {"ranks", pricing.problem.ranks},
              {"topology", pricing.topology->name()},
              {"sizes", sizes}};
}

}  // namespace tutti::app

#include "pricing/pricing_in_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

#include "base/units.hpp"
#include "pricing/prices.hpp"

namespace tutti {
namespace {

// "1us", or what it is inside and between nodes where one of them is its own.
std::string by_level(double all, const std::optional<double>& inside, const std::optional<double>& between) {
  const std::string within = text_of(Seconds{inside.value_or(all)});
  const std::string beyond = text_of(Seconds{between.value_or(all)});
  return within == beyond ? within : fmt::format("{} inside and {} between nodes", within, beyond);
}

}  // namespace

std::string traffic_in_words(const SimulationOptions& traffic) {
  std::vector<std::string> words;
  if (traffic.routing != Routing::own) words.push_back(fmt::format("routing {}", name_of(traffic.routing)));
  if (traffic.background.messages > 0)
    words.push_back(counted(traffic.background.messages, "message") + " in the background");
  if (traffic.injection > 0)
    words.push_back(fmt::format("{} a byte at each rank", text_of(Seconds{traffic.injection})));
  if (traffic.eager) words.push_back(fmt::format("sends of up to {} buffered", text_of(Bytes{*traffic.eager})));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string costs_in_words(const PricingRequest& request) {
  const Machine& m = request.machine;
  const NodeLinks links = request.node_links.value_or(NodeLinks());
  const std::string traffic = traffic_in_words(request.traffic);
  return fmt::format("{}; ts = {}, tw = {}, th = {}, tc = {}{}{}", name_of(m.switching),
                     by_level(m.ts, links.inside.ts, links.between.ts),
                     by_level(m.tw, links.inside.tw, links.between.tw), text_of(Seconds{m.th}), text_of(Seconds{m.tc}),
                     traffic.empty() ? "" : "; ", traffic);
}

std::string_view name_of(Basis basis) {
  switch (basis) {
    case Basis::closed_form:
      return "closed-form";
    case Basis::simulation:
      return "simulation";
    case Basis::upper_bound:
      return "upper-bound";
    case Basis::none:
      break;
  }
  return "";
}

}  // namespace tutti

#include "app/options/traffic_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/units.hpp"
#include "tutti/error.hpp"

namespace tutti::app {
namespace {

// "16" or, with a seed, "16:7".
std::pair<std::string_view, unsigned> parse_seeded(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  unsigned seed = 0;
  if (colon < text.size())
    seed = static_cast<unsigned>(parse_integer(text.substr(colon + 1), "a seed", 0, std::int64_t{1} << 31));
  return {text.substr(0, colon), seed};
}

void set_routing(TrafficRequest& request, std::string_view text) {
  const auto [name, seed] = parse_seeded(text);
  std::vector<std::string_view> names;
  for (const Routing routing : all_routings()) {
    names.push_back(name_of(routing));
    if (names.back() != name) continue;
    request.routing = routing;
    request.routing_seed = seed;
    return;
  }
  fail(ErrorCode::invalid_argument, "there is no routing '{}'; {}", name, nearest_in_words(name, names));
}

Background parse_background(std::string_view text) {
  constexpr std::int64_t most = 1 << 16;
  const auto [count, seed] = parse_seeded(text);
  return {static_cast<int>(parse_integer(count, "a number of messages in the background", 0, most)), seed};
}

}  // namespace

void set_traffic(TrafficRequest& traffic, std::string_view key, const std::string& text) {
  if (key == "routing") set_routing(traffic, text);
  if (key == "background") traffic.background = parse_background(text);
  if (key == "injection") traffic.injection = parse_seconds(text).count;
  if (key == "eager") traffic.eager = parse_bytes(text).count;
}

void take_traffic(TrafficRequest& traffic, const TrafficWords& words, const std::set<std::string>& given,
                  const std::string& file) {
  for (const auto& [key, text] : words) {
    if (given.contains(key)) continue;
    try {
      set_traffic(traffic, key, text);
    } catch (const Error& error) {
      fail(error.code(), "{}: \"{}\": {}", file, key, error.what());
    }
  }
}

std::string_view beyond_forms(const TrafficRequest& traffic) {
  if (traffic.routing != Routing::own) return "--routing";
  if (traffic.background.messages > 0) return "--background";
  if (traffic.injection > 0) return "--injection";
  return traffic.eager ? "--eager" : "";
}

SimulationOptions options_of(const TrafficRequest& traffic) {
  return {.routing = traffic.routing,
          .routing_seed = traffic.routing_seed,
          .background = traffic.background,
          .injection = traffic.injection,
          .eager = traffic.eager};
}

TrafficWords words_of(const SimulationOptions& traffic) {
  TrafficWords words;
  if (traffic.routing != Routing::own)
    words.emplace_back("routing", fmt::format("{}:{}", name_of(traffic.routing), traffic.routing_seed));
  if (traffic.background.messages > 0)
    words.emplace_back("background", fmt::format("{}:{}", traffic.background.messages, traffic.background.seed));
  if (traffic.injection > 0) words.emplace_back("injection", fmt::format("{}s", traffic.injection));
  if (traffic.eager) words.emplace_back("eager", fmt::format("{}B", *traffic.eager));
  return words;
}

}  // namespace tutti::app

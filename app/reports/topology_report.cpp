#include "app/reports/topology_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/explain/hops.hpp"
#include "base/units.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "draw/scene/network.hpp"
#include "pricing/pricing_in_words.hpp"
#include "simulate/traffic_on_links.hpp"

namespace tutti::app {
namespace {

Problem problem_on(const Topology& topology, Collective collective, std::int64_t bytes) {
  Problem problem{.collective = collective, .ranks = topology.ranks()};
  problem.count = collective == Collective::barrier ? 0 : bytes;
  problem.distance = collective == Collective::shift ? 1 : 0;
  return problem;
}

// Nothing where so many ranks cannot have so many bytes.
std::optional<LowerBound> bound_of(const DescribedNetwork& network, Collective collective, std::int64_t bytes) {
  const Problem problem = problem_on(*network.topology, collective, bytes);
  if (problem.count > largest_count(problem)) return std::nullopt;
  return lower_bound(problem, 1, *network.topology, network.machine, network.traffic.injection);
}

std::string time_of(const std::optional<LowerBound>& bound) {
  return bound ? tutti::text_of(Seconds{bound->seconds}) : "-";
}

// Four digits say as much as anybody compares.
std::string number(double value) { return fmt::format("{:.4g}", value); }
std::string count(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? grouped(std::llround(value)) : number(value);
}
template <typename Value>
std::string known(const std::optional<Value>& value) {
  return value ? count(static_cast<double>(*value)) : "-";
}
std::string distance(const std::optional<double>& value) { return value ? number(*value) : "-"; }

// Share of the ways between all pairs of ranks that the fullest link carries, with a routing that is not the network's
// own.
struct Fullest {
  std::int64_t ways = 0;
  double mean = 0;  // mean over all links
};

// Nothing where the ways depend on the load, or there are too many to look at.
std::optional<Fullest> fullest_link(const Topology& topology, const SimulationOptions& traffic) {
  constexpr int most_ranks = 512;
  const int p = topology.ranks();
  if (traffic.routing == Routing::own || looks_at_load(traffic.routing) || p > most_ranks || topology.links() == 0)
    return std::nullopt;
  HashedWays ways(topology, traffic.routing_seed);
  std::vector<std::int64_t> carried(static_cast<std::size_t>(topology.links()));
  std::vector<LinkId> path;
  std::int64_t all = 0;
  for (int from = 0; from < p; ++from) {
    for (int to = 0; to < p; ++to) {
      if (from == to) continue;
      path.clear();
      ways.append(traffic.routing, from, to, static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(p) + to,
                  path);
      for (const LinkId link : path) ++carried[static_cast<std::size_t>(link)];
      all += static_cast<std::int64_t>(path.size());
    }
  }
  return Fullest{*std::max_element(carried.begin(), carried.end()),
                 static_cast<double>(all) / static_cast<double>(topology.links())};
}

std::string degree_of(const Metrics& m) {
  if (!m.degree) return "-";
  return *m.least_degree == *m.degree ? fmt::format("{}", *m.degree) : fmt::format("{}-{}", *m.least_degree, *m.degree);
}

// "1 cable", "4 cables", "2-4 cables".
std::string numbered(const std::string& number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == "1" ? "" : "s");
}

// Returns the lines about the network, each with its name.
std::vector<std::pair<std::string_view, std::string>> lines_of(const DescribedNetwork& network) {
  const Metrics& m = network.metrics;
  std::vector<std::pair<std::string_view, std::string>> lines;
  const auto line = [&](std::string_view title, const std::string& words) { lines.emplace_back(title, words); };
  line("Nodes", numbered(std::to_string(m.ranks), "rank") +
                    (m.switches == 0 ? "" : ", " + counted(m.switches, "switch", "switches")));
  line("Links", fmt::format("{}, one way each, in {}", count(m.links), numbered(count(m.cables), "cable")));
  line("Degree", fmt::format("{} a rank{}", m.degree ? numbered(degree_of(m), "cable") : "not known how many cables",
                             m.switch_degree ? fmt::format(", {} a switch at most", *m.switch_degree) : ""));
  line("Diameter", m.diameter ? numbered(std::to_string(*m.diameter), "link") : "not known for so many ranks");
  if (m.mean_distance)
    line("Mean distance", fmt::format("{} between different ranks; {} if each rank also counts itself, at distance 0",
                                      numbered(number(*m.mean_distance), "link"), number(*m.mean_distance_with_self)));
  line("Bisection", m.bisection ? fmt::format("{}, each way", numbered(count(*m.bisection), "lane"))
                                : "not known: the family names none, and it is searched for up to 16 ranks alone");
  if (const std::string traffic = traffic_in_words(network.traffic); !traffic.empty()) line("Traffic", traffic);
  if (const auto fullest = fullest_link(*network.topology, network.traffic))
    line("Fullest link", fmt::format("{} of the ways between all pairs of ranks; the mean is {}", fullest->ways,
                                     number(fullest->mean)));
  line("Cost", fmt::format("{} in all cables", numbered(count(m.lanes), "lane")));
  return lines;
}

std::string bounds_text(const DescribedNetwork& network, std::int64_t bytes) {
  std::vector<std::vector<std::string>> rows{{"COLLECTIVE", "AT LEAST", "BY", "BECAUSE"}};
  for (const Collective collective : all_collectives()) {
    const auto bound = bound_of(network, collective, bytes);
    rows.push_back({std::string(name_of(collective)), time_of(bound), std::string(bound ? bound->name : "-"),
                    std::string(bound ? bound->reason : "more than 2^62 bytes would move")});
  }
  const Machine& machine = network.machine;
  return screen_text(fmt::format("No algorithm takes less for {} ({}, ts = {}, tw = {}):", text_of(Bytes{bytes}),
                                 name_of(machine.switching), text_of(Seconds{machine.ts}),
                                 text_of(Seconds{machine.tw}))) +
         screen_table(rows);
}

// The collectives whose bounds a comparison shows: of whole messages, of blocks, and of all pairs.
constexpr std::array compared{Collective::broadcast, Collective::all_reduce, Collective::all_to_all};

template <typename Value>
Json json_of(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string text_of(const DescribedNetwork& network, std::int64_t bytes) {
  std::string text = network.topology->name() + "\n\n";
  for (const auto& [title, words] : lines_of(network)) text += titled(title, words, 14);
  if (const auto hops = hops_of(*network.topology)) text += titled("All-to-all", in_words(*hops), 14);
  return text + '\n' + bounds_text(network, bytes);
}

std::string comparison(const std::vector<DescribedNetwork>& networks, std::int64_t bytes) {
  std::vector<std::vector<std::string>> rows{
      {"TOPOLOGY", "RANKS", "SWITCHES", "CABLES", "DEGREE", "DIAMETER", "MEAN", "BISECTION", "COST"}};
  for (const Collective collective : compared) rows.front().push_back(fmt::format("{} >=", name_of(collective)));
  for (const DescribedNetwork& network : networks) {
    const Metrics& m = network.metrics;
    rows.push_back({network.topology->name(), std::to_string(m.ranks), std::to_string(m.switches), count(m.cables),
                    degree_of(m), known(m.diameter), distance(m.mean_distance), known(m.bisection), count(m.lanes)});
    for (const Collective collective : compared) rows.back().push_back(time_of(bound_of(network, collective, bytes)));
  }
  const std::string table = screen_table(rows, {2, 8, 4, 3, 6, 9, 11});
  const bool has_means = table.find("MEAN") != std::string::npos;
  return table + '\n' +
         screen_text(fmt::format("{} for {}.",
                                 has_means ? "Mean distances are between different ranks; bounds are" : "Bounds are",
                                 tutti::text_of(Bytes{bytes})));
}

Json json_of(const DescribedNetwork& network, std::int64_t bytes) {
  const Metrics& m = network.metrics;
  Json bounds = Json::array();
  for (const Collective collective : all_collectives()) {
    const auto bound = bound_of(network, collective, bytes);
    if (!bound) continue;
    bounds.push_back({{"collective", name_of(collective)},
                      {"seconds", bound->seconds},
                      {"name", bound->name},
                      {"reason", bound->reason},
                      {"source", bound->source}});
  }
  const auto hops = hops_of(*network.topology);
  return Json{{"topology", network.topology->name()},
              {"ranks", m.ranks},
              {"switches", m.switches},
              {"links", m.links},
              {"cables", m.cables},
              {"lanes", m.lanes},
              {"least_degree", json_of(m.least_degree)},
              {"degree", json_of(m.degree)},
              {"switch_degree", json_of(m.switch_degree)},
              {"diameter", json_of(m.diameter)},
              {"mean_distance", json_of(m.mean_distance)},
              {"mean_distance_with_self", json_of(m.mean_distance_with_self)},
              {"bisection", json_of(m.bisection)},
              {"hops", hops ? json_of(*hops) : Json(nullptr)},
              {"traffic", traffic_in_words(network.traffic).empty() ? Json(nullptr) : json_of_traffic(network.traffic)},
              {"bytes", bytes},
              {"lower_bounds", bounds}};
}

std::string drawing_of(const DescribedNetwork& network) {
  std::vector<std::string> lines;
  for (const auto& [title, words] : lines_of(network)) lines.push_back(fmt::format("{}: {}", title, words));
  return draw::svg_of(draw::arrangement_of(*network.topology), network.topology->name(), lines);
}

}  // namespace tutti::app

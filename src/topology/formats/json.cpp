/// @file
/// Networks from JSON.

#include <limits>
#include <map>

#include "base/check.hpp"
#include "base/text/json.hpp"
#include "base/units.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

using nlohmann::json;

// A million cables, each with its costs, in about a gigabyte.
constexpr JsonLimits limits{.depth = 3, .values = std::size_t{1} << 23};

[[noreturn]] void refuse(const std::string& name, std::string_view what) {
  fail(ErrorCode::invalid_argument, "{}: {}", name, what);
}

int whole_number(const json& object, const char* key, const std::string& where, std::optional<int> otherwise = {}) {
  const auto found = object.find(key);
  if (found == object.end() && otherwise) return *otherwise;
  const bool fits = found != object.end() && found->is_number_integer() &&
                    (found->is_number_unsigned() ? found->get<std::uint64_t>() <= std::numeric_limits<int>::max()
                                                 : found->get<std::int64_t>() >= 0);
  if (!fits)
    refuse(where, fmt::format("\"{}\" must be a whole number from 0 to {}", key, std::numeric_limits<int>::max()));
  return found->get<int>();
}

std::optional<double> quantity(const json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!found->is_number()) refuse(where, fmt::format("\"{}\" must be a number", key));
  return found->get<double>();
}

// Seconds: a number, or a text with a unit.
std::optional<double> time_in(const json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return quantity(object, key, where);
  try {
    return parse_seconds(found->get<std::string>()).count;
  } catch (const Error& error) {
    refuse(where, fmt::format("\"{}\": {}", key, error.what()));
  }
}

void check_keys(const json& object, std::initializer_list<std::string_view> known, const std::string& where) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      refuse(where, fmt::format("\"{}\" is not one of its keys: {}", key, fmt::join(known, ", ")));
    }
  }
}

void add_link(GraphDescription& graph, const json& entry, std::size_t index) {
  const std::string where = fmt::format("{}: link {}", graph.name, index);
  if (!entry.is_object()) refuse(where, "must be an object with \"from\" and \"to\"");
  check_keys(entry, {"from", "to", "lanes", "ts", "tw", "th", "directed"}, where);
  Link link{.from = whole_number(entry, "from", where), .to = whole_number(entry, "to", where)};
  link.cost.lanes = quantity(entry, "lanes", where).value_or(1);
  link.cost.ts = time_in(entry, "ts", where);
  link.cost.tw = time_in(entry, "tw", where);
  link.cost.th = time_in(entry, "th", where);
  const auto directed = entry.find("directed");
  if (directed != entry.end() && !directed->is_boolean()) refuse(where, "\"directed\" must be true or false");
  if (directed != entry.end() && directed->get<bool>()) {
    graph.links.push_back(link);
  } else {
    add_cable(graph, link.from, link.to, link.cost);
  }
}

TrafficWords traffic_in(const json& document, const std::string& where) {
  TrafficWords words;
  for (const char* key : {"routing", "background", "injection", "eager"}) {
    const auto found = document.find(key);
    if (found == document.end()) continue;
    if (!found->is_string() && !found->is_number())
      refuse(where, fmt::format("\"{}\" must be a text such as --{} takes, or a number", key, key));
    words.emplace_back(key, found->is_string() ? found->get<std::string>() : found->dump());
  }
  return words;
}

Forwarding forwarding_in(const json& document, const std::string& where) {
  const auto found = document.find("forwarding");
  if (found == document.end()) return Forwarding::hardware;
  for (const Forwarding each : {Forwarding::hardware, Forwarding::ranks}) {
    if (found->is_string() && found->get<std::string>() == name_of(each)) return each;
  }
  refuse(where, fmt::format("\"forwarding\" must be \"hardware\" or \"ranks\", not {}", found->dump()));
}

}  // namespace

TopologyPtr topology_from_json(std::string_view text, std::string name, TrafficWords* traffic) {
  const json document = read_json(text, name, limits);
  if (!document.is_object()) refuse(name, "must be an object with \"ranks\", \"switches\" and \"links\"");
  check_keys(document, {"ranks", "switches", "links", "forwarding", "routing", "background", "injection", "eager"},
             name);
  const TrafficWords words = traffic_in(document, name);
  if (traffic != nullptr) *traffic = words;
  GraphDescription graph{.name = std::move(name)};
  graph.ranks = whole_number(document, "ranks", graph.name);
  graph.switches = whole_number(document, "switches", graph.name, 0);
  graph.forwarding = forwarding_in(document, graph.name);
  const auto links = document.find("links");
  if (links == document.end() || !links->is_array()) refuse(graph.name, "\"links\" must be a list");
  for (std::size_t k = 0; k < links->size(); ++k) add_link(graph, (*links)[k], k);
  return graph_topology(std::move(graph));
}

namespace {

json entry_of(const Link& link, bool directed) {
  json entry{{"from", link.from}, {"to", link.to}};
  if (link.cost.lanes != 1) entry["lanes"] = link.cost.lanes;
  if (link.cost.ts) entry["ts"] = *link.cost.ts;
  if (link.cost.tw) entry["tw"] = *link.cost.tw;
  if (link.cost.th) entry["th"] = *link.cost.th;
  if (directed) entry["directed"] = true;
  return entry;
}

}  // namespace

std::string json_of_topology(const Topology& topology, const TrafficWords& traffic) {
  check_table(topology.name(), topology.ranks(), topology.nodes());
  const GraphDescription graph = graph_of(topology);
  std::map<std::pair<int, int>, LinkCost> links;
  for (const Link& link : graph.links) links.emplace(std::pair(link.from, link.to), link.cost);
  std::vector<std::string> lines;
  for (const auto& [ends, cost] : links) {
    const auto [from, to] = ends;
    const auto back = links.find({to, from});
    const bool cable = back != links.end() && back->second == cost;
    if (cable && to < from) continue;
    Link link{from, to, cost};
    // A file has no time a byte for all of its links.
    if (!link.cost.tw) link.cost.tw = topology.usual_tw();
    lines.push_back("  " + entry_of(link, !cable).dump());
  }
  std::string others;
  if (topology.forwarding() == Forwarding::ranks) others = "\"forwarding\": \"ranks\", ";
  for (const auto& [key, words] : traffic) others += fmt::format("{}: {}, ", json(key).dump(), json(words).dump());
  return fmt::format("{{\"ranks\": {}, \"switches\": {}, {}\"links\": [\n{}\n]}}\n", graph.ranks, graph.switches,
                     others, fmt::join(lines, ",\n"));
}

}  // namespace tutti

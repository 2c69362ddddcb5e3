#include "app/network.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>

#include "app/nodes.hpp"
#include "app/traffic_options.hpp"
#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "base/units.hpp"
#include "topology/graph.hpp"
#include "topology/named.hpp"

namespace tutti::app {
namespace {

Switching parse_switching(std::string_view text) {
  static constexpr std::array all{Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta};
  std::vector<std::string_view> names;
  for (const Switching switching : all) {
    if (name_of(switching) == text) return switching;
    names.push_back(name_of(switching));
  }
  fail(ErrorCode::invalid_argument, "there is no switching '{}'; {}", text, nearest_in_words(text, names));
}

Ports parse_ports(std::string_view text) {
  if (text == "single") return Ports::single;
  if (text == "multiple") return Ports::multiple;
  fail(ErrorCode::invalid_argument, "ranks have 'single' or 'multiple' ports, not '{}'", text);
}

// The grid in "mesh:4x4", "torus:…" and "linear:…"; empty elsewhere.
Shape grid_in(const std::string& words) {
  const std::size_t colon = words.find(':');
  const std::string_view family = std::string_view(words).substr(0, colon);
  const bool grid = family == "mesh" || family == "torus" || family == "linear";
  return grid && words.find('x', colon) != std::string::npos ? parse_grid(std::string_view(words).substr(colon + 1))
                                                             : Shape{};
}

}  // namespace

std::string read_file(const std::string& name) {
  constexpr std::streamoff most = std::streamoff{256} << 20;
  std::error_code unknown;
  require(!std::filesystem::is_directory(name, unknown), "'{}' is a folder; name a file", name);
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  require(file.good(), "the file '{}' cannot be read: {}", name, std::generic_category().message(errno));
  const std::streamoff size = file.tellg();
  require(size >= 0 && size <= most, "the file '{}' is no file of at most 256 MiB", name);
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0).read(text.data(), size);
  require(file.good() || size == 0, "the file '{}' cannot be read", name);
  return text;
}

Network parse_network(const std::string& text) {
  if (text.ends_with(".json")) {
    Network network;
    network.topology = topology_from_json(read_file(text), text, &network.traffic);
    TrafficRequest valid;  // also for commands that simulate nothing
    take_traffic(valid, network.traffic, {}, text);
    return network;
  }
  if (text.ends_with(".xml")) return {topology_from_hwloc(read_file(text), text), {}};
  if (text.ends_with(".txt")) return {topology_from_nvidia_smi(read_file(text), text), {}};
  require(text.substr(0, text.find(':')).find_first_of("./") == std::string::npos,
          "a network's file ends with .json, .xml (from lstopo) or .txt (from nvidia-smi), not as '{}' does", text);
  return {topology_named(text), grid_in(text)};
}

std::shared_ptr<bool> add_message_costs(Command& command, Request& request, Machine& machine) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&machine, read](const std::string& text) { read(machine, text); });
  };
  add("--switching", "HOW", "store-and-forward, cut-through or alpha-beta (the default)",
      [](Machine& m, const std::string& text) { m.switching = parse_switching(text); });
  add("--ts", "TIME", "alpha, for each message (1us)",
      [](Machine& m, const std::string& text) { m.ts = parse_seconds(text).count; });
  const auto names_tw = std::make_shared<bool>(false);
  add("--tw", "TIME", "beta, for each byte on one lane (1ns; 0.04ns on networks from nvidia-smi)",
      [names_tw](Machine& m, const std::string& text) {
        m.tw = parse_seconds(text).count;
        *names_tw = true;
      });
  return names_tw;
}

void add_machine(Command& command, Request& request, Machine& machine) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&machine, read](const std::string& text) { read(machine, text); });
  };
  const auto names_tw = add_message_costs(command, request, machine);
  request.complete = [&request, &machine, names_tw] {
    if (!*names_tw && request.topology) machine.tw = request.topology->usual_tw().value_or(machine.tw);
  };
  add_node_links(command, request);
  add("--th", "TIME", "for each hop, with cut-through (0)",
      [](Machine& m, const std::string& text) { m.th = parse_seconds(text).count; });
  add("--tc", "TIME", "gamma, for each byte that is combined (0)",
      [](Machine& m, const std::string& text) { m.tc = parse_seconds(text).count; });
  add("--packet", "SIZE", "store and forward in packets of this size; 0 for whole messages (0)",
      [](Machine& m, const std::string& text) { m.packet = parse_bytes(text).count; });
  add("--ports", "HOW", "single: one send and one receive at a time (the default); or multiple",
      [](Machine& m, const std::string& text) { m.ports = parse_ports(text); });
}

void check_switching(const Machine& machine) {
  require(machine.th == 0 || machine.switching == Switching::cut_through,
          "--th counts with --switching cut-through alone, not with {}; leave it out, or name that switching",
          name_of(machine.switching));
  require(machine.packet == 0 || machine.switching == Switching::store_and_forward,
          "--packet counts with --switching store-and-forward alone, not with {}; leave it out, or name that switching",
          name_of(machine.switching));
}

TopologyPtr network_of(const Request& request) {
  if (const TopologyPtr nodes = network_of_nodes(request)) return nodes;
  if (request.topology) return request.topology;
  require(request.ranks.has_value(), "a network is needed, or a number of ranks: --topology ring:8 or --ranks 8");
  require(request.ranks->first == request.ranks->last, "one number of ranks is needed, not a range");
  return full_topology(request.ranks->first);
}

std::string node_in_words(const Topology& topology, int node) {
  return node < topology.ranks() ? fmt::format("{}", node) : fmt::format("S{}", node - topology.ranks());
}

}  // namespace tutti::app

#include "app/options/machine_options.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line/files.hpp"
#include "app/glossary/glossary.hpp"
#include "app/options/node_options.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/units.hpp"
#include "topology/graph.hpp"

namespace tutti::app {
namespace {

Switching parse_switching(std::string_view text) {
  static constexpr std::array all{Switching::store_and_forward, Switching::cut_through, Switching::alpha_beta};
  // Letters of the sources, which have the formula of cut-through for packets.
  static constexpr std::array<std::pair<std::string_view, Switching>, 7> short_names{{
      {"sf", Switching::store_and_forward},
      {"s&f", Switching::store_and_forward},
      {"ct", Switching::cut_through},
      {"packet", Switching::cut_through},
      {"packet-routing", Switching::cut_through},
      {"wormhole", Switching::cut_through},
      {"ab", Switching::alpha_beta},
  }};
  const std::string usual = usual_word(text);
  std::vector<std::string_view> names;
  for (const Switching switching : all) {
    if (name_of(switching) == usual) return switching;
    names.push_back(name_of(switching));
  }
  for (const auto& [name, switching] : short_names) {
    if (name == usual) return switching;
    names.push_back(name);
  }
  fail(ErrorCode::invalid_argument, "there is no switching '{}'; {}", text, nearest_in_words(text, names));
}

Ports parse_ports(std::string_view text) {
  if (text == "single") return Ports::single;
  if (text == "multiple") return Ports::multiple;
  fail(ErrorCode::invalid_argument, "ranks have 'single' or 'multiple' ports, not '{}'", text);
}

Forwarding parse_forwarding(std::string_view text) {
  if (text == name_of(Forwarding::hardware)) return Forwarding::hardware;
  if (text == name_of(Forwarding::ranks)) return Forwarding::ranks;
  fail(ErrorCode::invalid_argument, "messages are forwarded by 'hardware' or by 'ranks', not by '{}'", text);
}

}  // namespace

std::shared_ptr<bool> add_message_costs(Command& command, Request& request, Machine& machine) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&machine, read](const std::string& text) { read(machine, text); });
  };
  add("--switching", "HOW", "store-and-forward (sf), cut-through (ct, packet) or alpha-beta (the default)",
      [](Machine& m, const std::string& text) { m.switching = parse_switching(text); });
  add("--ts,--alpha", "TIME", "alpha, for each message (1us)",
      [](Machine& m, const std::string& text) { m.ts = parse_seconds(text).count; });
  add("--forwarding", "hardware|ranks",
      "Who forwards a message that passes a rank: hardware, or the rank for one more ts (the network's own)",
      [](Machine& m, const std::string& text) { m.forwarding = parse_forwarding(text); });
  const auto names_tw = std::make_shared<bool>(false);
  add("--tw,--beta", "TIME", "beta, for each byte on one lane (1ns; an NVLink's, 0.04ns, on networks from nvidia-smi)",
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
    require(machine.tr == 0 || request.collective == Collective::all_to_all,
            "--tr counts in all-to-all by mesh and hypercube alone; leave it out");
  };
  add_node_links(command, request);
  add("--th", "TIME", "for each hop, with cut-through (0)",
      [](Machine& m, const std::string& text) { m.th = parse_seconds(text).count; });
  add("--tc", "TIME", "gamma, for each byte that is combined (0)",
      [](Machine& m, const std::string& text) { m.tc = parse_seconds(text).count; });
  add("--tr", "TIME",
      "for each byte that an all-to-all by mesh or hypercube sorts in a rank's memory before a phase (0)",
      [](Machine& m, const std::string& text) { m.tr = parse_seconds(text).count; });
  add("--packet", "SIZE", "store and forward in packets of this size; 0 for whole messages (0)",
      [](Machine& m, const std::string& text) { m.packet = parse_bytes(text).count; });
  add("--ports", "single|multiple", "single: one send and one receive at a time (the default); or multiple",
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

}  // namespace tutti::app

#include "app/reports/packet_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/command_line/terminal.hpp"
#include "app/options/machine_options.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t most_packets = 16;
constexpr std::size_t most_links = 16;
constexpr std::size_t most_messages = 8;

using Times = std::vector<std::vector<double>>;  // by packet, then by link: when the packet has left it

Times times_of(const TimelineMessage& message, const std::vector<LinkId>& path, const Topology& topology,
               const Machine& machine) {
  const std::int64_t packet = std::min(machine.packet, message.bytes);
  const std::int64_t packets = (message.bytes + packet - 1) / packet;
  const double ts = topology.link(path.front()).cost.ts.value_or(machine.ts);
  Times times;
  std::vector<double> left(path.size(), message.begin + ts);  // by link, of the packet before
  for (std::int64_t k = 0; k < packets; ++k) {
    const auto bytes = static_cast<double>(std::min(packet, message.bytes - k * packet));
    double there = message.begin + ts;
    for (std::size_t hop = 0; hop < path.size(); ++hop) {
      there = std::max(there, left[hop]) + bytes * link_time(machine, topology, path[hop]);
      left[hop] = there;
    }
    times.push_back(left);
  }
  return times;
}

std::string table_for(const TimelineMessage& message, const std::vector<LinkId>& path, const Times& times,
                      const Topology& topology) {
  std::vector<std::vector<std::string>> rows{{"PACKET"}};
  for (const LinkId id : path) {
    const Link link = topology.link(id);
    rows.front().push_back(fmt::format("{}-{}", node_in_words(topology, link.from), node_in_words(topology, link.to)));
  }
  const auto shown = std::min<std::size_t>(times.size(), most_packets);
  for (std::size_t k = 0; k < shown; ++k) {
    rows.push_back({fmt::format("{}", k + 1)});
    for (const double time : times[k]) rows.back().push_back(text_of(Seconds{time}));
  }
  const std::string more = shown < times.size() ? fmt::format("and {} more\n", times.size() - shown) : "";
  return fmt::format("\nPackets of the message {}-{}, when each has left each link:\n{}{}", message.from, message.to,
                     screen_table_in_parts(rows), more);
}

}  // namespace

std::string packets_text(const Simulation& result, const Topology& topology, const Machine& machine) {
  if (machine.packet == 0 || machine.switching != Switching::store_and_forward) return {};
  std::string text;
  std::size_t told = 0;
  for (const TimelineMessage& message : result.timeline) {
    const std::vector<LinkId> path = route_of(topology, message.from, message.to);
    // Too many packets to list each by itself, or to find when each has left each link.
    constexpr std::int64_t too_many_packets = std::int64_t{1} << 20;
    if (message.bytes / machine.packet > too_many_packets) continue;
    if (message.bytes == 0 || path.empty() || path.size() > most_links || told == most_messages) continue;
    const Times times = times_of(message, path, topology, machine);
    // A message that met others took longer than its packets alone.
    const double end = times.back().back();
    if (std::abs(end - message.end) > 1e-9 * message.end) continue;
    text += table_for(message, path, times, topology);
    ++told;
  }
  return text;
}

namespace {

double startup(const Topology& topology, const Machine& machine, const std::vector<LinkId>& path) {
  return topology.link(path.front()).cost.ts.value_or(machine.ts);
}

draw::PacketPanel titled_panel(std::string_view how, double prepared, double end) {
  return {.title = fmt::format("{}: {}", how, text_of(Seconds{end})), .prepared = prepared, .end = end, .bars = {}};
}

// Packets of `machine.packet` bytes, one behind the other.
draw::PacketPanel forwarded(std::string_view how, const TimelineMessage& message, const std::vector<LinkId>& path,
                            const Topology& topology, const Machine& machine) {
  const Times times = times_of(message, path, topology, machine);
  draw::PacketPanel panel = titled_panel(how, startup(topology, machine, path), times.back().back());
  const std::int64_t packet = std::min(machine.packet, message.bytes);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto bytes = static_cast<double>(std::min(packet, message.bytes - static_cast<std::int64_t>(k) * packet));
    for (std::size_t hop = 0; hop < path.size(); ++hop) {
      const double end = times[k][hop];
      panel.bars.push_back({hop, static_cast<int>(k) + 1, end - bytes * link_time(machine, topology, path[hop]), end});
    }
  }
  return panel;
}

// The header goes from link to link; what follows it is on all of them at once, as fast as the slowest.
draw::PacketPanel cut_through(const TimelineMessage& message, const std::vector<LinkId>& path, const Topology& topology,
                              const Machine& machine) {
  double slowest = 0;
  for (const LinkId link : path) slowest = std::max(slowest, link_time(machine, topology, link));
  const double data = slowest * static_cast<double>(message.bytes);
  const double prepared = startup(topology, machine, path);
  draw::PacketPanel panel;
  double there = prepared;
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    const double header = topology.link(path[hop]).cost.th.value_or(machine.th);
    if (header > 0) panel.bars.push_back({hop, 0, there, there + header});
    there += header;
    panel.bars.push_back({hop, 1, there, there + data});
  }
  const draw::PacketPanel titled = titled_panel("cut-through", prepared, there + data);
  panel.title = titled.title;
  panel.prepared = prepared;
  panel.end = titled.end;
  return panel;
}

}  // namespace

PacketDiagram packet_diagram(const TimelineMessage& message, const Topology& topology, const Machine& machine) {
  constexpr std::size_t most_hops = 32;
  constexpr std::int64_t most_drawn = 64;
  const std::vector<LinkId> path = route_of(topology, message.from, message.to);
  require(path.size() <= most_hops, "the message {}-{} crosses {} links, too many to draw; take at most {}",
          message.from, message.to, path.size(), most_hops);
  require(machine.packet == 0 || message.bytes / machine.packet < most_drawn,
          "{} in packets of {} are too many to draw; take larger packets: --packet {}", text_of(Bytes{message.bytes}),
          text_of(Bytes{machine.packet}), text_of(Bytes{message.bytes / 16}));
  PacketDiagram diagram{.title = fmt::format("{} from {} to {} on {}, hop by hop", text_of(Bytes{message.bytes}),
                                             message.from, message.to, topology.name()),
                        .links = {},
                        .panels = {}};
  for (const LinkId id : path) {
    const Link link = topology.link(id);
    diagram.links.push_back(fmt::format("{}-{}", node_in_words(topology, link.from), node_in_words(topology, link.to)));
  }
  TimelineMessage alone = message;
  alone.begin = 0;
  Machine whole = machine;
  whole.packet = message.bytes;
  diagram.panels.push_back(forwarded("store-and-forward, whole", alone, path, topology, whole));
  if (machine.packet > 0)
    diagram.panels.push_back(forwarded(fmt::format("store-and-forward, packets of {}", text_of(Bytes{machine.packet})),
                                       alone, path, topology, machine));
  diagram.panels.push_back(cut_through(alone, path, topology, machine));
  return diagram;
}

}  // namespace tutti::app

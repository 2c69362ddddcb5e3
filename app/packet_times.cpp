#include "app/packet_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/terminal.hpp"
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

std::string node_name(const Topology& topology, int node) {
  return node < topology.ranks() ? fmt::format("{}", node) : fmt::format("S{}", node - topology.ranks());
}

std::string table_for(const TimelineMessage& message, const std::vector<LinkId>& path, const Times& times,
                      const Topology& topology) {
  std::vector<std::vector<std::string>> rows{{"PACKET"}};
  for (const LinkId id : path) {
    const Link link = topology.link(id);
    rows.front().push_back(fmt::format("{}-{}", node_name(topology, link.from), node_name(topology, link.to)));
  }
  const auto shown = std::min<std::size_t>(times.size(), most_packets);
  for (std::size_t k = 0; k < shown; ++k) {
    rows.push_back({fmt::format("{}", k + 1)});
    for (const double time : times[k]) rows.back().push_back(text_of(Seconds{time}));
  }
  const std::string more = shown < times.size() ? fmt::format("and {} more\n", times.size() - shown) : "";
  return fmt::format("\nPackets of the message {}-{}, when each has left each link:\n{}{}", message.from, message.to,
                     screen_table(rows), more);
}

}  // namespace

std::string packets_text(const Simulation& result, const Topology& topology, const Machine& machine) {
  if (machine.packet == 0 || machine.switching != Switching::store_and_forward) return {};
  std::string text;
  std::size_t told = 0;
  for (const TimelineMessage& message : result.timeline) {
    const std::vector<LinkId> path = route_of(topology, message.from, message.to);
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

}  // namespace tutti::app

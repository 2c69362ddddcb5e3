#include "simulate/traffic_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "simulate/traffic_on_links.hpp"

namespace tutti {
namespace {

/// Returns the bytes that all links together carry in a second; 0 where one takes no time for a byte. Links over which
/// no route leads count, too, which makes the bound lower.
double capacity(const Topology& topology, const Machine& machine) {
  if (topology.uniform()) return machine.tw > 0 ? static_cast<double>(topology.links()) / machine.tw : 0;
  double all = 0;
  for (LinkId link = 0; link < topology.links(); ++link) {
    const double seconds = link_time(machine, topology, link);
    if (seconds <= 0) return 0;
    all += 1 / seconds;
  }
  return all;
}

/// Calls `see(to, bytes)` for each message of the rank that goes to another one.
template <typename See>
void for_each_message_of(int rank, std::span<const Move> moves, See&& see) {
  for (const Move& move : moves) {
    if (move.kind == OpKind::send && move.bytes > 0 && move.peer != rank) see(move.peer, move.bytes);
  }
}

/// Calls `see(from, to, bytes)` for each message that goes to another rank.
template <typename See>
void for_each_message(const Workload& workload, See&& see) {
  for (int rank = 0; rank < workload.ranks(); ++rank) {
    const std::size_t begin = workload.begin(rank);
    for_each_message_of(rank, workload.moves().subspan(begin, workload.begin(rank + 1) - begin),
                        [&](int to, std::int64_t bytes) { see(rank, to, bytes); });
  }
}

constexpr std::int64_t most_messages_summed = std::int64_t{1} << 21;
constexpr double rounding_of_traffic = 1 + 1e-9;

double seconds_of_fullest_link(const Workload& workload, const Topology& topology, const Machine& machine) {
  std::vector<std::int64_t> carried(static_cast<std::size_t>(topology.links()));
  std::vector<LinkId> route;
  for_each_message(workload, [&](int from, int to, std::int64_t bytes) {
    route.clear();
    topology.route(from, to, route);
    for (const LinkId link : route) carried[static_cast<std::size_t>(link)] += bytes;
  });
  double longest = 0;
  for (std::size_t link = 0; link < carried.size(); ++link) {
    if (carried[link] == 0) continue;
    const double seconds = link_time(machine, topology, static_cast<LinkId>(link));
    longest = std::max(longest, static_cast<double>(carried[link]) * seconds);
  }
  return longest;
}

}  // namespace

double least_seconds_of_traffic(const Workload& workload, const Topology& topology, const Machine& machine,
                                Routing routing) {
  constexpr std::int64_t most_hops = std::int64_t{1} << 22;
  if (topology.dedicated() || leaves_shortest(routing)) return 0;
  const double bytes_a_second = capacity(topology, machine);
  if (bytes_a_second <= 0) return 0;
  double carried = 0;
  std::int64_t hops = 0;
  for_each_message(workload, [&](int from, int to, std::int64_t bytes) {
    const int distance = topology.distance(from, to);
    hops += distance;
    carried += static_cast<double>(bytes) * distance;
  });
  const double evenly = carried / bytes_a_second;
  if (routing != Routing::own || hops > most_hops) return evenly;
  return std::max(evenly, seconds_of_fullest_link(workload, topology, machine));
}

bool traffic_is_too_long(const Workload& workload, const Topology& topology, const Machine& machine,
                         const SimulationOptions& options) {
  return options.until && workload.messages() <= most_messages_summed &&
         least_seconds_of_traffic(workload, topology, machine, options.routing) > *options.until * rounding_of_traffic;
}

TrafficSoFar::TrafficSoFar(const Topology& topology, const Machine& machine, const SimulationOptions& options,
                           std::int64_t messages)
    : topology_(topology) {
  if (!options.until || messages > most_messages_summed || topology.dedicated() || leaves_shortest(options.routing))
    return;
  bytes_a_second_ = capacity(topology, machine);
  most_seconds_ = *options.until * rounding_of_traffic;
}

bool TrafficSoFar::add(int rank, std::span<const Move> moves) {
  if (bytes_a_second_ <= 0) return true;
  for_each_message_of(rank, moves, [&](int to, std::int64_t bytes) {
    carried_ += static_cast<double>(bytes) * topology_.distance(rank, to);
  });
  return carried_ / bytes_a_second_ <= most_seconds_;
}

}  // namespace tutti

#include "topology/cuts/capacities.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace tutti {
namespace {

__extension__ using Wide = __int128;

// The unit, where capacities have no common measure: this part of the least, or of the greatest where that is larger.
constexpr double parts_of_least = 1 << 10;
constexpr double parts_of_greatest = 1 << 30;

struct Speed {
  int from = 0;
  int to = 0;
  double bytes_a_second = 0;
};

std::vector<Speed> speeds_of(const Topology& topology, const Machine& machine) {
  std::vector<Speed> speeds;
  double all = 0;
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    const double time = link_time(machine, topology, id);
    speeds.push_back({link.from, link.to, time > 0 ? 1 / time : 0});
    all += speeds.back().bytes_a_second;
  }
  require(all > 0 || speeds.empty(), "{}: bytes cost nothing on any link, so that nothing limits what flows",
          topology.name());
  for (Speed& speed : speeds) {
    if (speed.bytes_a_second <= 0) speed.bytes_a_second = all;
  }
  return speeds;
}

// The greatest number of which all speeds are multiples, if it is the least of them or a small part of it.
double common_measure(const std::vector<Speed>& speeds, double least) {
  constexpr int most_parts = 64;
  constexpr double alike = 1e-9;
  for (int parts = 1; parts <= most_parts; ++parts) {
    const bool all = std::all_of(speeds.begin(), speeds.end(), [&](const Speed& speed) {
      const double multiple = speed.bytes_a_second / least * parts;
      return multiple < parts_of_greatest && std::abs(multiple - std::round(multiple)) <= alike * multiple;
    });
    if (all) return least / parts;
  }
  return 0;
}

}  // namespace

std::int64_t Capacities::out_of(int node) const {
  std::int64_t sum = 0;
  for (int other = 0; other < nodes_; ++other) sum += at(node, other);
  return sum;
}

std::int64_t Capacities::into(int node) const {
  std::int64_t sum = 0;
  for (int other = 0; other < nodes_; ++other) sum += at(other, node);
  return sum;
}

std::int64_t Capacities::out_of(const std::vector<char>& inside) const {
  std::int64_t sum = 0;
  for (int from = 0; from < nodes_; ++from) {
    if (!inside[static_cast<std::size_t>(from)]) continue;
    for (int to = 0; to < nodes_; ++to) sum += inside[static_cast<std::size_t>(to)] ? 0 : at(from, to);
  }
  return sum;
}

Capacities Capacities::reversed() const {
  Capacities turned(ranks_, nodes_);
  for (int from = 0; from < nodes_; ++from) {
    for (int to = 0; to < nodes_; ++to) turned.at(to, from) = at(from, to);
  }
  return turned;
}

Capacities Capacities::with_nodes(int more) const {
  Capacities larger(ranks_, nodes_ + more);
  for (int from = 0; from < nodes_; ++from) {
    for (int to = 0; to < nodes_; ++to) larger.at(from, to) = at(from, to);
  }
  return larger;
}

Capacities Capacities::times(std::int64_t a, std::int64_t b) const {
  Capacities scaled = *this;
  for (std::int64_t& each : scaled.each_) each = static_cast<std::int64_t>(Wide{each} * a / b);
  return scaled;
}

void check_nodes(const Topology& topology) {
  require(topology.nodes() <= most_nodes_with_capacities, "{}: {} nodes are too many for its flows; take at most {}",
          topology.name(), topology.nodes(), most_nodes_with_capacities);
}

MeasuredCapacities capacities_of(const Topology& topology, const Machine& machine) {
  check_nodes(topology);
  const std::vector<Speed> speeds = speeds_of(topology, machine);
  MeasuredCapacities measured{.capacities = {topology.ranks(), topology.nodes()}, .unit = 1};
  if (speeds.empty()) return measured;
  const auto [least, greatest] = std::minmax_element(
      speeds.begin(), speeds.end(), [](const Speed& a, const Speed& b) { return a.bytes_a_second < b.bytes_a_second; });
  measured.unit = common_measure(speeds, least->bytes_a_second);
  measured.exact = measured.unit > 0;
  if (!measured.exact)
    measured.unit = std::max(least->bytes_a_second / parts_of_least, greatest->bytes_a_second / parts_of_greatest);
  for (const Speed& speed : speeds) {
    const double multiple = speed.bytes_a_second / measured.unit;
    const double whole = measured.exact ? std::round(multiple) : std::floor(multiple * (1 + 1e-12));
    measured.capacities.at(speed.from, speed.to) += std::max<std::int64_t>(1, static_cast<std::int64_t>(whole));
  }
  return measured;
}

}  // namespace tutti

#include "simulate/traffic_on_links.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tutti {

LinkTraffic::LinkTraffic(const Topology& topology) {
  if (topology.dedicated()) return;
  constexpr LinkId most_links = LinkId{1} << 27;
  require(topology.links() <= most_links, "{} has {} links; a simulation keeps track of at most {}", topology.name(),
          topology.links(), most_links);
  records_.resize(static_cast<std::size_t>(topology.links()));
}

int LinkTraffic::enter(LinkId link, std::int64_t bytes) {
  Record& r = record(link);
  r.bytes += bytes;
  most_shared_ = std::max(most_shared_, ++r.now);
  return r.now;
}

std::optional<LinkLoad> LinkTraffic::busiest() const {
  const auto busiest = std::max_element(records_.begin(), records_.end(),
                                        [](const Record& a, const Record& b) { return a.bytes < b.bytes; });
  if (busiest == records_.end() || busiest->bytes == 0) return std::nullopt;
  return LinkLoad{busiest - records_.begin(), busiest->bytes};
}

std::vector<LinkLoad> LinkTraffic::loads() const {
  std::vector<LinkLoad> loads;
  for (std::size_t link = 0; link < records_.size(); ++link) {
    if (records_[link].bytes > 0) loads.push_back({static_cast<LinkId>(link), records_[link].bytes});
  }
  return loads;
}

void choose_route(const Topology& topology, Routing routing, const LinkTraffic& traffic, int from, int to,
                  std::vector<LinkId>& path) {
  if (routing == Routing::own || !traffic.shared()) return topology.route(from, to, path);
  std::vector<LinkId> choices;
  for (int at = from; at != to;) {
    choices.clear();
    topology.choices(at, to, choices);
    const LinkId best = *std::min_element(choices.begin(), choices.end(), [&](LinkId a, LinkId b) {
      return traffic.carried_now(a) < traffic.carried_now(b);
    });
    path.push_back(best);
    at = topology.link(best).to;
  }
}

}  // namespace tutti

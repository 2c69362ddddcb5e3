#include "simulate/traffic_on_links.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tutti {

LinkTraffic::LinkTraffic(const Topology& topology, bool pairs_repeat, bool adaptive)
    : topology_(topology), sparse_(topology.dedicated() && pairs_repeat) {
  if (topology.dedicated()) return;
  constexpr LinkId most_links = LinkId{1} << 27;
  require(topology.links() <= most_links, "{} has {} links; a simulation keeps track of at most {}", topology.name(),
          topology.links(), most_links);
  records_.resize(static_cast<std::size_t>(topology.links()));
  if (adaptive) expected_.resize(records_.size());
}

void LinkTraffic::enter(LinkId link, std::int64_t bytes) {
  Record& r = record(link);
  r.bytes += bytes;
  most_shared_ = std::max(most_shared_, ++r.now);
}

// The link's number here, where links are recorded one by one.
void LinkTraffic::number(LinkId& link) {
  const auto [at, is_new] = numbers_.try_emplace(link, static_cast<LinkId>(records_.size()));
  if (is_new) {
    require(at->second < most_sparse, "the messages cross more than {} links of {}, which is too many", most_sparse,
            topology_.name());
    records_.emplace_back();
    network_numbers_.push_back(link);
  }
  link = at->second;
}

LinkId LinkTraffic::network_number(std::size_t record) const {
  return sparse_ ? network_numbers_[record] : static_cast<LinkId>(record);
}

std::optional<LinkLoad> LinkTraffic::busiest() const {
  const auto busiest = std::max_element(records_.begin(), records_.end(),
                                        [](const Record& a, const Record& b) { return a.bytes < b.bytes; });
  if (sparse_ || busiest == records_.end() || busiest->bytes == 0) return std::nullopt;
  return LinkLoad{busiest - records_.begin(), busiest->bytes};
}

std::vector<LinkLoad> LinkTraffic::loads() const {
  std::vector<LinkLoad> loads;
  for (std::size_t k = 0; k < records_.size(); ++k) {
    if (records_[k].bytes > 0) loads.push_back({network_number(k), records_[k].bytes});
  }
  if (sparse_)
    std::sort(loads.begin(), loads.end(), [](const LinkLoad& a, const LinkLoad& b) { return a.link < b.link; });
  return loads;
}

LinkId LinkTraffic::least_loaded(int at, int to) {
  choices_.clear();
  topology_.choices(at, to, choices_);
  return *std::min_element(choices_.begin(), choices_.end(), [&](LinkId a, LinkId b) {
    return expected_[static_cast<std::size_t>(a)] < expected_[static_cast<std::size_t>(b)];
  });
}

void LinkTraffic::choose_route(Routing routing, int from, int to, std::vector<LinkId>& path) {
  const std::size_t begin = path.size();
  if (routing == Routing::own || expected_.empty()) {
    topology_.route(from, to, path);
  } else {
    for (int at = from; at != to; at = topology_.link(path.back()).to) path.push_back(least_loaded(at, to));
  }
  for (std::size_t k = begin; k < path.size() && (sparse_ || !expected_.empty()); ++k) {
    if (sparse_) number(path[k]);
    if (!expected_.empty()) ++expected_[static_cast<std::size_t>(path[k])];
  }
}

bool pairs_repeat(const Workload& workload, const Machine& machine) {
  return machine.ports == Ports::multiple && workload.repeats_peers();
}

}  // namespace tutti

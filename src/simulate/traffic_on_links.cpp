#include "simulate/traffic_on_links.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "base/check.hpp"
#include "base/digest.hpp"

namespace tutti {
namespace {

bool meets_on_pairs(const Workload& workload, const Machine& machine, const SimulationOptions& options) {
  return options.injection > 0 || options.background.messages > 0 || leaves_shortest(options.routing) ||
         pairs_repeat(workload, machine);
}

std::uint64_t hash_of(std::initializer_list<std::uint64_t> words) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = spread(hash ^ word);
  return hash;
}

std::uint64_t bits(int number) { return static_cast<std::uint64_t>(number); }

}  // namespace

LinkTraffic::LinkTraffic(const Workload& workload, const Topology& topology, const Machine& machine,
                         const SimulationOptions& options)
    : topology_(topology),
      machine_(machine),
      options_(options),
      sparse_(topology.dedicated() && meets_on_pairs(workload, machine, options)),
      ways_(topology, options.routing_seed) {
  if (topology.dedicated()) return;
  constexpr LinkId most_links = LinkId{1} << 27;
  require(topology.links() <= most_links, "{} has {} links; a simulation keeps track of at most {}", topology.name(),
          topology.links(), most_links);
  const LinkId of_ranks = ends() == 0 ? 0 : LinkId{2} * topology.ranks();
  records_.resize(static_cast<std::size_t>(topology.links() + of_ranks));
  if (looks_at_load(options.routing)) expected_.resize(records_.size());
}

double LinkTraffic::link_time(LinkId link) const {
  const LinkId there = network_number(link);
  return there < topology_.links() ? tutti::link_time(machine_, topology_, there) : options_.injection;
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

LinkId LinkTraffic::network_number(LinkId record) const {
  return sparse_ ? network_numbers_[static_cast<std::size_t>(record)] : record;
}

std::optional<LinkLoad> LinkTraffic::busiest() const {
  if (sparse_ || records_.empty()) return std::nullopt;
  const auto last = records_.begin() + topology_.links();
  const auto busiest =
      std::max_element(records_.begin(), last, [](const Record& a, const Record& b) { return a.bytes < b.bytes; });
  if (busiest == last || busiest->bytes == 0) return std::nullopt;
  return LinkLoad{busiest - records_.begin(), busiest->bytes};
}

std::vector<LinkLoad> LinkTraffic::loads() const {
  std::vector<LinkLoad> loads;
  for (std::size_t k = 0; k < records_.size(); ++k) {
    const LinkId link = network_number(static_cast<LinkId>(k));
    if (records_[k].bytes > 0 && link < topology_.links()) loads.push_back({link, records_[k].bytes});
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

// Returns the wait of the message on the way and its time on it, in messages: those on its fullest link and itself,
// once for each link.
std::int64_t LinkTraffic::load_of(std::span<const LinkId> path) const {
  std::int32_t most = 0;
  for (const LinkId link : path) most = std::max(most, expected_[static_cast<std::size_t>(link)]);
  return (std::int64_t{most} + 1) * static_cast<std::int64_t>(path.size());
}

// UGAL: the network's own route, unless a detour is less loaded even though it is longer. Source: A. Singh,
// Load-Balanced Routing in Interconnection Networks, PhD thesis, Stanford 2005, §5.
void LinkTraffic::append_adaptive(const MessageMeeting& message, std::vector<LinkId>& path) {
  const std::size_t begin = path.size();
  topology_.route(message.from, message.to, path);
  detour_.clear();
  ways_.append_detour(message.from, message.to, message.send, detour_);
  if (load_of(detour_) >= load_of(std::span(path).subspan(begin))) return;
  path.resize(begin);
  path.insert(path.end(), detour_.begin(), detour_.end());
}

void LinkTraffic::append_way(const MessageMeeting& message, std::vector<LinkId>& path) {
  if (expected_.empty()) return ways_.append(options_.routing, message.from, message.to, message.send, path);
  if (options_.routing == Routing::adaptive) return append_adaptive(message, path);
  for (int at = message.from; at != message.to; at = topology_.link(path.back()).to)
    path.push_back(least_loaded(at, message.to));
}

PathCost LinkTraffic::choose_route(const MessageMeeting& message, std::vector<LinkId>& path) {
  const std::size_t begin = path.size();
  if (ends() > 0) path.push_back(topology_.links() + LinkId{2} * message.from);
  append_way(message, path);
  const PathCost cost = path_cost(machine_, topology_, std::span(path).subspan(begin + ends()), message.bytes);
  if (ends() > 0) path.push_back(topology_.links() + LinkId{2} * message.to + 1);
  for (std::size_t k = begin; k < path.size() && (sparse_ || !expected_.empty()); ++k) {
    if (sparse_) number(path[k]);
    if (!expected_.empty()) ++expected_[static_cast<std::size_t>(path[k])];
  }
  return cost;
}

std::vector<std::vector<LinkId>> LinkTraffic::background() {
  std::vector<std::vector<LinkId>> paths;
  for (const auto& [from, to] : random_pairs(options_.background, topology_.ranks())) {
    // The numbers of sends count from the other end.
    const MessageMeeting message{.send = ~std::uint64_t{paths.size()}, .from = from, .to = to};
    choose_route(message, paths.emplace_back());
  }
  return paths;
}

bool pairs_repeat(const Workload& workload, const Machine& machine) {
  return machine.ports == Ports::multiple && workload.repeats_peers();
}

bool leaves_shortest(Routing routing) { return routing == Routing::valiant || routing == Routing::adaptive; }
bool looks_at_load(Routing routing) { return routing == Routing::minimal_adaptive || routing == Routing::adaptive; }

void HashedWays::append_hashed(int from, int to, std::vector<LinkId>& path) {
  for (int at = from; at != to; at = topology_.link(path.back()).to) {
    choices_.clear();
    topology_.choices(at, to, choices_);
    path.push_back(choices_[hash_of({seed_, bits(from), bits(to), bits(at)}) % choices_.size()]);
  }
}

void HashedWays::append_detour(int from, int to, std::uint64_t message, std::vector<LinkId>& path) const {
  const auto ranks = static_cast<std::uint64_t>(topology_.ranks());
  const auto over = static_cast<int>(hash_of({seed_, message}) % ranks);
  topology_.route(from, over, path);
  if (over == from || over == to) {
    if (over == from) topology_.route(from, to, path);
    return;
  }
  const std::size_t there = path.size();
  topology_.route(over, to, path);
  const int before = topology_.link(path[there - 1]).from;
  if (before < topology_.ranks() || topology_.link(path[there]).to != before) return;
  path.erase(path.begin() + static_cast<std::ptrdiff_t>(there) - 1,
             path.begin() + static_cast<std::ptrdiff_t>(there) + 1);
}

void HashedWays::append(Routing routing, int from, int to, std::uint64_t message, std::vector<LinkId>& path) {
  if (routing == Routing::ecmp) return append_hashed(from, to, path);
  if (routing == Routing::valiant) return append_detour(from, to, message, path);
  topology_.route(from, to, path);
}

std::vector<std::pair<int, int>> random_pairs(const Background& background, int ranks) {
  std::vector<std::pair<int, int>> pairs;
  const auto p = static_cast<std::uint64_t>(ranks);
  for (int k = 0; k < background.messages; ++k) {
    const auto from = static_cast<int>(hash_of({background.seed, bits(k), 0}) % p);
    const auto distance = static_cast<int>(hash_of({background.seed, bits(k), 1}) % (p - 1));
    pairs.emplace_back(from, (from + 1 + distance) % ranks);
  }
  return pairs;
}

}  // namespace tutti

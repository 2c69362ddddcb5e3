#include "topology/graph.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/check.hpp"
#include "topology/cuts/graph_cuts.hpp"

namespace tutti {
namespace {

constexpr std::int64_t largest_table = std::int64_t{1} << 24;

class Graph final : public Topology, public NamesItsCuts {
 public:
  explicit Graph(GraphDescription graph) : graph_(std::move(graph)) {
    const auto n = static_cast<std::size_t>(nodes());
    out_.resize(n);
    for (std::size_t id = 0; id < graph_.links.size(); ++id) {
      out_[static_cast<std::size_t>(graph_.links[id].from)].push_back(static_cast<LinkId>(id));
    }
    uniform_ =
        std::all_of(graph_.links.begin(), graph_.links.end(), [](const Link& link) { return link.cost == LinkCost{}; });
    distances_.resize(n * static_cast<std::size_t>(ranks()));
    std::vector<std::vector<int>> into(n);
    for (const Link& link : graph_.links) into[static_cast<std::size_t>(link.to)].push_back(link.from);
    for (int rank = 0; rank < ranks(); ++rank) search_backwards(rank, into);
  }

  std::string name() const override { return graph_.name; }
  int ranks() const override { return graph_.ranks; }
  int nodes() const override { return graph_.ranks + graph_.switches; }
  LinkId links() const override { return static_cast<LinkId>(graph_.links.size()); }
  Link link(LinkId id) const override { return graph_.links[static_cast<std::size_t>(id)]; }
  bool uniform() const override { return uniform_; }
  std::optional<double> usual_tw() const override { return graph_.usual_tw; }
  Forwarding forwarding() const override { return graph_.forwarding; }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    while (from != to) {
      for (const LinkId id : out_[static_cast<std::size_t>(from)]) {
        if (!approaches(from, id, to)) continue;
        path.push_back(id);
        from = link(id).to;
        break;
      }
    }
  }

  int distance(int from, int to) const override { return distances_[index(from, to)]; }

  void choices(int at, int to, std::vector<LinkId>& links) const override {
    for (const LinkId id : out_[static_cast<std::size_t>(at)]) {
      if (approaches(at, id, to)) links.push_back(id);
    }
  }

  std::optional<double> bisection() const override { return narrowest_halving(graph_); }

  std::vector<LinkClass> link_classes() const override {
    std::vector<LinkClass> classes;
    for (const Link& link : graph_.links) add_links(classes, link.cost, 1);
    return classes;
  }
  std::optional<LinkCost> cost_at_ranks() const override { return uniform_ ? std::optional(LinkCost{}) : std::nullopt; }
  std::vector<Cut> cuts(int anchor) const override { return cuts_of(graph_, anchor); }

 private:
  std::size_t index(int node, int rank) const {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(nodes()) + static_cast<std::size_t>(node);
  }

  bool approaches(int at, LinkId id, int to) const {
    return distances_[index(link(id).to, to)] == distances_[index(at, to)] - 1;
  }

  // Breadth first from rank `goal` against the direction of the links. Ways may
  // lead through ranks as well as switches: GPUs of a cube mesh forward for one another.
  void search_backwards(int goal, const std::vector<std::vector<int>>& into) {
    constexpr int unreached = std::numeric_limits<int>::max();
    for (int node = 0; node < nodes(); ++node) distances_[index(node, goal)] = unreached;
    distances_[index(goal, goal)] = 0;
    std::vector<int> queue{goal};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const int before : into[static_cast<std::size_t>(queue[head])]) {
        int& distance = distances_[index(before, goal)];
        if (distance != unreached) continue;
        distance = distances_[index(queue[head], goal)] + 1;
        queue.push_back(before);
      }
    }
    for (int rank = 0; rank < ranks(); ++rank) {
      require(distances_[index(rank, goal)] != unreached, "{} is not connected: rank {} cannot reach rank {}",
              graph_.name, rank, goal);
    }
  }

  GraphDescription graph_;
  std::vector<std::vector<LinkId>> out_;
  bool uniform_ = true;
  std::vector<int> distances_;  // [rank][node]: links from the node to the rank
};

void check_cost(const std::string& name, const Link& link) {
  // Products and quotients of these stay numbers.
  constexpr double least = 1e-30;
  constexpr double most = 1e30;
  const auto fine = [&](double value) { return value >= least && value <= most; };
  const LinkCost& cost = link.cost;
  require(fine(cost.lanes), "{}: the link from {} to {} must have from 1e-30 to 1e30 lanes, not {}", name, link.from,
          link.to, cost.lanes);
  for (const auto& [time, what] : {std::pair(cost.ts, "ts"), std::pair(cost.tw, "tw"), std::pair(cost.th, "th")}) {
    const double seconds = time.value_or(0);
    require(seconds == 0 || fine(seconds),
            "{}: {} of the link from {} to {} must be 0, or from 1e-30 to 1e30 seconds, not {}", name, what, link.from,
            link.to, seconds);
  }
}

}  // namespace

namespace {

// Links side by side are one link with the lanes of all.
void join_parallel_links(GraphDescription& graph) {
  std::map<std::pair<int, int>, std::size_t> places;
  std::vector<Link> links;
  for (const Link& link : graph.links) {
    const auto [at, is_new] = places.try_emplace({link.from, link.to}, links.size());
    if (is_new) {
      links.push_back(link);
      continue;
    }
    LinkCost& joined = links[at->second].cost;
    require(
        link.cost.ts == joined.ts && link.cost.tw == joined.tw && link.cost.th == joined.th,
        "{}: two links from {} to {} differ in ts, tw or th; links side by side count as one with the lanes of all, "
        "so give them the same times and other lanes",
        graph.name, link.from, link.to);
    joined.lanes += link.cost.lanes;
  }
  graph.links = std::move(links);
}

}  // namespace

void check_table(const std::string& name, std::int64_t ranks, std::int64_t nodes) {
  require(nodes <= largest_table / ranks, "{}: {} nodes and {} ranks are too many for a routing table of 2^24 entries",
          name, nodes, ranks);
}

TopologyPtr graph_topology(GraphDescription graph) {
  require(graph.ranks >= 1, "{}: a network needs at least one rank, not {}", graph.name, graph.ranks);
  require(graph.switches >= 0, "{}: the number of switches is at least 0, not {}", graph.name, graph.switches);
  const std::int64_t nodes = std::int64_t{graph.ranks} + graph.switches;
  check_table(graph.name, graph.ranks, nodes);
  for (const Link& link : graph.links) {
    require(link.from >= 0 && link.from < nodes && link.to >= 0 && link.to < nodes && link.from != link.to,
            "{}: a link from {} to {} does not join two of the nodes 0 to {}", graph.name, link.from, link.to,
            nodes - 1);
    check_cost(graph.name, link);
  }
  join_parallel_links(graph);
  return std::make_shared<Graph>(std::move(graph));
}

}  // namespace tutti

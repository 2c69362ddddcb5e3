#include "topology/cuts/integer_flow.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

namespace tutti {
namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;
using Ends = std::pair<std::uint32_t, std::uint32_t>;

/// The arcs in the order of their first nodes. Every link has one of its capacity, and one back of none: of two links
/// between the same nodes, one each way, Boost would not know which of the two a flow takes back.
struct Arcs {
  std::vector<Ends> ends;
  std::vector<std::int64_t> capacities;
  std::vector<std::size_t> reverses;
};

Arcs arcs_of(const Capacities& capacities) {
  const int nodes = capacities.nodes();
  Arcs arcs;
  // Number of each pair's arc along the link, and of the arc back of the link the other way.
  std::vector<std::size_t> along(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes));
  std::vector<std::size_t> back(along.size());
  const auto place = [nodes](int from, int to) {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(nodes) + static_cast<std::size_t>(to);
  };
  const auto add = [&](int from, int to, std::int64_t capacity) {
    arcs.ends.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    arcs.capacities.push_back(capacity);
    return arcs.ends.size() - 1;
  };
  for (int from = 0; from < nodes; ++from) {
    for (int to = 0; to < nodes; ++to) {
      if (capacities.at(from, to) > 0) along[place(from, to)] = add(from, to, capacities.at(from, to));
      if (capacities.at(to, from) > 0) back[place(from, to)] = add(from, to, 0);
    }
  }
  for (std::size_t k = 0; k < arcs.ends.size(); ++k) {
    const std::size_t turned = arcs.ends[k].second * static_cast<std::size_t>(nodes) + arcs.ends[k].first;
    arcs.reverses.push_back(arcs.capacities[k] > 0 ? back[turned] : along[turned]);
  }
  return arcs;
}

}  // namespace

struct IntegerFlow::Net {
  explicit Net(const std::vector<Ends>& ends, int nodes)
      : graph(boost::edges_are_sorted, ends.begin(), ends.end(), static_cast<std::uint32_t>(nodes)) {}

  Graph graph;
  std::vector<std::int64_t> capacities;  // capacity of each edge, and what is left of it
  std::vector<std::int64_t> rooms;
  std::vector<Edge> reverses;
  int sink = 0;
};

IntegerFlow::IntegerFlow(const Capacities& capacities) {
  Arcs arcs = arcs_of(capacities);
  net_ = std::make_unique<Net>(arcs.ends, capacities.nodes());
  std::vector<Edge> edges;
  const auto range = boost::edges(net_->graph);
  for (auto edge = range.first; edge != range.second; ++edge) edges.push_back(*edge);
  for (const std::size_t reverse : arcs.reverses) net_->reverses.push_back(edges[reverse]);
  net_->capacities = std::move(arcs.capacities);
  net_->rooms = net_->capacities;
}

IntegerFlow::~IntegerFlow() = default;

std::int64_t IntegerFlow::greatest(int source, int sink) {
  net_->sink = sink;
  const auto index = boost::get(boost::edge_index, net_->graph);
  return boost::push_relabel_max_flow(net_->graph, static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(sink),
                                      boost::make_iterator_property_map(net_->capacities.begin(), index),
                                      boost::make_iterator_property_map(net_->rooms.begin(), index),
                                      boost::make_iterator_property_map(net_->reverses.begin(), index),
                                      boost::get(boost::vertex_index, net_->graph));
}

std::vector<char> IntegerFlow::sources_side() const {
  std::vector<char> side(boost::num_vertices(net_->graph), 1);
  std::vector<std::uint32_t> queue{static_cast<std::uint32_t>(net_->sink)};
  side[queue.front()] = 0;
  const auto index = boost::get(boost::edge_index, net_->graph);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const auto range = boost::out_edges(queue[head], net_->graph);
    for (auto edge = range.first; edge != range.second; ++edge) {
      const auto from = boost::target(*edge, net_->graph);
      if (side[from] == 0 || net_->rooms[get(index, net_->reverses[get(index, *edge)])] <= 0) continue;
      side[from] = 0;
      queue.push_back(static_cast<std::uint32_t>(from));
    }
  }
  return side;
}

}  // namespace tutti

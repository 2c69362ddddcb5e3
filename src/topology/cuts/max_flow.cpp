#include "topology/cuts/max_flow.hpp"

#include <algorithm>
#include <limits>

namespace tutti {
namespace {

constexpr int unreached = -2;
constexpr int at_source = -1;

}  // namespace

MaxFlow::MaxFlow(int nodes) : roles_(static_cast<std::size_t>(nodes)), net_(std::make_shared<Net>()) {
  net_->out.resize(roles_.size());
}

void MaxFlow::add_link(int from, int to, double capacity, double backwards) {
  net_->out[static_cast<std::size_t>(from)].push_back(static_cast<int>(rooms_.size()));
  net_->out[static_cast<std::size_t>(to)].push_back(static_cast<int>(rooms_.size()) + 1);
  net_->arc_ends.insert(net_->arc_ends.end(), {to, from});
  rooms_.insert(rooms_.end(), {capacity, backwards});
}

// The nearest sink that sources reach, or -1; `by` gets the arc by which each node is reached.
int MaxFlow::find_sink(std::vector<int>& by) const {
  by.assign(roles_.size(), unreached);
  std::vector<int> queue;
  for (std::size_t node = 0; node < roles_.size(); ++node) {
    if (roles_[node] != Role::source) continue;
    by[node] = at_source;
    queue.push_back(static_cast<int>(node));
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int arc : net_->out[static_cast<std::size_t>(queue[head])]) {
      const int to = net_->arc_ends[static_cast<std::size_t>(arc)];
      int& reached_by = by[static_cast<std::size_t>(to)];
      if (rooms_[static_cast<std::size_t>(arc)] <= 0 || reached_by != unreached) continue;
      reached_by = arc;
      if (roles_[static_cast<std::size_t>(to)] == Role::sink) return to;
      queue.push_back(to);
    }
  }
  return -1;
}

double MaxFlow::flow(double enough) {
  std::vector<int> by;
  while (flow_ < enough) {
    const int sink = find_sink(by);
    if (sink < 0) break;
    const auto along_way = [&](auto&& see) {
      for (int node = sink; by[static_cast<std::size_t>(node)] != at_source;) {
        const int arc = by[static_cast<std::size_t>(node)];
        see(static_cast<std::size_t>(arc));
        node = net_->arc_ends[static_cast<std::size_t>(arc ^ 1)];
      }
    };
    double room = std::numeric_limits<double>::infinity();
    along_way([&](std::size_t arc) { room = std::min(room, rooms_[arc]); });
    along_way([&](std::size_t arc) {
      rooms_[arc] -= room;
      rooms_[arc ^ 1] += room;
    });
    flow_ += room;
  }
  return flow_;
}

std::vector<char> MaxFlow::sources_side() const {
  std::vector<int> by;
  find_sink(by);
  std::vector<char> side(by.size());
  std::transform(by.begin(), by.end(), side.begin(), [](int arc) { return arc != unreached; });
  return side;
}

}  // namespace tutti

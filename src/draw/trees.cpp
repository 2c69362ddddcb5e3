/// @file
/// Trees of switches.

#include <algorithm>
#include <limits>

#include "draw/families.hpp"

namespace tutti::draw {
namespace {

using Neighbours = std::vector<std::vector<int>>;

Neighbours neighbours_of(const Arrangement& arrangement) {
  Neighbours neighbours(arrangement.vertices.size());
  for (const Wire& wire : arrangement.wires) {
    neighbours[static_cast<std::size_t>(wire.a)].push_back(wire.b);
    neighbours[static_cast<std::size_t>(wire.b)].push_back(wire.a);
  }
  return neighbours;
}

// Takes leaves away, layer by layer; the last vertex to go, the highest of several, is in the middle.
int middle_of(const Neighbours& neighbours) {
  std::vector<std::size_t> degree;
  std::vector<int> layer;
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    degree.push_back(neighbours[v].size());
    if (degree[v] <= 1) layer.push_back(static_cast<int>(v));
  }
  int last = 0;
  while (!layer.empty()) {
    last = *std::max_element(layer.begin(), layer.end());
    std::vector<int> next;
    for (const int v : layer) {
      for (const int other : neighbours[static_cast<std::size_t>(v)]) {
        if (--degree[static_cast<std::size_t>(other)] == 1) next.push_back(other);
      }
    }
    layer = std::move(next);
  }
  return last;
}

class Tree {
 public:
  Tree(const Arrangement& arrangement, Neighbours neighbours)
      : arrangement_(arrangement), neighbours_(std::move(neighbours)), places_(arrangement.vertices.size()) {}

  Places draw(int root) {
    hang(root, -1, 0);
    return std::move(places_);
  }

 private:
  // The lowest rank below the vertex, by which children are ordered.
  int lowest_rank(int vertex, int parent) const {
    if (!arrangement_.vertices[static_cast<std::size_t>(vertex)].is_switch) return vertex;
    int lowest = std::numeric_limits<int>::max();
    for (const int child : neighbours_[static_cast<std::size_t>(vertex)]) {
      if (child != parent) lowest = std::min(lowest, lowest_rank(child, vertex));
    }
    return lowest;
  }

  // Leaves take the next place in the row, a switch stands over the middle of its children.
  void hang(int vertex, int parent, int depth) {
    std::vector<int> children;
    for (const int child : neighbours_[static_cast<std::size_t>(vertex)]) {
      if (child != parent) children.push_back(child);
    }
    std::sort(children.begin(), children.end(),
              [&](int a, int b) { return lowest_rank(a, vertex) < lowest_rank(b, vertex); });
    for (const int child : children) hang(child, vertex, depth + 1);
    Point& place = places_[static_cast<std::size_t>(vertex)];
    place.y = depth;
    place.x = children.empty() ? leaves_++
                               : (places_[static_cast<std::size_t>(children.front())].x +
                                  places_[static_cast<std::size_t>(children.back())].x) /
                                     2;
  }

  const Arrangement& arrangement_;
  Neighbours neighbours_;
  Places places_;
  double leaves_ = 0;
};

}  // namespace

Places as_tree(const Arrangement& arrangement) {
  if (arrangement.wires.size() + 1 != arrangement.vertices.size()) return {};
  Neighbours neighbours = neighbours_of(arrangement);
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    const bool leaf = neighbours[v].size() <= 1;
    if (arrangement.vertices.size() > 1 && leaf == arrangement.vertices[v].is_switch) return {};
  }
  const int root = middle_of(neighbours);
  return Tree(arrangement, std::move(neighbours)).draw(root);
}

}  // namespace tutti::draw

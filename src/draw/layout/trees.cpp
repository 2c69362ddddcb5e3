/// @file
/// Trees of switches.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "draw/layout/network_families.hpp"

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

class SwitchTree {
 public:
  SwitchTree(const Arrangement& arrangement, Neighbours neighbours)
      : arrangement_(arrangement), neighbours_(std::move(neighbours)), places_(arrangement.vertices.size()) {}

  Positions draw(int root) {
    if (ranks() > most_in_row && is_binary(root)) {
      spread(root, -1, {0, 0}, depth_below(root, -1));
    } else {
      hang(root, -1, 0);
    }
    return std::move(places_);
  }

 private:
  static constexpr int most_in_row = 16;
  static constexpr double single_row = 0.75;  // between ranks of a switch
  static constexpr double stacked_row = 0.9;
  static constexpr std::size_t least_beside = 4;  // ranks of a switch that stand on both sides of it
  static constexpr int most_beside_another = 8;   // such switches

  int ranks() const {
    const auto& vertices = arrangement_.vertices;
    return static_cast<int>(
        std::count_if(vertices.begin(), vertices.end(), [](const Vertex& vertex) { return !vertex.is_switch; }));
  }
  bool is_rank(int vertex) const { return !arrangement_.vertices[static_cast<std::size_t>(vertex)].is_switch; }
  Point& place(int vertex) { return places_[static_cast<std::size_t>(vertex)]; }

  // The neighbours but the parent, the one with the lowest rank first.
  std::vector<int> children_of(int vertex, int parent) const {
    std::vector<int> children;
    for (const int child : neighbours_[static_cast<std::size_t>(vertex)]) {
      if (child != parent) children.push_back(child);
    }
    std::sort(children.begin(), children.end(),
              [&](int a, int b) { return lowest_rank(a, vertex) < lowest_rank(b, vertex); });
    return children;
  }

  int depth_below(int vertex, int parent) const {
    int depth = 0;
    for (const int child : children_of(vertex, parent)) depth = std::max(depth, 1 + depth_below(child, vertex));
    return depth;
  }

  // Whether every switch has two branches of the same depth.
  bool is_binary(int root) const {
    for (std::size_t v = 0; v < neighbours_.size(); ++v) {
      const std::size_t parents = static_cast<int>(v) == root ? 0 : 1;
      if (!is_rank(static_cast<int>(v)) && neighbours_[v].size() != 2 + parents) return false;
    }
    return ranks() == 1 << depth_below(root, -1);
  }

  // An H-tree: two levels of branches double both extents.
  void spread(int vertex, int parent, Point middle, int depth) {
    place(vertex) = middle;
    const double far = (depth % 2 == 1 ? 1.0 : 0.75) * (1 << (depth - 1) / 2);
    double side = -far;
    for (const int child : children_of(vertex, parent)) {
      const Point there = depth % 2 == 1 ? Point{middle.x + side, middle.y} : Point{middle.x, middle.y + side};
      spread(child, vertex, there, depth - 1);
      side = far;
    }
  }

  // Whether the ranks of a switch, which are all that is below it, stand on both sides of it.
  bool is_flanked(int vertex, int parent) const {
    const std::vector<int> children = children_of(vertex, parent);
    return parent >= 0 && ranks() > most_in_row && children.size() >= least_beside &&
           std::all_of(children.begin(), children.end(), [&](int child) { return is_rank(child); });
  }

  // Whether below the switch there are such switches alone, and so many in all that these stand below one another.
  bool is_stack(int vertex, int parent) const {
    const std::vector<int> children = children_of(vertex, parent);
    return parent >= 0 && !children.empty() &&
           ranks() > most_beside_another *
                         static_cast<int>(neighbours_[static_cast<std::size_t>(children.front())].size() - 1) &&
           std::all_of(children.begin(), children.end(), [&](int child) { return is_flanked(child, vertex); });
  }

  // Switches with their ranks below one another, and the switch that joins them above, to the left of them all.
  void stack(int vertex, const std::vector<int>& children, double depth) {
    constexpr double aisle = 0.9;
    place(vertex) = {leaves_, depth};
    const double left = leaves_ + aisle;
    double top = depth + 0.6;
    double right = left;
    for (const int child : children) {
      leaves_ = left;
      const std::vector<int> mine = children_of(child, vertex);
      flank(child, mine, top, stacked_row);
      top += stacked_row * static_cast<double>((mine.size() + 1) / 2) + 0.4;
      right = std::max(right, leaves_);
    }
    leaves_ = right;
  }

  // The ranks of a switch in two columns, and the switch between them.
  void flank(int vertex, const std::vector<int>& children, double top, double row_step) {
    constexpr double half = 0.8;
    const auto rows = static_cast<double>((children.size() + 1) / 2);
    for (std::size_t k = 0; k < children.size(); ++k)
      place(children[k]) = {leaves_ + (k % 2 == 0 ? 0 : 2 * half), top + static_cast<double>(k / 2) * row_step};
    place(vertex) = {leaves_ + half, top + (rows - 1) * row_step / 2};
    leaves_ += 2 * half + 1.2;
  }

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
    const std::vector<int> children = children_of(vertex, parent);
    if (is_flanked(vertex, parent)) return flank(vertex, children, depth + 0.6, single_row);
    if (is_stack(vertex, parent)) return stack(vertex, children, depth);
    for (const int child : children) hang(child, vertex, depth + 1);
    place(vertex).y = depth;
    place(vertex).x = children.empty() ? leaves_++ : (place(children.front()).x + place(children.back()).x) / 2;
  }

  const Arrangement& arrangement_;
  Neighbours neighbours_;
  Positions places_;
  double leaves_ = 0;
};

}  // namespace

Positions as_tree(const Arrangement& arrangement) {
  if (arrangement.wires.size() + 1 != arrangement.vertices.size()) return {};
  Neighbours neighbours = neighbours_of(arrangement);
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    const bool leaf = neighbours[v].size() <= 1;
    if (arrangement.vertices.size() > 1 && leaf == arrangement.vertices[v].is_switch) return {};
  }
  const int root = middle_of(neighbours);
  return SwitchTree(arrangement, std::move(neighbours)).draw(root);
}

void bend_to_switches(Arrangement& arrangement) {
  const auto vertex = [&](int v) -> const Vertex& { return arrangement.vertices[static_cast<std::size_t>(v)]; };
  std::vector<bool> flanked(arrangement.vertices.size(), false);
  for (const Wire& wire : arrangement.wires) {
    if (!vertex(wire.a).is_switch && vertex(wire.b).is_switch && vertex(wire.a).at.y < vertex(wire.b).at.y)
      flanked[static_cast<std::size_t>(wire.b)] = true;
  }
  const auto in_stack = [&](int one) {
    for (std::size_t v = 0; v < flanked.size(); ++v) {
      const bool another = flanked[v] && static_cast<int>(v) != one;
      if (another && std::abs(arrangement.vertices[v].at.x - vertex(one).at.x) < 1e-9) return true;
    }
    return false;
  };
  for (Wire& wire : arrangement.wires) {
    if (!vertex(wire.a).is_switch) continue;
    const auto [upper, lower] =
        vertex(wire.a).at.y < vertex(wire.b).at.y ? std::pair(wire.a, wire.b) : std::pair(wire.b, wire.a);
    if (!flanked[static_cast<std::size_t>(lower)]) continue;
    wire.curved = true;
    // Into a stack cables come from its left, between rows of ranks: the farther down, the more in advance they turn.
    constexpr double turn = 0.17;
    const double down = vertex(lower).at.y - vertex(upper).at.y;
    wire.control = in_stack(lower) ? Point{vertex(upper).at.x - turn * down, vertex(lower).at.y}
                                   : Point{vertex(lower).at.x, vertex(upper).at.y};
  }
}

}  // namespace tutti::draw

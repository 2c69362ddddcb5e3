/// @file
/// Networks in layers: ranks in groups, a switch for each, and above them switches that join groups in several ways.

#include <algorithm>
#include <cmath>
#include <utility>

#include "draw/layout/network_families.hpp"

namespace tutti::draw {
namespace {

constexpr double between_groups = 0.8;
constexpr std::size_t most_in_row = 16;
constexpr double first_row = 0.9;  // height of ranks below their switch
constexpr double row_height = 0.75;

class Layers {
 public:
  explicit Layers(const Arrangement& arrangement)
      : arrangement_(arrangement), switches_(arrangement.vertices.size()), places_(arrangement.vertices.size()) {
    for (const Wire& wire : arrangement.wires) {
      switches_[static_cast<std::size_t>(wire.a)].push_back(wire.b);  // ranks have the lower numbers
      if (is_switch(wire.a)) switches_[static_cast<std::size_t>(wire.b)].push_back(wire.a);
    }
  }

  Positions draw() {
    place_groups();
    const std::vector<int> heights = heights_above_groups();
    const double step = std::max(1.4, width_ / 9);
    const int highest = *std::max_element(heights.begin(), heights.end());
    for (int height = 1; height <= highest; ++height) {
      const double y = -step * height;
      const auto mine = static_cast<double>(std::count(heights.begin(), heights.end(), height));
      double k = 0.5;
      for (std::size_t v = 0; v < heights.size(); ++v) {
        if (heights[v] == height) places_[v] = {(k++) * width_ / mine, y};
      }
    }
    return std::move(places_);
  }

 private:
  bool is_switch(int v) const { return arrangement_.vertices[static_cast<std::size_t>(v)].is_switch; }
  std::size_t ranks() const {
    const auto& all = arrangement_.vertices;
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Vertex& v) { return !v.is_switch; }));
  }
  int group_of(std::size_t rank) const { return *std::min_element(switches_[rank].begin(), switches_[rank].end()); }

  void place_groups() {
    const bool in_columns = ranks() > most_in_row;
    double left = 0;
    for (std::size_t rank = 0; rank < ranks();) {
      const int group = group_of(rank);
      std::size_t end = rank;
      while (end < ranks() && group_of(end) == group) ++end;
      const std::size_t columns = in_columns ? 2 : end - rank;
      const double column = in_columns ? 1.6 : 1;
      for (std::size_t k = rank; k < end; ++k) {
        const auto row = static_cast<double>((k - rank) / columns);
        places_[k] = {left + column * static_cast<double>((k - rank) % columns), first_row + row_height * row};
      }
      const double wide = column * static_cast<double>(columns - 1);
      places_[static_cast<std::size_t>(group)] = {left + wide / 2, 0};
      left += wide + 1 + between_groups;
      rank = end;
    }
    width_ = left - 1 - between_groups;
  }

  // 0 for ranks and the switches of groups, and for the others how many links they are from these.
  std::vector<int> heights_above_groups() const {
    std::vector<int> heights(arrangement_.vertices.size(), -1);
    std::vector<int> layer;
    const auto reach = [&](int v, int height, std::vector<int>& reached) {
      if (heights[static_cast<std::size_t>(v)] >= 0) return;
      heights[static_cast<std::size_t>(v)] = height;
      reached.push_back(v);
    };
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      reach(static_cast<int>(rank), 0, layer);
      reach(group_of(rank), 0, layer);
    }
    for (int height = 1; !layer.empty(); ++height) {
      std::vector<int> next;
      for (const int v : layer) {
        for (const int above : switches_[static_cast<std::size_t>(v)]) reach(above, height, next);
      }
      layer = std::move(next);
    }
    return heights;
  }

  const Arrangement& arrangement_;
  std::vector<std::vector<int>> switches_;  // switches that each vertex is joined to
  Positions places_;
  double width_ = 0;
};

}  // namespace

Positions in_layers(const Arrangement& arrangement) { return Layers(arrangement).draw(); }

void bend_in_layers(Arrangement& arrangement) {
  for (Wire& wire : arrangement.wires) {
    const Vertex& rank = arrangement.vertices[static_cast<std::size_t>(wire.a)];
    const Vertex& leaf = arrangement.vertices[static_cast<std::size_t>(wire.b)];
    const bool is_below_others = rank.at.y - leaf.at.y > first_row + row_height / 2;
    if (rank.is_switch || !is_below_others) continue;
    wire.curved = true;
    wire.control = {leaf.at.x, rank.at.y};
  }
}

}  // namespace tutti::draw

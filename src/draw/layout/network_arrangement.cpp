#include "draw/layout/network_arrangement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"
#include "draw/layout/network_families.hpp"
#include "topology/formats/named.hpp"

namespace tutti::draw {
namespace {

constexpr std::string_view embedded_mark = " (embedded)";
constexpr int most_on_circle = 12;  // ranks of a ring; of more, the middle would be an empty acre
constexpr int most_in_line = 16;    // more would not fit a screen
constexpr int most_joined = 16;     // ranks whose cables between every two can still be told apart

// A network's name, "mesh:4x4", taken apart.
struct FamilyName {
  std::string name;
  std::vector<int> sizes;
};

FamilyName family_of(const std::string& words) {
  const std::size_t colon = std::min(words.find(':'), words.size());
  FamilyName family{words.substr(0, colon), {}};
  const auto known = topology_families();
  if (std::none_of(known.begin(), known.end(), [&](const TopologyFamily& f) { return f.name == family.name; }))
    return {};
  for (std::size_t at = colon + 1; at < words.size();) {
    const std::size_t end = std::min(words.find('x', at), words.size());
    const auto size = whole_number(std::string_view(words).substr(at, end - at), 0, std::numeric_limits<int>::max());
    if (!size) return {};  // a file's name
    family.sizes.push_back(static_cast<int>(*size));
    at = end + 1;
  }
  return family;
}

bool wraps(const FamilyName& family) { return family.name == "torus" || family.name == "ring"; }
bool is_grid(const FamilyName& family) { return wraps(family) || family.name == "linear" || family.name == "mesh"; }

// Returns the dimensions of a hypercube that is drawn as such, which includes grids of two ranks a dimension; 0 for
// others.
int hypercube_dimensions(const FamilyName& family) {
  const bool two_each = std::all_of(family.sizes.begin(), family.sizes.end(), [](int size) { return size == 2; });
  const bool deep_grid = is_grid(family) && family.sizes.size() > 3 && two_each;
  if (family.name != "hypercube" && !deep_grid) return 0;
  const int dimensions = deep_grid ? static_cast<int>(family.sizes.size()) : family.sizes.front();
  return dimensions <= 6 ? dimensions : 0;
}

bool is_in_slices(const FamilyName& family) { return is_grid(family) && family.sizes.size() == 3; }

// A cable for every two vertices that a link joins. Grids number links over their open ends, too: those lead nowhere.
std::vector<Wire> wires_of(const Topology& topology) {
  std::map<std::pair<int, int>, double> lanes;
  for (LinkId id = 0; id < topology.links(); ++id) {
    if (!leads_somewhere(topology, id)) continue;
    const Link link = topology.link(id);
    const auto [low, high] = std::minmax(link.from, link.to);
    double& most = lanes[{low, high}];
    most = std::max(most, link.cost.lanes);
  }
  std::vector<Wire> wires;
  for (const auto& [ends, most] : lanes) wires.push_back({.a = ends.first, .b = ends.second, .lanes = most});
  return wires;
}

std::string binary(int number, int digits) { return digits == 0 ? "0" : fmt::format("{:0{}b}", number, digits); }

void label(Arrangement& arrangement, int ranks, const FamilyName& family) {
  for (int v = 0; v < static_cast<int>(arrangement.vertices.size()); ++v) {
    Vertex& vertex = arrangement.vertices[static_cast<std::size_t>(v)];
    vertex.is_switch = v >= ranks;
    vertex.label = vertex.is_switch ? fmt::format("S{}", v - ranks) : fmt::format("{}", v);
    if (family.name == "hypercube") vertex.detail = binary(v, family.sizes.front());
  }
}

Positions positions_of(const Arrangement& arrangement, const FamilyName& family) {
  const int vertices = static_cast<int>(arrangement.vertices.size());
  if (family.name == "ring") return vertices <= most_on_circle ? on_circle(vertices) : on_winding_ring(vertices);
  if (family.name == "linear" && vertices > most_in_line) return on_winding_line(vertices);
  if (is_in_slices(family)) return in_slices(Shape(family.sizes), wraps(family));
  if (const int dimensions = hypercube_dimensions(family)) return on_hypercube(dimensions);
  if (is_grid(family)) return in_grid(Shape(family.sizes));
  if (family.name == "full") return on_circle(vertices);
  if (family.name == "nvlink") return {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  if (family.name == "dgx-1v") return as_cube_mesh();
  if (family.name == "star") return as_star(vertices);
  if (family.name == "dragonfly") return as_dragonfly(arrangement, family.sizes[1]);
  if (family.name == "clos") return in_layers(arrangement);
  if (family.name == "rails") return as_rails(family.sizes[0], family.sizes[1]);
  Positions tree = as_tree(arrangement);
  return tree.empty() ? by_springs(arrangement) : tree;
}

void place(Arrangement& arrangement, const Positions& places) {
  for (std::size_t v = 0; v < arrangement.vertices.size(); ++v) arrangement.vertices[v].at = places[v];
}

void bend(Arrangement& arrangement, const FamilyName& family) {
  if (family.name == "ring" && static_cast<int>(arrangement.vertices.size()) <= most_on_circle)
    bend_along_circle(arrangement);
  if (is_in_slices(family)) return bend_in_slices(arrangement, Shape(family.sizes), wraps(family));
  if (family.name == "clos") return bend_in_layers(arrangement);
  if (family.name == "rails") return bend_rails(arrangement, family.sizes[0], family.sizes[1]);
  if (family.name == "dragonfly") bend_between_routers(arrangement);
  if (!as_tree(arrangement).empty()) bend_to_switches(arrangement);
  if (wraps(family) && family.name != "ring") bend_around(arrangement, Shape(family.sizes));
  if (is_grid(family) && family.sizes.size() > 3) bend_past_vertices(arrangement);
  if (family.name != "dgx-1v") return;
  // The outer pairs of the two squares are joined around the inner ones.
  for (Wire& wire : arrangement.wires) {
    if (wire.b - wire.a != 4 || (wire.a != 0 && wire.a != 3)) continue;
    const Point a = arrangement.vertices[static_cast<std::size_t>(wire.a)].at;
    const Point b = arrangement.vertices[static_cast<std::size_t>(wire.b)].at;
    wire.curved = true;
    wire.control = {(a.x + b.x) / 2, a.y + (wire.a == 0 ? -1.4 : 1.4)};
  }
}

Arrangement truncated(const Topology& topology, const FamilyName& family) {
  const int ranks = std::min(topology.ranks(), most_ranks_drawn);
  const bool square = is_grid(family) && family.sizes.size() == 2 && family.sizes[1] <= 16;
  Arrangement arrangement{.vertices = std::vector<Vertex>(static_cast<std::size_t>(ranks))};
  place(arrangement, in_rows(ranks, square ? family.sizes[1] : 8));
  label(arrangement, ranks, {});
  arrangement.note = fmt::format("The cables of {} are not drawn.", topology.name());
  set_bounds(arrangement);
  return arrangement;
}

// The network beneath, with the ranks where their places are.
Arrangement embedded_arrangement(const Topology& topology, const Topology& beneath) {
  Arrangement arrangement = arrangement_of(beneath);
  std::vector<int> rank_at(arrangement.vertices.size());
  for (std::size_t v = 0; v < rank_at.size(); ++v) rank_at[v] = static_cast<int>(v);
  for (LinkId id = 0; id < beneath.links(); ++id)
    rank_at[static_cast<std::size_t>(beneath.link(id).from)] = topology.link(id).from;
  const std::vector<Vertex> places = arrangement.vertices;
  for (std::size_t v = 0; v < places.size(); ++v) {
    Vertex& vertex = arrangement.vertices[static_cast<std::size_t>(rank_at[v])];
    vertex.at = places[v].at;
    vertex.detail = places[v].detail;
  }
  for (Wire& wire : arrangement.wires) {
    const auto [low, high] =
        std::minmax(rank_at[static_cast<std::size_t>(wire.a)], rank_at[static_cast<std::size_t>(wire.b)]);
    wire.a = low;
    wire.b = high;
  }
  std::sort(arrangement.wires.begin(), arrangement.wires.end(),
            [](const Wire& x, const Wire& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return arrangement;
}

// Wires join ranks, which have lower numbers, to switches.
void give_switches_nodes(Arrangement& arrangement) {
  std::vector<bool> joins_several(arrangement.vertices.size(), false);
  for (const Wire& wire : arrangement.wires) {
    const Vertex& rank = arrangement.vertices[static_cast<std::size_t>(wire.a)];
    Vertex& hub = arrangement.vertices[static_cast<std::size_t>(wire.b)];
    if (rank.is_switch || !hub.is_switch) continue;
    if (hub.node >= 0 && hub.node != rank.node) joins_several[static_cast<std::size_t>(wire.b)] = true;
    hub.node = rank.node;
  }
  for (std::size_t v = 0; v < joins_several.size(); ++v) {
    if (joins_several[v]) arrangement.vertices[v].node = -1;
  }
}

}  // namespace

Arrangement arrangement_of(const Topology& topology, const Layout& layout) {
  Arrangement arrangement = arrangement_of(topology);
  if (layout.nodes() == 1) return arrangement;
  const std::size_t ranks = std::min(arrangement.vertices.size(), static_cast<std::size_t>(layout.size()));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Vertex& vertex = arrangement.vertices[rank];
    vertex.node = layout.node_of(static_cast<int>(rank));
    vertex.detail += fmt::format("{}node {}", vertex.detail.empty() ? "" : ", ", vertex.node);
  }
  give_switches_nodes(arrangement);
  return arrangement;
}

Arrangement arrangement_of(const Topology& topology) {
  const std::string name = topology.name();
  const FamilyName family = family_of(name);
  // Embedded or not, a network that is too large is drawn by its first ranks without cables: no place has a vertex for
  // every rank.
  if (topology.ranks() > most_ranks_drawn || topology.nodes() > most_vertices_drawn) return truncated(topology, family);
  if (name.ends_with(embedded_mark)) {
    const std::string beneath = name.substr(0, name.size() - embedded_mark.size());
    if (!family_of(beneath).name.empty()) return embedded_arrangement(topology, *topology_named(beneath));
  }

  Arrangement arrangement{.vertices = std::vector<Vertex>(static_cast<std::size_t>(topology.nodes()))};
  const bool too_many = family.name == "full" && topology.ranks() > most_joined;
  if (!too_many) arrangement.wires = wires_of(topology);
  if (too_many) arrangement.note = "A cable joins every two ranks; they are not drawn.";
  label(arrangement, topology.ranks(), family);
  place(arrangement, positions_of(arrangement, family));
  bend(arrangement, family);
  set_bounds(arrangement);
  return arrangement;
}

}  // namespace tutti::draw

#include "topology/named.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/nearest_name.hpp"
#include "base/units.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

constexpr int most_ranks = 1 << 30;

struct Family {
  TopologyFamily described;
  std::size_t least_sizes;
  std::size_t most_sizes;
  TopologyPtr (*make)(const std::vector<int>& sizes);
  int least_size = 1;
};

Shape shape_of(const std::vector<int>& sizes) { return Shape(sizes); }

TopologyPtr make_tree(const std::vector<int>& sizes) {
  require(is_power_of_two(sizes[0]), "tree:{} needs a number of ranks that is a power of two", sizes[0]);
  return tree_topology(2, ceil_log2(sizes[0]));
}

TopologyPtr make_quad(const std::vector<int>& sizes) {
  require(sizes[0] == 4, "nvlink:{} is not a machine: nvlink:4 is", sizes[0]);
  return nvlink_quad();
}

TopologyPtr make_clos(const std::vector<int>& s) {
  require(s.size() != 4, "clos:{}x{}x{}x{} has 4 sizes; two levels of switches have 3 and three have 5", s[0], s[1],
          s[2], s[3]);
  if (s.size() == 3) return clos_topology({s[0], s[1]}, {1, s[2]});
  return clos_topology({s[0], s[1], s[2]}, {1, s[3], s[4]});
}

constexpr std::size_t any_dimensions = 16;

const std::array families{
    Family{{"linear", "linear:8", "a linear array; more sizes: a mesh"},
           1,
           any_dimensions,
           [](const std::vector<int>& s) { return grid_topology(shape_of(s), false); }},
    Family{
        {"ring", "ring:8", "a ring"}, 1, 1, [](const std::vector<int>& s) { return grid_topology(shape_of(s), true); }},
    Family{{"mesh", "mesh:4x4", "a mesh with edges; the textbook's meshes wrap around, which is a torus"},
           2,
           any_dimensions,
           [](const std::vector<int>& s) { return grid_topology(shape_of(s), false); }},
    Family{{"torus", "torus:4x4x4", "a mesh whose lines wrap around, each one a ring"},
           1,
           any_dimensions,
           [](const std::vector<int>& s) { return grid_topology(shape_of(s), true); }},
    Family{{"hypercube", "hypercube:3", "a hypercube of that many dimensions"},
           1,
           1,
           [](const std::vector<int>& s) { return hypercube_topology(s[0]); },
           0},
    Family{{"full", "full:8", "a cable between every two ranks"},
           1,
           1,
           [](const std::vector<int>& s) { return full_topology(s[0]); }},
    Family{{"star", "star:8", "every rank at one switch"},
           1,
           1,
           [](const std::vector<int>& s) { return star_topology(s[0]); }},
    Family{{"tree", "tree:8", "ranks at the leaves of a complete binary tree of switches"}, 1, 1, make_tree},
    Family{
        {"fat-tree", "fat-tree:4x3x2",
         "arity x levels x taper; links as wide as what is below them, without taper, or divided by it at each level"},
        2,
        3,
        [](const std::vector<int>& s) { return fat_tree_topology(s[0], s[1], s.size() == 3 ? s[2] : 1); },
        0},
    Family{
        {"clos", "clos:8x4x4",
         "ranks a leaf x leaves x spines, several ways between two ranks; three levels: ranks a leaf x leaves a pod x "
         "pods x switches above the leaves of a pod x spines above each"},
        3,
        5,
        make_clos},
    Family{{"dragonfly", "dragonfly:2x4x2", "ranks a router x routers a group x global links a router"},
           3,
           3,
           [](const std::vector<int>& s) { return dragonfly_topology(s[0], s[1], s[2]); }},
    Family{{"nvlink", "nvlink:4", "four GPUs, each pair joined by two NVLinks"}, 1, 1, make_quad},
    Family{{"dgx-1v", "dgx-1v", "the hybrid cube mesh of eight V100s"},
           0,
           0,
           [](const std::vector<int>&) { return dgx1v(); }},
    Family{{"nvswitch", "nvswitch:8", "GPUs on NVSwitch; nvswitch:4x8: four such machines joined by NICs"},
           1,
           2,
           [](const std::vector<int>& s) { return s.size() == 1 ? nvswitch(s[0]) : nvswitch_nodes(s[0], s[1]); }},
    Family{{"rails", "rails:4x8", "nodes x GPUs on NVSwitch, each GPU with a network card on the rail of its number"},
           2,
           2,
           [](const std::vector<int>& s) { return rails_topology(s[0], s[1]); }},
    Family{{"numa", "numa:2x4x8", "the cores of a machine: packages x shared caches x cores; FILE.xml: from lstopo"},
           3,
           3,
           [](const std::vector<int>& s) { return numa_topology(s[0], s[1], s[2]); }},
};

const auto described = [] {
  std::array<TopologyFamily, families.size()> list{};
  std::transform(families.begin(), families.end(), list.begin(), [](const Family& family) { return family.described; });
  return list;
}();

std::vector<int> sizes_in(std::string_view words, std::string_view text, int least) {
  std::vector<int> sizes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    const std::string what = fmt::format("a size in \"{}\"", words);
    sizes.push_back(static_cast<int>(parse_integer(text.substr(at, end - at), what, least, most_ranks)));
    at = end + 1;
  }
  return sizes;
}

}  // namespace

std::span<const TopologyFamily> topology_families() { return described; }

TopologyPtr topology_named(std::string_view words) {
  const std::size_t colon = words.find(':');
  const std::string_view name = words.substr(0, colon);
  const auto family =
      std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.described.name == name; });
  if (family == families.end()) {
    std::vector<std::string_view> names;
    for (const Family& known : families) names.push_back(known.described.name);
    fail(ErrorCode::invalid_argument, "there is no topology '{}'; {}", name, nearest_in_words(name, names));
  }
  std::vector<int> sizes;
  if (colon != std::string_view::npos) sizes = sizes_in(words, words.substr(colon + 1), family->least_size);
  require(sizes.size() >= family->least_sizes && sizes.size() <= family->most_sizes,
          "\"{}\" has {}; write it like {}: {}", words, counted(static_cast<std::int64_t>(sizes.size()), "size"),
          family->described.example, family->described.meaning);
  return family->make(sizes);
}

}  // namespace tutti

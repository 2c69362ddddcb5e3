#include "topology/formats/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

constexpr int most_ranks = 1 << 30;

using FamilySizes = std::vector<int>;

struct NamedFamily {
  std::string_view name;
  std::string_view example;
  std::string_view meaning;
  std::size_t least_sizes;
  std::size_t most_sizes;
  TopologyPtr (*make)(const FamilySizes& sizes);
  int least_size = 1;
};

TopologyPtr make_tree(const FamilySizes& sizes) {
  require(is_power_of_two(sizes[0]), "tree:{} needs a number of ranks that is a power of two", sizes[0]);
  return tree_topology(2, ceil_log2(sizes[0]));
}

TopologyPtr make_quad(const FamilySizes& sizes) {
  require(sizes[0] == 4, "nvlink:{} is not a machine: nvlink:4 is", sizes[0]);
  return nvlink_quad();
}

TopologyPtr make_clos(const FamilySizes& s) {
  require(s.size() != 4, "clos:{}x{}x{}x{} has 4 sizes; two levels of switches have 3 and three have 5", s[0], s[1],
          s[2], s[3]);
  if (s.size() == 3) return clos_topology({s[0], s[1]}, {1, s[2]});
  return clos_topology({s[0], s[1], s[2]}, {1, s[3], s[4]});
}

constexpr std::size_t any_dimensions = 16;

const std::array families{
    NamedFamily{"linear", "linear:8", "a linear array; more sizes: a mesh", 1, any_dimensions,
                [](const FamilySizes& s) { return grid_topology(Shape(s), false); }},
    NamedFamily{"ring", "ring:8", "a ring", 1, 1, [](const FamilySizes& s) { return grid_topology(Shape(s), true); }},
    NamedFamily{"mesh", "mesh:4x4", "a mesh with edges; the textbook's meshes wrap around, which is a torus", 2,
                any_dimensions, [](const FamilySizes& s) { return grid_topology(Shape(s), false); }},
    NamedFamily{"torus", "torus:4x4x4", "a mesh whose lines wrap around, each one a ring", 1, any_dimensions,
                [](const FamilySizes& s) { return grid_topology(Shape(s), true); }},
    NamedFamily{"hypercube", "hypercube:3", "a hypercube of that many dimensions", 1, 1,
                [](const FamilySizes& s) { return hypercube_topology(s[0]); }, 0},
    NamedFamily{"full", "full:8", "a cable between every two ranks", 1, 1,
                [](const FamilySizes& s) { return full_topology(s[0]); }},
    NamedFamily{"star", "star:8", "every rank at one switch", 1, 1,
                [](const FamilySizes& s) { return star_topology(s[0]); }},
    NamedFamily{"tree", "tree:8", "ranks at the leaves of a complete binary tree of switches", 1, 1, make_tree},
    NamedFamily{
        "fat-tree", "fat-tree:4x3x2",
        "arity x levels x taper; links as wide as what is below them, without taper, or divided by it at each level", 2,
        3, [](const FamilySizes& s) { return fat_tree_topology(s[0], s[1], s.size() == 3 ? s[2] : 1); }, 0},
    NamedFamily{
        "clos", "clos:8x4x4",
        "ranks a leaf x leaves x spines, several ways between two ranks; three levels: ranks a leaf x leaves a pod x "
        "pods x switches above the leaves of a pod x spines above each",
        3, 5, make_clos},
    NamedFamily{"dragonfly", "dragonfly:2x4x2", "ranks a router x routers a group x global links a router", 3, 3,
                [](const FamilySizes& s) { return dragonfly_topology(s[0], s[1], s[2]); }},
    NamedFamily{"nvlink", "nvlink:4", "four GPUs, each pair joined by two NVLinks", 1, 1, make_quad},
    NamedFamily{"dgx-1v", "dgx-1v", "the hybrid cube mesh of eight V100s", 0, 0,
                [](const FamilySizes&) { return dgx1v(); }},
    NamedFamily{"nvswitch", "nvswitch:8", "GPUs on NVSwitch; nvswitch:4x8: four such machines joined by NICs", 1, 2,
                [](const FamilySizes& s) { return s.size() == 1 ? nvswitch(s[0]) : nvswitch_nodes(s[0], s[1]); }},
    NamedFamily{"rails", "rails:4x8",
                "nodes x GPUs on NVSwitch, each GPU with a network card on the rail of its number", 2, 2,
                [](const FamilySizes& s) { return rails_topology(s[0], s[1]); }},
    NamedFamily{"numa", "numa:2x4x8", "the cores of a machine: packages x shared caches x cores; FILE.xml: from lstopo",
                3, 3, [](const FamilySizes& s) { return numa_topology(s[0], s[1], s[2]); }},
};

const auto described = [] {
  std::array<TopologyFamily, families.size()> list{};
  std::transform(families.begin(), families.end(), list.begin(), [](const NamedFamily& f) {
    return TopologyFamily{f.name, f.example, f.meaning};
  });
  return list;
}();

// Names of families in books.
struct FamilyAlias {
  std::string_view name;
  std::string_view family;
};

constexpr std::array family_aliases{
    FamilyAlias{"linear-array", "linear"},
    FamilyAlias{"线性数组", "linear"},
    FamilyAlias{"环", "ring"},
    FamilyAlias{"环状网络", "ring"},
    FamilyAlias{"网格", "mesh"},
    FamilyAlias{"wrap-around-mesh", "torus"},
    FamilyAlias{"超立方体", "hypercube"},
    FamilyAlias{"fully-connected", "full"},
    FamilyAlias{"full-connected", "full"},
    FamilyAlias{"complete", "full"},
    FamilyAlias{"全连接", "full"},
    FamilyAlias{"binary-tree", "tree"},
};

const NamedFamily* family_called(std::string_view name) {
  const auto alias = std::find_if(family_aliases.begin(), family_aliases.end(),
                                  [&](const FamilyAlias& each) { return each.name == name; });
  if (alias != family_aliases.end()) name = alias->family;
  const auto found =
      std::find_if(families.begin(), families.end(), [&](const NamedFamily& f) { return f.name == name; });
  return found == families.end() ? nullptr : &*found;
}

FamilySizes sizes_in(std::string_view words, std::string_view text, int least) {
  FamilySizes sizes;
  const std::string what = fmt::format("a size in \"{}\"", words);
  const std::vector<std::string_view> all = split(text, 'x');
  require(all.size() == 1 || std::find(all.begin(), all.end(), std::string_view()) == all.end(),
          "\"{}\" lacks a size beside an x; write one on either side, such as 4x4", words);
  for (const std::string_view size : all)
    sizes.push_back(static_cast<int>(parse_integer(size, what, least, most_ranks)));
  return sizes;
}

}  // namespace

std::span<const TopologyFamily> topology_families() { return described; }

TopologyPtr topology_named(std::string_view words) {
  const std::size_t colon = words.find(':');
  const std::string_view name = words.substr(0, colon);
  const NamedFamily* const family = family_called(name);
  if (family == nullptr) {
    std::vector<std::string_view> names;
    for (const NamedFamily& known : families) names.push_back(known.name);
    for (const FamilyAlias& alias : family_aliases) names.push_back(alias.name);
    fail(ErrorCode::invalid_argument, "there is no topology '{}'; {}", name, nearest_in_words(name, names));
  }
  FamilySizes sizes;
  if (colon != std::string_view::npos) sizes = sizes_in(words, words.substr(colon + 1), family->least_size);
  require(sizes.size() >= family->least_sizes && sizes.size() <= family->most_sizes,
          "\"{}\" has {}; write it like {}: {}", words, counted(static_cast<std::int64_t>(sizes.size()), "size"),
          family->example, family->meaning);
  return family->make(sizes);
}

std::string_view family_name(std::string_view words) {
  const NamedFamily* const family = family_called(words.substr(0, words.find(':')));
  return family == nullptr ? std::string_view{} : family->name;
}

bool lacks_size(std::string_view words) {
  const NamedFamily* const family = family_called(words);
  return family != nullptr && family->least_sizes > 0;
}

std::string sized_topology(std::string_view words, int ranks) {
  const std::string_view name = family_name(words);
  if (name == "mesh" || name == "torus") return fmt::format("{}:{}", name, text_of(Shape::nearest_cube(ranks, 2)));
  if (name == "hypercube") {
    require(is_power_of_two(ranks), "a hypercube has 2, 4, 8, … ranks, not {}; take another number, or a mesh", ranks);
    return fmt::format("{}:{}", name, ceil_log2(ranks));
  }
  const NamedFamily* const family = family_called(words);
  require(family->least_sizes == 1, "{} has several sizes; write them, like {}: {}", name, family->example,
          family->meaning);
  return fmt::format("{}:{}", name, ranks);
}

}  // namespace tutti

/// @file
/// The cores of a machine, from hwloc's XML or by how many there are of everything.
///
/// Objects of hwloc form a tree: machine, packages, dies, caches, cores. Memory hangs beside it (version 2), or is part
/// of it (version 1); what has no core below it is passed over, and so is what has one child alone. The lanes follow an
/// AMD EPYC 7763, whose cores copy about 12 GB/s: 8 of them share a cache with 51 GB/s to the others of the package
/// (32 bytes a cycle of 1.6 GHz), and 64 of them about 100 GB/s to the other package.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/text/text_kind.hpp"
#include "base/text/xml_tags.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

struct Object {
  std::string type;
  std::vector<std::size_t> children;
};

// The objects of a file, each after the one that holds it; the first is the machine.
using Objects = std::vector<Object>;

constexpr std::size_t most_objects = std::size_t{1} << 20;
constexpr std::size_t deepest = 64;

/// Reads the tags of an XML file, as far as they are objects: hwloc writes no text between tags that matters here.
class HwlocReader {
 public:
  HwlocReader(std::string_view text, const std::string& name) : tags_(text), text_(text), name_(name) {}

  Objects read() {
    while (const auto tag = tags_.next()) read_tag(*tag);
    expect(!objects_.empty() || !tags_.is_cut_off(), "it has no objects");
    expect_whole(!tags_.is_cut_off(), "it ends within a tag");
    expect_whole(open_.empty(), "it ends within an object");
    expect(!objects_.empty(), "it has no objects");
    return std::move(objects_);
  }

 private:
  // The hints name no file: what a user runs with the name of a file at hand writes over it.
  void expect(bool holds, std::string_view what) const {
    if (!holds)
      fail(ErrorCode::invalid_argument, "{} is no machine in hwloc's XML: {}{}", name_, what,
           seems_to_be(text_, "hwloc", "; 'lstopo --of xml' prints one"));
  }
  void expect_whole(bool holds, std::string_view what) const {
    if (!holds)
      fail(ErrorCode::invalid_argument, "{} is cut off: {}; 'lstopo --of xml' prints a machine whole", name_, what);
  }

  void read_tag(std::string_view tag) {
    const std::string_view name = xml_name(tag);
    if (name == "/object") {
      expect(!open_.empty(), "it closes an object that is not open");
      open_.pop_back();
    } else if (name == "object") {
      open_object(tag);
    }
  }

  void open_object(std::string_view tag) {
    const auto type = xml_attribute(tag, "type");
    expect(type.has_value(), "an object has no type");
    expect(objects_.size() < most_objects && open_.size() < deepest,
           "it has too many objects, or one within another too often");
    expect(!open_.empty() || objects_.empty(), "it has two machines");
    if (!open_.empty()) objects_[open_.back()].children.push_back(objects_.size());
    if (!tag.ends_with('/')) open_.push_back(objects_.size());
    objects_.push_back({std::string(*type), {}});
  }

  XmlTags tags_;
  std::string_view text_;
  const std::string& name_;
  Objects objects_;
  std::vector<std::size_t> open_;
};

/// Builds the graph: ranks for cores, switches for what joins several.
class Cores {
 public:
  Cores(const Objects& objects, std::string_view core, std::string name)
      : objects_(objects), core_(core), cores_(objects.size()) {
    graph_.name = std::move(name);
    // Contents of an object come after it.
    for (std::size_t k = objects.size(); k-- > 0;) {
      if (objects[k].type == core_) {
        cores_[k] = 1;
        continue;
      }
      for (const std::size_t child : objects[k].children) cores_[k] += cores_[child];
    }
    graph_.ranks = cores_.front();
  }

  GraphDescription graph() {
    join(0);
    return std::move(graph_);
  }

 private:
  // Returns the vertex for the object: a rank, a switch, or the vertex of its only child with cores.
  int join(std::size_t object) {
    if (objects_[object].type == core_) return next_rank_++;
    std::vector<std::size_t> held;
    for (const std::size_t child : objects_[object].children) {
      if (cores_[child] > 0) held.push_back(child);
    }
    if (held.size() == 1) return join(held.front());
    const int hub = graph_.ranks + graph_.switches++;
    for (const std::size_t child : held) {
      const int below = join(child);
      add_cable(graph_, below, hub, {.lanes = lanes_above(child)});
    }
    return hub;
  }

  // A package may have one object in it, which then stands for it.
  bool is_package(std::size_t object) const {
    return objects_[object].type == "Package" || objects_[object].type == "Socket";
  }

  double lanes_above(std::size_t object) const {
    const double cores = cores_[object];
    return std::max(1.0, is_package(object) ? cores / 8 : cores / 2);
  }

  const Objects& objects_;
  std::string_view core_;
  std::vector<int> cores_;  // below each object
  GraphDescription graph_;
  int next_rank_ = 0;
};

std::size_t add(Objects& objects, std::size_t holder, std::string_view type) {
  objects.push_back({std::string(type), {}});
  if (objects.size() > 1) objects[holder].children.push_back(objects.size() - 1);
  return objects.size() - 1;
}

}  // namespace

TopologyPtr topology_from_hwloc(std::string_view text, std::string name) {
  const Objects objects = HwlocReader(text, name).read();
  const auto has = [&](std::string_view type) {
    return std::any_of(objects.begin(), objects.end(), [&](const Object& object) { return object.type == type; });
  };
  require(has("Core") || has("PU"), "{} has no objects of type Core or PU: it describes no processors", name);
  return graph_topology(Cores(objects, has("Core") ? "Core" : "PU", std::move(name)).graph());
}

TopologyPtr numa_topology(int packages, int domains, int cores) {
  require(packages >= 1 && domains >= 1 && cores >= 1,
          "a machine has at least 1 package of 1 cache of 1 core, not {}, "
          "{} and {}",
          packages, domains, cores);
  require(static_cast<double>(packages) * domains * cores <= 1 << 12, "numa:{}x{}x{} has more than 4096 cores",
          packages, domains, cores);
  Objects objects;
  const std::size_t machine = add(objects, 0, "Machine");
  for (int p = 0; p < packages; ++p) {
    const std::size_t package = add(objects, machine, "Package");
    for (int d = 0; d < domains; ++d) {
      const std::size_t cache = add(objects, package, "L3Cache");
      for (int c = 0; c < cores; ++c) add(objects, cache, "Core");
    }
  }
  return graph_topology(Cores(objects, "Core", fmt::format("numa:{}x{}x{}", packages, domains, cores)).graph());
}

}  // namespace tutti

/// @file
/// Linear array, ring, mesh and torus: dimension-order routing on a grid.
///
/// Rank r has a link up and a link down in each dimension: number (r · D + dimension) · 2 + direction. Links over the
/// open end of a line without wrap-around have numbers, too, but no route uses them.

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

class GridNetwork final : public Topology, public NamesItsCuts {
 public:
  GridNetwork(Shape shape, bool wrap) : shape_(std::move(shape)), wrap_(wrap) {}

  std::string name() const override {
    const bool line = shape_.dimensions() == 1;
    const std::string_view family = line ? (wrap_ ? "ring" : "linear") : (wrap_ ? "torus" : "mesh");
    return fmt::format("{}:{}", family, text_of(shape_));
  }

  int ranks() const override { return shape_.size(); }

  LinkId links() const override { return LinkId{2} * shape_.size() * shape_.dimensions(); }

  Link link(LinkId id) const override {
    const bool up = id % 2 == 0;
    const int dimension = static_cast<int>(id / 2 % shape_.dimensions());
    const int from = static_cast<int>(id / 2 / shape_.dimensions());
    return {.from = from, .to = neighbour(from, dimension, up)};
  }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    for (int dimension = shape_.dimensions(); dimension-- > 0;) {
      const int offset = offset_of(from, to, dimension);
      if (offset == 0) continue;
      const bool up = offset > 0;
      const int extent = shape_.extent(dimension);
      const int stride = shape_.stride(dimension);
      const int coordinate = shape_.coordinate(from, dimension);
      // Up to the end of the line, and on from its other end: no division for each of the hundreds of links of a large
      // ring.
      const int steps = std::abs(offset);
      const int before_the_end = std::min(steps, up ? extent - 1 - coordinate : coordinate);
      from = walk(from, before_the_end, dimension, up, path);
      if (before_the_end == steps) continue;
      path.push_back(link_of(from, dimension, up));
      from += up ? -(extent - 1) * stride : (extent - 1) * stride;
      from = walk(from, steps - before_the_end - 1, dimension, up, path);
    }
  }

  int distance(int from, int to) const override {
    int sum = 0;
    for (int dimension = 0; dimension < shape_.dimensions(); ++dimension)
      sum += std::abs(offset_of(from, to, dimension));
    return sum;
  }

  void choices(int at, int to, std::vector<LinkId>& links) const override {
    for (int dimension = shape_.dimensions(); dimension-- > 0;) {
      const int offset = offset_of(at, to, dimension);
      if (offset == 0) continue;
      links.push_back(link_of(at, dimension, offset > 0));
      if (wrap_ && shape_.extent(dimension) > 2 && 2 * std::abs(offset) == shape_.extent(dimension)) {
        links.push_back(link_of(at, dimension, offset < 0));
      }
    }
  }

  // Half the ranks lie before the middle of the longest lines. Where these are odd, the layer in the middle is halved
  // in the same way along the next longest, and so on to the first even ones. A line is parted by one cable, by two
  // where it wraps around; one of two ranks has no second way, so that it is as long as one of four. How such lines are
  // mixed with longer odd ones in a torus is not proved.
  // Source: J. Arjona Aroca, A. Fernández Anta, Bisection (Band)Width of Product Networks with Application to Data
  // Centers, 2012.
  std::optional<double> bisection() const override {
    const auto cables = [this](int extent) { return wrap_ && extent > 2 ? 2 : 1; };
    std::vector<int> extents;
    for (int d = 0; d < shape_.dimensions(); ++d) {
      if (shape_.extent(d) > 1) extents.push_back(shape_.extent(d));
    }
    std::stable_sort(extents.begin(), extents.end(), [&](int a, int b) { return a * cables(b) > b * cables(a); });
    const bool pairs = wrap_ && std::find(extents.begin(), extents.end(), 2) != extents.end();
    if (pairs && extents.front() % 2 != 0) return std::nullopt;
    double lanes = 0;
    int lines = shape_.size();
    for (const int extent : extents) {
      lines /= extent;
      lanes += lines * cables(extent);
      if (extent % 2 == 0) break;
    }
    return lanes;
  }

  // The links over an open end, and the second ones of a line of two, are no links.
  std::vector<LinkClass> link_classes() const override {
    double count = 0;
    for (int d = 0; d < shape_.dimensions(); ++d) {
      const int extent = shape_.extent(d);
      const int cables = wrap_ && extent > 2 ? extent : extent - 1;
      count += 2.0 * cables * (shape_.size() / extent);
    }
    return {{LinkCost{}, count}};
  }
  std::optional<LinkCost> cost_at_ranks() const override { return LinkCost{}; }

  // Slabs across each dimension: where lines wrap around, from the anchor on, otherwise from the beginning; and a
  // corner, or the anchor, by itself.
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    for (int d = 0; d < shape_.dimensions(); ++d) {
      const int extent = shape_.extent(d);
      const int first = wrap_ ? shape_.coordinate(anchor, d) : 0;
      const double faces = static_cast<double>(shape_.size() / extent) * (wrap_ && extent > 2 ? 2 : 1);
      for (const int length : lengths_to_cut(extent)) {
        const auto inside = [shape = shape_, d, first, length](int rank) {
          return modulo(shape.coordinate(rank, d) - first, shape.extent(d)) < length;
        };
        add(found, std::int64_t{length} * (shape_.size() / extent), inside, faces);
      }
    }
    for (const int rank : {0, anchor}) {
      if (shape_.size() > 1)
        add(
            found, 1, [rank](int other) { return other == rank; }, neighbours(rank));
    }
    return found;
  }

 private:
  void add(std::vector<Cut>& found, std::int64_t size, std::function<bool(int)> inside, double links) const {
    found.push_back({size, std::move(inside), {{LinkCost{}, links}}});
    found.push_back(turned(found.back(), ranks()));
  }

  int neighbours(int rank) const {
    int count = 0;
    for (int d = 0; d < shape_.dimensions(); ++d) {
      const int extent = shape_.extent(d);
      const int at = shape_.coordinate(rank, d);
      if (wrap_) {
        count += std::min(2, extent - 1);
      } else {
        count += (at > 0 ? 1 : 0) + (at + 1 < extent ? 1 : 0);
      }
    }
    return count;
  }

  // Appends so many links along a dimension, none of them around its end; returns where they lead.
  int walk(int from, int steps, int dimension, bool up, std::vector<LinkId>& path) const {
    if (steps == 0) return from;
    const int stride = up ? shape_.stride(dimension) : -shape_.stride(dimension);
    const LinkId apart = LinkId{2} * shape_.dimensions() * stride;
    LinkId link = link_of(from, dimension, up);
    const std::size_t begin = path.size();
    path.resize(begin + static_cast<std::size_t>(steps));
    for (auto at = path.begin() + static_cast<std::ptrdiff_t>(begin); at != path.end(); ++at) {
      *at = link;
      link += apart;
    }
    return from + steps * stride;
  }

  LinkId link_of(int rank, int dimension, bool up) const {
    // The two directions between two ranks of a line of two are one cable.
    if (wrap_ && shape_.extent(dimension) == 2) up = shape_.coordinate(rank, dimension) == 0;
    return (LinkId{rank} * shape_.dimensions() + dimension) * 2 + (up ? 0 : 1);
  }

  int neighbour(int rank, int dimension, bool up) const {
    const int extent = shape_.extent(dimension);
    const int coordinate = shape_.coordinate(rank, dimension);
    const int next = (coordinate + (up ? 1 : extent - 1)) % extent;
    return rank + (next - coordinate) * shape_.stride(dimension);
  }

  // Signed links to go along a dimension.
  int offset_of(int from, int to, int dimension) const {
    const int extent = shape_.extent(dimension);
    const int offset = shape_.coordinate(to, dimension) - shape_.coordinate(from, dimension);
    if (!wrap_) return offset;
    const int up = (offset + extent) % extent;
    return 2 * up <= extent ? up : up - extent;
  }

  Shape shape_;
  bool wrap_;
};

}  // namespace

TopologyPtr grid_topology(const Shape& shape, bool wrap) {
  require(!shape.empty(), "a grid needs at least one dimension");
  return std::make_shared<GridNetwork>(shape, wrap);
}

}  // namespace tutti

/// @file
/// Room for words beside arrows: over no arrow, no vertex and no other words, and next to the link that they are about.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "draw/steps/arrow_routes.hpp"

namespace tutti::draw {

constexpr double label_height = 14;

/// Finds room for the labels of one step.
class ArrowLabels {
 public:
  /// `taken` are boxes to keep clear of, beside the vertices, where they have a width; `lines` is all that is drawn of
  /// arrows, with the half of each one's breadth.
  ArrowLabels(const Scene& scene, const std::vector<Box>& taken, const std::vector<std::pair<ArrowHop, double>>& lines);

  /// Room of this width beside one of the hops: next to its link, with no other link's arrow as near. It is taken then.
  std::optional<Box> place(const std::vector<ArrowHop>& hops, double width);

 private:
  struct ArrowPoint {
    Point at;
    std::size_t link = 0;
  };

  static std::pair<int, double> band_and_left(const Point& point);
  static std::pair<int, int> ends_of(const ArrowHop& hop);
  bool is_occupied(const Box& box) const;
  template <typename Counts>
  bool any_arrow_point(const Box& box, const Counts& counts) const;
  bool has_room(const Box& box, const ArrowHop& hop) const;

  std::map<int, std::vector<Box>> occupied_;          // by band
  std::vector<ArrowPoint> arrow_points_;              // band after band, from left to right in each
  std::map<std::pair<int, int>, std::size_t> links_;  // numbers of links, by their ends in either order
  std::set<std::pair<int, int>> directions_;          // hops' ends, from where to where
};

}  // namespace tutti::draw

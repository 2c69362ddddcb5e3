/// @file
/// Room for words beside arrows: over no arrow, no vertex and no other words, and next to the link that they are about.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "draw/ways.hpp"

namespace tutti::draw {

constexpr double label_height = 14;

/// Finds room for the labels of one step.
class Labels {
 public:
  /// `taken` are boxes to keep clear of, beside the vertices, where they have a width; `lines` is all that is drawn of
  /// arrows, with the half of each one's breadth.
  Labels(const Scene& scene, const std::vector<Box>& taken, const std::vector<std::pair<Hop, double>>& lines);

  /// Room of this width beside one of the hops: next to its link, with no other link's arrow as near. It is taken then.
  std::optional<Box> place(const std::vector<Hop>& hops, double width);

 private:
  struct Ink {
    Point at;
    std::size_t link = 0;
  };

  static std::pair<int, double> band_and_left(const Point& point);
  static std::pair<int, int> ends_of(const Hop& hop);
  bool is_taken(const Box& box) const;
  template <typename Counts>
  bool any_ink(const Box& box, const Counts& counts) const;
  bool has_room(const Box& box, const Hop& hop) const;

  std::map<int, std::vector<Box>> taken_;             // by band
  std::vector<Ink> ink_;                              // band after band, from left to right in each
  std::map<std::pair<int, int>, std::size_t> links_;  // numbers of links, by their ends in either order
};

}  // namespace tutti::draw

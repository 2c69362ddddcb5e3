/// @file
/// One attempt at a scene: an arrangement at one scale, with a place for all that stands beside its vertices, or what
/// collides first.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "draw/scene/label_places.hpp"

namespace tutti::draw {

/// Pixels a unit of an arrangement.
struct UnitPixels {
  double x = 0;
  double y = 0;
};

/// Direction in which two points are rather apart.
enum class SeparationAxis { horizontal, vertical };

/// Whether every label needs a place, or may be left without one.
enum class LabelPolicy { required, optional };

/// Refers to what it was made of.
class LayoutAttempt {
 public:
  /// `label_sizes` by vertex; `busy` by wire, empty for none.
  LayoutAttempt(const Arrangement& arrangement, const std::vector<PixelSize>& label_sizes, const UnitPixels& scale,
                const std::vector<bool>& busy);

  /// Nothing where everything found its place, otherwise which way the first two that did not are apart. `strict`:
  /// wires, too, keep clear.
  std::optional<SeparationAxis> arrange(bool strict, LabelPolicy policy = LabelPolicy::required);

  /// Outcome if everything has found a place: the labels that lie on busy wires, and the direction in which more room
  /// might help the first.
  int crossed_labels() const { return crossed_labels_; }
  std::optional<SeparationAxis> preferred_growth() const { return preferred_growth_; }

  /// Returns the area of the box around all vertices.
  double area() const;

  /// The scene, with its bounds. Nothing is left in the attempt.
  Scene take();

 private:
  // Surroundings of a vertex, as its label finds them.
  struct LabelSearch {
    std::optional<LabelPlace> best;
    std::optional<std::size_t> obstacle;           // in the most promising place
    std::optional<std::size_t> obstacle_to_clear;  // in the most promising one that no wire crosses
  };

  SeparationAxis separation(std::size_t a, std::size_t b) const;
  void expect_arrows();
  std::optional<SeparationAxis> crossed_body() const;
  LabelSearch find_label_place(std::size_t vertex) const;
  std::optional<std::size_t> place_label(std::size_t vertex);
  void omit_label();
  SeparationAxis separation_from_wire(std::size_t vertex, const Box& label) const;
  std::optional<std::pair<std::size_t, std::size_t>> place_node_boxes();

  const Arrangement& arrangement_;
  const std::vector<PixelSize>& label_sizes_;
  Scene scene_;
  int crossed_labels_ = 0;                          // labels that lie on busy wires
  std::optional<SeparationAxis> preferred_growth_;  // axis along which the first of them lies apart from its obstacle
  std::vector<Point> wired_;                        // points along all wires
  std::vector<Point> busy_;                         // and along those that messages take
  std::vector<Point> crossed_;                      // points where arrows are to be expected
};

}  // namespace tutti::draw

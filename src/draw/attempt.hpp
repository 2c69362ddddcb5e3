/// @file
/// One attempt at a scene: an arrangement at one scale, with a place for all that stands beside its vertices, or what
/// collides first.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "draw/places.hpp"

namespace tutti::draw {

/// Pixels a unit of an arrangement.
struct UnitPixels {
  double x = 0;
  double y = 0;
};

/// Which way two points are rather apart.
enum class Apart { across, along };

/// Whether every label needs a place, or may be left without one.
enum class Places { needed, optional };

/// Refers to what it was made of.
class Attempt {
 public:
  /// `extents` by vertex; `busy` by wire, empty for none.
  Attempt(const Arrangement& arrangement, const std::vector<Extent>& extents, const UnitPixels& scale,
          const std::vector<bool>& busy);

  /// Nothing where everything found its place, otherwise which way the first two that did not are apart. `strict`:
  /// wires, too, keep clear.
  std::optional<Apart> arrange(bool strict, Places places = Places::needed);

  /// Where everything found its place: the labels that lie on busy wires, and which way more room might help the first.
  int crossed_labels() const { return crossed_labels_; }
  std::optional<Apart> wish() const { return wish_; }

  /// Of the box around all vertices.
  double area() const;

  /// The scene, with its bounds. Nothing is left in the attempt.
  Scene take();

 private:
  // What a label finds around its vertex.
  struct Outlook {
    std::optional<LabelPlace> best;
    std::optional<std::size_t> obstacle;           // in the most promising place
    std::optional<std::size_t> obstacle_to_clear;  // in the most promising one that no wire crosses
  };

  Apart apart(std::size_t a, std::size_t b) const;
  void expect_arrows();
  std::optional<Apart> crossed_body() const;
  Outlook look_around(std::size_t vertex) const;
  std::optional<std::size_t> put_label(std::size_t vertex);
  void put_no_label();
  Apart apart_of_wire(std::size_t vertex, const Box& label) const;
  std::optional<std::pair<std::size_t, std::size_t>> put_nodes();

  const Arrangement& arrangement_;
  const std::vector<Extent>& extents_;
  Scene scene_;
  int crossed_labels_ = 0;      // that lie on busy wires
  std::optional<Apart> wish_;   // which way the first of them is apart from what is in its way
  std::vector<Point> wired_;    // points along all wires
  std::vector<Point> busy_;     // and along those that messages take
  std::vector<Point> crossed_;  // points where arrows are to be expected
};

}  // namespace tutti::draw

/// @file
/// Networks of a printed figure: black on white, with numbered arrows and words beside the ranks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "draw/book/figure_part.hpp"
#include "draw/layout/arrangement.hpp"
#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// One network of a figure.
struct NetworkPanel {
  std::string caption;
  Frame frame;                             ///< its arrows, numbered by steps; `before` is what stands beside a rank
  std::vector<std::vector<int>> groups;    ///< ranks that have a broken frame about them
  std::vector<std::pair<int, int>> heavy;  ///< wires that are drawn black
  int root = -1;                           ///< has a double edge; -1: nobody
  bool is_numbered = true;  ///< whether arrows have their numbers beside them; otherwise what they carry, if anything
};

/// The panels as parts with one layout, so that a rank stands at one place in all of them. No panel is broader than
/// `width` where a smaller scale helps. Below a panel stand the numbered messages and the contents that found no room in
/// it. Where other messages' contents find none, none is written: what ranks hold before and after says as much.
std::vector<FigurePart> parts_of(std::vector<NetworkPanel> panels, const Arrangement& arrangement, double width);

/// The groups of ranks that exchange messages, where there are several of two ranks and more; empty otherwise.
std::vector<std::vector<int>> groups_of(const std::vector<const Frame*>& frames, int ranks);

}  // namespace tutti::draw

/// @file
/// Schedules as figures for print, as textbooks have them.
#pragma once

#include <string>
#include <vector>

#include "draw/book/block_matrices.hpp"
#include "draw/book/figure_part.hpp"
#include "draw/layout/arrangement.hpp"
#include "draw/steps/frame_limits.hpp"
#include "schedule/model/schedule.hpp"
#include "topology/topology.hpp"

namespace tutti::draw {

/// Subject of a figure.
struct BookSubject {
  std::string title;
  Schedule schedule;
  const Topology& topology;
  Limits limits = {};
  BlockText block_text = BlockText::pair;
};

/// The figure of a schedule: one network with each message as an arrow that has the number of its step, for collectives
/// with a root and where no link has more than two messages; otherwise a network before each step, with what ranks
/// hold, and one at the end. Messages go straight to their receivers, those of exchanges along their routes. Broken
/// frames are about ranks that exchange messages in the same phase. Prefix sums on a hypercube have [ ] and ( ),
/// all-to-all exchanges matrices of blocks, shifts by a Gray code its table. The root has a double edge. Throws `Error` as
/// frames_of().
BookFigure book_figure_of(const BookSubject& subject);

/// The table of the Gray code of a hypercube, and the ring in it: `topology` is the hypercube with the ring's ranks.
std::vector<FigurePart> gray_code_parts(const Topology& topology, const Arrangement& arrangement);

/// Both schedules side by side, the second as the dual of the first.
BookFigure dual_figure_of(const BookSubject& subject, const BookSubject& dual);

}  // namespace tutti::draw

/// @file
/// Schedules in which messages travel along trees, chunk by chunk.
#pragma once

#include "schedule/model/schedule.hpp"
#include "synthesize/trees/forest.hpp"

namespace tutti::synthesize {

/// The trees of a collective: those down which results travel, those up which contributions do, or both. Trees up are
/// trees of the network with its links turned round; their edges, too, are noted from the root down.
struct Trees {
  Forest up;
  Forest down;
};

/// The schedule of `problem` over the trees, each part of a tree in `chunks` chunks, one behind the other:
///
///     round        1    2    3    4        a tree of depth 2, 3 chunks
///     depth 1      a    b    c
///     depth 2           a    b    c
///
/// In a round a rank sends one message to each rank that it has something for, whatever trees it belongs to, and takes
/// in what others send; what comes up several edges is combined in one chain. Trees of one root have messages of their
/// own: they are few, and messages of one size share links evenly, so that all of a round end together. An all-reduce
/// goes up in all of its trees, each the tree of one of the p parts of the message, and then down.
///
/// Needs     all-gather or broadcast (trees down), reduce-scatter or reduce (up) with a commutative operator, or
///           all-reduce (both); trees of the problem's ranks, rooted where the collective has a root there alone.
/// Traffic   as many elements over each edge as its tree carries: (p - 1) times all there is to tell.
/// Time      at most (chunks + depth - 1) times that of a chunk, up and down: less where the edges of one depth alone
///           do not fill the links.
Schedule schedule_over(const Trees& trees, const Problem& problem, std::int64_t chunks);

}  // namespace tutti::synthesize

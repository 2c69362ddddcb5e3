/// @file
/// An algorithm within each line of a grid, dimension after dimension.

#include <algorithm>

#include "base/check.hpp"
#include "schedule/combinators.hpp"
#include "schedule/combinators/grid_exchange.hpp"
#include "schedule/phases.hpp"
#include "schedule/stage.hpp"

namespace tutti {
namespace {

// Begins the phase of that dimension. The line of this rank along it, as a stage for `collective` on messages like
// those of `problem`.
Stage line_stage(Script& me, const Problem& problem, const Shape& grid, int dimension) {
  me.phase(phase_along(grid, dimension));
  const int rank = me.rank();
  Stage stage = stage_of_all(me, problem);
  stage.parameters.grid = {};
  stage.problem.ranks = grid.extent(dimension);
  stage.problem.root = grid.coordinate(problem.root, dimension);
  stage.rank = grid.coordinate(rank, dimension);
  stage.stride = grid.stride(dimension);
  stage.first_rank = rank - stage.rank * stage.stride;
  return stage;
}

// Whether the root's and this rank's coordinates agree in the dimensions [from, to).
bool with_root(const Problem& problem, const Shape& grid, int rank, int from, int to) {
  for (int d = from; d < to; ++d) {
    if (grid.coordinate(rank, d) != grid.coordinate(problem.root, d)) return false;
  }
  return true;
}

void broadcast(Script& me, const Problem& problem, const Algorithm& line) {
  const Shape grid = me.parameters().grid_for(me.size());
  const int n = grid.dimensions();
  for (int k = 0; k < n; ++k) {
    const int dimension = problem.commutative ? n - 1 - k : k;
    const bool informed = problem.commutative ? with_root(problem, grid, me.rank(), 0, dimension)
                                              : with_root(problem, grid, me.rank(), dimension + 1, n);
    if (!informed) continue;
    Stage stage = line_stage(me, problem, grid, dimension);
    stage.output = {me.message()};
    perform(me, line.record, stage);
  }
}

// The groups of blocks that the ranks of a line stand for: `width` consecutive ranks each, from rank `first` on.
void group_counts(Problem& stage, const Blocks& blocks, int first, int width) {
  stage.count = 0;
  stage.extra = 0;
  stage.counts.clear();
  if (blocks.are_equal()) {
    stage.count = blocks.count(0) * width;
    return;
  }
  stage.counts.resize(static_cast<std::size_t>(stage.ranks));
  for (int k = 0; k < stage.ranks; ++k) {
    stage.counts[static_cast<std::size_t>(k)] = blocks.first(first + (k + 1) * width) - blocks.first(first + k * width);
  }
}

// The first rank of the box that `rank` shares with all ranks of the same coordinates up to and including `dimension`
// - 1.
int box_first(const Shape& grid, int rank, int dimension) {
  const int width = grid.stride(dimension) * grid.extent(dimension);
  return rank / width * width;
}

// Where a rank keeps the blocks [first, first + n): the root in its input; others their own in the output, the rest in
// scratch.
Message kept(Script& me, const Problem& problem, int first, int n) {
  if (me.rank() == problem.root) return me.blocks(Buffer::input, first, n);
  if (me.rank() < first || me.rank() >= first + n) return me.blocks(Buffer::scratch, first, n);
  Message slices;
  if (me.rank() > first) slices = me.blocks(Buffer::scratch, first, me.rank() - first);
  slices.push_back(me.output());
  if (me.rank() + 1 < first + n)
    slices.push_back(me.blocks(Buffer::scratch, me.rank() + 1, first + n - me.rank() - 1).front());
  return slices;
}

void scatter(Script& me, const Problem& problem, const Algorithm& line) {
  const Shape grid = me.parameters().grid_for(me.size());
  const Blocks blocks = all_blocks(problem);
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    if (grid.extent(dimension) == 1 || !with_root(problem, grid, me.rank(), dimension + 1, grid.dimensions())) continue;
    const int width = grid.stride(dimension);
    const int first = box_first(grid, me.rank(), dimension);
    Stage stage = line_stage(me, problem, grid, dimension);
    group_counts(stage.problem, blocks, first, width);
    if (me.detail() == Detail::all) {
      stage.scratch = kept(me, problem, first, width * stage.problem.ranks);
      if (stage.rank == stage.problem.root) stage.input = stage.scratch;
      stage.output = width == 1 ? Message{me.output()} : kept(me, problem, first + stage.rank * width, width);
    }
    perform(me, line.record, stage);
  }
}

void all_gather(Script& me, const Problem& problem, const Algorithm& line) {
  const Shape grid = me.parameters().grid_for(me.size());
  const Blocks blocks = all_blocks(problem);
  for (int dimension = grid.dimensions(); dimension-- > 0;) {
    if (grid.extent(dimension) == 1) continue;
    const int width = grid.stride(dimension);
    const int first = box_first(grid, me.rank(), dimension);
    Stage stage = line_stage(me, problem, grid, dimension);
    group_counts(stage.problem, blocks, first, width);
    if (me.detail() == Detail::all) {
      stage.output = me.blocks(Buffer::output, first, width * stage.problem.ranks);
      stage.input = width == 1 ? Message{me.input()} : me.blocks(Buffer::output, first + stage.rank * width, width);
    }
    perform(me, line.record, stage);
  }
}

void all_to_all(Script& me, const Problem& problem, const Algorithm& line) {
  const Shape grid = me.parameters().grid_for(me.size());
  GridExchange exchange(me, problem, grid);
  for (int dimension = grid.dimensions(); dimension-- > 0;) {
    if (grid.extent(dimension) == 1) continue;
    Stage stage = line_stage(me, problem, grid, dimension);
    exchange.set_stage(stage, dimension);
    perform(me, line.record, stage);
  }
}

}  // namespace

Record along_dimensions(const Algorithm& line) {
  return [&line](Script& me, const Problem& problem) {
    // One rank has no dimension of more than one rank to go along.
    if (problem.ranks == 1) return line.record(me, problem);
    switch (line.collective) {
      case Collective::broadcast:
        return broadcast(me, problem, line);
      case Collective::scatter:
        return scatter(me, problem, line);
      case Collective::all_gather:
        return all_gather(me, problem, line);
      case Collective::all_to_all:
        return all_to_all(me, problem, line);
      default:
        fail(ErrorCode::internal, "{} does not go along dimensions", name_of(line.collective));
    }
  };
}

}  // namespace tutti

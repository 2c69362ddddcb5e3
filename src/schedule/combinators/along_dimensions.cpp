/// @file
/// An algorithm within each line of a grid, dimension after dimension.

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/phases.hpp"
#include "schedule/record/stage.hpp"

namespace tutti {
namespace {

/// The blocks that a rank holds after the dimensions of stride < `width` have been crossed, as a dense table.
///
/// Blocks that a rank holds: they come from the `width` ranks that share its slower coordinates and go to the p / width
/// ranks that share its faster ones. Rows are origins, columns destinations, row by row: before the start the table is
/// the input, after the end it is the output.
class HeldBlocks {
 public:
  HeldBlocks(const Problem& problem, int rank, int width);

  /// The position of the block from origin first_origin + row to destination column * width + rank mod width.
  std::int64_t first(int row, int column) const;
  std::int64_t count(int row, int column) const { return first(row, column + 1) - first(row, column); }
  std::int64_t total() const { return first(width_ - 1, columns_); }

 private:
  int width_;
  int columns_;
  std::int64_t each_;
  std::vector<std::int64_t> firsts_;  // only where counts differ
};

/// Sets the views of the stages of an all-to-all that goes through a grid from its fastest dimension to its slowest.
///
/// In the stage along a dimension, a rank sends to each rank of its line all blocks whose destination shares that
/// rank's coordinate. Between stages blocks lie in two regions of scratch by turns. O(p) a stage, and O(p) more for
/// each rank of the line where counts differ.
class GridExchange {
 public:
  GridExchange(Script& me, const Problem& problem, const Shape& grid);

  /// Fills in what the stage along `dimension` exchanges and where. Call for every dimension of more than one rank,
  /// fastest first.
  void set_stage(Stage& stage, int dimension);

 private:
  // Returns the place of the blocks that are held at `width`, in scratch in the given region.
  Slice place(int width, std::int64_t total, int region);

  Script& me_;
  const Problem& problem_;
  const Shape& grid_;
  std::int64_t region_[2] = {0, 0};  // the sizes of the two regions
  int turn_ = 0;                     // the region that the next stage fills
};

HeldBlocks::HeldBlocks(const Problem& problem, int rank, int width)
    : width_(width), columns_(problem.ranks / width), each_(problem.count) {
  if (problem.counts.empty()) return;
  const int first_origin = rank / width * width;
  firsts_.reserve(static_cast<std::size_t>(problem.ranks) + 1);
  firsts_.push_back(0);
  for (int row = 0; row < width_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      firsts_.push_back(firsts_.back() + problem.pair_count(first_origin + row, column * width + rank % width));
    }
  }
}

std::int64_t HeldBlocks::first(int row, int column) const {
  const std::int64_t index = std::int64_t{row} * columns_ + column;
  return firsts_.empty() ? index * each_ : firsts_[static_cast<std::size_t>(index)];
}

GridExchange::GridExchange(Script& me, const Problem& problem, const Shape& grid)
    : me_(me), problem_(problem), grid_(grid) {
  int turn = 0;
  for (int dimension = grid.dimensions(); dimension-- > 0;) {
    const int width = grid.stride(dimension) * grid.extent(dimension);
    if (grid.extent(dimension) == 1 || width == problem.ranks) continue;
    region_[turn] = std::max(region_[turn], HeldBlocks(problem, me.rank(), width).total());
    turn = 1 - turn;
  }
}

Slice GridExchange::place(int width, std::int64_t total, int region) {
  if (width == 1) return me_.input();
  if (width == problem_.ranks) return me_.output();
  return me_.scratch(region == 0 ? 0 : region_[0], total);
}

void GridExchange::set_stage(Stage& stage, int dimension) {
  const int width = grid_.stride(dimension);
  const int extent = grid_.extent(dimension);
  const int wider = width * extent;
  const HeldBlocks before(problem_, me_.rank(), width);
  const HeldBlocks after(problem_, me_.rank(), wider);

  const Slice from = place(width, before.total(), 1 - turn_);
  const Slice to = place(wider, after.total(), turn_);
  turn_ = 1 - turn_;

  for (int coordinate = 0; coordinate < extent; ++coordinate) {
    for (int row = 0; row < width; ++row) {
      for (int column = coordinate; column < problem_.ranks / width; column += extent) {
        stage.input.push_back({from.buffer, from.first + before.first(row, column), before.count(row, column)});
      }
    }
  }
  stage.output = {to};
  stage.scratch_base = region_[0] + region_[1];

  stage.problem.count = problem_.count * (problem_.ranks / extent);
  stage.problem.counts.clear();
  if (problem_.counts.empty()) return;
  for (int sender = 0; sender < extent; ++sender) {
    const int first_origin = (stage.first_rank + sender * width) / width * width;
    for (int receiver = 0; receiver < extent; ++receiver) {
      std::int64_t sum = 0;
      for (int origin = first_origin; origin < first_origin + width; ++origin) {
        for (int column = receiver; column < problem_.ranks / width; column += extent) {
          sum += problem_.pair_count(origin, column * width + me_.rank() % width);
        }
      }
      stage.problem.counts.push_back(sum);
    }
  }
}

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
  const Shape grid = me.grid_for(me.size());
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

// Returns the place in which a rank keeps the blocks [first, first + n): the root in its input; others their own in the
// output, the rest in scratch.
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
  const Shape grid = me.grid_for(me.size());
  const Blocks& blocks = me.all_blocks();
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
  const Shape grid = me.grid_for(me.size());
  const Blocks& blocks = me.all_blocks();
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
  const Shape grid = me.grid_for(me.size());
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

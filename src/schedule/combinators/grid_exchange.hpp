/// @file
/// Where the blocks of a personalized exchange lie while they cross a grid, dimension after dimension.
#pragma once

#include <vector>

#include "schedule/stage.hpp"

namespace tutti {

/// The blocks that a rank holds after the dimensions of stride < `width` have been crossed, as a dense table.
///
/// They come from the `width` ranks that share its slower coordinates and go to the p / width ranks that share its
/// faster ones. Rows are origins, columns destinations, row by row: before the start the table is the input, after the
/// end it is the output.
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
  // Where the blocks lie that are held at `width`, in scratch in the given region.
  Slice place(int width, std::int64_t total, int region);

  Script& me_;
  const Problem& problem_;
  const Shape& grid_;
  std::int64_t region_[2] = {0, 0};  // the sizes of the two regions
  int turn_ = 0;                     // the region that the next stage fills
};

}  // namespace tutti

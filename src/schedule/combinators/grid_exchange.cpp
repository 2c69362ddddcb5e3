#include "schedule/combinators/grid_exchange.hpp"

#include <algorithm>

namespace tutti {

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

}  // namespace tutti

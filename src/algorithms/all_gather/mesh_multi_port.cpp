/// @file
/// All-gather on a torus of n dimensions through all of its links at once.
///
/// Every block is cut into 2 n parts. Each part goes by the mesh's all-gather on a lane of its own: round the rings of
/// one dimension, then, with what a ring has brought, round those of the next. Lanes 0 and 1 begin with the fastest
/// dimension, the next two with the one before it, and so on; of the two the first goes upwards, the second downwards.
/// All lanes take a step together, so that on a torus of equal extents every rank uses each of its links once a step,
/// both ways.
///
///     p = 9, 3 x 3    lane 0    rows right,      then columns down     0 --> 1, then 0 --> 3
///                     lane 1    rows left,       then columns up       0 --> 2, then 0 --> 6
///                     lane 2    columns down,    then rows right       0 --> 3, then 0 --> 1
///                     lane 3    columns up,      then rows left        0 --> 6, then 0 --> 2
///
/// Needs     any p >= 1, any block sizes, any grid: me.grid_for(p), of any number of dimensions. Blocks of
///           fewer elements than lanes are cut into as many parts as a mean one has elements.
/// Buffers   `input`, one block; `output`, p blocks, of which messages are lists of parts. No scratch.
/// Traffic   p times 2 n (sum over extents e of e - 1) messages; every block p - 1 times, always to a neighbour.
/// Time      2 n ts (sum over extents e of e - 1) + tw m (p - 1) on one-port ranks; the 2 n-th part of it on a torus of
///           equal extents whose ranks use all of their links at a time.
/// Optimal   in bytes; on such a torus every link carries what it must.
/// Source    P. Sack, W. Gropp, Collective algorithms for multiported torus networks, ACM Transactions on Parallel
///           Computing 1(2), 2015, §4: the bucket algorithm.

#include <algorithm>
#include <vector>

#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

// The dimensions along which ranks differ, the fastest first.
std::vector<int> wide_dimensions(const Shape& grid) {
  std::vector<int> wide;
  for (int d = grid.dimensions() - 1; d >= 0; --d) {
    if (grid.extent(d) > 1) wide.push_back(d);
  }
  return wide;
}

int lanes_on(const Shape& grid, const Problem& problem) {
  const std::int64_t mean = all_blocks(problem).total() / problem.ranks;
  const auto links = static_cast<std::int64_t>(2 * wide_dimensions(grid).size());
  return static_cast<int>(std::clamp<std::int64_t>(mean, 1, std::max<std::int64_t>(links, 1)));
}

int steps_on(const Shape& grid) {
  int steps = 0;
  for (int d = 0; d < grid.dimensions(); ++d) steps += grid.extent(d) - 1;
  return steps;
}

// The rank with another coordinate, of any size, along a dimension.
int moved(const Shape& grid, int rank, int dimension, int coordinate) {
  const int to = modulo(coordinate, grid.extent(dimension));
  return rank + (to - grid.coordinate(rank, dimension)) * grid.stride(dimension);
}

// One lane as a rank sees it, step after step.
class GridLane {
 public:
  GridLane(Script& me, const Shape& grid, int number, int lanes)
      : me_(me),
        grid_(grid),
        number_(number),
        lanes_(lanes),
        up_(number % 2 == 0 ? 1 : -1),
        order_(wide_dimensions(grid)),
        begin_(me.rank()) {
    std::rotate(order_.begin(), order_.begin() + number / 2, order_.end());
  }

  void take_step() {
    const int dimension = order_[phase_];
    const int here = grid_.coordinate(me_.rank(), dimension);
    bundle(here - up_ * step_);
    me_.send(parts_, moved(grid_, me_.rank(), dimension, here + up_));
    bundle(here - up_ * (step_ + 1));
    me_.receive(parts_, moved(grid_, me_.rank(), dimension, here - up_));
    if (++step_ + 1 < grid_.extent(dimension)) return;
    step_ = 0;
    widen(dimension);
    ++phase_;
  }

 private:
  // Bundles what came to the rank at that place of the ring before this phase: the lane's parts of the blocks of all
  // ranks that agree with it in the dimensions still to come.
  void bundle(int place) {
    const int first = moved(grid_, begin_, order_[phase_], place);
    parts_.clear();
    for (const int offset : offsets_) parts_.push_back(part_of(first + offset));
  }

  // From now on bundles are of all ranks along this dimension, too.
  void widen(int dimension) {
    begin_ = moved(grid_, begin_, dimension, 0);
    const std::size_t n = offsets_.size();
    for (int step = 1; step < grid_.extent(dimension); ++step) {
      for (std::size_t k = 0; k < n; ++k) offsets_.push_back(offsets_[k] + step * grid_.stride(dimension));
    }
    std::sort(offsets_.begin(), offsets_.end());
  }

  Slice part_of(int rank) {
    const bool is_first = phase_ == 0 && step_ == 0 && rank == me_.rank();
    const Slice block = is_first ? me_.input() : me_.output(rank);
    if (block.count != part_of_) {
      part_of_ = block.count;
      const Blocks parts = Blocks::parts_of(block.count, lanes_);
      part_ = {Buffer::output, parts.first(number_), parts.count(number_)};
    }
    return {block.buffer, block.first + part_.first, part_.count};
  }

  Script& me_;
  const Shape& grid_;
  int number_;
  int lanes_;
  int up_;
  std::vector<int> order_;  // order of the dimensions
  std::size_t phase_ = 0;
  int step_ = 0;
  int begin_;                       // the rank itself, moved to the beginning of each dimension of the phases before
  std::vector<int> offsets_ = {0};  // from there to the ranks that differ from it in these dimensions, ascending
  Message parts_;                   // parts of the bundle at hand
  // The lane's part of a block, by the length of the block that was asked for last.
  std::int64_t part_of_ = -1;
  Slice part_;
};

void record_mesh_multi_port(Script& me, const Problem& problem) {
  const Shape grid = me.grid_for(me.size());
  me.copy(me.output(me.rank()), me.input());
  const int lanes = lanes_on(grid, problem);
  std::vector<GridLane> all;
  for (int number = 0; number < lanes && me.size() > 1; ++number) all.emplace_back(me, grid, number, lanes);
  for (int step = 0; step < steps_on(grid); ++step) {
    for (GridLane& lane : all) lane.take_step();
    me.wait();
  }
}

Claims claims_mesh_multi_port(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  const std::int64_t rounds = std::int64_t{lanes_on(grid, problem)} * steps_on(grid);
  return {.rounds = rounds,
          .messages = problem.ranks * rounds,
          .elements = (problem.ranks - 1) * all_blocks(problem).total()};
}

}  // namespace

const Algorithm all_gather_mesh_multi_port{
    .collective = Collective::all_gather,
    .name = "mesh-multi-port",
    .aliases = {"bucket-multi-port"},
    .summary = "The mesh's all-gather of parts of the blocks, one part for each link of a rank, all at once.",
    .when = "Long blocks on tori of equal extents whose ranks use all of their links at a time.",
    .source = "P. Sack, W. Gropp, Collective algorithms for multiported torus networks, 2015, §4",
    .for_several_nodes = true,
    .grid_symmetry = &Parameters::grid_for,
    .record = record_mesh_multi_port,
    .claims = claims_mesh_multi_port,
};

}  // namespace tutti::algorithms

/// @file
/// All-reduce by swings on a torus of n dimensions through all of its links at once.
///
/// The message is cut into 2 n lanes. In each lane ranks swing as in swing.cpp, along one dimension after the other:
/// lanes 0 and 1 begin with the fastest dimension, the next two with the one before it, and so on; of two such lanes
/// one swings to the other side first, as in a mirror. A dimension that has no swing left is passed over. All lanes
/// take a swing together, so that on a torus of equal extents they use all links alike, and messages of lanes that
/// swing far along one dimension meet those of no other lane there:
///
///     p = 16, 4 x 4    lane 0    row +1, column +1, row -1, column -1        partners of rank 0 by swing: 1, 4, 3, 12
///                      lane 1    row -1, column -1, row +1, column +1                                     3, 12, 1, 4
///                      lane 2    column +1, row +1, column -1, row -1                                     4, 1, 12, 3
///                      lane 3    column -1, row -1, column +1, row +1                                     12, 3, 4, 1
///
/// Lanes may have any elements, and a rank may hold any part of them between the halves: here a lane is one run, and so
/// is what a rank holds of it before every swing.
///
/// Needs     p = 2^d, any grid: me.grid_for(p), of any number of dimensions, whose extents are then powers
///           of two; a commutative operator. Messages of fewer elements a rank than lanes have as many lanes as those.
/// Buffers   `input`, read where it lies; `output`, in which sums grow and results arrive. No scratch.
/// Traffic   p times 4 n d messages, 2 (p - 1) m bytes.
/// Time      4 n d ts + 2 m tw (p - 1)/p on one-port ranks. On a torus of equal extents whose ranks use all of their
///           links at a time 2 d ts and, where far swings meet on links, a little more than the bytes' bound
///           m tw (p - 1)/(n p): on 8 x 8 1.10 times that, on any torus of two dimensions less than 1.2, on a ring 1.5.
/// Optimal   in bytes for each rank; in rounds, for so few bytes, up to a factor 2.
/// Source    D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce,
///           NSDI, 2024, §4.

#include <algorithm>
#include <vector>

#include "algorithms/bine.hpp"
#include "algorithms/swing_pieces.hpp"
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

int lanes_on(const Shape& grid, std::int64_t elements) {
  const auto links = static_cast<std::int64_t>(2 * wide_dimensions(grid).size());
  return static_cast<int>(std::clamp<std::int64_t>(elements / grid.size(), 1, std::max<std::int64_t>(links, 1)));
}

/// A swing of a lane: along which dimension, and the how manieth there.
struct Swing {
  int dimension = 0;
  int local = 0;
};

// Dimensions in turn, those that have no swing left passed over.
std::vector<Swing> swings_of(const Shape& grid, std::size_t first) {
  std::vector<int> order = wide_dimensions(grid);
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
  std::vector<Swing> swings;
  for (int local = 0; static_cast<int>(swings.size()) < ceil_log2(grid.size()); ++local) {
    for (const int dimension : order) {
      if (local < ceil_log2(grid.extent(dimension))) swings.push_back({dimension, local});
    }
  }
  return swings;
}

/// A lane as a rank sees it.
class SwingLane {
 public:
  SwingLane(Script& me, const Shape& grid, int number, Slice run)
      : me_(me),
        grid_(grid),
        mirrored_(number % 2 == 1),
        swings_(swings_of(grid, static_cast<std::size_t>(number / 2))),
        run_(run),
        pieces_(Blocks::parts_of(run.count, grid.size())) {
    std::vector<int> of_dimension;
    for (int d = 0; d < grid.dimensions(); ++d)
      of_dimension.push_back(swing_piece(seen(grid.coordinate(me.rank(), d), grid.extent(d)), grid.extent(d)));
    for (const auto& [dimension, local] : swings_) {
      const int bit = ceil_log2(grid.extent(dimension)) - 1 - local;
      piece_ = 2 * piece_ + (of_dimension[static_cast<std::size_t>(dimension)] >> bit & 1);
    }
  }

  void reduce(int swing) {
    const int n = grid_.size() >> (swing + 1);
    const Buffer sums = swing == 0 ? me_.input().buffer : Buffer::output;
    me_.send(others(sums, n), partner(swing));
    me_.receive_reduce(mine(Buffer::output, n), mine(sums, n), partner(swing));
  }

  void gather(int swing) {
    const int n = grid_.size() >> (swing + 1);
    me_.send(mine(Buffer::output, n), partner(swing));
    me_.receive(others(Buffer::output, n), partner(swing));
  }

 private:
  // A mirrored lane swings as if coordinates were counted the other way.
  int seen(int coordinate, int extent) const { return mirrored_ ? modulo(-coordinate, extent) : coordinate; }

  int partner(int swing) const {
    const auto [dimension, local] = swings_[static_cast<std::size_t>(swing)];
    const int extent = grid_.extent(dimension);
    const int here = grid_.coordinate(me_.rank(), dimension);
    const int there = seen(bine_partner(seen(here, extent), local, extent), extent);
    return me_.rank() + (there - here) * grid_.stride(dimension);
  }

  // The n parts of the lane that this rank holds after a swing of the first half, and those that its partner holds.
  Slice mine(Buffer buffer, int n) const { return parts(buffer, piece_ / n * n, n); }
  Slice others(Buffer buffer, int n) const { return parts(buffer, (piece_ / n ^ 1) * n, n); }
  Slice parts(Buffer buffer, int first, int n) const {
    const std::int64_t begin = pieces_.first(first);
    return {buffer, run_.first + begin, pieces_.first(first + n) - begin};
  }

  Script& me_;
  const Shape& grid_;
  bool mirrored_;
  std::vector<Swing> swings_;
  Slice run_;
  Blocks pieces_;
  int piece_ = 0;
};

void record_swing_multi_port(Script& me, const Problem& problem) {
  const Shape grid = me.grid_for(me.size());
  if (me.size() == 1) return me.copy(me.output(), me.input());
  const int swings = ceil_log2(me.size());
  const int lanes = lanes_on(grid, problem.count);
  // Lanes of whole parts for every rank; what p does not divide is the first lane's.
  const Blocks shares = Blocks::parts_of(problem.count / me.size(), lanes);
  std::vector<SwingLane> all;
  std::int64_t begin = 0;
  for (int number = 0; number < lanes; ++number) {
    const std::int64_t count = shares.count(number) * me.size() + (number == 0 ? problem.count % me.size() : 0);
    all.emplace_back(me, grid, number, Slice{Buffer::output, begin, count});
    begin += count;
  }
  me.phase("reduce-scatter");
  for (int swing = 0; swing < swings; ++swing) {
    for (SwingLane& lane : all) lane.reduce(swing);
    me.wait();
  }
  me.phase("all-gather");
  for (int swing = swings - 1; swing >= 0; --swing) {
    for (SwingLane& lane : all) lane.gather(swing);
    me.wait();
  }
}

Claims claims_swing_multi_port(const Problem& problem, const Parameters& parameters) {
  const Shape grid = parameters.grid_for(problem.ranks);
  const std::int64_t rounds = std::int64_t{2} * lanes_on(grid, problem.count) * ceil_log2(problem.ranks);
  return {.rounds = rounds,
          .messages = problem.ranks * rounds,
          .elements = 2 * (std::int64_t{problem.ranks} - 1) * problem.count};
}

}  // namespace

const Algorithm all_reduce_swing_multi_port{
    .collective = Collective::all_reduce,
    .name = "swing-multi-port",
    .aliases = {"swing-torus"},
    .summary =
        "Swings along the dimensions of a torus in turn, of parts of the message, one part for each link of a rank.",
    .when = "Messages of middle and great length on rings and tori of 2^d ranks that use all of their links at a time.",
    .source =
        "D. De Sensi, T. Bonato, D. Saam, T. Hoefler, Swing: Short-cutting Rings for Higher Bandwidth Allreduce, 2024",
    .needs = {Need::power_of_two_ranks, Need::commutative_operator},
    .record = record_swing_multi_port,
    .claims = claims_swing_multi_port,
};

}  // namespace tutti::algorithms

/// @file
/// All-to-all by trees: an all-gather of everything within each row, by doubling; then a scatter within each column, by
/// halving.
///
/// After the first phase every rank holds all that starts in its row, r rows of c ranks. In the second it sends to each
/// rank of its column what comes from the row: c blocks. Both phases double and halve in Bruck's way, so any grid will
/// do. {xs,ys} are the blocks from all x to all y:
///
///     0 1    rows       0 <--{0,*}, {1,*}--> 1        2 <--{2,*}, {3,*}--> 3        p = 4
///     2 3    columns    0 <--{01,2}, {23,0}--> 2      1 <--{01,3}, {23,1}--> 3
///
/// The first phase takes every block to all ranks of a row, though one of them has a use for it.
///
/// Needs     any p >= 1, any counts, any grid: rows are along the fastest dimension of me.grid_for(p), the
///           others together are the columns.
/// Buffers   blocks go from `input` to `output`, on their way through scratch for about c p m bytes; the own one is
///           copied.
/// Traffic   p (ceil(log2 c) + ceil(log2 r)) messages. Bytes a rank: (c - 1)(p - 1) m in the first phase, and in the
///           second c m for every bit set in 1 .. r - 1, which is c (r/2) log2(r) m for r a power of two.
/// Time      ts (ceil(log2 c) + ceil(log2 r)) + m tw ((c - 1)(p - 1) + c (r/2) log2 r) where ranks are fully connected.
/// Optimal   in rounds for one-port ranks where c and r are powers of two, as bruck.cpp is for any p with fewer bytes.
/// Source    for the two phases, lecture notes after A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel
///           Computing, 2nd ed., 2003, §4.2 and §4.4; for their rounds, Bruck et al., IEEE TPDS 8(11), 1997.

#include <algorithm>
#include <bit>
#include <optional>

#include "algorithms/all_to_all/carried.hpp"
#include "algorithms/all_to_all/transit.hpp"
#include "algorithms/table.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

int row_length(const Shape& grid) { return grid.extent(grid.dimensions() - 1); }

// Everything that starts in this rank's row but the blocks that stay with their origins.
class RowData {
 public:
  RowData(Script& me, const Problem& problem, int columns)
      : me_(me), columns_(columns), first_rank_(me.rank() / columns * columns), end_(0) {
    const std::optional<std::int64_t> block = equal_count(problem);
    if (me.detail() == Detail::messages && block) each_column_ = *block * (me.size() - 1);
    for (int column = 0; column < columns && !each_column_; ++column) {
      const int origin = first_rank_ + column;
      blocks_.push_back(input_blocks(problem, origin));
      begins_.push_back(end_);
      if (origin != me.rank()) end_ += blocks_.back().total();
    }
  }

  // All blocks of `n` ranks of the row from `column` on, around its end.
  Message blocks_from(int column, int n) const {
    if (each_column_) return {{Buffer::scratch, 0, n * *each_column_}};
    Message message;
    for (int k = column; k < column + n; ++k) append_blocks_of(k % columns_, message);
    return message;
  }

  // All blocks of the row for `destination`, a rank of another row.
  Message blocks_for(int destination) const {
    Message message;
    for (int column = 0; column < columns_; ++column) message.push_back(blocks(column, destination, destination + 1));
    return message;
  }

  std::int64_t scratch_end() const { return end_; }

 private:
  // Returns the place of the blocks from the row's `column` to the ranks [from, to), this one not among them: in its
  // own input, or in scratch at the positions that they have in the input that they come from.
  Slice blocks(int column, int from, int to) const {
    const auto c = static_cast<std::size_t>(column);
    const std::int64_t first = blocks_[c].first(from);
    const std::int64_t count = blocks_[c].first(to) - first;
    if (first_rank_ + column == me_.rank()) return {me_.input().buffer, first, count};
    return me_.scratch(begins_[c] + first, count);
  }

  // All blocks of `column` but the one that stays there. The one for this rank arrives in the output at once.
  void append_blocks_of(int column, Message& message) const {
    const int origin = first_rank_ + column;
    const auto [low, high] = std::minmax({origin, me_.rank()});
    message.push_back(blocks(column, 0, low));
    if (low != origin) message.push_back(me_.output(origin));
    if (low < high) message.push_back(blocks(column, low + 1, high));
    if (high != origin) message.push_back(me_.output(origin));
    message.push_back(blocks(column, high + 1, me_.size()));
  }

  Script& me_;
  int columns_;
  int first_rank_;
  std::optional<std::int64_t> each_column_;  // its elements, where messages alone are recorded and these are all alike
  std::int64_t end_;
  std::vector<Blocks> blocks_;        // blocks of each rank of the row
  std::vector<std::int64_t> begins_;  // begins of these in scratch
};

// All-gather by doubling: a rank that has the data of `have` ranks from itself on gets those that follow.
void gather_row(Script& me, const RowData& row, int columns) {
  const int column = me.rank() % columns;
  const int first_rank = me.rank() - column;
  for (int have = 1; have < columns; have *= 2) {
    const int n = std::min(have, columns - have);
    const int next = (column + have) % columns;
    me.send(row.blocks_from(column, n), first_rank + modulo(column - have, columns));
    me.receive(row.blocks_from(next, n), first_rank + next);
    me.wait();
  }
}

void record_tree(Script& me, const Problem& problem) {
  const int columns = row_length(me.grid_for(me.size()));
  const int rows = me.size() / columns;
  const int my_row = me.rank() / columns;
  const auto rank_of = [&](int row) { return row * columns + me.rank() % columns; };

  const RowData row(me, problem, columns);
  me.phase("gather in rows");
  me.copy(me.output(me.rank()), me.input(me.rank()));
  gather_row(me, row, columns);
  me.phase("scatter in columns");

  std::optional<std::int64_t> bundle = equal_count(problem);
  if (bundle) *bundle *= columns;
  Transit transit(me, rows, bundle, row.scratch_end());
  for (int slot = 1; slot < rows && transit.has_places(); ++slot)
    transit[slot] = row.blocks_for(rank_of((my_row + slot) % rows));
  bruck_exchange(transit, Digits(rows, 2), my_row, rank_of, [&](int origin_row, int destination_row) {
    Message places;
    for (int origin = origin_row * columns; origin < (origin_row + 1) * columns; ++origin) {
      places.push_back(destination_row == my_row ? me.output(origin)
                                                 : transit.place(problem.pair_count(origin, rank_of(destination_row))));
    }
    return places;
  });
}

Claims claims_tree(const Problem& problem, const Parameters& parameters) {
  const int columns = row_length(parameters.grid_for(problem.ranks));
  const int rows = problem.ranks / columns;
  const std::int64_t rounds = ceil_log2(columns) + ceil_log2(rows);
  const auto hops = [&](int origin, int destination) {
    if (origin == destination) return 0;
    const int down = modulo(destination / columns - origin / columns, rows);
    return columns - 1 + std::popcount(static_cast<unsigned>(down));
  };
  return {.rounds = rounds, .messages = problem.ranks * rounds, .elements = elements_carried(problem, hops)};
}

}  // namespace

const Algorithm all_to_all_tree{
    .collective = Collective::all_to_all,
    .name = "tree",
    .summary = "Rows gather everything by doubling, then columns scatter it by halving.",
    .when = "To compare with the textbook's; bruck takes no more rounds and moves less.",
    .source =
        "Lecture notes after A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., "
        "2003, §4",
    .record = record_tree,
    .claims = claims_tree,
};

}  // namespace tutti::algorithms

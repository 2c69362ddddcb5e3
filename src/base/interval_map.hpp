/// @file
/// A map from element positions to values, kept as cells that are cut, and seldom joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tutti {

/// Values over all positions from 0 on; `Value{}` where nothing was assigned. `Value` needs `==` and `after(n)`: the
/// value n positions further on within one run, so that "elements 8.. of rank 3's input" is one run however long it is.
/// `Value{}.after(n)` is `Value{}`.
///
/// A cell is cut where a run begins or ends that is assigned, and stays cut: where the same blocks are assigned again
/// and again, as in the steps of a schedule, no cell moves after the first time. Cells whose values go on are joined
/// only where they have become many: twice as many as were left the last time.
///
/// Cost: O(cells that it covers), and O(log d) to find the first of them, d cells from the one found last; to cut a cell
/// moves all cells behind it.
template <typename Value>
class IntervalMap {
 public:
  /// Gives `count` positions from `first` the values `value`, `value.after(1)`, …
  void assign(std::int64_t first, std::int64_t count, const Value& value) {
    if (count <= 0) return;
    if (cells_.size() >= many_) join();
    ++assigned_;
    const std::size_t begin = cut(first);
    const std::size_t end = cut(first + count);
    for (std::size_t k = begin; k < end; ++k) cells_[k].value = value.after(cells_[k].first - first);
    last_ = begin;
  }

  /// Calls `see(first, count, value)` for the runs of [first, first + count) in order, each as long as its values go
  /// on.
  template <typename Visit>
  void visit(std::int64_t first, std::int64_t count, Visit&& see) const {
    const std::int64_t end = first + count;
    std::size_t k = count > 0 ? find(first) : 0;
    for (std::int64_t at = first; at < end;) {
      const Value value = cells_[k].value.after(at - cells_[k].first);
      std::int64_t stop = end_of(k++);
      while (stop < end && cells_[k].value == value.after(stop - at)) stop = end_of(k++);
      stop = std::min(stop, end);
      see(at, stop - at, value);
      at = stop;
      last_ = k - 1;
    }
  }

  /// Makes room for so many cells.
  void reserve(std::size_t cells) { cells_.reserve(cells); }

  /// Whether the map is of one cell, as it is made.
  bool is_whole() const { return cells_.size() == 1; }

  /// Cuts cells at all these positions, which are above 0 and in order: no cell moves when runs are assigned that begin
  /// and end there. Needs is_whole(), and nothing that was assigned.
  void cut_at(const std::vector<std::int64_t>& positions) {
    cells_.reserve(positions.size() + 1);
    for (const std::int64_t position : positions) {
      if (position > cells_.back().first) cells_.push_back({position, Value{}});
    }
    many_ = std::max(many_, 2 * cells_.size());
  }

  /// Forgets all assignments; the memory is kept. Cells stay cut where so many runs were assigned that the next use,
  /// for another rank's program, is likely to cut them again: then this costs no more than the assignments did.
  void clear() {
    if (2 * assigned_ >= cells_.size()) {
      for (Cell& cell : cells_) cell.value = Value{};
    } else {
      cells_.assign(1, Cell{0, Value{}});
      many_ = few;
    }
    last_ = 0;
    assigned_ = 0;
  }

 private:
  struct Cell {
    std::int64_t first;
    Value value;  // at `first`
  };

  std::int64_t end_of(std::size_t k) const {
    return k + 1 < cells_.size() ? cells_[k + 1].first : std::numeric_limits<std::int64_t>::max();
  }
  bool holds(std::size_t k, std::int64_t position) const {
    return k < cells_.size() && cells_[k].first <= position && position < end_of(k);
  }

  /// The cell of the position, which often is near the one found last: steps away from there double.
  std::size_t find(std::int64_t position) const {
    if (holds(last_, position)) return last_;
    std::size_t low = 0;  // begins at the position or before it
    std::size_t high = cells_.size();
    std::size_t step = 1;
    if (cells_[last_].first < position) {
      for (low = last_; low + step < high && cells_[low + step].first <= position; step *= 2) low += step;
      high = std::min(high, low + step);
    } else {
      for (high = last_; high > step && cells_[high - step].first > position; step *= 2) high -= step;
      low = high > step ? high - step : 0;
    }
    const auto begin = cells_.begin();
    const auto behind =
        std::upper_bound(begin + static_cast<std::ptrdiff_t>(low) + 1, begin + static_cast<std::ptrdiff_t>(high),
                         position, [](std::int64_t x, const Cell& cell) { return x < cell.first; });
    return static_cast<std::size_t>(behind - begin) - 1;
  }

  /// The cell that begins at the position, which is made if there is none.
  std::size_t cut(std::int64_t position) {
    const std::size_t k = last_ = find(position);
    if (cells_[k].first == position) return k;
    const Cell rest{position, cells_[k].value.after(position - cells_[k].first)};
    cells_.insert(cells_.begin() + static_cast<std::ptrdiff_t>(k) + 1, rest);
    return k + 1;
  }

  /// Joins all cells whose values go on.
  void join() {
    auto last = cells_.begin();
    for (auto cell = last + 1; cell != cells_.end(); ++cell) {
      if (!(cell->value == last->value.after(cell->first - last->first))) *++last = *cell;
    }
    cells_.erase(last + 1, cells_.end());
    last_ = 0;
    many_ = std::max(few, 2 * cells_.size());
  }

  static constexpr std::size_t few = 64;
  std::size_t many_ = few;
  std::size_t assigned_ = 0;  // runs since all was forgotten
  std::vector<Cell> cells_{Cell{0, Value{}}};
  mutable std::size_t last_ = 0;  // the cell found last
};

}  // namespace tutti

/// @file
/// A map from element positions to values, kept as maximal runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tutti {

/// Values over runs of positions. `Value` needs `==` and `after(n)`: the value n positions further on within one run,
/// so that "elements 8.. of rank 3's input" is one run however long it is.
///
/// Cost: find is O(log runs); assign is O(runs) in the worst case and O(log runs) when it appends or overwrites in
/// place.
template <typename Value>
class IntervalMap {
 public:
  struct Run {
    std::int64_t first;
    std::int64_t end;
    Value value;  // at `first`
  };

  /// Gives `count` positions from `first` the values `value`, `value.after(1)`, …
  void assign(std::int64_t first, std::int64_t count, const Value& value) {
    if (count <= 0) return;
    const std::int64_t end = first + count;
    auto low =
        std::lower_bound(runs_.begin(), runs_.end(), first, [](const Run& r, std::int64_t x) { return r.end <= x; });
    if (assign_front(low, first, end, value)) return;
    Run fresh{first, end, value};
    auto high = low;
    Run tail{};
    bool has_tail = false;
    while (high != runs_.end() && high->first < end) {
      if (high->end > end) {
        tail = Run{end, high->end, high->value.after(end - high->first)};
        has_tail = true;
      }
      ++high;
    }
    Run pieces[3];
    int n = 0;
    if (low != high && low->first < first) pieces[n++] = Run{low->first, first, low->value};
    pieces[n++] = fresh;
    if (has_tail) pieces[n++] = tail;
    replace(low - runs_.begin(), high - runs_.begin(), pieces, n);
  }

  /// Calls `see(first, count, const Value*)` for the runs of [first, first + count) in order; null where nothing was
  /// assigned.
  template <typename Visit>
  void visit(std::int64_t first, std::int64_t count, Visit&& see) const {
    const std::int64_t end = first + count;
    auto run =
        std::lower_bound(runs_.begin(), runs_.end(), first, [](const Run& r, std::int64_t x) { return r.end <= x; });
    std::int64_t at = first;
    while (at < end) {
      if (run == runs_.end() || run->first >= end) {
        see(at, end - at, static_cast<const Value*>(nullptr));
        return;
      }
      if (run->first > at) {
        see(at, run->first - at, static_cast<const Value*>(nullptr));
        at = run->first;
      }
      const std::int64_t stop = std::min(end, run->end);
      const Value value = run->value.after(at - run->first);
      see(at, stop - at, &value);
      at = stop;
      ++run;
    }
  }

  const std::vector<Run>& runs() const { return runs_; }
  void clear() { runs_.clear(); }

 private:
  // The usual cases, in which all of run `low` or its front takes the value and nothing joins behind; false elsewhere.
  bool assign_front(typename std::vector<Run>::iterator low, std::int64_t first, std::int64_t end, const Value& value) {
    if (low == runs_.end() || low->first != first || low->end < end) return false;
    const bool whole = low->end == end;
    const auto behind = whole ? low + 1 : low;
    const Value rest = whole ? Value{} : low->value.after(end - first);
    const bool touches = !whole || (behind != runs_.end() && behind->first == end);
    if (touches && value.after(end - first) == (whole ? behind->value : rest)) return false;
    const auto before = low == runs_.begin() ? runs_.end() : low - 1;
    const bool joins =
        before != runs_.end() && before->end == first && before->value.after(first - before->first) == value;
    if (!whole) {
      low->first = end;
      low->value = rest;
    }
    if (joins) {
      before->end = end;
      if (whole) runs_.erase(low);
    } else if (whole) {
      low->value = value;
    } else {
      runs_.insert(low, Run{first, end, value});
    }
    return true;
  }

  // Puts `pieces` in the place of runs [from, to), then joins neighbours whose values continue each other.
  void replace(std::ptrdiff_t from, std::ptrdiff_t to, const Run* pieces, int n) {
    const std::ptrdiff_t kept = std::min<std::ptrdiff_t>(n, to - from);
    std::copy(pieces, pieces + kept, runs_.begin() + from);
    if (n > kept) {
      runs_.insert(runs_.begin() + from + kept, pieces + kept, pieces + n);
    } else {
      runs_.erase(runs_.begin() + from + kept, runs_.begin() + to);
    }
    const std::ptrdiff_t last = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(runs_.size()) - 1, from + n);
    for (std::ptrdiff_t k = last; k > 0 && k >= from; --k) join(k - 1);
  }

  void join(std::ptrdiff_t k) {
    Run& a = runs_[static_cast<std::size_t>(k)];
    const Run& b = runs_[static_cast<std::size_t>(k) + 1];
    if (a.end != b.first || !(a.value.after(a.end - a.first) == b.value)) return;
    a.end = b.end;
    runs_.erase(runs_.begin() + k + 1);
  }

  std::vector<Run> runs_;
};

}  // namespace tutti

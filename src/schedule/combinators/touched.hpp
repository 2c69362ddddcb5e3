/// @file
/// Memory that the operations of a step touch, and whether another operation would meet it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/interval_map.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/append.hpp"

namespace tutti {

/// The places that the operations of a step have touched. They are sorted no sooner than a message needs it; from then
/// on a slice costs O(log n), where n is the number of runs that the places form.
class Touched {
 public:
  bool meets(Slices message) {
    constexpr std::size_t few = 64;
    if (message.empty()) return false;
    if (is_sorted_ || message.size() * fresh_.size() > few) sort();
    if (!is_sorted_ && fresh_.empty()) return false;
    return std::any_of(message.begin(), message.end(), [&](const Slice& slice) {
      bool meets = std::any_of(fresh_.begin(), fresh_.end(), [&](const Slice& other) {
        return slice.buffer == other.buffer && slice.first < other.end() && other.first < slice.end();
      });
      if (!is_sorted_) return meets;
      places_[static_cast<std::size_t>(slice.buffer)].visit(
          slice.first, slice.count, [&](std::int64_t, std::int64_t, Here here) { meets = meets || here.touched; });
      return meets;
    });
  }
  void add(Slices message) {
    for (const Slice& slice : message) append(fresh_, 0, slice);
  }
  void clear() {
    if (is_sorted_) {
      for (IntervalMap<Here>& each : places_) each.clear();
    }
    fresh_.clear();
    is_sorted_ = false;
  }

 private:
  struct Here {
    bool touched = false;

    Here after(std::int64_t) const { return *this; }
    friend bool operator==(const Here&, const Here&) = default;
  };

  // Runs that come in their order are appended, which moves no others.
  void sort() {
    const auto comes_before = [](const Slice& a, const Slice& b) { return a.first < b.first; };
    if (!std::is_sorted(fresh_.begin(), fresh_.end(), comes_before))
      std::sort(fresh_.begin(), fresh_.end(), comes_before);
    for (const Slice& slice : fresh_)
      places_[static_cast<std::size_t>(slice.buffer)].assign(slice.first, slice.count, Here{true});
    fresh_.clear();
    is_sorted_ = true;
  }

  IntervalMap<Here> places_[3];
  Message fresh_;  // not among these yet
  bool is_sorted_ = false;
};

}  // namespace tutti

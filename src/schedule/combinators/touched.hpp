/// @file
/// Memory that the operations of a step touch, and whether another operation would meet it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "schedule/record/append.hpp"

namespace tutti {

/// The places that the operations of a step have touched. They become sorted runs no sooner than a message needs it.
///
/// Cost: with n runs, a message of m slices O(m) where these are in order and near one another, O(m log n) elsewhere;
/// places that were touched since the last message O(n), or O(log n) and a move of the runs behind where they are few.
class Touched {
 public:
  bool meets(Slices message) {
    constexpr std::size_t few = 64;
    if (message.empty() || (fresh_.empty() && is_empty())) return false;
    if (is_empty() && message.size() * fresh_.size() <= few) return meets_fresh(message);
    sort();
    std::array<std::size_t, buffers> at{};
    return std::any_of(message.begin(), message.end(), [&](const Slice& slice) {
      const auto buffer = static_cast<std::size_t>(slice.buffer);
      return meets_run(runs_[buffer], slice, at[buffer]);
    });
  }
  void add(Slices message) {
    for (const Slice& slice : message) {
      if (slice.count > 0) append(fresh_, 0, slice);
    }
  }
  void clear() {
    for (Runs& each : runs_) each.clear();
    fresh_.clear();
  }

 private:
  struct Run {
    std::int64_t first = 0;
    std::int64_t end = 0;
  };
  using Runs = std::vector<Run>;  // in order, with room between them
  static constexpr std::size_t buffers = 3;

  bool is_empty() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const Runs& each) { return each.empty(); });
  }

  bool meets_fresh(Slices message) const {
    return std::any_of(message.begin(), message.end(), [&](const Slice& slice) {
      return std::any_of(fresh_.begin(), fresh_.end(), [&](const Slice& other) {
        return slice.buffer == other.buffer && slice.first < other.end() && other.first < slice.end();
      });
    });
  }

  /// Returns the first run from `from` on that ends behind the position.
  static std::size_t run_behind(const Runs& runs, std::int64_t position, std::size_t from) {
    const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(from);
    const auto found =
        std::partition_point(begin, runs.end(), [position](const Run& run) { return run.end <= position; });
    return static_cast<std::size_t>(found - runs.begin());
  }

  /// `at` is the run of the slice before, and becomes the first one that ends behind this slice's beginning.
  static bool meets_run(const Runs& runs, const Slice& slice, std::size_t& at) {
    if (at > 0 && runs[at - 1].end > slice.first) at = 0;
    if (at < runs.size() && runs[at].end <= slice.first) ++at;
    if (at < runs.size() && runs[at].end <= slice.first) at = run_behind(runs, slice.first, at);
    return at < runs.size() && runs[at].first < slice.end();
  }

  /// Puts a run where it belongs, with those that it joins.
  static void insert(Runs& runs, const Slice& slice) {
    const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(run_behind(runs, slice.first - 1, 0));
    auto end = begin;
    Run whole{slice.first, slice.end()};
    for (; end != runs.end() && end->first <= whole.end; ++end)
      whole = {std::min(whole.first, end->first), std::max(whole.end, end->end)};
    if (begin == end) {
      runs.insert(begin, whole);
    } else {
      *begin = whole;
      runs.erase(begin + 1, end);
    }
  }

  static void append_run(Runs& runs, const Run& run) {
    if (!runs.empty() && run.first <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, run.end);
    } else {
      runs.push_back(run);
    }
  }

  void sort() {
    constexpr std::size_t few = 4;
    if (fresh_.size() <= few) {
      for (const Slice& slice : fresh_) insert(runs_[static_cast<std::size_t>(slice.buffer)], slice);
    } else {
      merge();
    }
    fresh_.clear();
  }

  void merge() {
    const auto comes_before = [](const Slice& a, const Slice& b) { return a.first < b.first; };
    if (!std::is_sorted(fresh_.begin(), fresh_.end(), comes_before))
      std::sort(fresh_.begin(), fresh_.end(), comes_before);
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      Runs& each = runs_[static_cast<std::size_t>(buffer)];
      merged_.clear();
      auto old = each.begin();
      for (const Slice& slice : fresh_) {
        if (slice.buffer != buffer) continue;
        for (; old != each.end() && old->first <= slice.first; ++old) append_run(merged_, *old);
        append_run(merged_, {slice.first, slice.end()});
      }
      for (; old != each.end(); ++old) append_run(merged_, *old);
      each.swap(merged_);
    }
  }

  std::array<Runs, buffers> runs_;
  Runs merged_;    // kept to spare allocations
  Message fresh_;  // not among the runs yet
};

}  // namespace tutti

/// @file
/// Traffic, copies and scratch of a schedule, for tests of single algorithms.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/integers.hpp"
#include "schedule/model/choice.hpp"

namespace tutti {

/// Up to so many ranks an algorithm is looked at by itself: one more than a power of two.
inline constexpr int largest_p = 33;

inline Schedule schedule_of(const Choice& choice, Problem problem) {
  problem.collective = choice.algorithm->collective;
  return record(choice, problem);
}

/// One send of a rank.
struct Sent {
  int to;
  std::int64_t elements;
  friend bool operator==(const Sent&, const Sent&) = default;
};

inline std::vector<Sent> sends_of(const Program& program) {
  std::vector<Sent> sends;
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::send) sends.push_back({op.peer, Slices(program.slices(op)).elements()});
  }
  return sends;
}

inline std::vector<Sent> sends_of(const Schedule& schedule, int rank) {
  return sends_of(schedule.programs[static_cast<std::size_t>(rank)]);
}

inline std::int64_t largest_scratch(const Schedule& schedule) {
  std::int64_t largest = 0;
  for (const Program& program : schedule.programs) largest = std::max(largest, program.scratch);
  return largest;
}

inline std::int64_t copied_elements(const Program& program) {
  std::int64_t copied = 0;
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::copy) copied += Slices(program.slices(op)).elements();
  }
  return copied;
}

/// Whether a and b are linked on a grid that wraps around: neighbours along one dimension.
inline bool linked(const Shape& grid, int a, int b) {
  int links = 0;
  for (int d = 0; d < grid.dimensions(); ++d) {
    const int apart = modulo(grid.coordinate(a, d) - grid.coordinate(b, d), grid.extent(d));
    links += std::min(apart, grid.extent(d) - apart);
  }
  return links == 1;
}

template <typename Linked>
void expect_all_messages_go_one_link(const Schedule& schedule, const Linked& are_linked) {
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    for (const Sent& sent : sends_of(schedule, rank)) {
      EXPECT_TRUE(are_linked(rank, sent.to)) << describe(schedule.problem) << ": " << rank << " -> " << sent.to;
    }
  }
}

}  // namespace tutti

/// @file
/// Memory in which the dual of a program is made, kept from one rank to the next.
#pragma once

#include <cstdint>

#include "base/interval_map.hpp"
#include "schedule/combinators/touched.hpp"
#include "schedule/model/schedule.hpp"

namespace tutti {

/// Place of a value: `at` in `buffer` of the dual.
struct HeldElements {
  bool held = false;
  Buffer buffer = Buffer::input;
  std::int64_t at = 0;

  HeldElements after(std::int64_t n) const { return {held, buffer, held ? at + n : 0}; }
  friend bool operator==(const HeldElements&, const HeldElements&) = default;
};

/// Memory that an adjoint works with, beside the buffers of its original.
struct AdjointMemory {
  Program forward;
  IntervalMap<HeldElements> held[3];
  Touched read;
  Touched written;
  Message into;
  Message mine;
  std::vector<std::int64_t> cuts;

  void clear() {
    forward.ops.clear();
    forward.pool.clear();
    forward.phases.clear();
    forward.pruned.clear();
    forward.scratch = 0;
    for (IntervalMap<HeldElements>& each : held) each.clear();
    read.clear();
    written.clear();
  }
};

}  // namespace tutti

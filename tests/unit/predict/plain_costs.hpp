/// @file
/// Costs in which each one stands out, for tests of the model.
#pragma once

#include <string_view>

#include "algorithms/catalogue.hpp"
#include "predict/model/machine_model.hpp"

namespace tutti::test {

/// All costs that the model knows are nothing, but those that a test sets.
inline MachineCosts nothing() {
  return {.call = 0,
          .latency = 0,
          .overhead = 0,
          .rendezvous = 0,
          .short_byte = 0,
          .byte = 0,
          .combine_byte = 0,
          .copy_byte = 0,
          .turn = 0,
          .short_bytes = 1 << 20,
          .help = Help::none};
}

inline constexpr int cores = 2;

inline double price(const MachineCosts& costs, Collective collective, std::string_view algorithm, int ranks,
                    std::int64_t count = 1000) {
  const Problem problem{.collective = collective, .ranks = ranks, .count = count};
  return MachineModel(costs, cores).seconds(algorithms::fitting(problem, algorithm), problem, 1);
}

}  // namespace tutti::test

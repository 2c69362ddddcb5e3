/// @file
/// Which send meets which receive.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verify/report.hpp"
#include "verify/verify.hpp"

namespace tutti::proof {

/// The k-th send from rank s to rank d meets the k-th receive of d from s. Timing has no part in it, so the pairs
/// follow from the programs alone.
///
/// Cost: O(ranks + operations), in time and memory.
class Matching {
 public:
  /// Needs a schedule without malformed operations.
  explicit Matching(const Schedule& schedule);

  /// A message without its counterpart, or one whose send and receive differ in size.
  std::optional<Failure> find_failure(const Schedule& schedule) const;

  /// The number within the peer's program of the operation that meets this one; `none` where nothing does.
  std::uint32_t counterpart(Place place) const {
    return counterparts_[begins_[static_cast<std::size_t>(place.rank)] + place.op];
  }

  static constexpr std::uint32_t none = UINT32_MAX;

 private:
  std::uint32_t& counterpart(Place place) {
    return counterparts_[begins_[static_cast<std::size_t>(place.rank)] + place.op];
  }

  std::vector<std::size_t> begins_;  // where each rank's operations begin in counterparts_
  std::vector<std::uint32_t> counterparts_;
};

}  // namespace tutti::proof

/// @file
/// The phases that an algorithm's text names.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/shape.hpp"
#include "schedule/model/schedule.hpp"

namespace tutti {

/// "rows" and "columns" of a grid of two dimensions, "dimension 2" of one with more; empty for a line.
std::string_view phase_along(const Shape& grid, int dimension);

/// "reduce inside nodes", what a collective does on each node; "arrival inside nodes" and "release inside nodes" are
/// the first and the second half of a barrier.
std::string_view phase_inside(Collective collective, bool first);
/// "broadcast between nodes".
std::string_view phase_between(Collective collective);
/// Returns the name of the phase if messages go back: "gather inside nodes" for "scatter inside nodes". Names of no
/// collective stay as they are.
std::string_view dual_phase(std::string_view name);

/// The phases of all ranks in one order.
class PhaseOrder {
 public:
  /// Ranks may leave phases out. Where they have them in different orders there are none.
  explicit PhaseOrder(const Schedule& schedule);

  /// In the order in which ranks come to them; empty where the text names none.
  const std::vector<std::string_view>& names() const { return names_; }
  /// The number of the phase that the operation belongs to; -1 before the rank's first.
  int number_of(int rank, std::size_t op) const;

 private:
  struct Mark {
    std::size_t op = 0;
    int number = 0;
  };
  std::vector<std::string_view> names_;
  std::vector<std::vector<Mark>> marks_;  // by rank
};

}  // namespace tutti

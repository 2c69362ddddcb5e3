/// @file
/// The values that an algorithm's parameters are tried with.
#pragma once

#include <vector>

#include "schedule/choice.hpp"

namespace tutti {

/// What a parameter may be, the others being those of a choice, and which of these the algorithm takes by itself.
struct ParameterValues {
  std::vector<Parameters> all;
  std::size_t usual = 0;
};

/// Powers of two up to 64, or as many as there are elements; nothing where there are none.
ParameterValues segments_of(const Choice& choice, const Problem& problem);
/// Powers of two from 2 to 64, or as many as there are ranks.
ParameterValues radices_of(const Choice& choice, const Problem& problem);
/// Grids of two dimensions.
ParameterValues grids_of(const Choice& choice, const Problem& problem);

/// Which parameters the algorithm looks at, for a problem of ranks that are somewhere. Cost: recording rank 0.
struct LooksAt {
  bool segments = false;
  bool radix = false;
  bool grid = false;
};
LooksAt looks_at(const Choice& choice, const Problem& problem, const Layout& layout);

/// Which parameters an algorithm of the catalogue looks at for any problem, wherever its ranks are. Cost: recording
/// rank 0 of a few small problems.
LooksAt parameters_had_by(const Algorithm& algorithm);

}  // namespace tutti

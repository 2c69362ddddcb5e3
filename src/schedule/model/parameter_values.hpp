/// @file
/// The values that an algorithm's parameters are tried with.
#pragma once

#include <vector>

#include "schedule/model/choice.hpp"

namespace tutti {

/// Values that a parameter may have, the others being those of a choice, and the values among these that the algorithm
/// takes by itself.
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

/// Returns the parameters that the algorithm looks at, for a problem of ranks that are somewhere. Cost: recording rank
/// 0.
struct UsedParameters {
  bool segments = false;
  bool radix = false;
  bool grid = false;
};
UsedParameters used_parameters(const Choice& choice, const Problem& problem, const Layout& layout);
UsedParameters used_parameters(RecordingContext& context, const Choice& choice, const Problem& problem,
                               const Layout& layout);

/// Returns the parameters that an algorithm of the catalogue looks at for any problem, wherever its ranks are. Cost:
/// recording rank 0 of a few small problems.
UsedParameters parameters_used_by(const Algorithm& algorithm);

}  // namespace tutti

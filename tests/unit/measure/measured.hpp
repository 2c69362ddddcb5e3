/// @file
/// The collectives that are measured.
#pragma once

#include "measure/cell.hpp"

namespace tutti::measure {

using enum Collective;

inline constexpr Collective measured[] = {broadcast, reduce,     all_reduce,     scan,       scatter,
                                          gather,    all_gather, reduce_scatter, all_to_all, barrier};

}  // namespace tutti::measure

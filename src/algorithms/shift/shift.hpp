/// @file
/// Shift: the block of rank i ends at rank (i + q) mod p, for any distance q, also a negative one.
#pragma once

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm shift_direct;
extern const Algorithm shift_ring;
extern const Algorithm shift_mesh;
extern const Algorithm shift_gray_code;

}  // namespace tutti::algorithms

/// @file
/// Times that are the same but for rounding.
#pragma once

namespace tutti {

/// Forms and simulations of one time differ in their last digits: they are one within this factor.
inline constexpr double alike = 1 + 1e-9;

}  // namespace tutti

/// @file
/// Reader of real numbers in decimal: std::from_chars, also where the standard library has it for integers alone.
#pragma once

#include <charconv>

namespace tutti {

/// Reads the longest real number at the beginning of [first, last), as std::from_chars does: to the nearest double,
/// whatever the locale. Where there is none, or none that a double holds, `value` stays as it is.
std::from_chars_result read_real(const char* first, const char* last, double& value);

}  // namespace tutti

/// @file
/// Formulas as text, in the notation of the closed forms: "ts d + tw m (p - 1)", "ceil(log2 p)(ts + m tw)".
///
/// Factors stand beside one another or have * between them; / divides all that stands before it in its product by the
/// next factor, so that "tw m p/2 (p - 1)" is ((tw m p)/2)(p - 1). Powers: p^2, 2^d, p². Functions: log2 (also log, lg,
/// ld), ln, sqrt (also √), ceil, floor, min, max, abs; without parentheses they take the next factor. Also understood
/// are × · − ⌈x⌉ ⌊x⌋, and a side before "=", which is left out.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tutti::exercises {

/// Values of a formula's symbols, by their names.
using SymbolValues = std::map<std::string, double, std::less<>>;

/// Returns the formula's value. Symbols are found by their names in letters of either case, without underscores, and by
/// the other names of costs: alpha, a and α for ts, beta, b and β for tw, each where the values have one of them alone.
/// Throws `Error(invalid_argument)` for a text that is no formula, saying where, and for a symbol without a value.
double formula_value(std::string_view text, const SymbolValues& values);

}  // namespace tutti::exercises

/// @file
/// Formulas by cases, and bounds as formulas, in words and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/reports/descriptions.hpp"
#include "cost/symbolic/symbolic_bounds.hpp"
#include "cost/symbolic/time_cases.hpp"

namespace tutti::app {

/// {"formula", "ts", "tw_m", "tw", "th", "tc_m", "tc", "tr_m", "seconds"}: the factors as text, "7/4".
Json json_of(const SymbolicTime& time, const SymbolNames& names);
/// {"cases": [{"where", …}], "elsewhere", "is_greatest", "is_whole", "simplified"}
Json json_of(const TimeCases& cases, const SymbolNames& names);
Json json_of(const std::vector<SymbolicBound>& bounds, const SymbolNames& names);

/// "3 (ts + tw m)", or with several cases "max(2 ts + 2 tw m, ts + 64 tw m)" if it is the greatest of them, and else
/// "2 ts + 2 tw m where m <= 2 ts/tw; …". Of more cases than were looked for "… here".
std::string in_a_line(const TimeCases& cases, const SymbolNames& names);

/// least_growth() of problems for which it holds: ranks with one port, blocks of one size, and links with the machine's
/// ts; else empty.
std::string_view growth_of(const Problem& problem, const Machine& machine, const std::vector<SymbolicBound>& bounds);

/// "bandwidth  ts + tw m: one rank must …", a line for each bound, and one for Ω of `growth`, if there is any.
std::string text_of(const std::vector<SymbolicBound>& bounds, std::string_view growth, std::size_t column,
                    const SymbolNames& names);

}  // namespace tutti::app

/// @file
/// Algorithms and collectives in words, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "base/table.hpp"
#include "schedule/algorithm.hpp"

namespace tutti::app {

/// JSON whose fields keep the order in which they are written.
using Json = nlohmann::ordered_json;

/// What the collective does, one sentence; m is `Problem::count`.
std::string_view meaning_of(Collective collective);

/// "Also called total-exchange, complete-exchange."
std::string also_called(Collective collective);

/// "recursive-doubling, hypercube"; empty without aliases.
std::string aliases_in_words(const Algorithm& algorithm);

/// The closed form of its time on fully connected ranks, such as "ceil(log2 p)(ts + m tw)".
std::string_view formula_of(const Algorithm& algorithm);

/// {"collective", "name", "aliases", "needs", "summary", "when", "time", "source"}
Json json_of(const Algorithm& algorithm);

}  // namespace tutti::app

/// @file
/// A schedule as text: steps as rows, ranks as columns.
#pragma once

#include <optional>
#include <string>

#include "draw/frames.hpp"

namespace tutti::draw {

/// Where the text goes: terminals get bold headings and faint holdings, by escape sequences.
enum class Ink { plain, terminal };

/// With more ranks no chart fits a line of 100 characters.
constexpr int most_ranks_charted = 16;

/// A row a step with what each rank sends ("{0..3} →2") and receives ("←0"), and below it what the rank holds then,
/// where that is new; the first row is what ranks hold at the start. On several nodes a row says the ranks' nodes, and
/// what crosses has a double arrow ("{0..3} ⇒2"). What is sent is left out where lines would be too long otherwise.
/// Nothing where they would still be longer than `columns` characters, and where the frames leave ranks or steps out.
std::optional<std::string> chart_of(const Frames& frames, int columns, Ink ink = Ink::plain);

}  // namespace tutti::draw

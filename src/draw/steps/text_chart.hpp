/// @file
/// A schedule as text: steps as rows, ranks as columns.
#pragma once

#include <optional>
#include <string>

#include "draw/steps/frames.hpp"

namespace tutti::draw {

/// Destination of the text: terminals get bold headings and faint holdings, by escape sequences.
enum class ChartStyle { plain, terminal };

/// With more ranks no chart fits a line of 100 characters.
constexpr int most_ranks_charted = 16;

/// A row a step with what each rank sends ("{0..3} →2") and receives ("←0"), and below it what the rank holds then,
/// where that is new; the first row is what ranks hold at the start. On several nodes a row says the ranks' nodes, and
/// what crosses has a double arrow ("{0..3} ⇒2"). What is sent is left out where lines would be too long otherwise.
/// Nothing where they would still be longer than `columns` characters, and where the frames leave ranks or steps out.
std::optional<std::string> chart_of(const ScheduleFrames& frames, int columns, ChartStyle style = ChartStyle::plain);

}  // namespace tutti::draw

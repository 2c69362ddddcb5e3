/// @file
/// Colors that remain different to color-blind eyes.
#pragma once

#include <array>
#include <string_view>

namespace tutti::draw {

/// Dark enough for lines and letters on white, the first ones first.
/// Source: M. Okabe, K. Ito, Color Universal Design, 2008; the last two darkened.
inline constexpr std::array<std::string_view, 6> distinct_colors{"#0072b2", "#d55e00", "#009e73",
                                                                 "#a8558a", "#8a6100", "#444444"};

/// Light enough to be the ground of letters: those above, faded.
inline constexpr std::array<std::string_view, 6> distinct_tints{"#d3e8f5", "#fbe3d0", "#d0efe4",
                                                                "#f0dfea", "#ede3cc", "#dedede"};

}  // namespace tutti::draw

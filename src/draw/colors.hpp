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

/// A color of drawings, and what stands for it on dark ground: light letters and lines, dark grounds of letters.
struct DarkColor {
  std::string_view on_white;
  std::string_view on_black;
};

/// All colors of drawings but those that suit either ground.
inline constexpr std::array dark_colors{
    DarkColor{"#ffffff", "#16181c"}, DarkColor{"#000000", "#f4f4f4"}, DarkColor{"#111111", "#f0f0f0"},
    DarkColor{"#222222", "#e6e6e6"}, DarkColor{"#333333", "#d0d4d8"}, DarkColor{"#444444", "#c4c8cc"},
    DarkColor{"#555555", "#b4b8bc"}, DarkColor{"#666666", "#a8acb0"}, DarkColor{"#6a6a6a", "#a4a8ac"},
    DarkColor{"#777777", "#989ca0"}, DarkColor{"#c4c4c4", "#4c5056"}, DarkColor{"#c4c8cc", "#4c5258"},
    DarkColor{"#d8dce0", "#3a3e46"}, DarkColor{"#dddddd", "#3c4046"}, DarkColor{"#eeeeee", "#262a30"},
    DarkColor{"#0072b2", "#56b4e9"}, DarkColor{"#d55e00", "#ff9a4d"}, DarkColor{"#009e73", "#3fcb9f"},
    DarkColor{"#a8558a", "#e29bc8"}, DarkColor{"#8a6100", "#d9ad42"}, DarkColor{"#7cc8f2", "#1f6f9f"},
    DarkColor{"#f0e442", "#7a7000"}, DarkColor{"#d3e8f5", "#16374a"}, DarkColor{"#fbe3d0", "#4a2a12"},
    DarkColor{"#d0efe4", "#123f32"}, DarkColor{"#f0dfea", "#432a3b"}, DarkColor{"#ede3cc", "#40351a"},
    DarkColor{"#dedede", "#34383e"}};

}  // namespace tutti::draw

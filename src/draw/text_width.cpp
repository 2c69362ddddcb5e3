#include "draw/text_width.hpp"

#include <array>
#include <cstddef>

namespace tutti::draw {
namespace {

constexpr char first = ' ';
constexpr char last = '~';
constexpr std::size_t named = last - first + 1;
using Advances = std::array<std::int16_t, named + 1>;

// The fonts' own tables (hmtx) of DejaVu Sans and DejaVu Sans Bold 2.37. The last entry stands for arrows, Greek
// letters and the like, of which none that drawings use is wider.
// clang-format off
constexpr Advances regular = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838, 1000};
constexpr Advances bold = {
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696,
    696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372,
    372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838,
    500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595,
    478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838, 1000};
// clang-format on

}  // namespace

std::span<const std::int16_t> advances(Weight weight) { return weight == Weight::bold ? bold : regular; }

double width_of(std::string_view text, double size, Weight weight) {
  const std::span<const std::int16_t> widths = advances(weight);
  int thousandths = 0;
  for (const char c : text) {
    const bool continues =
        (static_cast<unsigned char>(c) & 0xc0) == 0x80;  // byte that continues a character of several bytes
    if (continues) continue;
    thousandths += widths[first <= c && c <= last ? static_cast<std::size_t>(c - first) : named];
  }
  return thousandths * size / 1000;
}

}  // namespace tutti::draw

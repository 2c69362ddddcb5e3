/// @file
/// Logarithmic axes: where their marks stand, what is written there, and which pixel is which value.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace tutti::draw {

/// Unit of an axis, which decides the text and the places of its marks: bytes at powers of two, the others at powers of
/// ten, and at 1, 2 and 5 if the range is short.
enum class AxisUnit { bytes, seconds, number };

/// The values at which an axis from `least` to `most` has marks, at most about ten. Needs 0 < least <= most.
std::vector<double> marks(AxisUnit unit, double least, double most);

/// Returns the text at a mark: "64KiB", "10us".
std::string text_of_mark(AxisUnit unit, double value);

/// The values that an axis must hold.
struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;

  void take(double value);
};

/// An axis: values between its first and last mark lie between two pixels.
struct Scale {
  std::vector<double> at;  ///< the marks
  double low = 0;          ///< the first mark's pixel
  double high = 0;

  double pixel(double value) const;
};

/// The scale with marks around the range; a range of one value is widened to both sides.
Scale scale_of(AxisUnit unit, Range range, double low, double high);

}  // namespace tutti::draw

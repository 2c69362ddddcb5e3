/// @file
/// Reader of an SVG file: positions of texts and shapes, whatever groups they lie in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/xml.hpp"

namespace tutti::test {

/// A text or a shape at its place in the picture.
struct Seen {
  Element element;
  std::vector<std::string> groups;  ///< the classes of the groups around it, outermost first
  double left = 0;                  ///< its box; of texts and rectangles alone
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// Everything that is drawn, in order: moved as the groups around it say, and once for every use of a definition.
std::vector<Seen> seen_in(std::string_view svg);

/// Fails the test for each text that lies over another one, over a rectangle with round corners that is not its own, or
/// outside the picture.
void expect_readable(std::string_view svg);

}  // namespace tutti::test

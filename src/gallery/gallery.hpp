/// @file
/// Mistakes that were published or shipped, as schedules.
#pragma once

#include <span>
#include <string_view>

#include "schedule/script.hpp"

namespace tutti::gallery {

/// One mistake, restated for a problem that is small enough to read.
struct Exhibit {
  std::string_view name;     ///< kebab-case
  std::string_view mistake;  ///< what was done, and why it is wrong: one or two sentences
  std::string_view source;   ///< where it was published, shipped or reported
  Problem problem;
  Record record;
};

/// A mistake that no schedule can make, and why.
struct Inexpressible {
  std::string_view mistake;
  std::string_view why;
};

/// All of them: what ranks send and combine, then in what order they wait.
std::span<const Exhibit> exhibits();
std::span<const Inexpressible> inexpressible();

/// Null where there is none of that name.
const Exhibit* find_exhibit(std::string_view name);

}  // namespace tutti::gallery

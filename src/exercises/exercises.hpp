/// @file
/// All exercises of the course, by chapter.
#pragma once

#include <span>
#include <string_view>

#include "exercises/exercise.hpp"

namespace tutti::exercises {

/// All chapters, in their order. They are read from the chapters' texts at the first call.
std::span<const Chapter> chapters();

/// The exercise of that number, "4.3"; null where there is none.
const Exercise* find_exercise(std::string_view number);

}  // namespace tutti::exercises

/// @file
/// Exercises in words, as JSON and as a page.
#pragma once

#include <span>
#include <string>

#include "app/reports/descriptions.hpp"
#include "exercises/exercise.hpp"

namespace tutti::app {

/// Whether a report tells the solutions, too.
enum class Solutions : std::uint8_t { hidden, shown };

/// Returns the exercise as a text for the screen.
std::string exercise_text(const exercises::Exercise& exercise);
/// Returns a right answer and its reason.
std::string solution_text(const exercises::Exercise& exercise);

/// Returns conditions on an answer: "p is a power of two", "at most 3us on ring:8", …; empty where there are none.
std::string conditions_of(const exercises::Exercise& exercise);

Json json_of(const exercises::Exercise& exercise, Solutions solutions);
Json json_of(const exercises::Chapter& chapter, Solutions solutions);

/// Returns one page for a teacher, with all exercises, their solutions and typical mistakes.
std::string exercise_page(std::span<const exercises::Chapter> chapters);

}  // namespace tutti::app

/// @file
/// Chapters of exercises as text.
///
///     chapter Messages and their cost
///
///     exercise formula               its kind; exercises are numbered by their order
///     title A pipeline of words
///     source Lecture transcript, …   empty where it is the course's own
///     text What is the least time …
///       further lines of a text begin with blanks; a line of one dot parts paragraphs
///     symbols a t n p
///     answer a + t (p - 1) + t (n - 1)
///     wrong a + t (p - 1) n: each word leaves when …   an answer and, behind ": ", what is said of it
///     solution …
///
/// Choices have lines `right` and `option`, each with a line `why`; the question has them in another order. Programs have `program`, `answer` and `wrong` with
/// their lines below, `says` words of the sentence that refuses the `wrong` above it, `ranks`, `goal reduce 0`, and
/// where time counts `within 3us`, `topology`, `switching`, `ts`, `tw`, `th`, `bytes` and `collective`.
#pragma once

#include <string_view>

#include "exercises/exercise.hpp"

namespace tutti::exercises {

/// Returns the chapter. Throws `Error(invalid_argument)` naming chapter and line for what cannot be read.
Chapter read_chapter(std::string_view text, int number);

}  // namespace tutti::exercises

/// @file
/// Progress of a student: which exercises are solved, and how often others were tried.
#pragma once

#include <map>
#include <string>

namespace tutti::app {

/// State of one exercise.
struct ExerciseState {
  bool is_solved = false;
  int tries = 0;  ///< wrong answers
};

/// States by the exercises' numbers.
using ExerciseProgress = std::map<std::string, ExerciseState>;

/// Returns the file that keeps it, own_data()/exercises; empty where the user has no such folder.
std::string progress_file();

/// Returns what the file says; nothing of a file that is not there or cannot be read. Lines that cannot be read are
/// left out.
ExerciseProgress read_progress(const std::string& file);

/// Adds an answer to what the file says. Throws `Error` where it cannot be written.
void note_answer(const std::string& file, const std::string& number, bool is_right);

}  // namespace tutti::app

#include "app/commands/exercise_progress.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/command_line/files.hpp"
#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/text/short_file.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

constexpr int most_tries = 1 << 20;

std::string text_of_file(const std::string& file) {
  std::error_code unknown;
  if (file.empty() || !std::filesystem::exists(file, unknown)) return {};
  try {
    return short_file(file);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::string progress_file() {
  const std::string folder = own_data();
  return folder.empty() ? folder : folder + "/exercises";
}

// A line has a number, "solved" or "open", and the tries: "4.3 solved 2".
ExerciseProgress read_progress(const std::string& file) {
  ExerciseProgress progress;
  const std::string text = text_of_file(file);
  for (const std::string_view line : split(text, '\n')) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != 3) continue;
    const auto tries = whole_number(words[2], 0, most_tries);
    if (tries) progress[std::string(words[0])] = {words[1] == "solved", static_cast<int>(*tries)};
  }
  return progress;
}

void note_answer(const std::string& file, const std::string& number, bool is_right) {
  ExerciseProgress progress = read_progress(file);
  ExerciseState& state = progress[number];
  if (is_right) {
    state.is_solved = true;
  } else if (state.tries < most_tries) {
    ++state.tries;
  }
  std::string text;
  for (const auto& [each, its] : progress)
    text += fmt::format("{} {} {}\n", each, its.is_solved ? "solved" : "open", its.tries);
  if (const std::error_code why = make_folder_for(file))
    fail(ErrorCode::invalid_argument, "the folder of '{}' cannot be made: {}", file, why.message());
  write_file(file, text);
}

}  // namespace tutti::app

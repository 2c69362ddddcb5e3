#include "exercises/exercises.hpp"

#include "base/text/embedded.hpp"
#include "exercises/chapter_reader.hpp"

namespace tutti::exercises {

extern const std::span<const EmbeddedFile> chapter_files;

namespace {

std::vector<Chapter> read_chapters() {
  std::vector<Chapter> all;
  int number = 0;
  for (const EmbeddedFile& file : chapter_files) all.push_back(read_chapter(file.text, ++number));
  return all;
}

}  // namespace

std::string_view name_of(ExerciseKind kind) {
  switch (kind) {
    case ExerciseKind::number:
      return "number";
    case ExerciseKind::formula:
      return "formula";
    case ExerciseKind::choice:
      return "choice";
    case ExerciseKind::program:
      return "program";
    case ExerciseKind::mend:
      return "mend";
    case ExerciseKind::time:
      break;
  }
  return "time";
}

std::span<const Chapter> chapters() {
  static const std::vector<Chapter> all = read_chapters();
  return all;
}

const Exercise* find_exercise(std::string_view number) {
  for (const Chapter& chapter : chapters()) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.number == number) return &exercise;
    }
  }
  return nullptr;
}

}  // namespace tutti::exercises

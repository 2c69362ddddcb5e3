/// @file
/// `tutti exercise`: the course's exercises by chapter, and checks of their answers.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "app/command_line/files.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/exercise_progress.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "app/reports/exercise_report.hpp"
#include "base/check.hpp"
#include "base/text/short_file.hpp"
#include "base/units.hpp"
#include "exercises/checking.hpp"
#include "exercises/exercises.hpp"

namespace tutti::app {
namespace {

using exercises::Chapter;
using exercises::Exercise;

struct ExerciseRequest : Request {
  std::optional<std::string> number;  ///< exercise or chapter
  std::optional<std::string> answer;  ///< a file's name, or the answer itself
  std::optional<std::string> page;
  unsigned seed = 1;
  bool solution = false;

  Solutions solutions() const { return solution ? Solutions::shown : Solutions::hidden; }
};

const Chapter* chapter_asked(const ExerciseRequest& request) {
  const auto number = whole_number(*request.number, 1, static_cast<std::int64_t>(exercises::chapters().size()));
  return number ? &exercises::chapters()[static_cast<std::size_t>(*number - 1)] : nullptr;
}

const Exercise& exercise_asked(const ExerciseRequest& request) {
  require(request.number.has_value(), "an answer needs its exercise, such as: tutti exercise 1.4 --answer 2.024us");
  const Exercise* const found = exercises::find_exercise(*request.number);
  require(found != nullptr, "there is no exercise '{}'; 'tutti exercise' lists 1.1 to {}", *request.number,
          exercises::chapters().back().exercises.back().number);
  return *found;
}

std::string state_in_words(const ExerciseProgress& progress, const std::string& number) {
  const auto state = progress.find(number);
  if (state == progress.end()) return "";
  if (state->second.is_solved) return "solved";
  return state->second.tries == 0 ? "" : counted(state->second.tries, "try", "tries");
}

std::string chapters_table(std::span<const Chapter> chapters, const ExerciseProgress& progress) {
  std::vector<std::vector<std::string>> rows{{"NUMBER", "EXERCISE", "KIND", "PROGRESS"}};
  std::size_t all = 0;
  std::size_t solved = 0;
  std::string next;  // the first that is not solved
  for (const Chapter& chapter : chapters) {
    rows.push_back({fmt::format("{}", chapter.number), chapter.title});
    for (const Exercise& exercise : chapter.exercises) {
      const std::string state = state_in_words(progress, exercise.number);
      rows.push_back({exercise.number, "  " + exercise.title, std::string(name_of(exercise.kind)), state});
      ++all;
      solved += state == "solved" ? 1 : 0;
      if (next.empty() && state != "solved") next = exercise.number;
    }
  }
  const std::string text = screen_table(rows, {2}) + fmt::format("\n{} of {} solved.", solved, all);
  return next.empty() ? text + '\n' : text + " Go on with:\n" + screen_command("tutti exercise " + next);
}

Outcome list_chapters(const ExerciseRequest& request, std::span<const Chapter> chapters) {
  if (!request.json) return {chapters_table(chapters, read_progress(progress_file()))};
  Json all = Json::array();
  for (const Chapter& chapter : chapters) all.push_back(json_of(chapter, request.solutions()));
  return {all.dump(2) + '\n'};
}

// Whether it is one word with an ending of letters, as no answer has: "tree.txt", not "2.5us".
bool looks_like_file(std::string_view text) {
  constexpr std::size_t longest_ending = 5;
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || dot + 1 == text.size() || text.size() - dot - 1 > longest_ending) return false;
  const std::string_view ending = text.substr(dot + 1);
  return text.find_first_of(" \t\n()") == std::string_view::npos &&
         std::all_of(ending.begin(), ending.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
}

// The text of the file of that name; the words themselves where they are no name.
std::string answer_in(const std::string& text) {
  std::error_code unknown;
  if (std::filesystem::is_regular_file(text, unknown)) {
    const std::string words = short_file(text);
    return words.substr(0, words.find_last_not_of(" \t\r\n") + 1);  // files end with the end of a line
  }
  require(!looks_like_file(text), "there is no file '{}'; write the name of one, or the answer itself", text);
  return text;
}

Outcome check(const ExerciseRequest& request) {
  const Exercise& exercise = exercise_asked(request);
  const exercises::AnswerCheck found = check_answer(exercise, answer_in(*request.answer), request.seed);
  Outcome outcome{{}, found.is_right ? 0 : 1, {}};
  const std::string file = progress_file();
  try {
    if (!file.empty()) note_answer(file, exercise.number, found.is_right);
  } catch (const Error& error) {
    outcome.notes.push_back(fmt::format("progress is not kept: {}", error.what()));
  }
  if (request.json) {
    outcome.text =
        Json{{"number", exercise.number}, {"right", found.is_right}, {"sentence", found.sentence}}.dump(2) + '\n';
    return outcome;
  }
  const std::string verdict = toned(found.is_right ? "right" : "not right", found.is_right ? Tone::good : Tone::bad);
  outcome.text = screen_text(
      fmt::format("{}: {}{}{}", exercise.number, verdict, found.sentence.empty() ? "" : ": ", found.sentence));
  return outcome;
}

Outcome exercise(const ExerciseRequest& request) {
  if (request.page) {
    check_output_file(*request.page, {".html"});
    write_file(*request.page, exercise_page(exercises::chapters()));
    return {fmt::format("{}: all exercises with their solutions\n", *request.page)};
  }
  if (request.answer) return check(request);
  if (!request.number) return list_chapters(request, exercises::chapters());
  if (const Chapter* const chapter = chapter_asked(request)) return list_chapters(request, {chapter, 1});
  const Exercise& one = exercise_asked(request);
  if (request.json) return {json_of(one, request.solutions()).dump(2) + '\n'};
  return {request.solution ? solution_text(one) : exercise_text(one)};
}

}  // namespace

void add_exercise(Command command, Chosen& chosen) {
  const auto request = std::make_shared<ExerciseRequest>();
  command.add_text("NUMBER", "", "An exercise, such as 4.3, or a chapter; all are listed otherwise",
                   [r = request.get()](const std::string& text) { r->number = text; });
  command.add_text("--answer", "FILE|TEXT", "Check an answer, or the one in a file",
                   [r = request.get()](const std::string& text) { r->answer = text; });
  command.add_flag("--solution", request->solution, "Print a right answer, and why");
  add_value(command, *request, "--seed", "N", "The random points at which formulas are compared (1)",
            [r = request.get()](const std::string& text) {
              constexpr std::int64_t most = std::int64_t{1} << 31;
              r->seed = static_cast<unsigned>(parse_integer(text, "a seed", 0, most));
            });
  command.add_text("--export", "FILE.html", "Write one page of all exercises and solutions, for teachers",
                   [r = request.get()](const std::string& text) { r->page = text; });
  command.add_flag("--json", request->json, "Print JSON; the command's reference names its fields");
  command.exclude("--answer", "--solution");
  for (const char* other : {"--answer", "--solution", "--json", "NUMBER"}) command.exclude("--export", other);
  command.set_footer(
      "Exit status 1 if the answer is wrong. Progress is kept in $XDG_DATA_HOME/tutti, or ~/.local/share/tutti.\n"
      "Examples:\n  tutti exercise\n  tutti exercise 4\n  tutti exercise 4.5\n"
      "  tutti exercise 4.5 --answer '(ts + tw m) log p'\n  tutti exercise 4.9 --answer tree.txt\n"
      "  tutti exercise 4.5 --solution\n  tutti exercise --export exercises.html");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return exercise(*request);
    };
  });
}

}  // namespace tutti::app

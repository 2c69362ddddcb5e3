#include "app/reports/exercise_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "app/command_line/terminal.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "exercises/checking.hpp"
#include "exercises/knowledge.hpp"

namespace tutti::app {
namespace {

using exercises::Exercise;
using exercises::ExerciseKind;

bool takes_program(const Exercise& exercise) {
  return exercise.kind == ExerciseKind::program || exercise.kind == ExerciseKind::mend ||
         (exercise.kind == ExerciseKind::time && !exercise.collective);
}

// "p=2^" as "p (a power of two)".
std::string symbol_in_words(std::string_view symbol) {
  const std::size_t end = std::min(symbol.find_first_of("=<"), symbol.size());
  const std::string_view rule = symbol.substr(end);
  const std::string name(symbol.substr(0, end));
  if (rule == "=2^") return name + " (a power of two)";
  if (rule == "=square") return name + " (a square)";
  return rule.starts_with('<') ? fmt::format("{} (below {})", name, rule.substr(1)) : name;
}

std::string machine_in_words(const Exercise& exercise) {
  const exercises::ExerciseMachine& machine = exercise.machine;
  const std::string network = machine.topology.empty() ? "fully connected" : "on " + machine.topology;
  return fmt::format("{}, {}, ts = {}, tw = {}", network, machine.switching, text_of(Seconds{machine.ts}),
                     text_of(Seconds{machine.tw}));
}

// "+1 or -1" as "messages from rank r to r + 1 or r - 1".
std::string peers_in_words(const Exercise& exercise) {
  std::string words;
  for (const char c : fmt::format("{}", fmt::join(exercise.peers, ", then to "))) {
    if (c == '+' || c == '-') {
      words += fmt::format("r {} ", c);
    } else {
      words += c == 'x' ? "r x" : std::string(1, c);
    }
  }
  return "messages from rank r to " + words;
}

std::string indented_lines(std::string_view lines) {
  std::string text;
  for (const std::string_view line : split(lines, '\n')) text += fmt::format("  {}\n", line);
  return text;
}

std::string paragraphs(std::string_view text) {
  std::string folded;
  for (const std::string_view paragraph : split(text, '\n'))
    folded += paragraph.empty() ? "\n" : screen_text(paragraph);
  return folded;
}

}  // namespace

std::string conditions_of(const Exercise& exercise) {
  std::vector<std::string> words;
  if (!exercise.symbols.empty()) {
    std::vector<std::string> symbols;
    for (const std::string& symbol : exercise.symbols) symbols.push_back(symbol_in_words(symbol));
    words.push_back(fmt::format("symbols: {}", fmt::join(symbols, ", ")));
  }
  if (exercise.digits > 0) words.push_back(counted(exercise.digits, "significant digit"));
  if (takes_program(exercise))
    words.push_back(fmt::format("{}; {}", counted(exercise.ranks, "rank"), goal_in_words(exercise.goal)));
  if (exercise.collective)
    words.push_back(fmt::format("{} over {}, m = {}", name_of(*exercise.collective), counted(exercise.ranks, "rank"),
                                text_of(Bytes{exercise.bytes})));
  if (exercise.within)
    words.push_back(fmt::format("at most {}; {}", text_of(Seconds{*exercise.within}), machine_in_words(exercise)));
  if (!exercise.peers.empty()) words.push_back(peers_in_words(exercise));
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string exercise_text(const Exercise& exercise) {
  constexpr std::size_t title_width = 10;
  std::string text = screen_text(fmt::format("{} {} ({})", exercise.number, exercise.title, name_of(exercise.kind))) +
                     '\n' + paragraphs(exercise.text);
  for (std::size_t k = 0; k < exercise.options.size(); ++k)
    text += titled(fmt::format("  {})", exercises::letter_of(k)), exercise.options[k].text, 4);
  if (!exercise.program.empty()) text += '\n' + indented_lines(exercise.program);
  text += '\n';
  if (const std::string conditions = conditions_of(exercise); !conditions.empty())
    text += titled("Given", conditions, title_width);
  if (takes_program(exercise))
    text += titled("Messages",
                   "carry all that their senders have when the step begins; what comes in is added at its end. A wait "
                   "ends a step.",
                   title_width);
  if (!exercise.source.empty()) text += titled("Source", exercise.source, title_width);
  return text + "Answer it:\n" +
         screen_command(
             fmt::format("tutti exercise {} --answer {}", exercise.number, takes_program(exercise) ? "FILE" : "TEXT"));
}

std::string solution_text(const Exercise& exercise) {
  std::string text;
  if (takes_program(exercise)) {
    text = "A right answer:\n" + indented_lines(exercise.answer);
  } else {
    text = titled("Answer", exercise.answer, 10);
  }
  for (std::size_t k = 0; k < exercise.options.size(); ++k)
    text += titled(fmt::format("  {})", exercises::letter_of(k)), exercise.options[k].why, 4);
  return text + titled("Why", exercise.solution, 10);
}

Json json_of(const Exercise& exercise, Solutions solutions) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json options = Json::array();
  for (std::size_t k = 0; k < exercise.options.size(); ++k) {
    options.push_back({{"letter", std::string(1, exercises::letter_of(k))}, {"text", exercise.options[k].text}});
    if (solutions == Solutions::shown) {
      options.back()["holds"] = exercise.options[k].holds;
      options.back()["why"] = exercise.options[k].why;
    }
  }
  Json fields{{"number", exercise.number},
              {"kind", name_of(exercise.kind)},
              {"title", exercise.title},
              {"source", or_null(exercise.source)},
              {"text", exercise.text},
              {"options", options},
              {"program", or_null(exercise.program)},
              {"conditions", or_null(conditions_of(exercise))}};
  if (solutions == Solutions::hidden) return fields;
  Json mistakes = Json::array();
  for (const exercises::TypicalMistake& each : exercise.mistakes)
    mistakes.push_back({{"answer", each.answer}, {"sentence", each.sentence}});
  fields["answer"] = exercise.answer;
  fields["solution"] = exercise.solution;
  fields["mistakes"] = mistakes;
  return fields;
}

Json json_of(const exercises::Chapter& chapter, Solutions solutions) {
  Json all = Json::array();
  for (const Exercise& exercise : chapter.exercises) all.push_back(json_of(exercise, solutions));
  return {{"chapter", chapter.number}, {"title", chapter.title}, {"exercises", all}};
}

}  // namespace tutti::app

/// @file
/// Page of all exercises for a teacher: HTML that needs nothing else and prints well.

#include <fmt/format.h>

#include <string_view>

#include "app/reports/exercise_report.hpp"
#include "base/text/split.hpp"
#include "exercises/checking.hpp"

namespace tutti::app {
namespace {

using exercises::Exercise;

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Collective communication: exercises</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #888; }
section { margin: 1.5rem 0; break-inside: avoid; }
h3 { margin: 0 0 .3rem; }
h3 small, .source { color: #555; font-weight: normal; }
.source, .given { font-size: .9rem; margin: .3rem 0; }
pre { background: #f2f2f2; padding: .6rem .8rem; overflow-x: auto; white-space: pre-wrap; }
ol.options { list-style: lower-alpha; }
details { border-left: 3px solid #888; padding-left: .8rem; margin: .5rem 0; }
summary { cursor: pointer; }
nav ol { columns: 2; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #16181c; } pre { background: #24272d; }
  h3 small, .source { color: #aaa; } a { color: #8ab4ff; }
}
@media print { nav { display: none; } body { max-width: none; margin: 0; } }
</style>
</head>
<body>
<h1>Collective communication: exercises</h1>
<p>Students answer with <code>tutti exercise NUMBER --answer FILE|TEXT</code>, which says what is wrong with an answer.
Solutions and answers that are typically wrong are folded below each exercise.</p>
)";

std::string escaped(std::string_view text) {
  std::string found;
  for (const char c : text) {
    switch (c) {
      case '&':
        found += "&amp;";
        break;
      case '<':
        found += "&lt;";
        break;
      case '>':
        found += "&gt;";
        break;
      default:
        found += c;
    }
  }
  return found;
}

// Commands between backquotes become code.
std::string marked_up(std::string_view text) {
  std::string found;
  bool in_code = false;
  for (const std::string_view part : split(text, '`')) {
    found += in_code ? fmt::format("<code>{}</code>", escaped(part)) : escaped(part);
    in_code = !in_code;
  }
  return found;
}

std::string paragraphs_of(std::string_view text) {
  std::string found;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) found += fmt::format("<p>{}</p>\n", marked_up(line));
  }
  return found;
}

std::string lines_in_page(std::string_view lines) { return fmt::format("<pre>{}</pre>\n", escaped(lines)); }

std::string answer_in_page(std::string_view answer) {
  return answer.find('\n') == std::string_view::npos ? fmt::format("<code>{}</code>", escaped(answer))
                                                     : lines_in_page(answer);
}

std::string solution_in_page(const Exercise& exercise) {
  std::string text = fmt::format("<details><summary>Solution</summary>\n<p>{}</p>\n", answer_in_page(exercise.answer));
  text += paragraphs_of(exercise.solution);
  if (!exercise.options.empty()) {
    text += "<ol class=\"options\">\n";
    for (const exercises::ChoiceOption& option : exercise.options)
      text += fmt::format("<li>{}: {}</li>\n", option.holds ? "holds" : "does not hold", marked_up(option.why));
    text += "</ol>\n";
  }
  if (!exercise.mistakes.empty()) {
    text += "<p>Typical mistakes:</p>\n<ul>\n";
    for (const exercises::TypicalMistake& mistake : exercise.mistakes) {
      const std::string sentence = check_answer(exercise, mistake.answer).sentence;
      text += fmt::format("<li>{}: {}</li>\n", answer_in_page(mistake.answer), marked_up(sentence));
    }
    text += "</ul>\n";
  }
  return text + "</details>\n";
}

std::string exercise_in_page(const Exercise& exercise) {
  std::string text =
      fmt::format("<section id=\"exercise-{0}\">\n<h3>{0} {1} <small>({2})</small></h3>\n{3}", exercise.number,
                  escaped(exercise.title), name_of(exercise.kind), paragraphs_of(exercise.text));
  if (!exercise.options.empty()) {
    text += "<ol class=\"options\">\n";
    for (const exercises::ChoiceOption& option : exercise.options)
      text += fmt::format("<li>{}</li>\n", marked_up(option.text));
    text += "</ol>\n";
  }
  if (!exercise.program.empty()) text += lines_in_page(exercise.program);
  if (const std::string conditions = conditions_of(exercise); !conditions.empty())
    text += fmt::format("<p class=\"given\">Given: {}.</p>\n", escaped(conditions));
  if (!exercise.source.empty()) text += fmt::format("<p class=\"source\">Source: {}.</p>\n", escaped(exercise.source));
  return text + solution_in_page(exercise) + "</section>\n";
}

}  // namespace

std::string exercise_page(std::span<const exercises::Chapter> chapters) {
  std::string text(page_head);
  text += "<nav><ol>\n";
  for (const exercises::Chapter& chapter : chapters)
    text += fmt::format("<li><a href=\"#chapter-{}\">{}</a></li>\n", chapter.number, escaped(chapter.title));
  text += "</ol></nav>\n";
  for (const exercises::Chapter& chapter : chapters) {
    text += fmt::format("<h2 id=\"chapter-{0}\">{0}. {1}</h2>\n", chapter.number, escaped(chapter.title));
    for (const Exercise& exercise : chapter.exercises) text += exercise_in_page(exercise);
  }
  return text + "</body>\n</html>\n";
}

}  // namespace tutti::app

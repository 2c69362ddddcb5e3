#include "exercises/chapter_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti::exercises {
namespace {

constexpr std::array kinds{ExerciseKind::number,  ExerciseKind::formula, ExerciseKind::choice,
                           ExerciseKind::program, ExerciseKind::mend,    ExerciseKind::time};

constexpr std::array<std::pair<std::string_view, GoalKind>, 8> goals{{{"ends", GoalKind::ends},
                                                                      {"broadcast", GoalKind::broadcast},
                                                                      {"gather", GoalKind::gather},
                                                                      {"all-gather", GoalKind::all_gather},
                                                                      {"reduce", GoalKind::reduce},
                                                                      {"all-reduce", GoalKind::all_reduce},
                                                                      {"scan", GoalKind::scan},
                                                                      {"shift", GoalKind::shift}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ');
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

/// A line's first word and what follows, with the lines below it that begin with blanks.
struct Field {
  int line = 0;
  std::string_view name;
  std::string_view first;
  std::vector<std::string_view> further;  ///< without the blanks before the first of them

  // The words in one paragraph, or in several where a line is a dot.
  std::string words() const {
    std::string text(first);
    for (const std::string_view next : further) {
      const std::string_view own = trimmed(next);
      if (own == ".") {
        text += "\n\n";
      } else {
        if (!text.empty() && text.back() != '\n') text += ' ';
        text += own;
      }
    }
    return text;
  }

  // The lines as they are.
  std::string lines() const {
    std::string text(first);
    for (const std::string_view next : further) {
      if (!text.empty()) text += '\n';
      text += next;
    }
    return text;
  }
};

std::vector<Field> fields_in(std::string_view text) {
  constexpr std::size_t indent = 2;
  std::vector<Field> fields;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trimmed(line).empty()) continue;
    if (line.front() == ' ' && !fields.empty()) {
      fields.back().further.push_back(line.substr(std::min(indent, line.find_first_not_of(' '))));
      continue;
    }
    const std::size_t blank = std::min(line.find(' '), line.size());
    fields.push_back({number, line.substr(0, blank), trimmed(line.substr(blank)), {}});
  }
  return fields;
}

/// Reads the fields of a chapter.
class ChapterReader {
 public:
  explicit ChapterReader(int number) { chapter_.number = number; }

  Chapter read(std::string_view text) {
    for (const Field& field : fields_in(text)) take(field);
    check_whole();
    return std::move(chapter_);
  }

 private:
  void expect(bool holds, const Field& field, std::string_view what) const {
    require(holds, "chapter {} of the exercises, line {}: {}", chapter_.number, field.line, what);
  }

  Exercise& exercise() { return chapter_.exercises.back(); }

  bool has_programs() {
    const ExerciseKind kind = exercise().kind;
    return kind == ExerciseKind::program || kind == ExerciseKind::mend || kind == ExerciseKind::time;
  }

  void take(const Field& field) {
    if (field.name == "chapter") {
      chapter_.title = field.first;
    } else if (field.name == "exercise") {
      begin(field);
    } else {
      expect(!chapter_.exercises.empty(), field, "an exercise begins with 'exercise' and its kind");
      take_own(field);
    }
  }

  void begin(const Field& field) {
    check_whole();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](ExerciseKind each) { return name_of(each) == field.first; });
    expect(kind != kinds.end(), field, "there is no such kind of exercise");
    Exercise& made = chapter_.exercises.emplace_back();
    made.kind = *kind;
    made.number = fmt::format("{}.{}", chapter_.number, chapter_.exercises.size());
  }

  void take_own(const Field& field) {
    using Setter = std::function<void(Exercise&, const Field&)>;
    static const std::map<std::string_view, Setter> setters{
        {"title", [](Exercise& e, const Field& f) { e.title = f.words(); }},
        {"source", [](Exercise& e, const Field& f) { e.source = f.words(); }},
        {"text", [](Exercise& e, const Field& f) { e.text = f.words(); }},
        {"solution", [](Exercise& e, const Field& f) { e.solution = f.words(); }},
        {"program", [](Exercise& e, const Field& f) { e.program = f.lines(); }},
        {"answer", [](Exercise& e, const Field& f) { e.answer = f.lines(); }},
        {"unit", [](Exercise& e, const Field& f) { e.unit = f.first; }},
        {"digits", [](Exercise& e, const Field& f) { e.digits = small(f.first); }},
        {"ranks", [](Exercise& e, const Field& f) { e.ranks = small(f.first); }},
        {"symbols", [](Exercise& e, const Field& f) { e.symbols = words_in(f.first); }},
        {"bytes", [](Exercise& e, const Field& f) { e.bytes = parse_bytes(f.first).count; }},
        {"within", [](Exercise& e, const Field& f) { e.within = parse_seconds(f.first).count; }},
        {"peers",
         [](Exercise& e, const Field& f) {
           for (const std::string_view step : split(f.first, ','))
             e.peers.emplace_back(step.substr(step.find_first_not_of(' ')));
         }},
        {"topology", [](Exercise& e, const Field& f) { e.machine.topology = f.first; }},
        {"switching", [](Exercise& e, const Field& f) { e.machine.switching = f.first; }},
        {"ts", [](Exercise& e, const Field& f) { e.machine.ts = parse_seconds(f.first).count; }},
        {"tw", [](Exercise& e, const Field& f) { e.machine.tw = parse_seconds(f.first).count; }},
        {"th", [](Exercise& e, const Field& f) { e.machine.th = parse_seconds(f.first).count; }},
        {"collective", [](Exercise& e, const Field& f) { e.collective = collective_called(f.first); }},
        {"option",
         [](Exercise& e, const Field& f) {
           e.options.push_back({f.words(), {}, false});
         }},
        {"right",
         [](Exercise& e, const Field& f) {
           e.options.push_back({f.words(), {}, true});
         }},
    };
    if (const auto setter = setters.find(field.name); setter != setters.end()) {
      setter->second(exercise(), field);
    } else if (field.name == "why") {
      expect(!exercise().options.empty(), field, "'why' stands below an option");
      exercise().options.back().why = field.words();
    } else if (field.name == "goal") {
      take_goal(field);
    } else if (field.name == "wrong") {
      take_mistake(field);
    } else if (field.name == "says") {
      expect(!exercise().mistakes.empty(), field, "'says' stands below a wrong answer");
      exercise().mistakes.back().sentence = field.words();
    } else {
      expect(false, field, "there is no such field");
    }
  }

  static int small(std::string_view text) {
    constexpr int most = 1 << 12;
    return static_cast<int>(parse_integer(text, "a number in an exercise", 0, most));
  }

  static std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    for (const std::string_view word : split(text, ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
    return words;
  }

  void take_goal(const Field& field) {
    const std::vector<std::string> words = words_in(field.first);
    const std::string name = words.empty() ? "" : words.front();
    const auto goal = std::find_if(goals.begin(), goals.end(), [&](const auto& each) { return each.first == name; });
    expect(goal != goals.end(), field, "there is no such goal");
    exercise().goal = {goal->second, words.size() > 1 ? small(words[1]) : 0};
  }

  void take_mistake(const Field& field) {
    if (has_programs()) {
      exercise().mistakes.push_back({field.lines(), {}});
      return;
    }
    const std::string text = field.words();
    const std::size_t colon = text.find(": ");
    expect(colon != std::string::npos, field, "a wrong answer has ': ' and a sentence behind it");
    exercise().mistakes.push_back({text.substr(0, colon), text.substr(colon + 2)});
  }

  // Statements that hold stand first in the text; where they stand in the question is another place in each exercise.
  void turn_options(Exercise& choice) const {
    const std::size_t places = (static_cast<std::size_t>(chapter_.number) + chapter_.exercises.size());
    const auto first = choice.options.begin();
    std::rotate(first, first + static_cast<std::ptrdiff_t>(places % choice.options.size()), choice.options.end());
  }

  // The last exercise has what each needs.
  void check_whole() {
    if (chapter_.exercises.empty()) return;
    Exercise& last = exercise();
    if (last.kind == ExerciseKind::choice) {
      turn_options(last);
      last.answer.clear();
      for (std::size_t k = 0; k < last.options.size(); ++k) {
        if (last.options[k].holds) last.answer += (last.answer.empty() ? "" : ", ") + std::string(1, letter_of(k));
      }
    }
    require(!last.title.empty() && !last.text.empty() && !last.answer.empty() && !last.solution.empty(),
            "exercise {} lacks a title, a text, an answer or a solution", last.number);
  }

  Chapter chapter_;
};

}  // namespace

Chapter read_chapter(std::string_view text, int number) { return ChapterReader(number).read(text); }

}  // namespace tutti::exercises

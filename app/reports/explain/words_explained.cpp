#include "app/reports/explain/words_explained.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "app/command_line/terminal.hpp"
#include "app/glossary/glossary.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/explain/ideas_shown.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "schedule/model/collective_names.hpp"
#include "topology/formats/named.hpp"
#include "user_programs/procedures.hpp"

namespace tutti::app {
namespace {

// The word as it was asked for, and the names of its term.
std::vector<std::string> usual_names(std::string_view word, const GlossaryTerm* term) {
  std::vector<std::string> names{usual_word(word)};
  if (term == nullptr) return names;
  names.push_back(usual_word(term->word));
  for (const std::string& alias : term->aliases) names.push_back(usual_word(alias));
  return names;
}

std::vector<const Algorithm*> algorithms_called(const std::vector<std::string>& names) {
  const auto is_asked = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    const auto& aliases = algorithm->aliases;
    if (is_asked(algorithm->name) || std::any_of(aliases.begin(), aliases.end(), is_asked)) found.push_back(algorithm);
  }
  return found;
}

const TopologyFamily* family_called(const std::vector<std::string>& names) {
  const auto families = topology_families();
  const auto found = std::find_if(families.begin(), families.end(), [&](const TopologyFamily& family) {
    return std::find(names.begin(), names.end(), family.name) != names.end();
  });
  return found == families.end() ? nullptr : &*found;
}

// WordAnswer to a word: all that bears the name.
struct WordAnswer {
  const GlossaryTerm* term = nullptr;
  std::vector<const Algorithm*> algorithms;
  const TopologyFamily* family = nullptr;

  bool empty() const { return term == nullptr && algorithms.empty() && family == nullptr; }
};

WordAnswer answer_to(std::string_view word) {
  WordAnswer answer{.term = term_called(word), .algorithms = {}, .family = nullptr};
  const std::vector<std::string> names = usual_names(word, answer.term);
  answer.algorithms = algorithms_called(names);
  answer.family = family_called(names);
  return answer;
}

std::string names_in_words(const GlossaryTerm& term) {
  return term.aliases.empty() ? term.word : fmt::format("{} (also {})", term.word, fmt::join(term.aliases, ", "));
}

std::string algorithms_text(const std::vector<const Algorithm*>& algorithms, bool with_summary) {
  std::vector<std::vector<std::string>> rows{{"COLLECTIVE", "ALGORITHM", "TIME"}};
  if (with_summary) rows.front().emplace_back("WHAT IT DOES");
  for (const Algorithm* algorithm : algorithms) {
    rows.push_back({std::string(name_of(algorithm->collective)), std::string(algorithm->name),
                    std::string(formula_of(*algorithm))});
    if (with_summary) rows.back().emplace_back(algorithm->summary);
  }
  return screen_table(rows);
}

std::string text_of(const std::string& word, const WordAnswer& answer) {
  std::string text = screen_text(answer.term ? names_in_words(*answer.term) : word);
  if (answer.term) {
    text +=
        '\n' + screen_text(answer.term->meaning) + titled("Used", answer.term->used, 6) + idea_shown(answer.term->word);
  }
  if (answer.family)
    text +=
        titled("As a network", fmt::format("{}, --topology {}", answer.family->meaning, answer.family->example), 14);
  if (!answer.algorithms.empty())
    text += "\nAlgorithms of that name:\n" + algorithms_text(answer.algorithms, answer.term == nullptr);
  text += "\nNext:\n";
  if (answer.term) {
    for (const std::string& command : answer.term->next) text += screen_command(command);
  } else if (!answer.algorithms.empty()) {
    const Algorithm& first = *answer.algorithms.front();
    text += screen_command(fmt::format("tutti explain {} --algorithm {}", name_of(first.collective), first.name));
  } else {
    text += screen_command(fmt::format("tutti topology {}", answer.family->example));
  }
  return text;
}

Json json_of(const GlossaryTerm& term) {
  return Json{{"word", term.word},
              {"aliases", term.aliases},
              {"meaning", term.meaning},
              {"used", term.used},
              {"next", term.next}};
}

Json json_of(const std::string& word, const WordAnswer& answer) {
  Json fields = answer.term ? json_of(*answer.term) : Json{{"word", usual_word(word)}};
  Json algorithms = Json::array();
  for (const Algorithm* algorithm : answer.algorithms)
    algorithms.push_back({{"collective", name_of(algorithm->collective)},
                          {"name", algorithm->name},
                          {"summary", algorithm->summary},
                          {"time", formula_of(*algorithm)}});
  fields["algorithms"] = algorithms;
  if (answer.family) fields["network"] = {{"example", answer.family->example}, {"meaning", answer.family->meaning}};
  return fields;
}

// Every name that explain takes.
std::vector<std::string> all_words() {
  std::vector<std::string> words{"procedures", "words"};
  for (const Collective collective : all_collectives()) words.emplace_back(name_of(collective));
  for (const CollectiveAlias& alias : collective_aliases()) words.emplace_back(alias.name);
  for (const GlossaryChapter& chapter : glossary()) {
    for (const GlossaryTerm& term : chapter.terms) {
      for (std::string& name : usual_names(term.word, &term)) words.push_back(std::move(name));
    }
  }
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    words.emplace_back(algorithm->name);
    words.insert(words.end(), algorithm->aliases.begin(), algorithm->aliases.end());
  }
  for (const Procedure& procedure : procedures()) words.push_back(usual_word(source_name(procedure)));
  for (const TopologyFamily& family : topology_families()) words.emplace_back(family.name);
  return words;
}

std::string nearest_word(std::string_view word) {
  const std::vector<std::string> words = all_words();
  const std::vector<std::string_view> views(words.begin(), words.end());
  return std::string(nearest_name(usual_word(word), views));
}

std::string markdown_term(const GlossaryTerm& term) {
  std::string text = fmt::format("### {}\n\n", term.word);
  const auto add = [&](const std::string& paragraph) {
    constexpr int width = 120;
    text += fmt::format("{}\n\n", fmt::join(folded(paragraph, width), "\n"));
  };
  if (!term.aliases.empty()) add(fmt::format("Also called {}.", fmt::join(term.aliases, ", ")));
  add(term.meaning);
  add("Used: " + term.used);
  for (const std::string& command : term.next) text += fmt::format("    {}\n", command);
  return text + '\n';
}

std::string markdown() {
  std::string text =
      "# Glossary\n\n"
      "Printed by `tutti list --words --markdown`; a test compares this file with what the command prints.\n\n"
      "`tutti explain WORD` prints one entry. It also explains collectives ([list](reference/list.md)), algorithms "
      "([algorithms.md](algorithms.md)),\nnetworks and the sources' procedures by name.\n\n";
  for (const GlossaryChapter& chapter : glossary()) {
    text += fmt::format("## {}\n\n", chapter.title);
    for (const GlossaryTerm& term : chapter.terms) text += markdown_term(term);
  }
  text.pop_back();
  return text;
}

std::string words_table() {
  std::vector<std::vector<std::string>> rows{{"WORD", "ALSO CALLED", "WHAT IT IS"}};
  for (const GlossaryChapter& chapter : glossary()) {
    for (const GlossaryTerm& term : chapter.terms)
      rows.push_back({term.word, fmt::format("{}", fmt::join(term.aliases, ", ")),
                      term.meaning.substr(0, term.meaning.find(". ") + 1)});
  }
  return screen_table(rows, {1});
}

}  // namespace

bool is_known_word(std::string_view word) { return !answer_to(word).empty(); }

Outcome explain_word(const std::string& word, bool json) {
  const WordAnswer answer = answer_to(word);
  if (answer.empty()) {
    const std::string near = nearest_word(word);
    fail(ErrorCode::invalid_argument, "nothing is called '{}' here; {}", word,
         near.empty() ? "'tutti list --words' has the words that explain knows"
                      : fmt::format("the nearest is '{}'", near));
  }
  return {json ? json_of(word, answer).dump(2) + '\n' : text_of(word, answer)};
}

Outcome list_words(bool json, bool as_markdown) {
  if (as_markdown) return {markdown()};
  if (!json) return {words_table()};
  Json terms = Json::array();
  for (const GlossaryChapter& chapter : glossary()) {
    for (const GlossaryTerm& term : chapter.terms) terms.push_back(json_of(term));
  }
  return {terms.dump(2) + '\n'};
}

std::string relations_of(Collective collective) {
  std::string text;
  switch (collective) {
    case Collective::all_gather:
      text = "It is p broadcasts at once, one from each rank. ";
      break;
    case Collective::reduce_scatter:
      text = "It is p reductions at once, one to each rank. ";
      break;
    case Collective::all_to_all:
      text = "It is p scatters at once, one from each rank: the transpose of a matrix of blocks. ";
      break;
    case Collective::all_reduce:
      text = "It is a reduce and a broadcast of the result, in one operation. ";
      break;
    default:
      break;
  }
  const auto dual = dual_of(collective);
  return dual && *dual != collective ? text + fmt::format("Its dual is {}.", name_of(*dual)) : text;
}

std::string hint_on_word(std::string_view word) {
  const std::string usual = usual_word(word);
  const auto collective = collective_called(usual);
  if (!collective && !is_known_word(word) && !procedure_named(word)) return {};
  return fmt::format("'{}' is no command{}; explain it: tutti explain {}", word,
                     collective ? ", it is a collective" : "", usual);
}

}  // namespace tutti::app

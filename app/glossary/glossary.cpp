#include "app/glossary/glossary.hpp"

#include <algorithm>
#include <cctype>

#include "base/text/embedded.hpp"
#include "base/text/split.hpp"

namespace tutti::app {

extern const std::span<const EmbeddedFile> glossary_files;

namespace {

// The text's lines, each with those that continue it.
std::vector<std::string> joined_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("  ") && !lines.empty()) {
      lines.back() += line.substr(1);
    } else if (!line.empty()) {
      lines.emplace_back(line);
    }
  }
  return lines;
}

// "[dual] duality, dual operation"
GlossaryTerm term_headed(const std::string& line) {
  const std::size_t end = std::min(line.find(']'), line.size());
  GlossaryTerm term;
  term.word = line.substr(1, end - 1);
  for (std::size_t begin = end + 2; begin < line.size();) {
    const std::size_t comma = std::min(line.find(", ", begin), line.size());
    term.aliases.push_back(line.substr(begin, comma - begin));
    begin = comma + 2;
  }
  return term;
}

std::vector<GlossaryTerm> terms_in(std::string_view text) {
  constexpr std::string_view used = "Used: ";
  constexpr std::string_view command = "> ";
  std::vector<GlossaryTerm> terms;
  for (const std::string& line : joined_lines(text)) {
    if (line.starts_with('[')) {
      terms.push_back(term_headed(line));
    } else if (terms.empty()) {
      continue;
    } else if (line.starts_with(used)) {
      terms.back().used = line.substr(used.size());
    } else if (line.starts_with(command)) {
      terms.back().next.push_back(line.substr(command.size()));
    } else {
      terms.back().meaning = line;
    }
  }
  return terms;
}

}  // namespace

std::span<const GlossaryChapter> glossary() {
  static const std::vector<GlossaryChapter> all{
      {"Messages and what they cost", terms_in(embedded_text(glossary_files, "messages.glossary"))},
      {"Networks", terms_in(embedded_text(glossary_files, "networks.glossary"))},
      {"Programs and collectives", terms_in(embedded_text(glossary_files, "programs.glossary"))},
      {"Algorithms", terms_in(embedded_text(glossary_files, "algorithms.glossary"))},
  };
  return all;
}

std::string usual_word(std::string_view text) {
  std::string usual;
  for (const char c : text) {
    const bool joins = c == ' ' || c == '_' || c == '-';
    if (joins && (usual.empty() || usual.back() == '-')) continue;
    usual += joins ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (usual.ends_with('-')) usual.pop_back();
  return usual;
}

const GlossaryTerm* term_called(std::string_view text) {
  const std::string asked = usual_word(text);
  const auto is_asked = [&](const std::string& name) { return usual_word(name) == asked; };
  for (const GlossaryChapter& chapter : glossary()) {
    for (const GlossaryTerm& term : chapter.terms) {
      if (is_asked(term.word) || std::any_of(term.aliases.begin(), term.aliases.end(), is_asked)) return &term;
    }
  }
  return nullptr;
}

}  // namespace tutti::app

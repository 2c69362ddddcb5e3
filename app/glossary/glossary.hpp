/// @file
/// Glossary of the field: words, their meaning and what to type next. The texts beside this file are its only source;
/// `tutti explain WORD` and docs/glossary.md are made from them.
///
/// A text begins each term with its word and other names, and has its meaning, its use and commands in lines below; a
/// line that begins with blanks continues the one before:
///
///     [dual] duality, dual operation
///     The dual of a collective runs it backwards in time: messages go the other way, and where one rank sent copies
///       to several it now combines what they send.
///     Used: broadcast and reduce, …
///     > tutti explain reduce --algorithm binomial
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::app {

/// One term. It lives as long as the program.
struct GlossaryTerm {
  std::string word;
  std::vector<std::string> aliases;  ///< other names, Chinese ones among them
  std::string meaning;               ///< two or three sentences
  std::string used;                  ///< users and uses, as the end of a sentence with its full stop
  std::vector<std::string> next;     ///< commands to type next, one at least
};

/// Terms of one subject.
struct GlossaryChapter {
  std::string_view title;
  std::vector<GlossaryTerm> terms;
};

/// All of them, in the order of the document.
std::span<const GlossaryChapter> glossary();

/// The term of that name, in letters of either case, with blanks, dashes or low lines; null where there is none.
const GlossaryTerm* term_called(std::string_view text);

/// Returns the form in which names are compared: "Gray code", "gray_code" and "gray-code" are one.
std::string usual_word(std::string_view text);

}  // namespace tutti::app

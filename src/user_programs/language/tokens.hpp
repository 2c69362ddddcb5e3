/// @file
/// Tokens of a program's text, line by line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace tutti::language {

/// Place in a program's text, from 1.
struct TextPosition {
  int line = 0;
  int column = 0;
};

/// Name of the text for errors, which say where they are.
struct TextName {
  std::string name;  ///< "exchange.txt"

  /// Throws `Error`: "exchange.txt, line 3, column 4: …".
  template <typename... Values>
  [[noreturn]] void refuse(TextPosition at, fmt::format_string<Values...> sentence, Values&&... values) const {
    fail(ErrorCode::invalid_argument, "{}, line {}, column {}: {}", name, at.line, at.column,
         fmt::format(sentence, std::forward<Values>(values)...));
  }
};

struct Token {
  enum class Kind : std::uint8_t { word, number, size, text, symbol, end };
  Kind kind = Kind::end;
  std::string text;  ///< symbols as the language writes them: "<-" for an arrow of any form
  int column = 0;
  std::size_t begin = 0;  ///< bytes of the line's text that it takes
  std::size_t end = 0;

  bool is(std::string_view symbol_or_word) const {
    return (kind == Kind::symbol || kind == Kind::word) && text == symbol_or_word;
  }
};

/// Line with something in it, its comments blanked.
struct TextLine {
  int number = 0;
  int indent = 0;  ///< columns before the first token
  std::string text;
  std::vector<Token> tokens;  ///< the last one is the end

  /// Returns the text from a token to another, which is left out; without blanks around it.
  std::string between(std::size_t first, std::size_t last) const;
};

/// Returns the lines that hold something. Comments run from "#" or "//" to the end of the line, and from "/*" to "*/".
/// Throws `Error` for a character that no token begins with.
std::vector<TextLine> lines_of(std::string_view text, const TextName& name);

}  // namespace tutti::language

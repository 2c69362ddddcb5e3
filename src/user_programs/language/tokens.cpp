#include "user_programs/language/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tutti::language {
namespace {

struct Spelling {
  std::string_view written;
  std::string_view token;
};

// Longer ones first. Words among the tokens are operators that the sources print as signs.
constexpr std::array spellings{
    Spelling{"<<=", "<<="}, Spelling{">>=", ">>="}, Spelling{":=", ":="},   Spelling{"<-", "<-"}, Spelling{"->", "->"},
    Spelling{"<<", "<<"},   Spelling{">>", ">>"},   Spelling{"<>", "<>"},   Spelling{"!=", "<>"}, Spelling{"<=", "<="},
    Spelling{">=", ">="},   Spelling{"==", "="},    Spelling{"..", ".."},   Spelling{"+=", "+="}, Spelling{"=", "="},
    Spelling{"<", "<"},     Spelling{">", ">"},     Spelling{"+", "+"},     Spelling{"-", "-"},   Spelling{"*", "*"},
    Spelling{"/", "/"},     Spelling{"%", "mod"},   Spelling{"^", "^"},     Spelling{"&", "AND"}, Spelling{"|", "OR"},
    Spelling{"(", "("},     Spelling{")", ")"},     Spelling{"[", "["},     Spelling{"]", "]"},   Spelling{",", ","},
    Spelling{";", ";"},     Spelling{":", ":"},     Spelling{"←", "<-"},    Spelling{"→", "->"},  Spelling{"≠", "<>"},
    Spelling{"≤", "<="},    Spelling{"≥", ">="},    Spelling{"∪", "union"}, Spelling{"∈", "in"},  Spelling{"⊕", "XOR"},
    Spelling{"√", "sqrt"},  Spelling{"−", "-"},     Spelling{"×", "*"},
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_word(char c) { return begins_word(c) || is_digit(c); }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// Whether a comment to the end of the line begins before that place.
bool is_in_line_comment(std::string_view text, std::size_t at) {
  const std::size_t end_before = text.substr(0, at).rfind('\n');
  const std::string_view before = text.substr(0, at).substr(end_before == std::string_view::npos ? 0 : end_before + 1);
  return before.find('#') != std::string_view::npos || before.find("//") != std::string_view::npos;
}

[[noreturn]] void refuse_unclosed(std::string_view text, std::size_t at, const TextName& name) {
  const std::string_view before = text.substr(0, at);
  const auto number = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto column =
      static_cast<int>(std::count_if(line.begin(), line.end(), [](char c) { return !continues_character(c); }));
  name.refuse({number, column + 1}, "the comment that begins here has no end; close it with */");
}

// Blanks what stands between "/*" and "*/", but for the ends of lines.
std::string without_block_comments(std::string_view text, const TextName& name) {
  std::string plain(text);
  for (std::size_t at = plain.find("/*"); at != std::string::npos; at = plain.find("/*", at)) {
    if (is_in_line_comment(plain, at)) {
      ++at;
      continue;
    }
    const std::size_t end = plain.find("*/", at + 2);
    if (end == std::string::npos) refuse_unclosed(plain, at, name);
    std::replace_if(
        plain.begin() + static_cast<std::ptrdiff_t>(at), plain.begin() + static_cast<std::ptrdiff_t>(end + 2),
        [](char c) { return c != '\n'; }, ' ');
  }
  return plain;
}

/// Reads one line.
class LineReader {
 public:
  LineReader(TextLine& line, const TextName& name) : line_(line), name_(name) {}

  void read() {
    while (skip_blanks()) line_.tokens.push_back(next());
    line_.tokens.push_back({Token::Kind::end, "", column_, at_, at_});
    line_.indent = line_.tokens.front().column - 1;
  }

 private:
  char look(std::size_t ahead) const { return at_ + ahead < line_.text.size() ? line_.text[at_ + ahead] : '\0'; }

  bool skip_blanks() {
    while (at_ < line_.text.size() && std::isspace(static_cast<unsigned char>(line_.text[at_])) != 0) step(1);
    return at_ < line_.text.size();
  }

  void step(std::size_t bytes) {
    for (; bytes > 0; --bytes, ++at_) column_ += continues_character(line_.text[at_]) ? 0 : 1;
  }

  Token taken(Token::Kind kind, std::size_t bytes) {
    Token token{kind, line_.text.substr(at_, bytes), column_, at_, at_ + bytes};
    step(bytes);
    return token;
  }

  Token next() {
    if (begins_word(look(0))) return word();
    if (is_digit(look(0))) return number();
    if (look(0) == '\'' || look(0) == '"') return quoted();
    for (const Spelling& each : spellings) {
      if (!std::string_view(line_.text).substr(at_).starts_with(each.written)) continue;
      Token token = taken(Token::Kind::symbol, each.written.size());
      token.text = each.token;
      return token;
    }
    std::size_t bytes = 1;
    while (continues_character(look(bytes))) ++bytes;
    name_.refuse({line_.number, column_}, "'{}' begins nothing that a program has; leave it out",
                 line_.text.substr(at_, bytes));
  }

  Token word() {
    std::size_t bytes = 1;
    while (continues_word(look(bytes))) ++bytes;
    return taken(Token::Kind::word, bytes);
  }

  // "4KiB" is a size; "0..3" are two numbers.
  Token number() {
    std::size_t bytes = 1;
    while (is_digit(look(bytes))) ++bytes;
    if (look(bytes) == '.' && is_digit(look(bytes + 1))) {
      ++bytes;
      while (is_digit(look(bytes))) ++bytes;
    }
    if (!begins_word(look(bytes))) return taken(Token::Kind::number, bytes);
    while (continues_word(look(bytes))) ++bytes;
    return taken(Token::Kind::size, bytes);
  }

  Token quoted() {
    const std::size_t end = line_.text.find(look(0), at_ + 1);
    if (end == std::string::npos)
      name_.refuse({line_.number, column_}, "the text that begins here has no end; close it with {}", look(0));
    return taken(Token::Kind::text, end + 1 - at_);
  }

  TextLine& line_;
  const TextName& name_;
  std::size_t at_ = 0;
  int column_ = 1;
};

}  // namespace

std::string TextLine::between(std::size_t first, std::size_t last) const {
  if (first >= last) return {};
  return text.substr(tokens[first].begin, tokens[last - 1].end - tokens[first].begin);
}

std::vector<TextLine> lines_of(std::string_view text, const TextName& name) {
  const std::string plain = without_block_comments(text, name);
  std::vector<TextLine> lines;
  int number = 0;
  for (std::size_t at = 0; at <= plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    TextLine line{.number = ++number, .indent = 0, .text = plain.substr(at, end - at), .tokens = {}};
    line.text.resize(std::min({line.text.find('#'), line.text.find("//"), line.text.size()}));
    LineReader(line, name).read();
    if (line.tokens.size() > 1) lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

}  // namespace tutti::language

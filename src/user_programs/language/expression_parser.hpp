/// @file
/// Expressions of a program, by recursive descent.
#pragma once

#include "user_programs/language/code.hpp"

namespace tutti::language {

/// Reads tokens of one line from left to right.
class TokenReader {
 public:
  TokenReader(const TextLine& line, Code& code) : line_(line), code_(code) {}

  const Token& look() const { return line_.tokens[at_]; }
  bool at_end() const { return look().kind == Token::Kind::end; }
  TextPosition position() const { return {line_.number, look().column}; }
  std::size_t place() const { return at_; }
  const TextLine& line() const { return line_; }
  const Token& next() { return line_.tokens[at_end() ? at_ : at_++]; }
  bool take(std::string_view token);
  /// Throws `Error` where another token stands there; `where` is such as "after the condition".
  void expect(std::string_view token, std::string_view where);
  /// The place of a token outside of brackets, before the statement's end; nothing where there is none.
  std::optional<std::size_t> find(std::string_view token) const;

  /// An expression. Operators bind, from loosest to tightest: or; and; = <> < <= > >=; union; OR; XOR; AND; << >>;
  /// + -; * / mod; not, -, sqrt, log and powers of 2 ("2^i"; other signs ^ are XOR).
  Expression expression() { return binary(0); }
  /// A variable, or one of its blocks.
  Expression variable();

  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> sentence, Values&&... values) const {
    code_.name.refuse(position(), sentence, std::forward<Values>(values)...);
  }

 private:
  Expression binary(std::size_t level);
  Expression unary();
  Expression signed_primary();
  Expression primary();
  Expression call(Operator operation, int operands);
  void subscripts(Expression& variable);

  const TextLine& line_;
  Code& code_;
  std::size_t at_ = 0;
  int nested_ = 0;     // operands within one another, at this place
  int operators_ = 0;  // between operands, so far
};

}  // namespace tutti::language

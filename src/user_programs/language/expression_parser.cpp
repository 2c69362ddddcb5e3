#include "user_programs/language/expression_parser.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/units.hpp"

namespace tutti::language {
namespace {

struct BinaryOperator {
  std::string_view token;
  std::size_t level;
  Operator operation;
};

constexpr std::array binary_operators{
    BinaryOperator{"or", 0, Operator::logical_or}, BinaryOperator{"and", 1, Operator::logical_and},
    BinaryOperator{"=", 2, Operator::equal},       BinaryOperator{"<>", 2, Operator::unequal},
    BinaryOperator{"<", 2, Operator::less},        BinaryOperator{"<=", 2, Operator::at_most},
    BinaryOperator{">", 2, Operator::more},        BinaryOperator{">=", 2, Operator::at_least},
    BinaryOperator{"union", 3, Operator::unite},   BinaryOperator{"OR", 4, Operator::bit_or},
    BinaryOperator{"XOR", 5, Operator::bit_xor},   BinaryOperator{"xor", 5, Operator::bit_xor},
    BinaryOperator{"^", 5, Operator::bit_xor},     BinaryOperator{"AND", 6, Operator::bit_and},
    BinaryOperator{"<<", 7, Operator::shift_left}, BinaryOperator{">>", 7, Operator::shift_right},
    BinaryOperator{"+", 8, Operator::add},         BinaryOperator{"-", 8, Operator::subtract},
    BinaryOperator{"*", 9, Operator::multiply},    BinaryOperator{"/", 9, Operator::divide},
    BinaryOperator{"mod", 9, Operator::modulo},    BinaryOperator{"div", 9, Operator::divide},
};
constexpr std::size_t levels = 10;

// Expressions are read, evaluated and destroyed by recursion, which needs the stack.
constexpr int most_nested = 100;
constexpr int most_operators = 1000;

struct Function {
  std::string_view name;
  Operator operation;
  int operands;
};

constexpr std::array functions{Function{"min", Operator::minimum, 2}, Function{"max", Operator::maximum, 2},
                               Function{"holds", Operator::holds, 1}};

const BinaryOperator* binary_operator(const Token& token, std::size_t level) {
  const auto found = std::find_if(binary_operators.begin(), binary_operators.end(), [&](const BinaryOperator& each) {
    return each.level == level && token.is(each.token);
  });
  return found == binary_operators.end() ? nullptr : &*found;
}

}  // namespace

bool TokenReader::take(std::string_view token) {
  if (!look().is(token)) return false;
  next();
  return true;
}

void TokenReader::expect(std::string_view token, std::string_view where) {
  if (take(token)) return;
  refuse("'{}' stands {}, where '{}' belongs", at_end() ? "the end of the line" : look().text, where, token);
}

std::optional<std::size_t> TokenReader::find(std::string_view token) const {
  int depth = 0;
  for (std::size_t k = at_; k < line_.tokens.size(); ++k) {
    const Token& each = line_.tokens[k];
    if (depth == 0 && each.is(token)) return k;
    if (each.is("(") || each.is("[")) ++depth;
    if (each.is(")") || each.is("]")) --depth;
    if (depth == 0 && each.is(";")) break;
  }
  return std::nullopt;
}

Expression TokenReader::binary(std::size_t level) {
  if (level == levels) return unary();
  Expression left = binary(level + 1);
  while (const BinaryOperator* found = binary_operator(look(), level)) {
    const TextPosition at = position();
    if (++operators_ > most_operators)
      refuse("the line has more than {} operators; compute parts of it on lines of their own", most_operators);
    next();
    Expression right = binary(level + 1);
    left = operation_expression(found->operation, at, {std::move(left), std::move(right)});
  }
  return left;
}

Expression TokenReader::unary() {
  if (nested_ == most_nested)
    refuse("the expression is nested more than {} deep; compute parts of it on lines of their own", most_nested);
  ++nested_;
  Expression operand = signed_primary();
  --nested_;
  return operand;
}

Expression TokenReader::signed_primary() {
  const TextPosition at = position();
  if (take("-")) return operation_expression(Operator::negate, at, {unary()});
  if (take("not")) return operation_expression(Operator::logical_not, at, {unary()});
  if (take("sqrt")) return operation_expression(Operator::square_root, at, {unary()});
  if (take("log")) return operation_expression(Operator::logarithm, at, {unary()});
  Expression base = primary();
  if (base.kind == Expression::Kind::number && base.number == 2 && look().is("^")) {
    next();
    return operation_expression(Operator::power, at, {std::move(base), unary()});
  }
  return base;
}

Expression TokenReader::call(Operator operation, int operands) {
  const TextPosition at = position();
  next();
  expect("(", "after the function's name");
  std::vector<Expression> arguments;
  for (int k = 0; k < operands; ++k) {
    if (k > 0) expect(",", "between the function's operands");
    arguments.push_back(operation == Operator::holds ? variable() : expression());
  }
  expect(")", "after the function's operands");
  return operation_expression(operation, at, std::move(arguments));
}

Expression TokenReader::primary() {
  if (look().kind == Token::Kind::number) {
    Expression number{.kind = Expression::Kind::number, .at = position()};
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const auto value = whole_number(look().text, 0, most);
    if (!value) refuse("'{}' is no whole number up to 2^40; write one", look().text);
    number.number = *value;
    next();
    return number;
  }
  if (look().is("(")) {
    next();
    Expression inside = expression();
    expect(")", "after the expression in brackets");
    return inside;
  }
  for (const Function& each : functions) {
    if (look().is(each.name) && line_.tokens[at_ + 1].is("(")) return call(each.operation, each.operands);
  }
  return variable();
}

Expression TokenReader::variable() {
  if (look().kind != Token::Kind::word)
    refuse("'{}' is no value; write a number, a variable, or an expression in brackets",
           at_end() ? "the end of the line" : look().text);
  Expression found{.kind = Expression::Kind::variable, .at = position()};
  found.variable = code_.variable(next().text);
  subscripts(found);
  return found;
}

// "In[:][i]" and "s[1:n]" are whole vectors: subscripts with a colon say nothing.
void TokenReader::subscripts(Expression& variable) {
  while (take("[")) {
    do {
      const std::size_t begin = at_;
      std::size_t end = begin;
      while (line_.tokens[end].kind != Token::Kind::end && !line_.tokens[end].is("]") && !line_.tokens[end].is(":"))
        ++end;
      if (line_.tokens[end].is(":")) {
        while (!at_end() && !look().is("]")) next();
      } else {
        variable.operands.push_back(expression());
      }
    } while (take(","));
    expect("]", "after the subscript");
  }
  if (variable.operands.size() > 2) refuse("a block has two subscripts at most; leave the others out");
}

}  // namespace tutti::language

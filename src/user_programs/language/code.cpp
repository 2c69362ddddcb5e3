#include "user_programs/language/code.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/integers.hpp"

namespace tutti::language {

Expression number_expression(std::int64_t number, TextPosition at) {
  Expression expression{.kind = Expression::Kind::number, .at = at};
  expression.number = number;
  return expression;
}

Expression operation_expression(Operator operation, TextPosition at, std::vector<Expression> operands) {
  Expression expression{.kind = Expression::Kind::operation, .at = at};
  expression.operation = operation;
  expression.operands = std::move(operands);
  return expression;
}

Instruction assignment_of(Expression target, Expression value) {
  Instruction instruction{.kind = Instruction::Kind::assign, .at = target.at};
  instruction.target = std::move(target);
  instruction.value = std::move(value);
  return instruction;
}

bool RankSet::has(int rank) const {
  switch (kind) {
    case Kind::all:
      return true;
    case Kind::even:
      return rank % 2 == 0;
    case Kind::odd:
      return rank % 2 != 0;
    case Kind::listed:
      break;
  }
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first <= rank && rank <= range.second; });
}

bool fits(RankNeed need, int ranks) {
  const auto side = static_cast<int>(std::lround(std::sqrt(ranks)));
  switch (need) {
    case RankNeed::power_of_two:
      return is_power_of_two(ranks);
    case RankNeed::square:
      return side * side == ranks;
    case RankNeed::any:
      break;
  }
  return true;
}

std::string_view in_words(RankNeed need) {
  switch (need) {
    case RankNeed::power_of_two:
      return "a power of two of ranks";
    case RankNeed::square:
      return "a square number of ranks";
    case RankNeed::any:
      break;
  }
  return "";
}

int Code::variable(const std::string& word) {
  const auto index = static_cast<int>(std::find(names.begin(), names.end(), word) - names.begin());
  if (index == static_cast<int>(names.size())) names.push_back(word);
  return index;
}

}  // namespace tutti::language

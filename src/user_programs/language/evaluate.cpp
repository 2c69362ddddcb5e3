/// @file
/// Expressions of a program, evaluated on one rank.

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "user_programs/language/arithmetic.hpp"
#include "user_programs/language/rank_run.hpp"

namespace tutti::language {
namespace {

std::string in_words(const BlockLabel& label) {
  return label.second < 0 ? fmt::format("[{}]", label.first) : fmt::format("[{}, {}]", label.first, label.second);
}

bool combines(Operator operation) {
  return operation == Operator::add || operation == Operator::multiply || operation == Operator::minimum ||
         operation == Operator::maximum;
}

Term combined(Operator operation, const Term& left, const Term& right) {
  switch (operation) {
    case Operator::multiply:
      return left.times(right);
    case Operator::minimum:
      return left.least(right);
    case Operator::maximum:
      return left.greatest(right);
    default:
      return left.plus(right);
  }
}

}  // namespace

Slice RankRun::new_place() {
  scratch_ += shape_.bytes;
  return {Buffer::scratch, scratch_ - shape_.bytes, shape_.bytes};
}

// Blocks of the output variable lie in the output, all others in scratch, each at one place.
Slice RankRun::place_in(int variable, const BlockLabel& label) {
  auto& places = variables_[static_cast<std::size_t>(variable)].places;
  const auto found = places.find(label);
  if (found != places.end()) return found->second;
  std::optional<Slice> place;
  if (code_.computes && variable == code_.computes->output) place = output_place(code_, shape_, rank_, label);
  if (place && !outputs_given_.insert(place->first).second) place.reset();
  return places[label] = place ? *place : new_place();
}

BlockLabel RankRun::label_of(const Expression& variable) {
  BlockLabel label{number(variable.operands.front())};
  if (variable.operands.size() > 1) label.second = number(variable.operands[1]);
  return label;
}

std::int64_t RankRun::number(const Expression& expression) {
  const Value value = evaluate(expression, [this](const BlockLabel&) { return new_place(); });
  if (!value.is_number && !fault_)
    code_.name.refuse(expression.at,
                      "data stands where a number belongs; the course of a program depends on ranks alone");
  return value.number;
}

RankRun::Value RankRun::blocks_of(const Expression& expression) {
  Value value = evaluate_variable(expression);
  if (value.is_number && !fault_)
    code_.name.refuse(expression.at, "{} is a number, which every rank can compute; send a variable that holds data",
                      name_of(expression));
  return value;
}

RankRun::Value RankRun::evaluate(const Expression& expression, const PlaceOf& place_of) {
  switch (expression.kind) {
    case Expression::Kind::number:
      return {.number = expression.number};
    case Expression::Kind::variable:
      return evaluate_variable(expression);
    case Expression::Kind::operation:
      break;
  }
  return evaluate_operation(expression, place_of);
}

RankRun::Value RankRun::evaluate_variable(const Expression& expression) {
  const Variable& variable = variable_of(expression);
  const bool whole = expression.operands.empty();
  if (variable.kind == Variable::Kind::number && whole) return {.number = variable.number};
  if (variable.kind == Variable::Kind::numbers && !whole) {
    const auto found = variable.numbers.find(number(expression.operands.front()));
    if (found != variable.numbers.end()) return {.number = found->second};
  }
  if (variable.kind != Variable::Kind::blocks)
    code_.name.refuse(expression.at, "{} has no value here; give it one before this line", name_of(expression));
  if (variable.arriving) {
    fault(ProofFailure::Kind::conflict, expression.at,
          fmt::format("reads {}, for which a message is under way until the wait", name_of(expression)));
    return {.is_number = false};
  }
  if (whole) {
    if (variable.blocks.empty() && !shape_.patched())
      fault(ProofFailure::Kind::uninitialized, expression.at,
            fmt::format("reads {}, which nothing has filled", name_of(expression)));
    return {.is_number = false, .blocks = variable.blocks};
  }
  const BlockLabel label = label_of(expression);
  if (variable.blocks_arriving.contains(label)) {
    fault(ProofFailure::Kind::conflict, expression.at,
          fmt::format("reads {}{}, for which a message is under way until the wait", name_of(expression),
                      in_words(label)));
    return {.is_number = false};
  }
  const auto found = variable.blocks.find(label);
  if (found != variable.blocks.end()) return {.is_number = false, .blocks = {*found}};
  if (!shape_.patched())
    fault(ProofFailure::Kind::uninitialized, expression.at,
          fmt::format("reads {}{}, which nothing has filled", name_of(expression), in_words(label)));
  return {.is_number = false};
}

RankRun::Value RankRun::evaluate_operation(const Expression& expression, const PlaceOf& place_of) {
  const Operator operation = expression.operation;
  if (operation == Operator::holds) {
    const Expression& asked = expression.operands.front();
    const Variable& variable = variable_of(asked);
    const bool has = asked.operands.empty() ? !variable.blocks.empty() : variable.blocks.contains(label_of(asked));
    return {.number = has ? 1 : 0};
  }
  const PlaceOf inside = [this, &expression](const BlockLabel& label) {
    auto& places = intermediate_[&expression];
    const auto found = places.find(label);
    return found != places.end() ? found->second : places[label] = new_place();
  };
  const Value left = evaluate(expression.operands.front(), inside);
  if (expression.operands.size() == 1) return {.number = calculate(expression, left.number, 0)};
  const auto is_short = [&] {
    return (operation == Operator::logical_and && left.number == 0) ||
           (operation == Operator::logical_or && left.number != 0);
  };
  if (left.is_number && is_short()) return {.number = left.number != 0 ? 1 : 0};
  const Value right = evaluate(expression.operands.back(), inside);
  if (fault_) return {};
  if (left.is_number && right.is_number) return {.number = calculate(expression, left.number, right.number)};
  if (operation == Operator::divide && right.is_number) return divide(expression, left, right.number);
  if (operation == Operator::add && right.is_number && right.number == 0) return left;
  if (operation == Operator::add && left.is_number && left.number == 0) return right;
  if (left.is_number || right.is_number)
    code_.name.refuse(expression.at, "data and a number do not combine; write 'x / n', or data on both sides");
  if (operation == Operator::unite) return unite(expression, left, right);
  if (!combines(operation))
    code_.name.refuse(expression.at, "data is combined by +, *, min, max or union; take one of them");
  return combine(expression, left, right, place_of);
}

std::int64_t RankRun::calculate(const Expression& expression, std::int64_t left, std::int64_t right) {
  const Operator operation = expression.operation;
  if (const std::string_view lack = lack_of(operation, left, right); !lack.empty())
    code_.name.refuse(expression.at, "{} of {}{}; mend the expression", lack, left,
                      expression.operands.size() == 1 ? "" : fmt::format(" and {}", right));
  if (operation == Operator::unite) code_.name.refuse(expression.at, "numbers have no union; take data");
  return number_by(operation, left, right);
}

RankRun::Value RankRun::combine(const Expression& expression, const Value& left, const Value& right,
                                const PlaceOf& place_of) {
  if (left.blocks.empty()) return right;
  if (right.blocks.empty()) return left;
  if (combines_by_.value_or(expression.operation) != expression.operation)
    code_.name.refuse(expression.at, "another operator combined data before; take one for the whole program");
  combines_by_ = expression.operation;
  // A block has a partner of its label; one block on each side are partners whatever their labels.
  const bool single = left.blocks.size() == 1 && right.blocks.size() == 1;
  Value value{.is_number = false, .blocks = left.blocks};
  for (const auto& [label, other] : right.blocks) {
    const auto found = single ? value.blocks.begin() : value.blocks.find(label);
    if (found == value.blocks.end()) {
      value.blocks[label] = other;
      continue;
    }
    HeldBlock& block = found->second;
    if (block.divisor != other.divisor)
      code_.name.refuse(expression.at, "one operand was divided and the other not; divide after the last sum");
    const Slice place = place_of(found->first);
    do_alone({.kind = RankAction::Kind::reduce, .slices = {place}, .operand = {block.at}, .second = {other.at}});
    block.term = combined(expression.operation, block.term, other.term);
    block.at = place;
  }
  return value;
}

RankRun::Value RankRun::unite(const Expression& expression, const Value& left, const Value& right) const {
  Value value = left;
  for (const auto& [label, block] : right.blocks) {
    if (!value.blocks.emplace(label, block).second)
      code_.name.refuse(expression.at, "block {} is in both sets; a union has no place for two", in_words(label));
  }
  return value;
}

RankRun::Value RankRun::divide(const Expression& expression, Value value, std::int64_t by) const {
  if (by <= 0) code_.name.refuse(expression.at, "data is divided by {}; take a number from 1", by);
  for (auto& [label, block] : value.blocks) {
    block.term = block.term.divided_by(static_cast<double>(by));
    block.divisor *= static_cast<double>(by);
  }
  return value;
}

std::string RankRun::text_of(const HeldBlocks& blocks) const {
  if (blocks.size() == 1) return blocks.begin()->second.term.text();
  std::string text;
  for (const auto& [label, block] : blocks) text += (text.empty() ? "" : ", ") + block.term.text();
  return '[' + text + ']';
}

}  // namespace tutti::language

/// @file
/// Statements of a program that hold others: conditions and loops.

#include <utility>

#include "user_programs/language/program_parser.hpp"

namespace tutti::language {

// The rest of the line, or the block below.
void ProgramParser::body(TokenReader& reader) {
  reader.at_end() ? block(reader.line().indent) : statements(reader, false);
}

void ProgramParser::if_statement(TokenReader& reader) {
  Instruction unless{.kind = InstructionKind::jump_unless, .at = reader.position()};
  unless.value = reader.expression();
  reader.take("then");
  const std::size_t skip = add(std::move(unless));
  body(reader);
  const bool same_line = reader.look().is("else");
  const bool next_line = !same_line && at_ < lines_.size() && lines_[at_].indent == reader.line().indent &&
                         lines_[at_].tokens.front().is("else");
  if (!same_line && !next_line) return end_jump(skip);
  const std::size_t over = add({.kind = InstructionKind::jump, .at = reader.position()});
  end_jump(skip);
  const auto otherwise = [this](TokenReader& rest) {
    rest.next();
    rest.take("if") ? if_statement(rest) : body(rest);
  };
  if (same_line) {
    otherwise(reader);
  } else {
    TokenReader rest(lines_[at_++], code_);
    otherwise(rest);
    if (!rest.at_end()) rest.refuse("no 'if' is left for this 'else'; leave it out");
  }
  end_jump(over);
}

void ProgramParser::loop(const Expression& condition, const Instruction& step, const std::function<void()>& inside) {
  const std::size_t begin = code_.instructions.size();
  Instruction unless{.kind = InstructionKind::jump_unless, .at = condition.at};
  unless.value = condition;
  unless.target = step.target;
  unless.shows_target = step.kind == InstructionKind::assign && step.shows_target;
  const std::size_t leave = add(std::move(unless));
  breaks_.emplace_back();
  inside();
  if (step.kind == InstructionKind::assign) {
    // The condition shows the turn that begins; the last step begins none.
    Instruction quiet = step;
    quiet.shows_target = false;
    if (step.shows_target) quiet.text.clear();
    add(std::move(quiet));
  }
  Instruction again{.kind = InstructionKind::jump, .at = condition.at};
  again.jump = begin;
  add(std::move(again));
  end_jump(leave);
  for (const std::size_t each : breaks_.back()) end_jump(each);
  breaks_.pop_back();
}

void ProgramParser::while_statement(TokenReader& reader) {
  const Expression condition = reader.expression();
  reader.take("do");
  loop(condition, {}, [&] { body(reader); });
}

// repeat 10 times
void ProgramParser::repeat_statement(TokenReader& reader) {
  const TextPosition at = reader.position();
  const Expression counter = hidden("counter", at);
  Expression times = reader.expression();
  reader.take("times");
  reader.take("do");
  const Expression last = operation_expression(Operator::subtract, at, {std::move(times), number_expression(1, at)});
  add(assignment_of(counter, number_expression(0, at)));
  loop(operation_expression(Operator::at_most, at, {counter, last}),
       assignment_of(counter, operation_expression(Operator::add, at, {counter, number_expression(1, at)})),
       [&] { body(reader); });
}

// for i := 0 to d - 1 do; for i in [0, P) do; for i <> root do; for k = 1; k < P; k <<= 1 do
void ProgramParser::for_statement(TokenReader& reader) {
  const TextPosition at = reader.position();
  const Expression counter = reader.variable();
  if (reader.take("in")) return loop_over_range(reader, counter);
  if (reader.take("<>")) {
    Expression other = reader.expression();
    reader.take("do");
    Expression last{.kind = Expression::Kind::variable, .at = at};
    last.variable = code_.variable("P");
    add(assignment_of(counter, number_expression(0, at)));
    const Expression is_other = operation_expression(Operator::unequal, at, {counter, std::move(other)});
    return loop(operation_expression(Operator::less, at, {counter, std::move(last)}),
                assignment_of(counter, operation_expression(Operator::add, at, {counter, number_expression(1, at)})),
                [&] {
                  Instruction unless{.kind = InstructionKind::jump_unless, .at = at};
                  unless.value = is_other;
                  const std::size_t skip = add(std::move(unless));
                  body(reader);
                  end_jump(skip);
                });
  }
  if (!reader.take(":=") && !reader.take("<-")) reader.expect("=", "after the loop's variable");
  Expression first = reader.expression();
  reader.look().is(";") ? loop_of_three(reader, counter, std::move(first))
                        : counted_loop(reader, counter, std::move(first));
}

void ProgramParser::counted_loop(TokenReader& reader, const Expression& counter, Expression first) {
  const TextPosition at = counter.at;
  const bool down = reader.take("downto");
  if (!down && !reader.take("..")) reader.expect("to", "after the first value");
  const Expression last = hidden("end", at);
  add(assignment_of(last, reader.expression()));
  add(assignment_of(counter, std::move(first)));
  reader.take("do");
  const Operator next = down ? Operator::subtract : Operator::add;
  Instruction step = assignment_of(counter, operation_expression(next, at, {counter, number_expression(1, at)}));
  step.shows_target = true;
  loop(operation_expression(down ? Operator::at_least : Operator::at_most, at, {counter, last}), step,
       [&] { body(reader); });
}

// [a, b) leaves b out, [a, b] has it. The loop goes over the range whatever happens to its variable: sources use one
// name in two loops, one within the other.
void ProgramParser::loop_over_range(TokenReader& reader, const Expression& variable) {
  const TextPosition at = variable.at;
  const Expression last = hidden("end", at);
  const Expression counter = hidden("counter", at);
  Operator until = Operator::at_most;
  const bool in_brackets = reader.take("[");
  Expression first = reader.expression();
  reader.expect(in_brackets ? "," : "..", "after the range's begin");
  add(assignment_of(last, reader.expression()));
  if (in_brackets && reader.take(")")) {
    until = Operator::less;
  } else if (in_brackets) {
    reader.expect("]", "after the range's end");
  }
  add(assignment_of(counter, std::move(first)));
  reader.take("do");
  loop(operation_expression(until, at, {counter, last}),
       assignment_of(counter, operation_expression(Operator::add, at, {counter, number_expression(1, at)})), [&] {
         Instruction turn = assignment_of(variable, counter);
         turn.shows_target = true;
         add(std::move(turn));
         body(reader);
       });
}

void ProgramParser::loop_of_three(TokenReader& reader, Expression counter, Expression first) {
  add(assignment_of(std::move(counter), std::move(first)));
  reader.expect(";", "after the first value");
  const Expression condition = reader.expression();
  reader.expect(";", "after the loop's condition");
  Instruction step = assignment(reader, false);
  step.shows_target = true;
  reader.take("do");
  loop(condition, step, [&] { body(reader); });
}

}  // namespace tutti::language

/// @file
/// Statements of a program.

#include <algorithm>
#include <utility>

#include "user_programs/language/program_parser.hpp"
#include "user_programs/user_actions.hpp"

namespace tutti::language {
namespace {

constexpr int most_statements_nested = 100;  // recursion needs the stack

}  // namespace

std::size_t ProgramParser::add(Instruction instruction) {
  code_.instructions.push_back(std::move(instruction));
  return code_.instructions.size() - 1;
}

// A variable that no text can name.
Expression ProgramParser::hidden(std::string_view purpose, TextPosition at) {
  Expression variable{.kind = Expression::Kind::variable, .at = at};
  variable.variable = code_.variable(fmt::format("{} of loop {}", purpose, ++loops_));
  return variable;
}

void ProgramParser::statements(TokenReader& reader, bool after_ranks) {
  while (!reader.at_end() && !reader.look().is("else")) {
    if (reader.take(";")) continue;
    statement(reader, after_ranks);
    if (!reader.at_end() && !reader.look().is(";") && !reader.look().is("else"))
      reader.refuse("'{}' follows what is said; put ';' between two actions", reader.look().text);
  }
}

void ProgramParser::statement(TokenReader& reader, bool after_ranks) {
  reader.take("let");
  if (nested_ == most_statements_nested)
    reader.refuse("statements are nested more than {} deep; write them flatter", most_statements_nested);
  ++nested_;
  const bool holds_others = control_statement(reader);
  --nested_;
  if (holds_others) return;
  const std::size_t begin = reader.place();
  const std::size_t first = code_.instructions.size();
  if (!message_statement(reader) && !other_statement(reader)) add(assignment(reader, after_ranks));
  for (std::size_t k = first; k < code_.instructions.size(); ++k)
    code_.instructions[k].text = reader.line().between(begin, reader.place());
}

bool ProgramParser::control_statement(TokenReader& reader) {
  if (reader.take("for")) {
    for_statement(reader);
  } else if (reader.take("while")) {
    while_statement(reader);
  } else if (reader.take("repeat")) {
    repeat_statement(reader);
  } else if (reader.take("if")) {
    if_statement(reader);
  } else {
    return false;
  }
  return true;
}

bool ProgramParser::message_statement(TokenReader& reader) {
  const Token& word = reader.look();
  const auto in_brackets = [&] { return reader.line().tokens[reader.place() + 1].is("("); };
  if (word.is("send")) {
    send_statement(reader);
  } else if (word.is("receive")) {
    receive_statement(reader);
  } else if (word.is("sendAsync") && in_brackets()) {
    posted_statement(reader, InstructionKind::send);
  } else if ((word.is("recvAsync") || word.is("receiveAsync")) && in_brackets()) {
    posted_statement(reader, InstructionKind::receive);
  } else if (word.is("ncclGroupStart") || word.is("ncclGroupEnd")) {
    group_statement(reader, word.is("ncclGroupStart"));
  } else {
    return false;
  }
  return true;
}

// Messages between the two end together.
void ProgramParser::group_statement(TokenReader& reader, bool begins) {
  Instruction end{.kind = InstructionKind::wait, .at = reader.position()};
  reader.next();
  reader.expect("(", "after the group's word");
  reader.expect(")", "after the bracket");
  grouped_ = begins;
  if (!begins) add(std::move(end));
}

bool ProgramParser::other_statement(TokenReader& reader) {
  Instruction instruction{.at = reader.position()};
  if (reader.take("wait")) {
    instruction.kind = InstructionKind::wait;
    if (reader.take("(")) {
      while (!reader.at_end() && !reader.look().is(")")) reader.next();
      reader.expect(")", "after what is waited for");
    }
  } else if (reader.take("break")) {
    if (breaks_.empty()) code_.name.refuse(instruction.at, "no loop is around 'break'; leave it out");
    instruction.kind = InstructionKind::jump;
    breaks_.back().push_back(code_.instructions.size());
  } else if (reader.take("compute")) {
    instruction.kind = InstructionKind::compute;
    instruction.value = reader.expression();
  } else if (reader.take("print")) {
    instruction.kind = InstructionKind::print;
    instruction.value = reader.expression();
  } else if (reader.take("clear")) {
    instruction.kind = InstructionKind::clear;
    instruction.target = reader.variable();
  } else if (reader.take("swap")) {
    instruction.kind = InstructionKind::swap;
    reader.expect("(", "after 'swap'");
    instruction.target = reader.variable();
    reader.expect(",", "between the two variables");
    instruction.value = reader.variable();
    reader.expect(")", "after the two variables");
  } else if (reader.take("copy")) {
    Expression from = reader.variable();
    reader.expect("into", "after what is copied");
    instruction = assignment_of(reader.variable(), std::move(from));
  } else if (reader.take("allocate")) {
    while (!reader.at_end() && !reader.look().is(";")) reader.next();
    return true;
  } else {
    return false;
  }
  add(std::move(instruction));
  return true;
}

// send X to right; send data in T to right; of messages without data: send 1 4KiB
void ProgramParser::send_statement(TokenReader& reader) {
  if (!reader.find("to")) return bare_message(reader, InstructionKind::bare_send);
  Instruction instruction{.kind = InstructionKind::send, .at = reader.position(), .waits = !grouped_};
  reader.next();
  if (reader.look().is("data") && reader.line().tokens[reader.place() + 1].is("in")) reader.next(), reader.next();
  instruction.value = reader.variable();
  reader.expect("to", "after what is sent");
  instruction.peer = reader.expression();
  add(std::move(instruction));
}

// receive X from left; receive data from left into X; of messages without data: receive 1
void ProgramParser::receive_statement(TokenReader& reader) {
  if (!reader.find("from")) return bare_message(reader, InstructionKind::bare_receive);
  Instruction instruction{.kind = InstructionKind::receive, .at = reader.position(), .waits = !grouped_};
  reader.next();
  const bool named_last = reader.find("into").has_value() && reader.take("data");
  if (!named_last) instruction.target = reader.variable();
  reader.expect("from", "after what is received");
  instruction.peer = reader.expression();
  if (named_last) {
    reader.expect("into", "after whom it is received from");
    instruction.target = reader.variable();
  }
  add(std::move(instruction));
}

// sendAsync(X -> right), sendAsync(X, right); recvAsync(X <- left), recvAsync(X, left)
void ProgramParser::posted_statement(TokenReader& reader, InstructionKind kind) {
  Instruction instruction{.kind = kind, .at = reader.position()};
  reader.next();
  reader.next();
  Expression variable = reader.variable();
  const std::string_view arrow = kind == InstructionKind::send ? "->" : "<-";
  if (!reader.take(",")) reader.expect(arrow, "after the variable");
  instruction.peer = reader.expression();
  reader.expect(")", "after the peer");
  (kind == InstructionKind::send ? instruction.value : instruction.target) = std::move(variable);
  add(std::move(instruction));
}

std::int64_t ProgramParser::message_size(TokenReader& reader) const {
  const TextPosition at = reader.position();
  try {
    return parse_message_size(reader.next().text);
  } catch (const Error& error) {
    code_.name.refuse(at, "{}", error.what());
  }
}

void ProgramParser::bare_message(TokenReader& reader, InstructionKind kind) {
  Instruction instruction{.kind = kind, .at = reader.position()};
  reader.next();
  const bool down = reader.look().is("-");
  instruction.relative = down || reader.look().is("+");
  if (instruction.relative) reader.next();
  const TextPosition at = reader.position();
  if (reader.at_end() || reader.look().is(";")) reader.refuse("no peer is named; write 'send 1 4KiB' or 'receive 1'");
  instruction.peer = reader.expression();
  const bool is_literal = instruction.peer.kind == Expression::Kind::number;
  if (is_literal && !instruction.relative) note_rank(instruction.peer.number, at);
  if (down) instruction.peer = operation_expression(Operator::negate, at, {std::move(instruction.peer)});
  if (reader.look().kind == Token::Kind::size || reader.look().kind == Token::Kind::number)
    instruction.bytes = message_size(reader);
  add(std::move(instruction));
}

Instruction ProgramParser::assignment(TokenReader& reader, bool after_ranks) {
  const TextPosition at = reader.position();
  const auto refuse = [&] {
    std::size_t end = reader.place();
    while (reader.line().tokens[end].kind != Token::Kind::end && !reader.line().tokens[end].is(";")) ++end;
    const std::string words = reader.line().between(reader.place(), end);
    if (after_ranks)
      code_.name.refuse(at, "'{}' is nothing that a rank does; write 'send 1 4KiB', 'receive 1' or 'wait'", words);
    code_.name.refuse(at,
                      "'{}' is no line of a program; write such as 'ranks 4', '0: send 1 4KiB; wait', 'send X to "
                      "right' or 'x := 1'",
                      words);
  };
  const std::vector<Token>& tokens = reader.line().tokens;
  const Token& second = tokens[std::min(reader.place() + 1, tokens.size() - 1)];
  const bool is_target = reader.look().kind == Token::Kind::word && second.kind == Token::Kind::symbol;
  if (!is_target) refuse();
  Expression target = reader.variable();
  if (reader.take(":=") || reader.take("<-") || reader.take("=")) return assignment_of(target, reader.expression());
  const std::pair<std::string_view, Operator> changes[] = {
      {"+=", Operator::add}, {"<<=", Operator::shift_left}, {">>=", Operator::shift_right}};
  for (const auto& [token, operation] : changes) {
    if (reader.take(token))
      return assignment_of(target, operation_expression(operation, at, {target, reader.expression()}));
  }
  reader.refuse("'{}' stands where ':=' belongs", reader.at_end() ? "the end of the line" : reader.look().text);
}

}  // namespace tutti::language

/// @file
/// Lines of a program, by recursive descent over blocks of one indentation.
#pragma once

#include <functional>

#include "user_programs/language/code.hpp"
#include "user_programs/language/expression_parser.hpp"

namespace tutti::language {

/// Turns lines into instructions. Blocks are lines that are indented deeper than the line that begins them; words that
/// end them in the sources (begin, end, endfor, …) are passed over.
class ProgramParser {
 public:
  ProgramParser(std::string_view text, const std::string& name);

  Code run();

 private:
  // Lines and blocks (program_parser.cpp).
  void block(int outer);
  void line();
  void whole_line(TokenReader& reader, bool after_ranks);
  bool header(const TextLine& line);
  void read_ranks(TokenReader& reader);
  void read_need(TokenReader& reader);
  void read_computed(TokenReader& reader);
  void read_values(TokenReader& reader);
  RankSet rank_set(const TextLine& line, std::size_t end);
  void note_rank(std::int64_t rank, TextPosition at);
  void check_messages() const;
  void note_pairs();

  // Statements (statements.cpp).
  void statements(TokenReader& reader, bool after_ranks);
  void statement(TokenReader& reader, bool after_ranks);
  bool control_statement(TokenReader& reader);
  bool message_statement(TokenReader& reader);
  bool other_statement(TokenReader& reader);
  void send_statement(TokenReader& reader);
  void receive_statement(TokenReader& reader);
  void posted_statement(TokenReader& reader, Instruction::Kind kind);
  void bare_message(TokenReader& reader, Instruction::Kind kind);
  std::int64_t message_size(TokenReader& reader) const;
  void group_statement(TokenReader& reader, bool begins);
  Instruction assignment(TokenReader& reader, bool after_ranks);
  void body(TokenReader& reader);
  void if_statement(TokenReader& reader);
  void while_statement(TokenReader& reader);
  void repeat_statement(TokenReader& reader);
  void for_statement(TokenReader& reader);
  void counted_loop(TokenReader& reader, const Expression& counter, Expression first);
  void loop_over_range(TokenReader& reader, const Expression& variable);
  void loop_of_three(TokenReader& reader, Expression counter, Expression first);
  void loop(const Expression& condition, const Instruction& step, const std::function<void()>& inside);

  std::size_t add(Instruction instruction);
  void end_jump(std::size_t jump) { code_.instructions[jump].jump = code_.instructions.size(); }
  Expression hidden(std::string_view purpose, TextPosition at);

  Code code_;
  std::vector<TextLine> lines_;
  std::size_t at_ = 0;    // line at hand
  bool grouped_ = false;  // between the beginning and the end of a group of messages
  int nested_ = 0;        // statements within one another, at this place
  int loops_ = 0;
  std::vector<std::vector<std::size_t>> breaks_;  // jumps out of the loops around the line at hand
};

}  // namespace tutti::language

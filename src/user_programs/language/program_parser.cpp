#include "user_programs/language/program_parser.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti::language {
namespace {

constexpr std::int64_t most_ranks = 1 << 16;

// Words of the sources that say where a block begins or ends, which indentation says here.
bool is_frame(const TextLine& line) {
  constexpr std::array words{"begin", "end", "endfor", "endif", "endelse", "endwhile", "endrepeat"};
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return line.tokens.front().is(word); });
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

ProgramParser::ProgramParser(std::string_view text, const std::string& name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // editors begin files with it
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  code_.name.name = name;
  code_.lines = split_lines(text);
  lines_ = lines_of(text, code_.name);
  std::erase_if(lines_, is_frame);
}

Code ProgramParser::run() {
  if (!lines_.empty()) block(-1);
  if (at_ < lines_.size())
    code_.name.refuse({lines_[at_].number, lines_[at_].indent + 1},
                      "the line is indented less than the first one; indent lines of one block alike");
  require(!code_.instructions.empty(), "{} has no line such as '0: send 1 4KiB; wait; receive 1' or 'send X to right'",
          code_.name.name);
  check_messages();
  note_pairs();
  return std::move(code_);
}

void ProgramParser::block(int outer) {
  int indent = -1;
  while (at_ < lines_.size()) {
    const TextLine& next = lines_[at_];
    if (header(next)) {
      ++at_;
      continue;
    }
    if (indent < 0 && next.indent > outer) indent = next.indent;
    if (indent < 0 || next.indent < indent) break;
    if (next.indent > indent)
      code_.name.refuse({next.number, next.indent + 1},
                        "the line is indented deeper than the one above, which begins no block; indent both alike");
    line();
  }
  if (indent < 0 && outer >= 0)
    code_.name.refuse({lines_[at_ - 1].number, lines_[at_ - 1].indent + 1},
                      "nothing is indented below this line; write what it is to do, two blanks deeper");
}

void ProgramParser::line() {
  const TextLine& line = lines_[at_++];
  TokenReader reader(line, code_);
  const auto colon = reader.find(":");
  if (!colon) return whole_line(reader, false);
  Instruction others{.kind = Instruction::Kind::jump_others, .at = reader.position()};
  others.ranks = rank_set(line, *colon);
  while (reader.place() <= *colon) reader.next();
  const std::size_t jump = add(std::move(others));
  if (reader.at_end()) {
    if (at_ < lines_.size() && lines_[at_].indent > line.indent) block(line.indent);
  } else {
    whole_line(reader, true);
  }
  end_jump(jump);
}

// Statements to the end of the line.
void ProgramParser::whole_line(TokenReader& reader, bool after_ranks) {
  statements(reader, after_ranks);
  if (!reader.at_end()) reader.refuse("no 'if' is left for this 'else'; write it below its 'if', indented alike");
}

bool ProgramParser::header(const TextLine& line) {
  TokenReader reader(line, code_);
  const std::size_t tokens = line.tokens.size();
  const Token& first = line.tokens.front();
  if (tokens < 3 || (line.tokens[1].kind == Token::Kind::symbol && !line.tokens[1].is("-"))) return false;
  if (first.is("procedure")) {
    code_.title = line.between(1, tokens - 1);
  } else if (first.is("ranks")) {
    read_ranks(reader);
  } else if (first.is("needs")) {
    read_need(reader);
  } else if (first.is("computes")) {
    read_computed(reader);
  } else if (first.is("values")) {
    read_values(reader);
  } else {
    return false;
  }
  return true;
}

void ProgramParser::read_ranks(TokenReader& reader) {
  if (code_.ranks != 0) reader.refuse("the number of ranks stands in an earlier line, too; leave one of the two out");
  reader.next();
  const auto ranks = whole_number(reader.look().text, 1, most_ranks - 1);
  if (!ranks) reader.refuse("'{}' is no number of ranks; write one from 1 to {}", reader.look().text, most_ranks - 1);
  code_.ranks = static_cast<int>(*ranks);
  reader.next();
  if (!reader.at_end())
    reader.refuse("'{}' follows the number of ranks; put it on a line of its own", reader.look().text);
}

void ProgramParser::read_need(TokenReader& reader) {
  reader.next();
  const std::string need = reader.line().between(1, reader.line().tokens.size() - 1);
  if (need == "2^d ranks") {
    code_.need = RankNeed::power_of_two;
  } else if (need == "r^2 ranks") {
    code_.need = RankNeed::square;
  } else {
    reader.refuse("'{}' is no need; write 'needs 2^d ranks' or 'needs r^2 ranks', or leave the line out", need);
  }
}

// computes COLLECTIVE [from ROOT | to ROOT | by DISTANCE]: INPUT -> OUTPUT
void ProgramParser::read_computed(TokenReader& reader) {
  if (code_.computes) reader.refuse("what is computed stands in an earlier line, too; leave one of the two out");
  reader.next();
  Computed computed;
  const TextPosition at = reader.position();
  std::string collective = reader.next().text;
  while (reader.take("-")) collective += '-' + reader.next().text;
  const auto found = collective_called(collective);
  if (!found) code_.name.refuse(at, "{}", no_collective(collective));
  computed.collective = *found;
  if (reader.take("from") || reader.take("to")) computed.root = reader.expression();
  if (reader.take("by")) computed.distance = reader.expression();
  reader.expect(":", "after what is computed");
  computed.input = reader.variable().variable;
  reader.expect("->", "after the variable that holds the input");
  computed.output = reader.variable().variable;
  if (!reader.at_end()) reader.refuse("'{}' follows what is computed; leave it out", reader.look().text);
  code_.computes = std::move(computed);
}

void ProgramParser::read_values(TokenReader& reader) {
  reader.next();
  while (!reader.at_end()) {
    const std::string sign = reader.take("-") ? "-" : "";
    const Token& token = reader.next();
    if (token.kind == Token::Kind::symbol)
      code_.name.refuse({reader.line().number, token.column}, "'{}' is no value; write numbers or names, a rank each",
                        token.text);
    code_.values.push_back(sign + token.text);
  }
}

RankSet ProgramParser::rank_set(const TextLine& line, std::size_t end) {
  const std::string words = line.between(0, end);
  if (words == "all") return {.kind = RankSet::Kind::all};
  if (words == "even") return {.kind = RankSet::Kind::even};
  if (words == "odd") return {.kind = RankSet::Kind::odd};
  RankSet set;
  std::size_t at = 0;
  const auto rank = [&]() -> int {
    const Token& token = line.tokens[at];
    const TextPosition place{line.number, token.column};
    const auto number = at < end && token.kind == Token::Kind::number ? whole_number(token.text, 0, INT32_MAX)
                                                                      : std::optional<std::int64_t>();
    if (!number) code_.name.refuse(place, "'{}' is no rank; write such as 0, 2..4, even, odd or all", words);
    note_rank(*number, place);
    ++at;
    return static_cast<int>(*number);
  };
  while (true) {
    const TextPosition place{line.number, line.tokens[at].column};
    const int first = rank();
    const bool is_range = at < end && line.tokens[at].is("..");
    if (is_range) ++at;
    set.ranges.emplace_back(first, is_range ? rank() : first);
    const auto [low, high] = set.ranges.back();
    if (low > high) code_.name.refuse(place, "'{}..{}' names no rank; write the smaller one first", low, high);
    if (at == end) return set;
    if (!line.tokens[at++].is(",")) code_.name.refuse(place, "'{}' is no rank; write such as 0, 2..4", words);
  }
}

// Every number that stands for a rank makes it one of the program's.
void ProgramParser::note_rank(std::int64_t rank, TextPosition at) {
  if (rank >= most_ranks) code_.name.refuse(at, "ranks go up to {}, not {}", most_ranks - 1, rank);
  if (rank < code_.highest || (rank == code_.highest && code_.highest_at.line > 0)) return;
  code_.highest = static_cast<int>(rank);
  code_.highest_at = at;
}

void ProgramParser::check_messages() const {
  for (const Instruction& each : code_.instructions) {
    const bool bare = each.kind == Instruction::Kind::bare_send || each.kind == Instruction::Kind::bare_receive;
    const bool of_data = each.kind == Instruction::Kind::send || each.kind == Instruction::Kind::receive;
    if (of_data && !code_.has_data())
      code_.name.refuse(each.at,
                        "variables are sent, and no line says what is computed; write such as 'computes all-gather: "
                        "my_msg -> result'");
    if (bare && code_.has_data())
      code_.name.refuse(each.at, "the message carries no variable; write such as 'send X to right'");
  }
}

// Blocks of an all-to-all have one subscript, or two: origin and destination.
void ProgramParser::note_pairs() {
  if (!code_.has_data()) return;
  Computed& computed = *code_.computes;
  const auto is_pair = [&](const Expression& expression, const auto& self) -> bool {
    const bool own = expression.kind == Expression::Kind::variable && expression.operands.size() == 2 &&
                     (expression.variable == computed.input || expression.variable == computed.output);
    return own || std::any_of(expression.operands.begin(), expression.operands.end(),
                              [&](const Expression& each) { return self(each, self); });
  };
  for (const Instruction& each : code_.instructions) {
    if (is_pair(each.target, is_pair) || is_pair(each.value, is_pair)) computed.pairs = true;
  }
}

Code code_of(std::string_view text, const std::string& name) { return ProgramParser(text, name).run(); }

}  // namespace tutti::language

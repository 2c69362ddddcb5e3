#include "user_programs/language/rank_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integers.hpp"
#include "base/units.hpp"

namespace tutti::language {
namespace {

// "s" of "print(s)", and of "print s".
std::string printed_name(std::string_view text) {
  text.remove_prefix(std::string_view("print").size());
  while (!text.empty() && (text.front() == ' ' || text.front() == '(')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == ')') &&
         std::count(text.begin(), text.end(), ')') > std::count(text.begin(), text.end(), '('))
    text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

RankRun::RankRun(const Code& code, const RunShape& shape, int rank)
    : code_(code), shape_(shape), rank_(rank), variables_(code.names.size()) {
  define_numbers();
  if (!code.computes) return;
  for (const int index : {code.computes->input, code.computes->output})
    variables_[static_cast<std::size_t>(index)].kind = Variable::Kind::blocks;
  variables_[static_cast<std::size_t>(code.computes->input)].blocks = inputs_of(code, shape, rank);
}

// Names that every program has, as the sources write them.
void RankRun::define_numbers() {
  const auto define = [&](std::string_view name, std::int64_t number) {
    const auto found = std::find(code_.names.begin(), code_.names.end(), name);
    if (found == code_.names.end()) return;
    Variable& variable = variables_[static_cast<std::size_t>(found - code_.names.begin())];
    variable.kind = Variable::Kind::number;
    variable.number = number;
  };
  for (const char* name : {"rank", "RANK", "my_id"}) define(name, rank_);
  for (const char* name : {"p", "P"}) define(name, shape_.ranks);
  for (const char* name : {"root", "source"}) define(name, shape_.root);
  define("d", ceil_log2(shape_.ranks));
  define("m", 1);
}

bool RankRun::advance(ProgramChannels& channels) {
  constexpr std::int64_t most_done = 1'000'000;
  bool further = false;
  while (!fault_) {
    if (waiting_) {
      if (!take_in(channels)) return further;
      waiting_ = false;
      further = true;
    }
    if (next_ >= code_.instructions.size()) {
      if (!pending_.empty() || open_) {
        waiting_ = true;
        continue;
      }
      return further;
    }
    const Instruction& instruction = code_.instructions[next_++];
    line_ = instruction.at.line;
    if (++done_ > most_done)
      code_.name.refuse(instruction.at, "rank {} has come to {} statements and to no end; mend the loop", rank_, done_);
    further = true;
    instruction.kind == InstructionKind::send ? send(instruction, channels) : carry_out(instruction);
    waiting_ = instruction.kind == InstructionKind::wait || instruction.waits;
  }
  return further;
}

void RankRun::carry_out(const Instruction& instruction) {
  switch (instruction.kind) {
    case InstructionKind::assign:
      assign(instruction);
      return visit(instruction);
    case InstructionKind::jump_unless:
      if (number(instruction.value) == 0) {
        next_ = instruction.jump;
      } else {
        visit(instruction);
      }
      return;
    case InstructionKind::jump_others:
      if (!instruction.ranks.has(rank_)) next_ = instruction.jump;
      return;
    case InstructionKind::jump:
      next_ = instruction.jump;
      return;
    case InstructionKind::receive:
      return receive(instruction);
    case InstructionKind::bare_send:
    case InstructionKind::bare_receive:
      return bare_message(instruction);
    case InstructionKind::compute: {
      const std::int64_t operations = number(instruction.value);
      if (operations < 0) code_.name.refuse(instruction.at, "'compute' takes a number from 0, not {}", operations);
      RankStep& step = open();
      (step.messages.empty() && pending_.empty() ? step.operations_before : step.operations_beside) += operations;
      actions_.push_back(fmt::format("compute {}", operations));
      return;
    }
    case InstructionKind::print: {
      const Value value = evaluate(instruction.value, [this](const BlockLabel&) { return new_place(); });
      printed_.push_back(
          {printed_name(instruction.text), value.is_number ? fmt::format("{}", value.number) : text_of(value.blocks)});
      return;
    }
    case InstructionKind::swap:
      return swap(instruction);
    case InstructionKind::clear:
      variable_of(instruction.target).kind = Variable::Kind::blocks;
      refuse_while_sent(instruction, "clears");
      variable_of(instruction.target).blocks.clear();
      return;
    case InstructionKind::wait:
      actions_.emplace_back("wait");
      return visit(instruction.at.line, "waits");
    case InstructionKind::send:
      return;
  }
}

// Shows what a line has come to: the turn of a loop, the number or the data that is set.
void RankRun::visit(const Instruction& instruction) {
  if (fault_) return;
  const bool is_set = instruction.kind == InstructionKind::assign && !instruction.text.empty();
  if (!is_set && !instruction.shows_target) return;
  const Variable& variable = variable_of(instruction.target);
  std::string value;
  if (variable.kind == Variable::Kind::number) {
    const bool is_mask = name_of(instruction.target).find("mask") != std::string::npos;
    value = is_mask ? fmt::format("{:0{}b}", variable.number, std::max(1, ceil_log2(shape_.ranks)))
                    : fmt::format("{}", variable.number);
    if (instruction.shows_target) value = fmt::format("{} = {}", name_of(instruction.target), value);
  } else if (variable.kind == Variable::Kind::blocks && instruction.target.operands.empty()) {
    const auto blocks = static_cast<std::int64_t>(variable.blocks.size());
    value = blocks == 1 ? variable.blocks.begin()->second.term.short_text() : counted(blocks, "block");
  }
  if (!value.empty()) visit(instruction.at.line, std::move(value));
}

RankStep& RankRun::open() {
  if (!open_) open_ = RankStep{.line = line_};
  return *open_;
}

void RankRun::end_step() {
  if (open_) steps_.push_back(std::move(*open_));
  open_.reset();
}

void RankRun::fault(ProofFailure::Kind kind, TextPosition at, std::string reason) {
  if (fault_) return;
  int step = 1;
  for (const RankStep& each : steps_) step += (each.alone.empty() ? 0 : 1) + (each.messages.empty() ? 0 : 1);
  fault_ =
      ProofFailure{.kind = kind, .rank = rank_, .step = step, .reason = fmt::format("line {}: {}", at.line, reason)};
}

// Done before the messages under way, unless it writes what one of them sends: that is a conflict, which the proof
// names.
void RankRun::do_alone(RankAction action) {
  RankStep& step = open();
  const bool writes_what_is_sent = std::any_of(step.messages.begin(), step.messages.end(), [&](const RankAction& each) {
    return each.kind == RankAction::Kind::send &&
           std::any_of(action.slices.begin(), action.slices.end(), [&](const Slice& slice) {
             return std::find(each.slices.begin(), each.slices.end(), slice) != each.slices.end();
           });
  });
  (writes_what_is_sent ? step.messages : step.alone).push_back(std::move(action));
}

// Whether a message whose end is not waited for yet takes what the variable holds.
bool RankRun::is_being_sent(const Variable& variable) const {
  if (!open_) return false;
  return std::any_of(open_->messages.begin(), open_->messages.end(), [&](const RankAction& each) {
    return each.kind == RankAction::Kind::send &&
           std::any_of(variable.blocks.begin(), variable.blocks.end(), [&](const auto& block) {
             return std::find(each.slices.begin(), each.slices.end(), block.second.at) != each.slices.end();
           });
  });
}

// A whole variable is one buffer, though what it holds next may have another place here.
void RankRun::refuse_while_sent(const Instruction& instruction, std::string_view verb) {
  const Expression& target = instruction.target;
  if (fault_ || !target.operands.empty() || !is_being_sent(variable_of(target))) return;
  fault(ProofFailure::Kind::conflict, instruction.at,
        fmt::format("{} {}, which a message reads until the wait", verb, name_of(target)));
}

void RankRun::assign(const Instruction& instruction) {
  const Expression& target = instruction.target;
  Variable& variable = variable_of(target);
  if (variable.arriving)
    return fault(ProofFailure::Kind::conflict, instruction.at,
                 fmt::format("writes {}, for which a message is under way until the wait", name_of(target)));
  const bool whole = target.operands.empty();
  std::optional<BlockLabel> label;
  if (!whole) label = label_of(target);
  Value value = evaluate(instruction.value,
                         [&](const BlockLabel& each) { return place_in(target.variable, label.value_or(each)); });
  refuse_while_sent(instruction, "writes");
  if (fault_) return;
  if (!value.is_number) return assign_blocks(target, std::move(value));
  if (whole) {
    variable.kind = Variable::Kind::number;
    variable.number = value.number;
    return;
  }
  if (variable.kind == Variable::Kind::blocks)
    code_.name.refuse(instruction.at, "a number is put into {}, which holds data; take another variable",
                      name_of(target));
  variable.kind = Variable::Kind::numbers;
  variable.numbers[label->first] = value.number;
}

void RankRun::assign_blocks(const Expression& target, Value value) {
  Variable& variable = variable_of(target);
  if (variable.kind != Variable::Kind::blocks) variable.blocks.clear();
  variable.kind = Variable::Kind::blocks;
  const bool whole = target.operands.empty();
  if (!whole && value.blocks.size() > 1)
    code_.name.refuse(target.at, "{} blocks are put where one belongs; leave the subscript out", value.blocks.size());
  HeldBlocks blocks;
  if (!whole && value.blocks.empty()) variable.blocks.erase(label_of(target));
  for (auto& [label, block] : value.blocks) {
    const BlockLabel to = whole ? label : label_of(target);
    const Slice place = place_in(target.variable, to);
    if (block.at != place) do_alone({.kind = RankAction::Kind::copy, .slices = {place}, .operand = {block.at}});
    block.at = place;
    (whole ? blocks : variable.blocks)[to] = block;
  }
  if (whole) variable.blocks = std::move(blocks);
}

void RankRun::swap(const Instruction& instruction) {
  Variable& left = variable_of(instruction.target);
  Variable& right = variable_of(instruction.value);
  if (left.arriving || right.arriving || !left.blocks_arriving.empty() || !right.blocks_arriving.empty())
    return fault(ProofFailure::Kind::conflict, instruction.at, "swaps a variable for which a message is under way");
  std::swap(left, right);
}

// Blocks that lie elsewhere are copied together: each has a place of its own.
void RankRun::deliver() {
  const bool one = has_one_output(shape_.problem.collective);
  const auto only = one ? only_output(shape_, rank_) : std::nullopt;
  if (one && outcome().size() > 1 && only)
    return fault(ProofFailure::Kind::wrong_result, {},
                 fmt::format("{} holds {} at the end, where one belongs",
                             code_.names[static_cast<std::size_t>(code_.computes->output)],
                             counted(static_cast<std::int64_t>(outcome().size()), "block")));
  RankAction copies{.kind = RankAction::Kind::copy};
  for (const auto& [label, block] : outcome()) {
    const auto place = one ? only : output_place(code_, shape_, rank_, label);
    if (!place || *place == block.at) continue;
    copies.slices.push_back(*place);
    copies.operand.push_back(block.at);
  }
  if (copies.slices.empty()) return;
  open().alone.push_back(std::move(copies));
  end_step();
}

}  // namespace tutti::language

/// @file
/// Messages of a rank that runs through a program.

#include <fmt/format.h>

#include "base/integers.hpp"
#include "base/units.hpp"
#include "user_programs/language/rank_run.hpp"

namespace tutti::language {

int RankRun::peer_of(const Instruction& instruction) {
  const std::int64_t number = this->number(instruction.peer);
  if (instruction.relative) return static_cast<int>(modulo<std::int64_t>(rank_ + number, shape_.ranks));
  if (number >= 0 && number < shape_.ranks) return static_cast<int>(number);
  const bool sends = instruction.kind == InstructionKind::send || instruction.kind == InstructionKind::bare_send;
  fault(ProofFailure::Kind::malformed, instruction.at,
        fmt::format("'{}' is {} rank {}, and there are ranks 0 to {}", instruction.text, sends ? "to" : "from", number,
                    shape_.ranks - 1));
  return -1;
}

void RankRun::bare_message(const Instruction& instruction) {
  const bool sends = instruction.kind == InstructionKind::bare_send;
  const int peer = peer_of(instruction);
  if (fault_) return;
  if (peer == rank_)
    code_.name.refuse(instruction.at, "rank {} cannot {} itself ('{}'); name another rank", rank_,
                      sends ? "send to" : "receive from", instruction.text);
  const std::int64_t bytes = instruction.bytes > 0 ? instruction.bytes : sends ? shape_.bytes : 0;
  open().messages.push_back(
      {.kind = sends ? RankAction::Kind::send : RankAction::Kind::receive, .peer = peer, .bytes = bytes});
  actions_.push_back(instruction.text);
  visit(instruction.at.line, fmt::format("{} {}", sends ? "to" : "from", peer));
}

void RankRun::send(const Instruction& instruction, ProgramChannels& channels) {
  const Value value = blocks_of(instruction.value);
  const int peer = peer_of(instruction);
  if (fault_) return;
  RankAction action{.kind = RankAction::Kind::send, .peer = peer};
  for (const auto& [label, block] : value.blocks) action.slices.push_back(block.at);
  ProgramChannel& channel = channels[{rank_, peer}];
  channel.owed > 0 ? void(--channel.owed) : channel.messages.push_back({value.blocks});
  actions_.push_back(fmt::format("send {} to {}", name_of(instruction.value), peer));
  const std::size_t blocks = action.slices.size();
  visit(instruction.at.line, blocks == 1 ? fmt::format("to {}", peer) : fmt::format("{} m to {}", blocks, peer));
  RankStep& step = open();
  if (peer != rank_ && !action.slices.empty()) step.messages.push_back(std::move(action));
}

void RankRun::receive(const Instruction& instruction) {
  const int peer = peer_of(instruction);
  Pending pending{.receive = &instruction, .peer = peer};
  if (!instruction.target.operands.empty()) pending.label = label_of(instruction.target);
  if (fault_) return;
  refuse_while_sent(instruction, "receives into");
  if (fault_) return;
  Variable& variable = variable_of(instruction.target);
  if (!pending.label && variable.arriving)
    return fault(ProofFailure::Kind::conflict, instruction.at,
                 fmt::format("receives into {}, for which a message is under way", name_of(instruction.target)));
  if (variable.kind != Variable::Kind::blocks) variable = {.kind = Variable::Kind::blocks};
  pending.label ? void(variable.blocks_arriving.insert(*pending.label)) : void(variable.arriving = true);
  open();
  actions_.push_back(fmt::format("receive {} from {}", name_of(instruction.target), peer));
  visit(instruction.at.line, fmt::format("from {}", peer));
  pending_.push_back(pending);
}

// Takes all messages that are pending, if each of them has been sent.
bool RankRun::take_in(ProgramChannels& channels) {
  std::map<int, std::size_t> needed;
  for (const Pending& each : pending_) ++needed[each.peer];
  for (const auto& [peer, number] : needed) {
    if (channels[{peer, rank_}].messages.size() < number) return false;
  }
  for (const Pending& each : pending_) {
    std::deque<SentBlocks>& queue = channels[{each.peer, rank_}].messages;
    const SentBlocks message = std::move(queue.front());
    queue.pop_front();
    arrive(each, message);
  }
  pending_.clear();
  end_step();
  return true;
}

void RankRun::arrive(const Pending& pending, const SentBlocks& message) {
  const Expression& target = pending.receive->target;
  Variable& variable = variable_of(target);
  pending.label ? void(variable.blocks_arriving.erase(*pending.label)) : void(variable.arriving = false);
  if (pending.label && message.blocks.size() > 1)
    code_.name.refuse(pending.receive->at, "{} blocks come in where one belongs; leave the subscript out",
                      message.blocks.size());
  if (!pending.label) variable.blocks.clear();
  const bool own = pending.peer == rank_;
  RankAction action{.kind = own ? RankAction::Kind::copy : RankAction::Kind::receive, .peer = own ? -1 : pending.peer};
  for (const auto& [sent, block] : message.blocks) {
    const BlockLabel label = pending.label.value_or(sent);
    const Slice place = place_in(target.variable, label);
    action.slices.push_back(place);
    if (own) action.operand.push_back(block.at);
    HeldBlock& held = variable.blocks[label];
    held = block;
    held.at = place;
  }
  if (!action.slices.empty()) open().messages.push_back(std::move(action));
}

void RankRun::give_up_waiting(ProgramChannels& channels) {
  std::map<int, std::size_t> needed;
  for (const Pending& each : pending_) {
    ProgramChannel& channel = channels[{each.peer, rank_}];
    if (channel.messages.size() >= ++needed[each.peer]) continue;
    channel.messages.push_back({{{BlockLabel{}, {{}, Term::of("?")}}}});
    ++channel.owed;
  }
}

}  // namespace tutti::language

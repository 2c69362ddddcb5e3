#include "schedule/lent_copies.hpp"

#include <algorithm>
#include <vector>

namespace tutti {
namespace {

bool is_lone_copy(const CompiledProgram& compiled, const CompiledStep& step, std::uint32_t which) {
  const FoldStep& fold = compiled.folds[step.first_fold + which];
  const bool goes_on = which + 1 < step.folds && compiled.folds[step.first_fold + which + 1].chained;
  return !fold.chained && !goes_on && fold.operands == 1 && compiled.operands[fold.first_operand].peer < 0 &&
         fold.into.count == 1 && fold.elements > 0;
}

/// The step's last message to each peer.
std::vector<std::uint32_t> last_messages(const CompiledProgram& compiled, const CompiledStep& step) {
  const auto sends = compiled.sends_of(step);
  std::vector<std::uint32_t> last;
  for (std::uint32_t k = 0; k < step.sends; ++k) {
    const bool goes_on = std::any_of(sends.begin() + k + 1, sends.end(),
                                     [&](const SendStep& later) { return later.peer == sends[k].peer; });
    if (!goes_on) last.push_back(step.first_send + k);
  }
  return last;
}

void lend(CompiledProgram& compiled, const CompiledStep& step, std::uint32_t which,
          const std::vector<std::uint32_t>& messages) {
  const FoldStep& fold = compiled.folds[step.first_fold + which];
  const auto copied = compiled.slices(compiled.operands[fold.first_operand].slices);
  for (const std::uint32_t k : messages) {
    SendStep& send = compiled.sends[k];
    const auto sent = compiled.slices(send.slices);
    if (send.copy >= 0 || !std::equal(sent.begin(), sent.end(), copied.begin(), copied.end())) continue;
    send.copy = static_cast<std::int32_t>(which);
    return;
  }
}

}  // namespace

void find_lent_copies(CompiledProgram& compiled) {
  for (const CompiledStep& step : compiled.steps) {
    if (step.sends == 0 || step.sends + step.folds > most_operations_of_a_step) continue;
    std::vector<std::uint32_t> messages;
    for (std::uint32_t which = 0; which < step.folds; ++which) {
      if (!is_lone_copy(compiled, step, which)) continue;
      if (messages.empty()) messages = last_messages(compiled, step);
      lend(compiled, step, which, messages);
    }
  }
}

}  // namespace tutti

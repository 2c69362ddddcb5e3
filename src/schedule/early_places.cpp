#include "schedule/early_places.hpp"

#include <algorithm>
#include <optional>

namespace tutti {
namespace {

bool overlap(const Slice& a, const Slice& b) { return a.buffer == b.buffer && a.first < b.end() && b.first < a.end(); }

class Finder {
 public:
  explicit Finder(CompiledProgram& compiled) : compiled_(compiled) {}

  void find() {
    for (std::size_t k = 0; k + 1 < compiled_.steps.size(); ++k) {
      CompiledStep& step = compiled_.steps[k];
      const CompiledStep& next = compiled_.steps[k + 1];
      step.first_place = static_cast<std::uint32_t>(compiled_.places.size());
      if (std::max(step.sends + step.folds, next.sends + next.folds) > most_operations_of_a_step) continue;
      find_places(step, next);
      step.places = static_cast<std::uint32_t>(compiled_.places.size()) - step.first_place;
      for (std::uint32_t fold = 0; fold < step.folds; ++fold) find_onward(step, fold, next);
    }
  }

 private:
  void find_places(const CompiledStep& step, const CompiledStep& next) {
    for (std::uint32_t k = next.first_fold; k < next.first_fold + next.folds; ++k) {
      const FoldStep& fold = compiled_.folds[k];
      if (fold.chained || fold.operands != 1 || fold.into.count != 1 || fold.elements == 0) continue;
      const int peer = compiled_.operands[fold.first_operand].peer;
      if (peer < 0) continue;
      const auto sent = times_sent(step, compiled_.slices(fold.into).front(), peer);
      if (sent && *sent <= 1) compiled_.places.push_back({k, *sent == 1});
    }
  }

  /// How many messages of the step to the peer are just that slice; nothing where another operation touches it.
  std::optional<int> times_sent(const CompiledStep& step, const Slice& place, int peer) const {
    for (const FoldStep& fold : compiled_.folds_of(step)) {
      if (touches(fold.into, place)) return std::nullopt;
      for (const FoldOperand& operand : compiled_.operands_of(fold)) {
        if (operand.peer < 0 && touches(operand.slices, place)) return std::nullopt;
      }
    }
    int times = 0;
    for (const SendStep& send : compiled_.sends_of(step)) {
      if (!touches(send.slices, place)) continue;
      if (send.peer != peer || !is_just(send.slices, place)) return std::nullopt;
      ++times;
    }
    return times;
  }

  void find_onward(const CompiledStep& step, std::uint32_t which, const CompiledStep& next) {
    FoldStep& fold = compiled_.folds[step.first_fold + which];
    fold.first_onward = static_cast<std::uint32_t>(compiled_.onward.size());
    const bool goes_on = which + 1 < step.folds && compiled_.folds[step.first_fold + which + 1].chained;
    if (goes_on || fold.operands < 2 || fold.elements == 0) return;
    const auto result = compiled_.slices(fold.into);
    for (std::uint32_t k = next.first_send; k < next.first_send + next.sends; ++k) {
      const auto sent = compiled_.slices(compiled_.sends[k].slices);
      if (std::equal(sent.begin(), sent.end(), result.begin(), result.end())) compiled_.onward.push_back(k);
    }
    fold.onward = static_cast<std::uint32_t>(compiled_.onward.size()) - fold.first_onward;
  }

  bool touches(const SliceRange& range, const Slice& place) const {
    const auto slices = compiled_.slices(range);
    return std::any_of(slices.begin(), slices.end(), [&](const Slice& slice) { return overlap(slice, place); });
  }
  bool is_just(const SliceRange& range, const Slice& place) const {
    return range.count == 1 && compiled_.slices(range).front() == place;
  }

  CompiledProgram& compiled_;
};

}  // namespace

void find_early_places(CompiledProgram& compiled) { Finder(compiled).find(); }

}  // namespace tutti

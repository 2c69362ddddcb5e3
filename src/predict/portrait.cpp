#include "predict/portrait.hpp"

#include <algorithm>
#include <utility>

#include "predict/sums.hpp"

namespace tutti {
namespace {

class Walk {
 public:
  Walk(const MachineCosts& costs, const CompiledProgram& compiled, double element_size, int most_helped)
      : costs_(costs), compiled_(compiled), element_size_(element_size), most_helped_(most_helped) {
    spend(costs.call);
  }

  Portrait portrait() {
    for (const CompiledStep& step : compiled_.steps) take(step);
    return rank_;
  }

 private:
  void spend(double seconds) {
    rank_.time += seconds;
    rank_.work += seconds;
  }
  void wait_until(double time) { rank_.time = std::max(rank_.time, time); }

  void take(const CompiledStep& step) {
    double longest = -1;  // of the messages that keep their sender, in bytes
    for (const SendStep& send : compiled_.sends_of(step)) longest = std::max(longest, post(send));
    const double come = rank_.time + costs_.latency;
    const int received = fold_all(step, come);
    rank_.sends += static_cast<int>(step.sends);
    rank_.receives += received;
    rank_.width += std::max(static_cast<int>(step.sends), received);
    if (received > 0) ++rank_.turns;
    if (step.sends == 0) return;
    // Who also receives is as late as its readers are.
    const double bytes = std::max(longest, 0.0);
    const double reading = costs_.overhead + (longest < 0 ? 0 : costs_.rendezvous + read_byte(true, 1) * bytes);
    taken_ = received > 0 ? rank_.time : come + reading;
    if (longest >= 0) wait_until(taken_ + costs_.latency);
  }

  /// The message's bytes where it keeps its sender; -1 where it does not.
  double post(const SendStep& send) {
    // A pair of ranks has room for one message of a call: the next waits until the last was taken.
    if (send.index > 0) {
      rank_.repeats_peers = true;
      wait_until(taken_ + costs_.latency);
    }
    const double bytes = static_cast<double>(send.elements) * element_size_;
    const bool brief = is_short(costs_, bytes);
    spend(send_seconds(costs_, bytes));
    rank_.bytes_sent += bytes;
    count(bytes, read_byte(true, 1));
    return brief ? -1 : bytes;
  }

  /// Takes the step's messages, which come at `come`, and says how many.
  int fold_all(const CompiledStep& step, double come) {
    const int messages = messages_of(step);
    const bool idle_senders = step.sends == 0 && messages <= most_helped_;
    int received = 0;
    for (const FoldStep& fold : compiled_.folds_of(step)) {
      const double bytes = static_cast<double>(fold.elements) * element_size_;
      const int before = received;
      const double byte = read_byte(idle_senders, fold.operands);
      double combine_byte = fold.operands > 1 ? costs_.combine_byte : 0;  // once a fold
      const double seconds = fold_seconds(costs_, compiled_, fold, bytes, [&](const FoldOperand& operand) {
        wait_until(come);
        ++received;
        rank_.last_source = messages == 1 ? operand.peer : -1;
        count(bytes, byte + std::exchange(combine_byte, 0));
        return byte;
      });
      spend(seconds);
      if (received == before) rank_.copying += seconds;
    }
    return received;
  }

  int messages_of(const CompiledStep& step) const {
    int messages = 0;
    for (const FoldStep& fold : compiled_.folds_of(step)) {
      for (const FoldOperand& operand : compiled_.operands_of(fold)) messages += operand.peer >= 0 ? 1 : 0;
    }
    return messages;
  }

  double read_byte(bool sender_is_idle, std::uint32_t operands) const {
    const Help kind = operands > 1 ? Help::with_all : Help::with_copies;
    return most_helped_ > 0 && sender_is_idle && costs_.help >= kind ? costs_.byte / 2 : costs_.byte;
  }

  /// One message more, whose bytes cost so much where it is read in the sender's memory.
  void count(double bytes, double long_byte) {
    const bool brief = is_short(costs_, bytes);
    rank_.fixed += 2 * costs_.overhead + (brief ? 0 : costs_.rendezvous);
    rank_.by_bytes += bytes * (brief ? 2 * costs_.short_byte : long_byte);
    rank_.bytes += bytes;
    if (!brief) ++rank_.long_messages;
  }

  const MachineCosts& costs_;
  const CompiledProgram& compiled_;
  double element_size_;
  int most_helped_;
  double taken_ = 0;  // when what the rank sent last was
  Portrait rank_;
};

}  // namespace

Portrait portrait_of(const MachineCosts& costs, const CompiledProgram& compiled, double element_size, int most_helped) {
  return Walk(costs, compiled, element_size, most_helped).portrait();
}

}  // namespace tutti

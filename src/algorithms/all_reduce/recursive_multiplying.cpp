/// @file
/// All-reduce by recursive multiplying: recursive doubling whose groups have k ranks instead of two.
///
/// In round i ranks that differ in digit i in base k send one another all that they have and combine it: what stands
/// for k^i ranks stands for k^(i+1) afterwards. Where p is no power of k, the last groups have c = floor(p/k^d) ranks
/// only; where c k^d is not p, the rest is folded into neighbours before, as in recursive_doubling.cpp.
///
///     r1    0 <--> 1 <--> 2 <--> 0    3 <--> 4 <--> 5 <--> 3        p = 6, k = 3
///     r2    0 <--> 3    1 <--> 4    2 <--> 5
///
/// Needs     any p >= 1, any associative operator; k is me.radix_for(p).
/// Buffers   as in recursive_doubling.cpp.
/// Traffic   c k^d ((k - 1) d + c - 1) + 2 e messages of m bytes, e = p - c k^d.
/// Time      ((k - 1) d + c - 1)(ts + m tw + m tc) on one-port ranks where p = c k^d, and more than 2 (ts + m tw) more
///           with folding; d or d + 1 rounds where ranks may serve k - 1 others at once.
/// Optimal   in rounds where ranks have k - 1 ports and p is a power of k. Not in bytes: see circulant.cpp.
/// Source    A. Ruefenacht, M. Bull, S. Booth, Generalisation of recursive doubling for AllReduce: Now with simulation,
///           Parallel Computing 69, 2017.

#include <vector>

#include "algorithms/all_reduce/multiplying.hpp"
#include "algorithms/table.hpp"

namespace tutti::algorithms {
namespace {

// The partial result of a rank. Every combination writes where the previous one did not.
class Partial {
 public:
  // Needs the number of combinations to come, so that the last one writes the output.
  Partial(Script& me, std::int64_t count, int combinations)
      : me_(me), count_(count), to_output_(combinations % 2 == 1), place_(me.input()) {}

  const Slice& place() const { return place_; }
  // With those of the other ranks among these, in their order.
  void combine_with(std::span<const int> ranks) {
    const Slice next = to_output_ ? me_.output() : me_.scratch(0, count_);
    std::vector<Operand> operands;
    for (const int rank : ranks)
      operands.push_back(rank == me_.rank() ? Operand{.mine = {place_}} : Operand{.from = rank});
    me_.fold(next, operands);
    place_ = next;
    to_output_ = !to_output_;
  }
  void copy_to_scratch() {
    const Slice copy = me_.scratch(0, count_);
    me_.copy(copy, place_);
    me_.wait();
    place_ = copy;
  }

 private:
  Script& me_;
  std::int64_t count_;
  bool to_output_;
  Slice place_;
};

// Gives this rank's contribution to the rank below, and gets the result from it.
void be_folded(Script& me) {
  me.phase("fold");
  me.send(me.input(), me.rank() - 1);
  me.wait();
  me.phase("unfold");
  me.receive(me.output(), me.rank() - 1);
}

// Sends the partial result to all others of the group, in turn from the next one on, and combines theirs.
void meet(Script& me, Partial& partial, std::span<const int> group, int place) {
  const int n = static_cast<int>(group.size());
  for (int k = 1; k < n; ++k) me.send(partial.place(), group[static_cast<std::size_t>((place + k) % n)]);
  partial.combine_with(group);
  me.wait();
}

}  // namespace

void multiply(Script& me, const Problem& problem, int radix) {
  const int p = me.size();
  const int r = me.rank();
  const Multiplied ranks(p, radix);
  const bool in_a_pair = r < 2 * ranks.folded();
  if (in_a_pair && r % 2 == 1) return be_folded(me);

  int combinations = in_a_pair ? 1 : 0;
  ranks.for_each_round([&](int, int) { ++combinations; });
  Partial partial(me, problem.count, combinations);
  if (in_a_pair) {
    me.phase("fold");
    partial.combine_with(std::vector<int>{r, r + 1});
    me.wait();
  } else if (problem.in_place && combinations % 2 == 1) {
    partial.copy_to_scratch();  // the first round sends from what it would write
  }
  if (ranks.folded() > 0) me.phase("exchange");
  const int number = ranks.number_of(r);
  ranks.for_each_round([&](int width, int factor) {
    const int place = number / width % factor;
    std::vector<int> group;
    for (int k = 0; k < factor; ++k) group.push_back(ranks.rank_of(number + (k - place) * width));
    meet(me, partial, group, place);
  });
  if (in_a_pair) me.phase("unfold");
  if (in_a_pair) me.send(me.output(), r + 1);
  if (p == 1) me.copy(me.output(), me.input());
}

Traffic multiplying_claims(const Problem& problem, int radix) {
  const Multiplied ranks(problem.ranks, radix);
  std::int64_t each = 0;
  ranks.for_each_round([&](int, int factor) { each += factor - 1; });
  const std::int64_t messages = ranks.core() * each + 2 * ranks.folded();
  return {.rounds = ranks.folded() > 0 ? each + 2 : each, .messages = messages, .elements = messages * problem.count};
}

const Algorithm all_reduce_recursive_multiplying{
    .collective = Collective::all_reduce,
    .name = "recursive-multiplying",
    .summary = "In each round, k ranks that differ in one digit in base k exchange and combine all that they have.",
    .when = "Short messages over several nodes whose ranks have several messages under way at once.",
    .source = "A. Ruefenacht, M. Bull, S. Booth, Generalisation of recursive doubling for AllReduce, 2017",
    .for_several_nodes = true,
    .record = [](Script& me, const Problem& problem) { multiply(me, problem, me.radix_for(me.size())); },
    .claims =
        [](const Problem& problem, const Parameters& parameters) {
          return multiplying_claims(problem, parameters.radix_for(problem.ranks));
        },
};

}  // namespace tutti::algorithms

/// @file
/// All-reduce by recursive doubling.
///
/// In round k ranks that differ in bit k exchange all that they have so far and combine it: what stands for 2^k ranks
/// stands for 2^(k+1) afterwards. Where p is not a power of two, p = 2^d + e, the first 2 e ranks are folded before:
/// rank 2 i + 1 gives its contribution to rank 2 i, which stands for both, and gets the result back after the last
/// round. Folding neighbours, and counting those who stand for ranks in rank order, keeps the order of a
/// non-commutative operator.
///
///     r1    1 --> 0                            p = 5: 1 is folded; 0, 2, 3, 4 are numbered 0 to 3
///     r2    0 <--> 2    3 <--> 4
///     r3    0 <--> 3    2 <--> 4
///     r4    0 --> 1
///
/// Needs     any p >= 1, any associative operator.
/// Buffers   `input`, read in the first step; afterwards `output` and m bytes of scratch take turns, so that what is
///           sent and what is being formed are apart and the last step ends in `output`. In place: one copy if d is
///           odd, on ranks that nobody is folded into.
/// Traffic   2^d d + 2 e messages of m bytes.
/// Time      d (ts + m tw) where ranks are fully connected, and on a hypercube; 2 (ts + m tw) more with folding.
/// Optimal   in rounds for one-port ranks where p is a power of two. Not in bytes: see ring.cpp and rabenseifner.cpp.
/// Source    A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3;
///           folding: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in
///           MPICH, 2005, §3.

#include "algorithms/all_reduce/all_reduce.hpp"
#include "base/integers.hpp"

namespace tutti::algorithms {
namespace {

// The partial result of a rank. Every combination writes where the previous one did not.
class Partial {
 public:
  // Needs the number of combinations to come, so that the last one writes the output.
  Partial(Script& me, std::int64_t count, int combinations)
      : me_(me), count_(count), to_output_(combinations % 2 == 1), place_(me.input()) {}

  const Slice& place() const { return place_; }
  void combine_with(int from) {
    const Slice next = to_output_ ? me_.output() : me_.scratch(0, count_);
    me_.receive_reduce(next, place_, from);
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

void record(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  const int d = floor_log2(p);
  const int folded = p - (1 << d);
  const bool in_a_pair = r < 2 * folded;

  if (in_a_pair && r % 2 == 1) {
    me.send(me.input(), r - 1);
    me.wait();
    me.receive(me.output(), r - 1);
    return;
  }
  // Those who take part in the rounds, numbered 0 .. 2^d - 1.
  const int number = in_a_pair ? r / 2 : r - folded;
  const auto rank_of = [&](int n) { return n < folded ? 2 * n : n + folded; };

  Partial partial(me, problem.count, in_a_pair ? d + 1 : d);
  if (in_a_pair) {
    partial.combine_with(r + 1);
    me.wait();
  } else if (problem.in_place && d % 2 == 1) {
    partial.copy_to_scratch();  // the first round sends from what it would write
  }
  for (int bit = 1; bit < 1 << d; bit *= 2) {
    const int partner = rank_of(number ^ bit);
    me.send(partial.place(), partner);
    partial.combine_with(partner);
    me.wait();
  }
  if (in_a_pair) me.send(me.output(), r + 1);
  if (p == 1) me.copy(me.output(), me.input());
}

Claims claims(const Problem& problem) {
  const std::int64_t d = floor_log2(problem.ranks);
  const std::int64_t core = std::int64_t{1} << d;
  const std::int64_t folded = problem.ranks - core;
  const std::int64_t messages = core * d + 2 * folded;
  return {.rounds = folded > 0 ? d + 2 : d, .messages = messages, .elements = messages * problem.count};
}

}  // namespace

const Algorithm all_reduce_recursive_doubling{
    .collective = Collective::all_reduce,
    .name = "recursive-doubling",
    .aliases = {"hypercube"},
    .summary = "In round k, ranks that differ in bit k exchange and combine all that they have.",
    .when = "For short messages: no all-reduce has fewer rounds where p is a power of two.",
    .source = "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4.3",
    .record = record,
    .claims = claims,
};

}  // namespace tutti::algorithms

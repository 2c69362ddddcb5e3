/// @file
/// One algorithm after another: where the intermediate data lies.

#include "base/check.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/record/stage.hpp"

namespace tutti {
namespace {

Problem stage_problem(const Problem& problem, Collective collective, const BlockCache* known = nullptr) {
  Problem result = related(problem, collective, known);
  if (!has_root(problem.collective)) result.root = 0;
  return result;
}

struct Two {
  Stage first;
  Stage second;
};

// Broadcast: the parts stay at their places in the message throughout.
void scatter_all_gather(Script& me, Two& two) {
  const Slice message = me.message();
  const Slice part = me.output(me.rank());
  two.first.input = {message};
  two.first.output = {part};
  two.first.scratch = {message};
  two.second.input = {part};
  two.second.output = {message};
}

// All-reduce: partial sums grow at their places in the output; rank r ends the first stage with part r.
void reduce_scatter_all_gather(Script& me, Two& two) {
  const Slice part = me.output(me.rank());
  two.first.input = {me.input()};
  two.first.output = {part};
  two.first.scratch = {me.output()};
  two.second.input = {part};
  two.second.output = {me.output()};
}

// All-reduce: partial sums grow in the output, which the broadcast then overwrites.
void reduce_broadcast(Script& me, Two& two) {
  two.first.input = {me.input()};
  two.first.output = {me.output()};
  two.first.scratch = {me.output()};
  two.second.output = {me.output()};
}

// Reduce: parts grow in the root's output, elsewhere in scratch.
void reduce_scatter_gather(Script& me, const Problem& problem, Two& two) {
  const Blocks& parts = me.all_blocks();
  const bool root = me.rank() == problem.root;
  const Slice whole = root ? me.output() : me.scratch(0, problem.count);
  const Slice part{whole.buffer, parts.first(me.rank()), parts.count(me.rank())};
  two.first.input = {me.input()};
  two.first.output = {part};
  two.first.scratch = {whole};
  two.second.input = {part};
  two.second.output = {me.output()};
  two.second.scratch = {whole};
}

// All-gather: relays of the gather keep blocks at their places in the output.
void gather_broadcast(Script& me, Two& two) {
  two.first.input = {me.input()};
  two.first.output = {me.output()};
  two.first.scratch = {me.output()};
  two.second.output = {me.output()};
}

// Reduce-scatter: the whole result lies in rank 0's scratch in between.
void reduce_then_scatter(Script& me, Two& two) {
  const Slice whole = me.scratch(0, me.all_blocks().total());
  two.first.input = {me.input()};
  two.first.output = {whole};
  two.first.scratch = {whole};
  two.second.input = {whole};
  two.second.output = {me.output()};
  two.second.scratch = {whole};
}

Two stages(Script& me, const Problem& problem, Collective first, Collective second) {
  const auto stage = [&](Collective collective) {
    return stage_of_all(me, stage_problem(problem, collective, me.context().blocks()));
  };
  Two two{stage(first), stage(second)};
  if (me.detail() == Detail::messages) return two;  // messages alone lie nowhere
  const auto joins = [&](Collective a, Collective b) { return first == a && second == b; };
  using enum Collective;
  if (joins(scatter, all_gather)) {
    scatter_all_gather(me, two);
  } else if (joins(reduce_scatter, all_gather)) {
    reduce_scatter_all_gather(me, two);
  } else if (joins(reduce, broadcast)) {
    reduce_broadcast(me, two);
  } else if (joins(reduce_scatter, gather)) {
    reduce_scatter_gather(me, problem, two);
  } else if (joins(gather, broadcast)) {
    gather_broadcast(me, two);
  } else if (joins(reduce, scatter)) {
    reduce_then_scatter(me, two);
  } else {
    fail(ErrorCode::internal, "{} then {} makes no collective", name_of(first), name_of(second));
  }
  return two;
}

}  // namespace

Record then(const Algorithm& first, const Algorithm& second) {
  return [&first, &second](Script& me, const Problem& problem) {
    const Two two = stages(me, problem, first.collective, second.collective);
    me.phase(name_of(first.collective));
    perform(me, first.record, two.first);
    me.phase(name_of(second.collective));
    perform(me, second.record, two.second);
  };
}

Claims then_claims(const Algorithm& first, const Algorithm& second, const Problem& problem,
                   const Parameters& parameters) {
  const Claims a = first.claims(stage_problem(problem, first.collective), parameters);
  const Claims b = second.claims(stage_problem(problem, second.collective), parameters);
  return {.rounds = a.rounds + b.rounds, .messages = a.messages + b.messages, .elements = a.elements + b.elements};
}

}  // namespace tutti

/// @file
/// The dual of an algorithm, as the adjoint of its program: each rank's program is reversed on its own.
///
/// For every place of the algorithm's memory the dual knows where the value that belongs there is held: nowhere, in the
/// rank's own input (from the start), or in the place's home, where sums grow. Going backwards through the steps,
///
///     send x        ->  home(x) = held(x) ∘ message, or home(x) = message; then x is held at home
///     receive x     ->  send held(x); then x is held nowhere
///     copy x = y    ->  y is held where x is, if y is held nowhere; otherwise home(y) = held(y) ∘ held(x)
///
/// A step that sent one place to several ranks must add several messages to it, one after the other: waits are put in
/// between wherever an operation would touch what another of its step writes.

#include <algorithm>

#include "base/check.hpp"
#include "schedule/combinators/adjoint_memory.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/model/problem_blocks.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/phases.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {
namespace {

// The problem whose dual solves this one.
Problem dual_problem(const Problem& problem) {
  Problem result = problem;
  const auto dual = dual_of(problem.collective);
  const bool goes_back = reduces(problem.collective) || problem.collective == Collective::gather;
  if (!dual || !goes_back) fail(ErrorCode::internal, "{} is not the dual of a collective", name_of(problem.collective));
  result.collective = *dual;
  result.in_place = false;
  return result;
}

class Adjoint {
 public:
  /// `forward` has recorded the original into the memory.
  Adjoint(Script& me, const Problem& problem, const Script& forward, AdjointMemory& memory)
      : me_(me),
        problem_(problem),
        forward_output_(forward.output().count),
        own_(own_part(me, problem)),
        held_(memory.held),
        read_(memory.read),
        written_(memory.written),
        into_(memory.into),
        mine_(memory.mine) {
    const Buffer input = me.input().buffer;
    constexpr std::size_t usual = 16;
    held(Buffer::output).reserve(usual);
    into_.reserve(usual);
    cut_held(memory.forward, memory.cuts);
    held(Buffer::output).assign(0, forward_output_, HeldElements{true, input, 0});
  }

  void run(const Program& forward) {
    for (std::size_t end = forward.ops.size(); end > 0;) {
      std::size_t begin = end - 1;
      while (begin > 0 && !forward.ops[begin - 1].ends_step) --begin;
      const auto after = std::find_if(forward.phases.rbegin(), forward.phases.rend(),
                                      [&](const PhaseMark& mark) { return mark.op < end; });
      if (after != forward.phases.rend()) me_.phase(dual_phase(after->name));
      reverse_step(forward, begin, end);
      end = begin;
    }
    deliver();
  }

 private:
  IntervalMap<HeldElements>& held(Buffer buffer) { return held_[static_cast<std::size_t>(buffer)]; }

  // Cuts what is held where slices of the original begin and end, all at once. One after the other, each cut moves the
  // cells behind it; where they are few, or cut by another rank's program, that takes less time.
  void cut_held(const Program& forward, std::vector<std::int64_t>& cuts) {
    constexpr std::size_t few = 256;
    if (forward.pool.size() < few) return;
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      if (!held(buffer).is_whole()) continue;
      cuts.clear();
      for (const Slice& slice : forward.pool) {
        if (slice.buffer == buffer) cuts.insert(cuts.end(), {slice.first, slice.end()});
      }
      std::sort(cuts.begin(), cuts.end());
      held(buffer).cut_at(cuts);
    }
  }

  // Copies first: what they move must be in place before messages are added to it.
  void reverse_step(const Program& forward, std::size_t begin, std::size_t end) {
    end_step();
    for (std::size_t at = end; at-- > begin;) {
      const Op& op = forward.ops[at];
      if (op.chained) refuse_chain(forward, op);
      if (op.kind == OpKind::copy) reverse_copy(forward.slices(op), forward.operand(op));
    }
    for (std::size_t at = end; at-- > begin;) {
      const Op& op = forward.ops[at];
      if (op.kind == OpKind::send) receive(forward.slices(op), op.peer);
      if (op.kind == OpKind::receive) send(forward.slices(op), op.peer);
    }
  }

  static void refuse_chain(const Program& forward, const Op& chained) {
    fail(ErrorCode::unsupported,
         "\"{}\" is chained to the operation before it; for its dual, record it in a step of its own",
         text_of(forward, chained));
  }

  void receive(Slices places, int from) {
    Message& into = into_;
    Message& mine = mine_;
    into.clear();
    mine.clear();
    bool fills = false;
    for (const Slice& place : places) {
      home(place, [&](const Slice& piece, const Slice& in) {
        held(piece.buffer)
            .visit(piece.first, piece.count, [&](std::int64_t first, std::int64_t count, const HeldElements& value) {
              append(into, 0, {in.buffer, in.first + first - piece.first, count});
              if (!value.held) {
                fills = true;
              } else {
                append(mine, 0, {value.buffer, value.at, count});
              }
            });
        held(piece.buffer).assign(piece.first, piece.count, HeldElements{true, in.buffer, in.first});
      });
    }
    if (fills && !mine.empty()) {
      fail(ErrorCode::internal, "the dual would add to one part of {} and fill another with one message",
           text_of(places));
    }
    separate(mine, into);
    fills ? me_.receive(into, from) : me_.receive_reduce(into, mine, from);
  }

  void send(Slices places, int to) {
    Message& message = into_;
    message.clear();
    for (const Slice& place : places) {
      take(place, [&](const Slice& value) { append(message, 0, value); });
    }
    separate(message, {});
    me_.send(message, to);
  }

  void reverse_copy(Slices to, Slices from) {
    Message values;
    for (const Slice& place : to) {
      take(place, [&](const Slice& value) { values.push_back(value); });
    }
    auto value = values.begin();
    std::int64_t used = 0;
    for (const Slice& place : from) {
      for (std::int64_t at = place.first; at < place.end();) {
        const std::int64_t count = std::min(place.end() - at, value->count - used);
        give({place.buffer, at, count}, {value->buffer, value->first + used, count});
        at += count;
        used += count;
        if (used == value->count) {
          ++value;
          used = 0;
        }
      }
    }
  }

  // Adds `value` to what `place` holds; where it holds nothing, the value stays where it is.
  void give(const Slice& place, const Slice& value) {
    Message mine;
    held(place.buffer).visit(place.first, place.count, [&](std::int64_t, std::int64_t count, const HeldElements& old) {
      if (old.held) mine.push_back({old.buffer, old.at, count});
    });
    if (mine.empty()) {
      held(place.buffer).assign(place.first, place.count, HeldElements{true, value.buffer, value.first});
      return;
    }
    home(place, [&](const Slice& piece, const Slice& in) {
      separate(value, in);
      separate(mine, {});
      me_.reduce(in, mine, value);
      held(piece.buffer).assign(piece.first, piece.count, HeldElements{true, in.buffer, in.first});
    });
  }

  // Sees where the values of `place` are held; afterwards the place holds nothing.
  template <typename See>
  void take(const Slice& place, See&& see) {
    held(place.buffer)
        .visit(place.first, place.count, [&](std::int64_t first, std::int64_t count, const HeldElements& value) {
          if (!value.held) {
            fail(ErrorCode::internal, "the dual would send {}[{}..{}), which holds nothing", name_of(place.buffer),
                 first, first + count);
          }
          see(Slice{value.buffer, value.at, count});
        });
    held(place.buffer).assign(place.first, place.count, HeldElements{});
  }

  // Sees the homes of `place`, piece by piece: what becomes output grows there, the rest in scratch at the same
  // position.
  template <typename See>
  void home(const Slice& place, See&& see) {
    if (place.buffer == Buffer::input) return see(place, Slice{Buffer::output, place.first, place.count});
    const bool moved = place.buffer == Buffer::scratch && reduces(problem_.collective);
    if (place.buffer == Buffer::scratch) {
      return see(place, me_.scratch(place.first + (moved ? forward_output_ : 0), place.count));
    }
    const std::int64_t low = std::clamp(own_.first, place.first, place.end());
    const std::int64_t high = std::clamp(own_.end(), low, place.end());
    const auto outside = [&](std::int64_t first, std::int64_t end) {
      if (first < end) see(Slice{place.buffer, first, end - first}, me_.scratch(first, end - first));
    };
    outside(place.first, low);
    if (low < high) see(Slice{place.buffer, low, high - low}, Slice{Buffer::output, low - own_.first, high - low});
    outside(high, place.end());
  }

  // The part of the forward output that becomes this rank's output.
  static Slice own_part(const Script& me, const Problem& problem) {
    const Slice output = me.output();
    if (problem.collective != Collective::reduce_scatter) return output;
    return {Buffer::output, me.all_blocks().first(me.rank()), output.count};
  }

  // Copies to the output what it must hold and is held elsewhere: only if nothing was received.
  void deliver() {
    const bool from_input = problem_.collective != Collective::reduce;
    const Slice output = me_.output();
    held(from_input ? Buffer::input : Buffer::output)
        .visit(0, output.count, [&](std::int64_t first, std::int64_t count, const HeldElements& value) {
          if (!value.held) return;
          const Slice to{Buffer::output, first, count};
          const Slice from{value.buffer, value.at, count};
          if (to == from) return;
          separate(from, to);
          me_.copy(to, from);
        });
    me_.wait();
  }

  // Ends the step if reading `reads` or writing `writes` would meet what an earlier operation of the step touches.
  void separate(Slices reads, Slices writes) {
    if (written_.meets(reads) || written_.meets(writes) || read_.meets(writes)) end_step();
    read_.add(reads);
    written_.add(writes);
  }

  void end_step() {
    me_.wait();
    read_.clear();
    written_.clear();
  }

  Script& me_;
  const Problem& problem_;
  std::int64_t forward_output_;
  Slice own_;
  std::span<IntervalMap<HeldElements>> held_;  // by buffer
  Touched& read_;
  Touched& written_;
  // Kept between operations to spare allocations.
  Message& into_;
  Message& mine_;
};

}  // namespace

Record dual(const Algorithm& algorithm) {
  return [&algorithm](Script& me, const Problem& problem) {
    const auto play = [&](const Problem& forward) {
      if (me.detail() == Detail::messages) return record_turned_round(algorithm.record, forward, me);
      const Pooled<AdjointMemory> memory(me.context().pool());
      memory->clear();
      Script script(forward, memory->forward, me);
      algorithm.record(script, forward);
      script.wait();
      Adjoint(me, problem, script, *memory).run(memory->forward);
    };
    BlockCache* const blocks = me.context().blocks();
    const Problem* const known =
        blocks != nullptr ? blocks->dual_of(problem, [&] { return dual_problem(problem); }) : nullptr;
    known != nullptr ? play(*known) : play(dual_problem(problem));
  };
}

Claims dual_claims(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters,
                   const Layout& layout) {
  return algorithm.claims(dual_problem(problem), parameters, layout);
}

}  // namespace tutti

/// @file
/// Mistakes about what ranks hold, send and combine.

#include <vector>

#include "algorithms/circulant.hpp"
#include "algorithms/operands.hpp"
#include "base/integers.hpp"
#include "gallery/gallery.hpp"

namespace tutti::gallery {

// The listing's buffers: S is what came in, R the output, T what a round sends. It prints the communication inside the
// loop that packs T, which would send p - k messages a round; it is taken to stand behind that loop.
void bruck_as_printed(Script& me, const Problem& problem) {
  const int p = me.size();
  const int r = me.rank();
  const auto block = [&](int i) { return me.scratch(i * problem.count, problem.count); };
  const auto stage = [&](int i) { return block(p + i); };

  for (int i = 0; i < p; ++i) me.copy(block(i), me.input(i));
  me.wait();
  for (int i = 0; i < p; ++i) me.copy(me.output(i), block((r + i) % p));
  me.wait();
  for (int k = 1; k < p; k *= 2) {
    std::vector<int> sent;
    for (int i = k; i < p; ++i) {
      if (i & k) sent.push_back(i);
    }
    const auto n = static_cast<int>(sent.size());
    Message out;
    Message in;
    for (int i = 0; i < n; ++i) {
      me.copy(stage(i), me.output(sent[static_cast<std::size_t>(i)]));
      out.push_back(stage(i));
      in.push_back(block(i));
    }
    me.wait();
    me.send(out, (r + k) % p);
    me.receive(in, modulo(r - k, p));
    me.wait();
    for (int i = 0; i < n; ++i) me.copy(me.output(sent[static_cast<std::size_t>(i)]), stage(i));
    me.wait();
  }
  for (int i = 0; i < p; ++i) {
    me.copy(me.output(i), me.output(modulo(r - i, p)));
    me.wait();
  }
}

// The catalogue's schedule, but for two edges: over them the receiver follows a rule of its own, by which it files what
// it receives two segments before the one that is sent.
void n_block_of_two_minds(Script& me, const Problem& problem) {
  const algorithms::Skips skips(me.size());
  const int p = me.size();
  const int r = me.rank();
  const int n = me.segments_for(problem.count);
  const Blocks parts = Blocks::parts_of(problem.count, n);
  const auto segment = [&](int s) { return Slice{Buffer::output, parts.first(s), parts.count(s)}; };
  const algorithms::Deliveries mine(skips, r, n);
  for (int i = 0; i < n - 1 + skips.rounds(); ++i) {
    const int skip = skips[mine.skip_of(i)];
    const int to = (r + skip) % p;
    const int from = modulo(r - skip, p);
    const bool of_another_mind = r == 1 && (from == 29 || from == 31);
    if (const auto sent = algorithms::Deliveries(skips, to, n).in_round(i)) me.send(segment(*sent), to);
    if (const auto received = mine.in_round(i)) me.receive(segment(*received - (of_another_mind ? 2 : 0)), from);
    me.wait();
  }
}

// A ring's reduce-scatter that receives a part of the sum into the output and then adds its own contribution to it.
// In place that contribution lies there, too.
void ring_overwritten(Script& me, const Problem&) {
  const int p = me.size();
  const int r = me.rank();
  for (int k = 0; k + 1 < p; ++k) {
    const int sent = modulo(r - k, p);
    const int received = modulo(r - k - 1, p);
    me.send(k == 0 ? me.input(sent) : me.output(sent), (r + 1) % p);
    me.receive(me.output(received), modulo(r - 1, p));
    me.wait();
    me.reduce(me.output(received), me.output(received), me.input(received));
    me.wait();
  }
  for (int k = 0; k + 1 < p; ++k) {
    me.send(me.output(modulo(r + 1 - k, p)), (r + 1) % p);
    me.receive(me.output(modulo(r - k, p)), modulo(r - 1, p));
    me.wait();
  }
}

void own_contribution_first(Script& me, const Problem&) {
  std::vector<Operand> operands{{.mine = {me.input()}}};
  for (int rank = 0; rank < me.size(); ++rank) {
    if (rank == me.rank()) continue;
    me.send(me.input(), rank);
    operands.push_back({.from = rank});
  }
  me.fold(me.output(), operands);
  me.wait();
}

void send_before_receive(Script& me, const Problem&) {
  const int p = me.size();
  me.copy(me.output(me.rank()), me.input());
  me.wait();
  for (int k = 0; k + 1 < p; ++k) {
    me.send(me.output(modulo(me.rank() - k, p)), (me.rank() + 1) % p);
    me.wait();
    me.receive(me.output(modulo(me.rank() - k - 1, p)), modulo(me.rank() - 1, p));
    me.wait();
  }
}

// Rank 0 takes in rank 1's block before rank 2's; rank 1 sends it when it has heard from rank 2, and rank 2 speaks to
// rank 1 when rank 0 has taken its block.
void operands_awaited_in_order(Script& me, const Problem&) {
  me.copy(me.output(me.rank()), me.input());
  switch (me.rank()) {
    case 0:
      me.send(me.input(), 2);
      me.send(me.input(), 1);
      me.wait();
      for (const int from : {1, 2}) {
        me.receive(me.output(from), from);
        me.wait();
      }
      break;
    case 1:
      me.receive(me.output(0), 0);
      me.wait();
      me.receive(me.output(2), 2);
      me.wait();
      for (const int to : {0, 2}) me.send(me.input(), to);
      break;
    default:
      me.receive(me.output(0), 0);
      me.wait();
      me.send(me.input(), 0);
      me.wait();
      me.send(me.input(), 1);
      me.wait();
      me.receive(me.output(1), 1);
      break;
  }
  me.wait();
}

// Two turns of one loop, by halves of the message, with one place in scratch between copy and send.
void scratch_used_again(Script& me, const Problem& problem) {
  const std::int64_t half = problem.count / 2;
  const Slice place = me.scratch(0, half);
  const auto part = [&](int turn) { return Slice{Buffer::output, turn * half, half}; };
  if (me.rank() > 0) {
    for (const int turn : {0, 1}) {
      me.receive(part(turn), 0);
      me.wait();
    }
    return;
  }
  me.copy(place, part(0));
  me.wait();
  me.send(place, 1);
  me.copy(place, part(1));
  me.wait();
  me.send(place, 1);
  me.wait();
}

}  // namespace tutti::gallery

/// @file
/// Mistakes about the order in which ranks wait.

#include "base/integers.hpp"
#include "gallery/mistakes.hpp"

namespace tutti::gallery {

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

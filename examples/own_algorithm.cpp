// A new all-reduce in a program of its own: written once, proved, priced, simulated, drawn and run.
#include <cstdio>
#include <fstream>
#include <tutti/lab.hpp>
#include <tutti/tutti.hpp>

namespace lab = tutti::lab;

int main() {
  // Sums go up a line of ranks, in their order, and the result comes back down.
  const lab::Algorithm there_and_back(tutti::Collective::all_reduce, "there-and-back", [](lab::Rank& me) {
    const int last = me.size() - 1;
    if (me.rank() == 0) me.copy(me.output(), me.input());
    if (me.rank() > 0) me.receive_reduce(me.output(), me.input(), me.rank() - 1);
    me.wait();
    if (me.rank() < last) me.send(me.output(), me.rank() + 1);
    me.wait();
    if (me.rank() < last) me.receive(me.output(), me.rank() + 1);
    me.wait();
    if (me.rank() > 0) me.send(me.output(), me.rank() - 1);
  });

  const lab::Proof proof = lab::prove(there_and_back, 1, 12);
  std::printf("proved for 1 to 12 ranks: %s\n", proof ? "yes" : proof.reason.c_str());

  const lab::Problem problem{.ranks = 8, .count = 1024, .element_bytes = 8};
  const lab::Times times = lab::simulate(there_and_back, problem, "linear:8");
  std::printf("on linear:8: %.3g us, at least %.3g us\n", 1e6 * times.seconds, 1e6 * times.bound_seconds);
  for (const lab::Price& price : lab::price(there_and_back, problem, "linear:8"))
    std::printf("  %-24s %.3g us\n", price.algorithm.c_str(), 1e6 * price.seconds);
  std::ofstream("there-and-back.svg") << lab::draw(there_and_back, {.ranks = 4, .count = 4}, "linear:4");

  bool right = static_cast<bool>(proof);
  tutti::run(4, [&](tutti::Communicator& comm) {
    const int sum = comm.all_reduce(comm.rank() + 1, tutti::sum, {.algorithm = there_and_back});
    if (comm.rank() == 0) std::printf("run by 4 ranks: the sum is %d\n", sum);
    if (sum != 10 && comm.rank() == 0) right = false;
  });
  return right ? 0 : 1;
}

#include <cstdio>
#include <tutti/tutti.hpp>
#include <vector>

// Alone, under `tutti run -n 4`, and under `mpirun -n 4`: the same program.
int main() {
  tutti::Communicator& comm = tutti::world();
  std::vector<double> mine(100'000, comm.rank() + 1.0);  // more than one packet of any engine
  comm.all_reduce(mine, tutti::sum);

  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  std::vector<double> theirs(mine.size());
  comm.send_receive(mine, next, theirs, before);

  const bool all_agree = comm.all_reduce(theirs == mine, tutti::logical_and);
  if (comm.rank() == 0)
    std::printf("%d ranks: the sum is %g, and all agree: %s\n", comm.size(), mine[0], all_agree ? "yes" : "no");
  return all_agree ? 0 : 1;
}

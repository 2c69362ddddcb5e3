#include <cstdio>
#include <tutti/tutti.hpp>
#include <vector>

int main() {
  tutti::run(4, [](tutti::Communicator& comm) {  // four ranks, each a thread that runs this text
    std::vector<int> numbers{comm.rank(), 10 * comm.rank(), 1};
    comm.all_reduce(numbers, tutti::sum);  // now {6, 60, 4} on every rank

    double scale = comm.rank() == 2 ? 0.5 : 0;
    comm.broadcast(scale, 2);  // now 0.5 on every rank

    if (comm.rank() == 0) {
      std::printf("%d ranks: the sums are %d, %d and %d, the scale is %g\n", comm.size(), numbers[0], numbers[1],
                  numbers[2], scale);
    }
  });
}

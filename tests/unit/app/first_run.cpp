// Runs two threads, twice, and says what both found.

#include <cstdio>
#include <exception>

#include "tutti/tutti.hpp"

int main() {
  try {
    int sum = 0;
    for (int k = 0; k < 2; ++k) {
      tutti::run(2, [&](tutti::Communicator& comm) {
        const int all = comm.all_reduce(1, tutti::sum);
        if (comm.rank() == 0) sum += all;
      });
    }
    std::printf("%d\n", sum);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

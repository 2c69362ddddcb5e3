// Joins the world as its environment tells it, and says whether it has more rights than who starts it.

#include <sys/auxv.h>

#include <cstdio>
#include <exception>

#include "tutti/tutti.hpp"

int main() {
  try {
    tutti::Communicator& comm = tutti::world();
    const int sum = comm.all_reduce(1, tutti::sum);
    std::printf("%s: %d\n", getauxval(AT_SECURE) != 0 ? "secure" : "ordinary", sum);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

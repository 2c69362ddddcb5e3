// Joins the world as its environment tells it, and says whether it has more rights than who starts it.

#include <sys/auxv.h>

#include <cstdio>
#include <exception>

#include "tutti/tutti.hpp"

// The leak checker of the address sanitizer stops a process to look into it, which the system refuses where the program
// has more rights. Without the sanitizer nobody calls this.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return getauxval(AT_SECURE) != 0 ? "detect_leaks=0" : ""; }

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

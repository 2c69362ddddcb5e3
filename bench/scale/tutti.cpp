// tutti for scripts/bench-scale: see program.hpp. With the word `start` it only joins, reduces and splits.

#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#include "bench/scale/program.hpp"
#include "tutti/tutti.hpp"

namespace {

class Ranks {
 public:
  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }
  double sum(double value) { return comm_.all_reduce(value, tutti::sum); }
  double maximum(double value) { return comm_.all_reduce(value, tutti::maximum); }
  void split() { comm_.split(0, comm_.rank()); }

 private:
  tutti::Communicator& comm_ = tutti::world();
};

}  // namespace

int main(int words, char** line) {
  try {
    if (words > 1 && std::strcmp(line[1], "start") == 0) return tutti::bench::starts<Ranks>() ? 0 : 1;
    tutti::bench::measure_scale<Ranks>();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scale: %s\n", error.what());
    return 1;
  }
}

// The length of a vector of a million numbers, to the last bit the same on any number of ranks.

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <tutti/tutti.hpp>

namespace {

constexpr std::size_t count = 1'000'000;

double number(std::size_t k) { return std::sin(static_cast<double>(k)) * std::pow(10.0, static_cast<double>(k % 30)); }

/// Returns the squared length over this rank's share of the numbers, first without waiting for the others.
double squared_length(tutti::Communicator& comm) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto rank = static_cast<std::size_t>(comm.rank());
  tutti::ReproducibleSum<double> mine;
  for (std::size_t k = count * rank / ranks; k < count * (rank + 1) / ranks; ++k) mine += number(k) * number(k);
  tutti::ReproducibleSum<double> all;
  tutti::Handle handle = comm.all_reduce_async(mine, all, tutti::reproducible);
  handle.wait();
  return all.value();
}

}  // namespace

int main() {
  double expected = 0;
  bool same = true;
  for (const int ranks : {1, 2, 3, 5, 8}) {
    tutti::run(ranks, [&](tutti::Communicator& comm) {
      const double found = squared_length(comm);
      if (comm.rank() != 0) return;
      if (ranks == 1) expected = found;
      same = same && found == expected;
    });
  }
  std::printf("the squared length is %.17g, on 1, 2, 3, 5 and 8 ranks: %s\n", expected, same ? "yes" : "no");
  return same ? 0 : 1;
}

/// @file
/// Containers and ranges of the standard library in tutti's calls: each line that docs/reference/std-and-ranges.md shows.

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <tutti/tutti.hpp>
#include <utility>
#include <vector>

namespace {

/// Element of a message: any type that is trivially copyable.
struct Particle {
  double x = 0;
  int id = 0;
};

/// Ends the program unless the result is right.
void check(bool is_right, const char* line) {
  if (!is_right) throw tutti::Error(tutti::ErrorCode::internal, std::string(line) + " gave a wrong result");
}

void pass_containers(tutti::Communicator& comm) {
  const int p = comm.size();
  const int r = comm.rank();
  std::vector<double> vector(8, r);
  std::array<float, 3> array{1, 2, 3};
  double plain[2] = {1, 2};
  std::string text = "abcd";

  comm.all_reduce(vector, tutti::sum);
  check(vector[7] == p * (p - 1) / 2, "vector");
  comm.all_reduce(array, tutti::maximum);
  comm.broadcast(plain, 0);
  comm.broadcast(text, 0);
  comm.all_reduce(std::span(vector).first(4), tutti::sum);
  comm.all_reduce(std::views::counted(vector.begin(), 4), tutti::sum);
  check(vector[0] > vector[7], "span");

  const auto squares = std::views::iota(0, 4) | std::views::transform([](int i) { return i * i; });
  std::vector<int> numbers(squares.begin(), squares.end());
  const std::vector<int> sums = comm.all_reduce(std::as_const(numbers), std::plus<>());
  check(sums[3] == 9 * p, "std::plus");

  std::vector<Particle> particles(2, Particle{.x = 1.0 * r, .id = r});
  const std::vector<Particle> everyone = comm.all_gather(std::as_const(particles));
  check(everyone.back().id == p - 1, "struct");

  tutti::Memory<double> memory = comm.allocate<double>(16);
  std::iota(memory.begin(), memory.end(), 0.0);
  comm.all_reduce(memory, tutti::minimum);
  check(memory[15] == 15, "memory");

  const tutti::ByRank<int> by_rank = comm.all_gather_v(std::vector<int>(static_cast<std::size_t>(r), r));
  check(std::ranges::count(by_rank.elements, p - 1) == p - 1, "by rank");
  const auto table = tutti::reshape(numbers, 2, 2);
  check(table(1, 1) == 9, "reshape");
}

void pass_values(tutti::Communicator& comm) {
  const int p = comm.size();
  const int r = comm.rank();
  const int total = comm.all_reduce(r, tutti::sum);
  check(total == p * (p - 1) / 2, "all_reduce of a value");
  const std::optional<int> at_root = comm.reduce(r, tutti::sum);
  if (r == 0) check(at_root.value() == total, "reduce of a value");
  const int before = comm.exclusive_scan(1, tutti::sum).value_or(0);
  check(before == r, "exclusive_scan of a value");
  const auto longest = comm.all_reduce(tutti::Located{.value = 1.0 * r, .location = r}, tutti::max_location);
  check(longest.location == p - 1, "max_location");
  const double product = comm.all_reduce(2.0, tutti::commutative([](double a, double b) { return a * b; }));
  check(product == 16, "an operator of one's own");
}

}  // namespace

int main() {
  tutti::run(4, [](tutti::Communicator& comm) {
    pass_containers(comm);
    pass_values(comm);
    if (comm.rank() == 0) std::printf("%d ranks: all lines gave the right results\n", comm.size());
  });
}

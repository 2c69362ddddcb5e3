/// @file
/// Ranks whose buffers lie in all kinds of memory: `heap_ranks ROUNDS [close]`. Prints how the bytes of peers were
/// reached. With `close` each has closed all that it has not opened, and has a file of its own under those numbers.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "heap/arena_description.hpp"
#include "tutti/tutti.hpp"

namespace {

/// Whether this process has mapped more of a peer's arena than its beginning, where no buffer lies.
bool reads_peers_in_place() {
  constexpr std::size_t beginning = std::size_t{2} << 20;
  const std::vector<double> own(std::size_t{1} << 17);
  const auto here = reinterpret_cast<std::size_t>(own.data());
  std::map<std::string, std::size_t> bytes;  // by file
  std::string own_file;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::size_t first = 0;
    std::size_t end = 0;
    std::array<char, 32> file{};
    const bool is_arena = line.find("memfd:tutti-heap") != std::string::npos;
    if (!is_arena || std::sscanf(line.c_str(), "%zx-%zx %*s %*s %*s %31s", &first, &end, file.data()) != 3) continue;
    bytes[file.data()] += end - first;
    if (first <= here && here < end) own_file = file.data();
  }
  return std::any_of(bytes.begin(), bytes.end(),
                     [&](const auto& each) { return each.first != own_file && each.second > beginning; });
}

void expect(bool is_right, const char* words) {
  if (is_right) return;
  std::fprintf(stderr, "wrong: %s\n", words);
  std::exit(1);
}

constexpr std::size_t most = std::size_t{1} << 17;
double in_static_memory[most];

double value(int rank, int round, std::size_t k) {
  return rank * 1000.0 + round + static_cast<double>(k % 4096) / 4096;
}

/// Memory that this rank has mapped itself, in the room of its arena where that has reserved nothing yet.
double* in_the_arenas_room() {
  constexpr std::size_t beyond = std::size_t{1} << 30;
  tutti::heap::ArenaDescription arena;
  auto* const describe =
      reinterpret_cast<tutti::heap::DescribeArena*>(dlsym(RTLD_DEFAULT, tutti::heap::describe_arena_name));
  if (describe == nullptr || !describe(&arena) || arena.bytes < 2 * beyond) return in_static_memory;
  void* const place = reinterpret_cast<void*>(arena.base + beyond);  // NOLINT: an address is what it is
  void* const memory = mmap(place, sizeof(in_static_memory), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return memory == MAP_FAILED ? in_static_memory : static_cast<double*>(memory);
}

/// A message from memory of that kind: a vector, a block of its own, static data, what the program has mapped.
void round_of(tutti::Communicator& comm, int round, std::mt19937& random) {
  const int p = comm.size();
  const std::size_t n = 1 + random() % most;
  const auto kind = random() % 4;
  std::vector<double> vector(kind == 0 ? n : 0);
  double* const block = kind == 1 ? static_cast<double*>(std::malloc(n * sizeof(double))) : nullptr;
  static double* const mapped = in_the_arenas_room();
  double* const kinds[] = {vector.data(), block, in_static_memory, mapped};
  const std::span<double> mine(kinds[kind], n);
  for (std::size_t k = 0; k < n; ++k) mine[k] = value(comm.rank(), round, k);
  std::vector<double> all(n * static_cast<std::size_t>(p));
  comm.all_gather(std::span<const double>(mine), std::span<double>(all));
  for (int rank = 0; rank < p; ++rank) {
    for (std::size_t k = 0; k < n; k += 97) {
      expect(all[static_cast<std::size_t>(rank) * n + k] == value(rank, round, k), "all-gather");
    }
  }
  comm.all_reduce(std::span<double>(mine), tutti::sum);
  for (std::size_t k = 0; k < n; k += 97) {
    double sum = 0;
    for (int rank = 0; rank < p; ++rank) sum += value(rank, round, k);
    expect(mine[k] > sum - 1e-6 && mine[k] < sum + 1e-6, "all-reduce");
  }
  std::free(block);
}

void take_all_numbers() {
  close_range(3, ~0U, 0);
  const int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  expect(file >= 0 && ftruncate(file, off_t{1} << 40) == 0, "no file in /tmp");
  for (int number = file + 1; number < 1024; ++number) dup2(file, number);
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 50;
  tutti::Communicator& comm = tutti::world();
  if (count > 2) take_all_numbers();
  const std::vector<double> beginning(3 * most);
  comm.barrier();
  std::mt19937 random(11);
  for (int round = 0; round < rounds; ++round) {
    round_of(comm, round, random);
    if (round % 10 != 3) continue;
    // A child has the rank's memory as it was, and none of what the rank goes on to do.
    const std::vector<double> before(most, round);
    const pid_t child = fork();
    if (child == 0) _exit(before == std::vector<double>(most, round) ? 0 : 1);
    int status = -1;
    expect(waitpid(child, &status, 0) == child && status == 0, "a child of a rank");
  }
  if (comm.rank() == 0) std::printf("%s\n", reads_peers_in_place() ? "in place" : "copied");
}

/// @file
/// Statements of the sources that are calls of a program: `textbook_statements NAME` runs one on ranks that are threads
/// and prints what it finds.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using Numbers = std::vector<int>;

// Every rank runs one text, and asks for its number and for the number of ranks.
void spmd() {
  std::vector<std::string> said(4);
  run(4, [&](Communicator& comm) {
    said[static_cast<std::size_t>(comm.rank())] = fmt::format("rank {} of {}", comm.rank(), comm.size());
  });
  fmt::print("{}\n", fmt::join(said, ", "));
}

void operators() {
  run(4, [](Communicator& comm) {
    const int x = comm.rank() + 1;
    const int total = comm.all_reduce(+x, sum);
    const int times = comm.all_reduce(+x, product);
    const int most = comm.all_reduce(+x, maximum);
    const int least = comm.all_reduce(+x, minimum);
    if (comm.rank() == 0) fmt::print("sum {}, product {}, maximum {}, minimum {}\n", total, times, most, least);
  });
}

// sendAsync, recvAsync, wait(*): both messages are under way at once.
void asynchronous_exchange() {
  Numbers heard(2);
  run(2, [&](Communicator& comm) {
    const int mine = 10 + comm.rank();
    Handle sent = comm.send_async(std::span(&mine, 1), 1 - comm.rank());
    Handle received = comm.receive_async(std::span(&heard[static_cast<std::size_t>(comm.rank())], 1), 1 - comm.rank());
    comm.wait_all();
  });
  fmt::print("rank 0 heard {}, rank 1 heard {}\n", heard[0], heard[1]);
}

void deadlock() {
  run(2, [](Communicator& comm) {
    std::vector<char> word(1 << 20);
    comm.send(word, 1 - comm.rank());
    comm.receive(word, 1 - comm.rank());
  });
}

void vector_reduction() {
  run(4, [](Communicator& comm) {
    const int r = comm.rank();
    Numbers vector{r, 10 * r, 100 * r};
    comm.reduce(vector, sum, 0);
    if (r == 0) fmt::print("elementwise: {}\n", vector);
  });
}

// P = 3, the root is 1, and each rank begins with its number and one more.
void reduce_to_root_1() {
  Numbers after(3);
  run(3, [&](Communicator& comm) {
    int local = comm.rank() + 1;
    comm.reduce(std::span(&local, 1), sum, 1);
    after[static_cast<std::size_t>(comm.rank())] = local;
  });
  fmt::print("A_local on ranks 0, 1, 2: {}\n", after);
}

void only_rank_0_reduces() {
  run(3, [](Communicator& comm) {
    Numbers x{1, 2};
    if (comm.rank() == 0) comm.reduce(x, sum, 0);
  });
}

// The six collectives of the sources, and reshape, by their shapes: m words a rank, p ranks.
void interface() {
  constexpr int p = 4;
  constexpr int m = 2;
  run(p, [](Communicator& comm) {
    const int r = comm.rank();
    const Numbers mine{r, -r};
    Numbers blocks(static_cast<std::size_t>(m * p));
    comm.gather(mine, blocks, 0);
    comm.broadcast(blocks, 0);
    Numbers all(blocks.size());
    comm.all_gather(mine, all);
    const auto columns = reshape(std::span(all), m, p);
    Numbers block(m);
    comm.scatter(all, block, 0);
    Numbers sums(m);
    comm.reduce_scatter(all, sums, sum);
    Numbers total = mine;
    comm.reduce(total, sum, 0);
    const bool right = all == blocks && block == mine && sums == Numbers{p * r, -p * r} && columns(0, r) == r;
    if (comm.all_reduce(right ? 1 : 0, minimum) == 1 && r == 0)
      fmt::print("reduce {}, broadcast, gather, scatter, all-gather, reduce-scatter and reshape agree\n", total);
  });
}

void all_gather_from_blocks() {
  run(4, [](Communicator& comm) {
    const Numbers mine{comm.rank(), 7};
    Numbers gathered(8);
    comm.gather(mine, gathered, 2);
    comm.broadcast(gathered, 2);
    Numbers expected(8);
    comm.all_gather(mine, expected);
    if (comm.all_reduce(gathered == expected ? 1 : 0, minimum) == 1 && comm.rank() == 0)
      fmt::print("gather, then broadcast: all-gather\n");
  });
}

void broadcast_from_blocks() {
  run(4, [](Communicator& comm) {
    Numbers message(8, -1);
    if (comm.rank() == 1) std::iota(message.begin(), message.end(), 0);
    Numbers block(2);
    comm.scatter(message, block, 1);
    comm.all_gather(block, message);
    const bool right = std::is_sorted(message.begin(), message.end()) && message.front() == 0;
    if (comm.all_reduce(right ? 1 : 0, minimum) == 1 && comm.rank() == 0)
      fmt::print("scatter, then all-gather: broadcast\n");
  });
}

struct Named {
  std::string_view name;
  void (*run)();
};

constexpr Named all[] = {{"spmd", spmd},
                         {"operators", operators},
                         {"asynchronous-exchange", asynchronous_exchange},
                         {"deadlock", deadlock},
                         {"vector-reduction", vector_reduction},
                         {"reduce-to-root-1", reduce_to_root_1},
                         {"only-rank-0-reduces", only_rank_0_reduces},
                         {"interface", interface},
                         {"all-gather-from-blocks", all_gather_from_blocks},
                         {"broadcast-from-blocks", broadcast_from_blocks}};

int run_named(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](const Named& each) { return each.name == name; });
  if (found == std::end(all)) {
    fmt::print(stderr, "there is no statement '{}'\n", name);
    return 2;
  }
  found->run();
  return 0;
}

}  // namespace
}  // namespace tutti

int main(int argc, char** argv) {
  try {
    return tutti::run_named(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

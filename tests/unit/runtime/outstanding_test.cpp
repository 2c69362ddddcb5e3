/// @file
/// Many operations outstanding at a time: they come to their results in whatever order they are waited for, and take
/// little memory; communicators give theirs back.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/ranks.hpp"
#include "support/sanitizers.hpp"

namespace tutti {
namespace {

using testing::on_ranks;

constexpr std::uint64_t seed = 4711;

/// A line of /proc/self/status, in bytes.
std::int64_t bytes_of(const std::string& name) {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(name, 0) == 0) return std::stoll(line.substr(name.size())) * 1024;
  }
  return 0;
}

enum class Kind : std::uint8_t { all_reduces, broadcasts, messages, tagged, mixed };
enum class Order : std::uint8_t { as_begun, reversed, drawn };

/// Begins operation k of the kind on this rank, on element k: what comes is 2 from an all_reduce of two ranks, else 1.
Handle begin(Communicator& comm, Kind kind, std::vector<std::int64_t>& data, std::size_t k) {
  const std::span<std::int64_t> one(&data[k], 1);
  const int peer = 1 - comm.rank();
  if (kind == Kind::mixed) kind = static_cast<Kind>(k % 4);
  if (kind == Kind::all_reduces) return comm.all_reduce_async(one, sum);
  if (kind == Kind::broadcasts) return comm.broadcast_async(one, static_cast<int>(k / 8 % 2));
  // Rows of sends, and rows of receives; tags come back.
  const bool sends = (k / 8 + static_cast<std::size_t>(comm.rank())) % 2 == 0;
  const MessageOptions options{.tag = kind == Kind::tagged ? static_cast<int>(k % 1000) : 0};
  return sends ? comm.send_async(std::span<const std::int64_t>(one), peer, options)
               : comm.receive_async(one, peer, options);
}

void expect_results(Kind kind, Order order, std::size_t n) {
  on_ranks(2, [&](Communicator& comm) {
    std::vector<std::int64_t> data(n, 1);
    std::vector<Handle> handles;
    for (std::size_t k = 0; k < n; ++k) handles.push_back(begin(comm, kind, data, k));
    std::vector<std::size_t> waits(n);
    std::iota(waits.begin(), waits.end(), std::size_t{0});
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(comm.rank()));
    if (order == Order::reversed) std::reverse(waits.begin(), waits.end());
    if (order == Order::drawn) std::shuffle(waits.begin(), waits.end(), random);
    for (const std::size_t k : waits) handles[k].wait();
    for (std::size_t k = 0; k < n; ++k) {
      const bool is_sum = kind == Kind::all_reduces || (kind == Kind::mixed && k % 4 == 0);
      ASSERT_EQ(data[k], is_sum ? 2 : 1) << "operation " << k << ", seed " << seed;
    }
  });
}

TEST(Outstanding, OperationsEndInWhateverOrderTheyAreWaitedFor) {
  const std::size_t n = test::has_seen_enough ? 500 : 3000;
  for (const Kind kind : {Kind::all_reduces, Kind::broadcasts, Kind::messages, Kind::tagged, Kind::mixed}) {
    for (const Order order : {Order::as_begun, Order::reversed, Order::drawn}) expect_results(kind, order, n);
  }
}

// Ranks that wait for another one's tag set all others aside.
TEST(Outstanding, MessagesAreReceivedAgainstTheirOrder) {
  constexpr int n = 2000;
  on_ranks(2, [&](Communicator& comm) {
    std::vector<std::int64_t> data(n);
    std::vector<Handle> handles;
    for (int k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (comm.rank() == 0) {
        data[at] = k;
        handles.push_back(comm.send_async(std::span<const std::int64_t>(&data[at], 1), 1, {.tag = k}));
      } else {
        // One in four takes whatever has come first.
        handles.push_back(
            comm.receive_async(std::span<std::int64_t>(&data[at], 1), k % 4 == 0 ? any_rank : 0, {.tag = n - 1 - k}));
      }
    }
    comm.wait(handles);
    for (int k = 0; k < n && comm.rank() == 1; ++k) ASSERT_EQ(data[static_cast<std::size_t>(k)], n - 1 - k);
  });
}

// Beside the handles, which are the program's.
TEST(Outstanding, OperationsTakeLittleMemory) {
  if (test::has_seen_enough) GTEST_SKIP() << "sanitizers keep memory of their own";
  constexpr std::size_t n = 20'000;
  constexpr std::int64_t most_each = 1024;
  constexpr std::int64_t slack = std::int64_t{6} << 20;
  for (const Kind kind : {Kind::all_reduces, Kind::broadcasts, Kind::tagged, Kind::mixed}) {
    on_ranks(2, [&](Communicator& comm) {
      std::vector<std::int64_t> data(n, 1);
      std::vector<Handle> handles(n);
      comm.barrier();
      const std::int64_t before = bytes_of("VmRSS:");
      comm.barrier();
      for (std::size_t k = 0; k < n; ++k) handles[k] = begin(comm, kind, data, k);
      const std::int64_t begun = bytes_of("VmRSS:");
      comm.barrier();
      for (Handle& handle : handles) handle.wait();
      const std::int64_t done = bytes_of("VmRSS:");
      // Ranks that are threads have one memory.
      const std::int64_t ranks = testing::engine() == testing::Engine::threads ? 2 : 1;
      const auto all = static_cast<std::int64_t>(n);
      EXPECT_LE(begun - before, ranks * all * most_each + slack) << "kind " << static_cast<int>(kind) << ", begun";
      EXPECT_LE(done - before, ranks * all * most_each + slack) << "kind " << static_cast<int>(kind) << ", done";
      comm.barrier();
    });
  }
}

/// Makes so many communicators that are alive at once, uses each, and drops them.
void make_and_drop(Communicator& comm, int communicators) {
  std::vector<Communicator> all;
  std::vector<double> data(1000, 1);
  for (int k = 0; k < communicators; ++k) {
    all.push_back(k % 2 == 0 ? comm.duplicate() : *comm.split(0, -comm.rank()));
    all.back().all_reduce(data, maximum);
    all.back().broadcast(data, 0);
  }
}

TEST(Outstanding, CommunicatorsGiveTheirMemoryBack) {
  TUTTI_ONLY_ON("of memory that ranks share", testing::Engine::processes);
  constexpr int communicators = 100;
  constexpr std::int64_t kept = std::int64_t{12} << 20;  // each rank's heap keeps some pages for what comes next
  on_ranks(2, [&](Communicator& comm) {
    make_and_drop(comm, 2);
    comm.barrier();
    const std::int64_t before = bytes_of("RssShmem:");
    make_and_drop(comm, communicators);
    const std::int64_t dropped = bytes_of("RssShmem:");
    // Each rank hears in a call that the others have left, too.
    for (int call = 0; call < 8; ++call) comm.barrier();
    const std::int64_t after = bytes_of("RssShmem:");
    EXPECT_GT(dropped - before, 2 * kept) << "the communicators had too little memory to tell";
    EXPECT_LE(after - before, kept);
  });
}

}  // namespace
}  // namespace tutti

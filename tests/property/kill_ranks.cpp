/// @file
/// The ranks of kill_test: random traffic, in which one of them is killed. The argument is the seed.
///
/// The victim says when it dies, "dies NANOSECONDS"; each other rank says what its pending call threw and when, and
/// what its next call threw: "told RANK NANOSECONDS pending|next CODE MESSAGE". One line a write, in a common file.

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <thread>

#include "support/kill_plan.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using testing::KillPlan;
using Moment = KillPlan::Moment;
using Random = std::mt19937_64;

int below(Random& random, int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void say(const std::string& line) {
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

void die() {
  say(fmt::format("dies {}\n", now()));
  raise(SIGKILL);
}

/// The system kills this process at that moment, wherever it is.
void die_in(std::chrono::microseconds delay) {
  const std::int64_t end = now() + delay.count() * 1000;
  say(fmt::format("dies {}\n", end));
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer{};
  const itimerspec at{{}, {end / 1'000'000'000, end % 1'000'000'000}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, TIMER_ABSTIME, &at, nullptr) != 0)
    std::_Exit(4);
}

/// Every rank draws the same calls. Buffers are a rank's own, or such as its peers reach.
class Traffic {
 public:
  Traffic(Communicator& world, std::uint64_t seed)
      : random_(seed ^ 0x5eed),
        comms_{world, world.duplicate(), world.split(world.rank() % 2).value()},
        own_in_(most),
        own_out_(most),
        shared_in_(world.allocate<float>(most)),
        shared_out_(world.allocate<float>(most)) {}

  void call(const std::function<void()>& within) {
    Communicator& comm = comms_[static_cast<std::size_t>(below(random_, 3))];
    if (below(random_, 12) == 0) {
      comm.split((comm.rank() + below(random_, 3)) % 2, comm.rank());
      return within();
    }
    std::vector<Handle> handles;
    for (int k = below(random_, 6) == 0 ? 3 : 1; k > 0; --k) handles.push_back(start(comm, k - 1));
    within();
    for (Handle& handle : handles) handle.wait();
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 20;
  static constexpr std::size_t parts = 3;  // parts of a buffer, for calls under way together

  Handle start(Communicator& comm, int part) {
    const auto p = static_cast<std::size_t>(comm.size());
    constexpr std::array<std::size_t, 5> sizes{1, 16, 1000, 20'000, most / parts};
    const std::size_t whole = std::max(sizes[static_cast<std::size_t>(below(random_, 5))] / p, std::size_t{1}) * p;
    const std::size_t n = std::min(whole, most / parts / p * p);
    const bool is_shared = below(random_, 2) == 0;
    const std::size_t first = static_cast<std::size_t>(part) * (most / parts);
    const std::span<float> in =
        (is_shared ? std::span<float>(shared_in_) : std::span<float>(own_in_)).subspan(first, n);
    const std::span<float> out =
        (below(random_, 2) == 0 ? std::span<float>(shared_out_) : std::span<float>(own_out_)).subspan(first, n);
    const int root = below(random_, comm.size());
    switch (below(random_, 9)) {
      case 0:
        return comm.broadcast_async(out, root);
      case 1:
        return comm.all_reduce_async(in, out, sum);
      case 2:
        return comm.reduce_async(in, out, sum, root);
      case 3:
        return comm.all_gather_async(in.first(n / p), out);
      case 4:
        return comm.reduce_scatter_async(in, out.first(n / p), sum);
      case 5:
        return comm.all_to_all_async(in, out);
      case 6:
        return comm.scan_async(in, out, sum);
      case 7:
        return comm.barrier_async();
      default:
        return exchange(comm, in, out);
    }
  }

  /// Messages around a ring: the one to send is waited for, so that the rank is in it; the other is returned.
  static Handle exchange(Communicator& comm, std::span<float> in, std::span<float> out) {
    const int p = comm.size();
    Handle receiving = comm.receive_async(out, (comm.rank() + p - 1) % p);
    Handle sending = comm.send_async(in, (comm.rank() + 1) % p);
    sending.wait();
    return receiving;
  }

  Random random_;
  std::array<Communicator, 3> comms_;
  std::vector<float> own_in_;
  std::vector<float> own_out_;
  Memory<float> shared_in_;
  Memory<float> shared_out_;
};

void be_rank(const KillPlan& plan, std::uint64_t seed, bool is_victim) {
  if (is_victim && plan.moment == Moment::before_joining) {
    std::this_thread::sleep_for(plan.delay);
    die();
  }
  if (is_victim && plan.moment == Moment::joining) die_in(plan.delay);
  Communicator& comm = world({.progress_thread = plan.has_progress_thread});
  Traffic traffic(comm, seed);
  if (is_victim && plan.moment == Moment::running) die_in(plan.delay);
  for (int number = 0;; ++number) {
    traffic.call([&] {
      if (is_victim && plan.moment == Moment::within_a_call && number == plan.call) die();
    });
  }
}

void tell(int rank, const char* which, const Error& error) {
  say(fmt::format("told {} {} {} {} {}\n", rank, now(), which, static_cast<int>(error.code()), error.what()));
}

}  // namespace
}  // namespace tutti

int main(int, char** arguments) {
  using namespace tutti;
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  const int rank = std::atoi(std::getenv("TUTTI_RANK"));
  const testing::KillPlan plan(seed);
  if (!plan.reaches_peers) setenv("TUTTI_PEER_READS", "0", 1);
  try {
    be_rank(plan, seed, rank == plan.victim);
  } catch (const Error& error) {
    tell(rank, "pending", error);
  }
  try {
    world().barrier();
  } catch (const Error& error) {
    tell(rank, "next", error);
  }
  std::_Exit(0);
}

/// @file
/// The ranks of stuck_test: large all-reduces, in memory of their own or shared, in the midst of which one rank ends,
/// is stopped, or is refused the memory of others. Arguments: what happens, to which rank (-1: to all), a seed, and
/// "own" or "shared".
///
/// A rank that its call fails prints "told RANK CODE MESSAGE"; one whose calls all succeed, "done RANK". One line a
/// write, in a common file.

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/refuse_call.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

constexpr unsigned hang_seconds = 60;
constexpr std::size_t elements = std::size_t{1} << 24;
constexpr int refused_calls = 6;

void say(const std::string& line) {
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(4);
}

/// The system sends this process the signal, wherever it is by then.
void send_itself(int signal, std::chrono::nanoseconds delay) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  timer_t timer{};
  const itimerspec in{{}, {0, delay.count()}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &in, nullptr) != 0) std::_Exit(5);
}

void refuse(std::uint32_t call) {
  if (!test::refuse_call({.call = call, .error = EPERM})) say("skip\n");
}

void suffer(std::string_view what, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::chrono::nanoseconds delay(1'000'000 + random() % 300'000'000);
  if (what == "exits") {
    signal(SIGTERM, [](int) { _exit(0); });
    send_itself(SIGTERM, delay);
  }
  if (what == "stops") send_itself(SIGSTOP, delay);
  if (what == "no-reads") refuse(SYS_process_vm_readv);
  if (what == "no-writes") refuse(SYS_process_vm_writev);
}

/// One call after the other, so that whatever happens does so within one.
[[noreturn]] void reduce_on_and_on(Communicator& comm, std::span<float> data) {
  for (;;) comm.all_reduce(data, maximum);
}

void reduce_and_check(Communicator& comm, std::span<float> data) {
  for (int call = 0; call < refused_calls; ++call) {
    std::fill(data.begin(), data.end(), static_cast<float>(comm.rank() + call));
    comm.all_reduce(data, sum);
    const int p = comm.size();
    const auto expected = static_cast<float>(p * (p - 1) / 2 + p * call);
    for (const float each : data) {
      if (each == expected) continue;
      say(fmt::format("wrong {}\n", comm.rank()));
      return;
    }
  }
}

}  // namespace
}  // namespace tutti

int main(int, char** arguments) {
  using namespace tutti;
  alarm(hang_seconds);
  const std::string_view what = arguments[1];
  const int victim = std::atoi(arguments[2]);
  Communicator& comm = world();
  const int rank = comm.rank();
  const bool is_shared = std::string_view(arguments[4]) == "shared";
  try {
    std::vector<float> own(is_shared ? 0 : elements);
    Memory<float> shared = comm.allocate<float>(is_shared ? elements : 0);
    const std::span<float> data = is_shared ? std::span<float>(shared) : own;
    comm.all_reduce(data, sum);
    if (victim < 0 || victim == rank) suffer(what, std::strtoull(arguments[3], nullptr, 10));
    if (what == "exits" || what == "stops") reduce_on_and_on(comm, data);
    reduce_and_check(comm, data);
    say(fmt::format("done {}\n", rank));
  } catch (const Error& error) {
    say(fmt::format("told {} {} {}\n", rank, static_cast<int>(error.code()), error.what()));
  }
  // With a failure, so that the launcher does not wait for a rank that is stopped.
  std::_Exit(what == "stops" ? 3 : 0);
}

/// @file
/// Ranks that do what programs do: they live in namespaces, drop rights, free buffers too early, stop, fork. For
/// odd_ranks_test; the first argument says what they do. Rank r prints "rank r: …" where something is to be told.

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/refuse_call.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using std::chrono::milliseconds;

void say(const std::string& line) {
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

/// Sums, moves and messages between all, over buffers of each rank's own; says how many elements were wrong.
void exchange(Communicator& comm, std::int64_t n) {
  const int p = comm.size();
  const int rank = comm.rank();
  const auto size = static_cast<std::size_t>(n);
  std::int64_t wrong = 0;
  for (int round = 0; round < 3; ++round) {
    const auto value = [&](int of, std::size_t k) {
      return static_cast<std::int64_t>(k) * 31 + of * 1'000'003 + round;
    };
    std::vector<std::int64_t> mine(size);
    std::vector<std::int64_t> total(size);
    std::vector<std::int64_t> others(size * static_cast<std::size_t>(p));
    for (std::size_t k = 0; k < size; ++k) mine[k] = value(rank, k);
    comm.all_reduce(std::span<const std::int64_t>(mine), std::span(total), sum);
    comm.all_gather(std::span<const std::int64_t>(mine), std::span(others));
    std::vector<std::int64_t> received(size);
    const int before = (rank + p - 1) % p;
    Handle sent = comm.send_async(std::span<const std::int64_t>(mine), (rank + 1) % p);
    comm.receive(std::span(received), before);
    sent.wait();
    for (std::size_t k = 0; k < size; ++k) {
      std::int64_t expected = 0;
      for (int of = 0; of < p; ++of) {
        expected += value(of, k);
        wrong += others[static_cast<std::size_t>(of) * size + k] == value(of, k) ? 0 : 1;
      }
      wrong += total[k] == expected ? 0 : 1;
      wrong += received[k] == value(before, k) ? 0 : 1;
    }
  }
  say(fmt::format("rank {}: {} wrong\n", rank, wrong));
}

/// Keeps the capabilities of that set alone, so that root is held to the rules for everyone.
void keep_capabilities(std::uint32_t kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {{kept, kept, 0}, {0, 0, 0}};  // NOLINT: the system call's own
  if (syscall(SYS_capset, &header, data) != 0) std::_Exit(77);
}

/// Expects an error of a rank's call, which is to come soon.
void expect_error(Communicator& comm, const std::function<void()>& call) {
  try {
    call();
    say(fmt::format("rank {}: no error\n", comm.rank()));
  } catch (const Error& error) {
    say(fmt::format("rank {}: {} {}\n", comm.rank(), static_cast<int>(error.code()), error.what()));
  }
  std::_Exit(0);
}

constexpr std::int64_t large = 600'000;

/// A large broadcast from rank 0 after rank 0 has done something that makes it unreadable.
void broadcast_after(std::uint32_t capabilities, const std::function<void()>& by_the_root) {
  keep_capabilities(capabilities);
  Communicator& comm = world();
  std::vector<std::int64_t> data(large, comm.rank());
  comm.broadcast(data, 0);
  comm.barrier();
  if (comm.rank() == 0) by_the_root();
  expect_error(comm, [&] {
    comm.barrier();
    comm.broadcast(data, 0);
    comm.barrier();
  });
}

/// Rank 0's buffer is gone before rank 1 comes to read it.
void unmap() {
  Communicator& comm = world();
  const std::size_t bytes = large * sizeof(std::int64_t);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::span<std::int64_t> data(static_cast<std::int64_t*>(memory), large);
  if (comm.rank() == 0) say(fmt::format("buffer {} bytes at {:#x}\n", bytes, reinterpret_cast<std::uintptr_t>(memory)));
  expect_error(comm, [&] {
    comm.barrier();  // a slow rank may hear in it of what has failed since
    if (comm.rank() == 0) {
      Handle handle = comm.broadcast_async(data, 0);
      munmap(memory, bytes);
      comm.barrier();
      handle.wait();
    } else {
      std::this_thread::sleep_for(milliseconds(100));
      comm.broadcast(data, 0);
      comm.barrier();
    }
  });
}

/// Leaves `ready.R` and looks for the others', without a call that times out while one of them is still being started.
void meet_in(const std::filesystem::path& folder, const Communicator& comm) {
  const auto file_of = [&](int rank) { return folder / fmt::format("ready.{}", rank); };
  fclose(fopen(file_of(comm.rank()).c_str(), "w"));
  for (int rank = 0; rank < comm.size(); ++rank) {
    while (!std::filesystem::exists(file_of(rank))) std::this_thread::sleep_for(milliseconds(1));
  }
}

/// Sums, until the file `end` is there; then all ranks are well.
void go_on(const char* folder) {
  Communicator& comm = world();
  const std::filesystem::path path(folder);
  meet_in(path, comm);
  while (comm.all_reduce(std::filesystem::exists(path / "end") ? 1 : 0, sum) == 0) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  say(fmt::format("rank {}: well\n", comm.rank()));
}

/// Rank 0 computes; the others wait for it all the time, until the file `end` is there.
void wait_for_one(const char* folder) {
  Communicator& comm = world();
  const std::filesystem::path path(folder);
  meet_in(path, comm);
  if (comm.rank() == 0) {
    while (!std::filesystem::exists(path / "end")) std::this_thread::sleep_for(milliseconds(1));
  }
  comm.barrier();
  say(fmt::format("rank {}: well\n", comm.rank()));
}

/// All that rank 0 sends goes to ranks 1 and 2; rank 1 stops instead of coming for it.
void run_ahead() {
  Communicator& comm = world();
  comm.barrier();
  if (comm.rank() == 1) std::raise(SIGSTOP);
  expect_error(comm, [&] {
    for (int value = 0; value < 1000; ++value) comm.broadcast(value, 0);
  });
}

// ---- Children

/// Belongings of a rank when it forks.
struct Belongings {
  explicit Belongings(Communicator& of)
      : comm(of),
        pair(of.duplicate()),
        shared(of.allocate<double>(elements)),
        own(elements, 1.0),
        plan(pair.plan_all_reduce(std::span(own), sum)),
        pending(of.receive_async(std::span(message), (of.rank() + of.size() - 1) % of.size())) {
    std::fill(shared.begin(), shared.end(), 1.0);
  }

  static constexpr std::size_t elements = 100'000;
  Communicator& comm;
  Communicator pair;
  Memory<double> shared;
  std::vector<double> own;
  std::vector<double> message = std::vector<double>(elements);
  Plan plan;
  Handle pending;
};

/// Expects the error of a child that does what only a rank may do.
void call_all(Belongings& has) {
  const auto refused = [](const char* what, const std::function<void()>& call) {
    try {
      call();
      say(fmt::format("child: {} went on\n", what));
    } catch (const Error& error) {
      say(fmt::format("child: {}: {}\n", what, error.what()));
    }
  };
  Communicator& comm = has.comm;
  refused("barrier", [&] { comm.barrier(); });
  refused("all_reduce", [&] { comm.all_reduce(std::span(has.own), sum); });
  refused("async", [&] { comm.all_reduce_async(std::span(has.own), sum).wait(); });
  refused("plan", [&] { has.plan.run(); });
  refused("send", [&] { comm.send(1, 0); });
  refused("wait", [&] { has.pending.wait(); });
  refused("test", [&] { has.pending.test(); });
  refused("wait_all", [&] { comm.wait_all(); });
  refused("split", [&] { comm.split(0); });
  refused("duplicate", [&] { has.pair.duplicate(); });
  refused("allocate", [&] { comm.allocate<double>(10); });
}

/// Runs the child; returns if it is to go on as if it were the rank.
void be_child(const std::string& kind, std::optional<Belongings>& has) {
  alarm(20);  // a child that hangs is killed, which its parent tells
  if (kind == "exec") {
    execl("/nowhere/no-program", "no-program", nullptr);
    std::exit(7);  // NOLINT: what programs do where they ought to call _exit()
  }
  if (kind == "call") {
    call_all(*has);
    std::exit(7);  // NOLINT
  }
  if (kind == "drop") {
    has.reset();
    _exit(7);
  }
  if (kind == "run") {
    run(2, [](Communicator& comm) {
      if (comm.all_reduce(1, sum) != 2) std::_Exit(3);
    });
    std::exit(7);  // NOLINT
  }
  if (kind == "throw") {
    prctl(PR_SET_DUMPABLE, 0);
    const auto fail = [] { throw std::runtime_error("a child's own"); };
    [&]() noexcept { fail(); }();
  }
}

/// Ranks fork; their children do what `kind` says, and all ranks go on. True in a child that is to return.
bool fork_children(Communicator& comm, const std::string& kind) {
  std::optional<Belongings> has(std::in_place, comm);
  comm.barrier();
  const pid_t child = kind == "vfork" ? vfork() : fork();
  if (child == 0) {
    if (kind == "vfork") _exit(7);
    be_child(kind, has);
    return true;
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) std::_Exit(4);
  const int rank = comm.rank();
  say(fmt::format("rank {}: child {} {}\n", rank, WIFEXITED(status) ? "exited with" : "killed by",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)));
  std::vector<double> total(has->own.size());
  comm.all_reduce(std::span<const double>(has->shared), std::span(total), sum);
  comm.send(has->shared, (rank + 1) % comm.size());
  has->pending.wait();
  has->plan.run();
  const auto wrong = std::count_if(total.begin(), total.end(), [&](double x) { return x != comm.size(); }) +
                     std::count_if(has->own.begin(), has->own.end(), [&](double x) { return x != comm.size(); }) +
                     std::count(has->message.begin(), has->message.end(), 0.0);
  say(fmt::format("rank {}: {} wrong\n", rank, wrong));
  return false;
}

/// Rank 1 has no world because of what it does before, and goes on all the same.
void go_without_world(const std::function<void()>& prepare, const RunOptions& options) {
  const bool fails = std::getenv("TUTTI_RANK")[0] == '1';
  if (fails) prepare();
  try {
    world(options).barrier();
  } catch (const Error&) {
    if (!fails) throw;
    pause();
  }
}

const std::map<std::string, std::function<void(char**)>> scenarios{
    {"fork", [](char** arguments) { fork_children(world(), *arguments); }},
    {"fork-threads", [](char** arguments) { run(3, [&](Communicator& comm) { fork_children(comm, *arguments); }); }},
    {"exchange", [](char**) { exchange(world(), large); }},
    {"pause",
     [](char** arguments) {
       Communicator& comm = world();
       fclose(fopen((std::filesystem::path(*arguments) / fmt::format("ready.{}", comm.rank())).c_str(), "w"));
       for (;;) pause();
     }},
    {"hidden", [](char**) { broadcast_after(0, [] { prctl(PR_SET_DUMPABLE, 0); }); }},
    {"other-user",
     [](char**) {
       broadcast_after(1U << CAP_SETUID, [] {
         if (setresuid(65534, 65534, 65534) != 0) std::_Exit(77);
       });
     }},
    {"hidden-first",
     [](char**) {
       keep_capabilities(0);
       if (std::getenv("TUTTI_RANK")[0] == '0') prctl(PR_SET_DUMPABLE, 0);
       exchange(world(), large);
     }},
    {"unmap", [](char**) { unmap(); }},
    {"go-on", [](char** arguments) { go_on(*arguments); }},
    {"run-ahead", [](char**) { run_ahead(); }},
    {"wait-for-one", [](char** arguments) { wait_for_one(*arguments); }},
    {"go-without-thread",
     [](char**) {
       go_without_world(
           [] {
             if (!test::refuse_call({.call = SYS_clone3, .error = EAGAIN})) std::_Exit(77);
           },
           {.progress_thread = true});
     }},
    {"go-with-odd-setting", [](char**) { go_without_world([] { setenv("TUTTI_PEER_READS", "maybe", 1); }, {}); }},
};

}  // namespace
}  // namespace tutti

// The leak checker of the address sanitizer stops a process to look into it, which ranks that hide their memory refuse.
// Without the sanitizer nobody calls this.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main(int, char** arguments) {
  try {
    tutti::scenarios.at(arguments[1])(arguments + 2);
  } catch (const std::exception& error) {
    tutti::say(fmt::format("rank {}: {}\n", std::getenv("TUTTI_RANK") ? std::getenv("TUTTI_RANK") : "?", error.what()));
    return 1;
  }
  return 0;
}

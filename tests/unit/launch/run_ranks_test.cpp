/// @file
/// Ranks of `tutti run` in odd circumstances: not all come, addresses are few, memory is locked, descriptors are
/// closed, one rank leaves a core dump.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "support/child.hpp"
#include "support/refuse_call.hpp"
#include "support/sanitizers.hpp"
#include "transport/processes/segment.hpp"
#include "tutti/tutti.hpp"
#include "unit/launch/run_ranks.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

void say(const std::string& text) {
  std::ofstream(std::string(std::getenv("DIR")) + "/" + std::getenv("TUTTI_RANK")) << text;
}

// Sums over plain memory and over memory that ranks share, of sizes that travel in every way; what is wrong.
std::string use_memory(Communicator& comm) {
  const int p = comm.size();
  for (const std::size_t n : {1, 3000, 100000, 700000}) {
    std::vector<double> plain(n, comm.rank() + 1);
    auto shared = comm.allocate<double>(n);
    std::fill(shared.begin(), shared.end(), comm.rank() + 1);
    comm.all_reduce(plain, sum);
    comm.all_reduce(shared, sum);
    const auto is_sum = [&](double value) { return value == p * (p + 1) / 2; };
    if (!std::all_of(plain.begin(), plain.end(), is_sum)) return "plain memory has a wrong sum";
    if (!std::all_of(shared.begin(), shared.end(), is_sum)) return "shared memory has a wrong sum";
  }
  auto half = comm.split(comm.rank() % 2, comm.rank());
  return half->all_reduce(1, sum) == half->size() ? "right" : "the half has a wrong sum";
}

void lock_memory() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    say("not allowed");
    std::_Exit(0);
  }
}

// Closes all that it has not opened, and has a file of its own under every number up to 1023.
std::string use_memory_without_descriptors() {
  Communicator& comm = world();
  auto early = comm.allocate<char>(8 * mebibyte);
  close_range(3, ~0U, 0);
  const std::vector<char> content(16 * mebibyte, 'x');
  const int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size())) return "no room in /tmp";
  int last = file;
  for (int next = file; next >= 0; next = dup(file)) last = next;
  // A few are left for what the program does next; the sanitizers look at memory through a pipe, which takes two.
  close_range(static_cast<unsigned>(last) - 2, static_cast<unsigned>(last), 0);
  early = {};
  const std::string answer = use_memory(comm);
  std::vector<char> after(content.size() + 1);
  if (pread(file, after.data(), after.size(), 0) != static_cast<ssize_t>(content.size())) return "its size has changed";
  after.pop_back();
  return after == content ? answer : "the program's own file is damaged";
}

void crash_or_watch() {
  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &unlimited);
  Communicator& comm = world();
  comm.barrier();
  const auto used = [] {
    struct stat now = {};
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code none;
      const std::string name = std::filesystem::read_symlink(entry.path(), none);
      if (name.starts_with("/memfd:tutti")) stat(entry.path().c_str(), &now);
    }
    return static_cast<std::size_t>(now.st_blocks) * 512;
  };
  const auto before = used();
  if (comm.rank() == 1) std::abort();
  try {
    comm.barrier();
  } catch (const Error& error) {
    say(std::string(error.what()) + (used() > before + mebibyte ? "; memory was filled" : "; memory was left alone"));
  }
  std::_Exit(0);
}

// The first rank to fail does it by an exception of the program's, which nobody catches either.
void fail_uncaught() {
  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &unlimited);
  Communicator& comm = world();
  comm.barrier();
  if (comm.rank() == 1) throw std::runtime_error("the program's own reason");
  comm.barrier();
}

// Rank 0 sends from memory that ranks share to rank 1's, and one of them has no addresses left for the other's.
void send_with_few_addresses(int limited) {
  constexpr std::size_t n = 4 * mebibyte;
  Communicator& comm = world();
  auto mine = comm.allocate<double>(n);
  if (comm.rank() == limited) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + 16 * mebibyte;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
  }
  bool is_right = true;
  for (int turn = 1; turn <= 8; ++turn) {
    if (comm.rank() == 0) std::fill(mine.begin(), mine.end(), turn);
    comm.broadcast(mine, 0);
    is_right = is_right && std::count(mine.begin(), mine.end(), turn) == static_cast<std::ptrdiff_t>(n);
  }
  say(is_right ? "right" : "wrong");
}

// The program of a rank.
TEST(Rank, RunsAsItIsTold) {
  if (std::getenv("BE") == nullptr) GTEST_SKIP() << "the others run this";
  const std::string_view be = std::getenv("BE");
  if (be == "uncaught") return fail_uncaught();
  try {
    if (be == "joined and killed") {
      const auto segment = runtime::Segment::inherited();
      std::raise(SIGKILL);
    }
    if (be == "leaving") {
      const auto segment = runtime::Segment::inherited();
      std::_Exit(3);
    }
    if (be == "locked") lock_memory();
    if (be == "crash") crash_or_watch();
    if (be == "limited sender") return send_with_few_addresses(0);
    if (be == "limited receiver") return send_with_few_addresses(1);
    if (be == "only there") return say(std::to_string(world().size()) + " ranks");
    say(be == "closed" ? use_memory_without_descriptors() : use_memory(world()));
  } catch (const Error& error) {
    say(error.what());
    std::_Exit(3);
  }
}

// The timeout is of calls, and not of starting: as long as the processes live, they are waited for.
TEST_F(RunRanks, ThatDoNotComeAreNamedAndWaitedFor) {
  setenv("TUTTI_TIMEOUT", "0.01", 1);
  setenv("TUTTI_LATE_AFTER", "0.3", 1);
  Running running = start_ranks(6, "only there",
                                leave_process +
                                    "case $R in 1|3) while ! [ -e $DIR/go ]; do sleep 0.02; done;; 4) kill -STOP $$;; "
                                    "esac; exec $SELF");
  for (const char* name : {"TUTTI_TIMEOUT", "TUTTI_LATE_AFTER"}) unsetenv(name);
  const auto is_told = [&] {
    const std::vector<std::string> lines = lines_of(running.errors());
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("tutti: ranks 1, 3, 4 have not called tutti::world() for ") &&
             line.find("; rank 1 (process ") != std::string::npos && line.ends_with("; the others wait for them");
    });
  };
  wait_until(is_told);
  const auto stopped = [&] { return "; rank 4 (process " + process_in("process.4") + ") is stopped"; };
  wait_until([&] { return running.errors().find(stopped()) != std::string::npos; });
  kill(std::stoi(process_in("process.4")), SIGCONT);
  make("go");
  const Ran ran = running.wait();
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* rank : {"0", "1", "2", "3", "4", "5"}) EXPECT_EQ(content(rank), "6 ranks") << rank;
}

// However little time calls have: starting so many takes longer.
TEST_F(RunRanks, ComeUpWhateverTheTimeout) {
  setenv("TUTTI_TIMEOUT", "0.001", 1);
  const Ran ran = run_ranks(24, "only there", "sleep 0.0$R; exec $SELF");
  unsetenv("TUTTI_TIMEOUT");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(content("0") + content("23"), "24 ranks24 ranks");
}

TEST_F(RunRanks, ThatEndBeforeTheyComeAreNamedAtOnce) {
  run_ranks(4, "there", "[ $R = 2 ] && exit 0; exec $SELF");
  for (const char* rank : {"0", "1", "3"}) {
    EXPECT_THAT(content(rank), HasSubstr("rank 2 ended before it called tutti::world(): it returned"));
  }
}

// A launcher learns of that only when the script ends.
TEST_F(RunRanks, ThatAreKilledBehindAScriptAreFoundWhileOthersAreYetToCome) {
  run_ranks(3, "there", "case $R in 1) BE='joined and killed' $SELF; sleep 1000;; 2) sleep 1000;; esac; exec $SELF");
  EXPECT_EQ(content("0"), "rank 1 failed: its process is gone");
}

TEST_F(RunRanks, AreToldOfASettingThatIsNone) {
  setenv("TUTTI_PEER_READS", "no", 1);
  const Ran ran = run_ranks(2, "there");
  unsetenv("TUTTI_PEER_READS");
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_THAT(content("0") + content("1"), HasSubstr("TUTTI_PEER_READS is 'no'"));
}

TEST_F(RunRanks, NeedFewAddresses) {
  if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
  const Ran ran = run_ranks(4, "there", "ulimit -v 1048576; exec $SELF");
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* rank : {"0", "1", "2", "3"}) EXPECT_EQ(content(rank), "right");
}

TEST_F(RunRanks, SayThatAPeersMemoryHasNoRoomWhereTheyNeedIt) {
  if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
  EXPECT_EQ(run_ranks(2, "limited sender").status, 0) << "who has no room need not help";
  EXPECT_EQ(content("0") + content("1"), "rightright");
  EXPECT_EQ(run_ranks(2, "limited receiver").status, 3);
  constexpr const char* reason =
      "no room for 32MiB of addresses (Cannot allocate memory): raise the limit of virtual "
      "memory (ulimit -v)";
  EXPECT_EQ(content("1"), reason);
  EXPECT_THAT(content("0"), HasSubstr(reason));
}

TEST_F(RunRanks, MayLockTheirMemory) {
  const Ran ran = run_ranks(3, "locked");
  if (content("0") == "not allowed") GTEST_SKIP() << "memory cannot be locked here";
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* rank : {"0", "1", "2"}) EXPECT_EQ(content(rank), "right");
}

TEST_F(RunRanks, MayCloseDescriptorsThatTheyHaveNotOpened) {
  for (const char* reads : {"1", "0"}) {
    setenv("TUTTI_PEER_READS", reads, 1);
    const Ran ran = run_ranks(3, "closed");
    EXPECT_EQ(ran.status, 0) << ran.err;
    for (const char* rank : {"0", "1", "2"}) EXPECT_EQ(content(rank), "right") << reads;
  }
  unsetenv("TUTTI_PEER_READS");
}

/// Ranks of a system that cannot get pages by address, as before Linux 5.14: what each says. Empty: not permitted here.
class OnASystemBeforeLinux514 : public RunRanks {
 protected:
  std::string answer_of(const std::string& be) {
    return in_child([&]() -> std::string {
      const RefusedCall populate{SYS_madvise, EINVAL, 2, MADV_POPULATE_WRITE, true};
      if (!refuse_call(populate)) return {};
      run_ranks(2, be);
      return content("0") + "|" + content("1");
    });
  }
};

TEST_F(OnASystemBeforeLinux514, RanksGetTheirMemoryByTheDescriptor) {
  const std::string answer = answer_of("there");
  if (answer.empty()) GTEST_SKIP() << "no system calls may be refused here";
  EXPECT_EQ(answer, "right|right");
}

TEST_F(OnASystemBeforeLinux514, RanksThatHaveClosedTheDescriptorAreToldSo) {
  const std::string answer = answer_of("closed");
  if (answer.empty()) GTEST_SKIP() << "no system calls may be refused here";
  EXPECT_THAT(answer,
              HasSubstr("no more shared memory: the program has closed tutti's descriptor, which this version of "
                        "Linux needs: leave descriptors alone that the program has not opened"));
}

TEST_F(RunRanks, ACoreDumpLeavesSharedMemoryAlone) {
  const std::string answer = in_child([&]() -> std::string {
    std::filesystem::current_path(folder_);                                   // folder of the dump
    const Ran ran = run_ranks(2, "crash", "exec $SELF", {"--grace", "60s"});  // rank 0 has something to say
    return content("0") + "; " + std::to_string(ran.status);
  });
  EXPECT_THAT(answer, HasSubstr("rank 1"));
  EXPECT_THAT(answer, HasSubstr("memory was left alone; 134"));
}

}  // namespace
}  // namespace tutti::test

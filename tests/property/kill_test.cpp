/// @file
/// Ranks killed at any moment: every other rank's pending call and next call throw an error that names the dead one,
/// nobody hangs, and nothing is left behind.
///
/// The ranks are those of kill_ranks.cpp. Each run is launched by a process of its own, with a /dev/shm and a folder
/// for temporary files that nobody else has, and it inherits what its descendants leave behind. A rank that is still
/// there when `watchdog` is over is ended by the launcher, and then has not told what it should.
///
/// TUTTI_KILL_SEED=n draws from other seeds, from n on.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "launch/launch.hpp"
#include "support/child.hpp"
#include "support/kill_plan.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

using testing::KillPlan;

constexpr std::chrono::seconds watchdog(20);

/// An empty file without a name that all ranks print to.
int common_output() {
  const int file = memfd_create("output", MFD_CLOEXEC);
  fcntl(file, F_SETFL, O_APPEND);  // or lines would be lost where two ranks write at once
  dup2(file, STDOUT_FILENO);
  return file;
}

std::string content_of(int file) {
  std::ifstream stream("/proc/self/fd/" + std::to_string(file));
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns the remains of a run, a line each.
std::string remains(const std::filesystem::path& folder, bool has_own_memory) {
  std::string left;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    left += "left file " + entry.path().string() + "\n";
  if (const pid_t child = waitpid(-1, nullptr, WNOHANG); child >= 0 || errno != ECHILD) left += "left process\n";
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    const std::string name = std::filesystem::read_symlink(entry.path(), none);
    if (name.starts_with("/memfd:tutti")) left += "left shared memory\n";
  }
  if (!has_own_memory) return left;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    left += "left " + entry.path().string() + "\n";
  struct statvfs status = {};
  if (statvfs("/dev/shm", &status) != 0 || status.f_bfree != status.f_blocks) left += "used /dev/shm\n";
  return left;
}

/// Launches the ranks of a seed, and tells all that came of it, a line each.
std::string run_of(const std::vector<std::string>& command, int ranks) {
  std::string name = std::filesystem::temp_directory_path() / "tutti-kill-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return "no folder\n";
  setenv("TMPDIR", name.c_str(), 1);
  const bool has_own_memory = test::has_own_shared_memory(std::size_t{1} << 20);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const int output = common_output();
  std::string text;
  launch::LaunchedJob job{.ranks = ranks, .command = command};
  job.grace = watchdog;
  const launch::Ending ending = launch::launch(job, [&](const std::string& line) { text += "report " + line + "\n"; });
  text += "status " + std::to_string(ending.status) + "\n" + content_of(output) + remains(name, has_own_memory);
  std::filesystem::remove_all(name);
  return text;
}

/// Report of a run.
struct Told {
  explicit Told(const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "dies") words >> death;
      if (kind == "report") report = line;
      if (kind == "status") words >> status;
      if (kind == "left") left += line + "\n";
      if (kind != "told") continue;
      int rank = 0;
      Answer answer;
      std::string which;
      words >> rank >> answer.time >> which >> answer.code;
      std::getline(words, answer.message);
      answers[which][rank] = answer;
    }
  }

  struct Answer {
    std::int64_t time = 0;
    int code = -1;
    std::string message;
  };
  std::int64_t death = 0;
  std::string report;
  int status = -1;
  std::string left;
  std::map<std::string, std::map<int, Answer>> answers;  // to the pending and the next call, by rank
};

/// Matches a message that names the victim, whatever it was that failed.
auto named(int victim, const std::string& reason) {
  using ::testing::HasSubstr;
  const std::string rank = "rank " + std::to_string(victim);
  return ::testing::AnyOf(HasSubstr(rank + " failed: " + reason), HasSubstr(rank + " of the run) failed: " + reason),
                          HasSubstr(rank + " of the run failed: " + reason),
                          HasSubstr(rank + " ended before it called tutti::world(): " + reason));
}

/// Matches a message with the reason that the launcher knows, or with the one that the others see: a process has no
/// memory any more some time before its parent is told that it has ended, more if it had much.
auto names(int victim, const std::string& reason) {
  return ::testing::AnyOf(named(victim, reason), named(victim, "its process is gone"));
}

/// Milliseconds from the kill to the last rank's error.
double check(const KillPlan& plan, const Told& told, const std::string& reason) {
  std::int64_t last = told.death;
  for (const char* which : {"pending", "next"}) {
    const auto found = told.answers.find(which);
    const std::size_t count = found == told.answers.end() ? 0 : found->second.size();
    EXPECT_EQ(count, static_cast<std::size_t>(plan.ranks) - 1)
        << "ranks that told what their " << which << " call threw";
    if (count == 0) continue;
    for (const auto& [rank, answer] : found->second) {
      EXPECT_NE(rank, plan.victim);
      EXPECT_EQ(answer.code, static_cast<int>(ErrorCode::peer_failed)) << answer.message;
      EXPECT_THAT(answer.message, names(plan.victim, reason));
      last = std::max(last, answer.time);
    }
  }
  EXPECT_EQ(told.left, "");
  EXPECT_EQ(told.status, 128 + SIGKILL);
  return static_cast<double>(last - told.death) / 1e6;
}

struct Slowest {
  double milliseconds = 0;
  std::uint64_t seed = 0;

  void add(double time, std::uint64_t of) {
    if (time > milliseconds) *this = {time, of};
  }
  void print() const { std::cout << "the last rank knew after " << milliseconds << " ms (seed " << seed << ")\n"; }
};

// Ten seeds a case, so that what goes wrong is found quickly: --gtest_filter=Seeds/Kill.…/7 has those from 70 on.
class Kill : public ::testing::TestWithParam<int> {};

std::uint64_t first_seed() {
  const char* const text = std::getenv("TUTTI_KILL_SEED");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

TEST_P(Kill, EveryOtherRankLearnsWhoDied) {
  Slowest slowest;
  for (std::uint64_t seed = first_seed() + 10 * static_cast<std::uint64_t>(GetParam()), end = seed + 10; seed < end;
       ++seed) {
    const KillPlan plan(seed);
    const std::string text = test::in_child([&] {
      return run_of({TUTTI_KILL_RANKS, std::to_string(seed)}, plan.ranks);
    });
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": rank " << plan.victim << " of " << plan.ranks << ", "
                                      << testing::text_of(plan.moment) << "\n"
                                      << text);
    const Told told(text);
    slowest.add(check(plan, told, "was killed by signal 9 (SIGKILL)"), seed);
    EXPECT_THAT(told.report, ::testing::MatchesRegex("report rank " + std::to_string(plan.victim) +
                                                     " \\(pid [0-9]+\\) was killed by signal 9 \\(SIGKILL\\)"));
  }
  slowest.print();
}

INSTANTIATE_TEST_SUITE_P(Seeds, Kill, ::testing::Range(0, 20));

// Behind a script the launcher learns of the end only when the script ends: the other ranks find out themselves.
TEST(KillBehindAScript, EveryOtherRankLearnsWhoDied) {
  Slowest slowest;
  for (std::uint64_t seed = 1000, done = 0; done < 5; ++seed) {
    const KillPlan plan(seed);
    if (plan.moment != KillPlan::Moment::running && plan.moment != KillPlan::Moment::within_a_call) continue;
    ++done;
    const std::string text = test::in_child([&] {
      return run_of(
          {"/bin/sh", "-c", "\"$0\" \"$1\"; status=$?; sleep 5; exit $status", TUTTI_KILL_RANKS, std::to_string(seed)},
          plan.ranks);
    });
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << text);
    slowest.add(check(plan, Told(text), "its process is gone"), seed);
  }
  slowest.print();
}

}  // namespace
}  // namespace tutti

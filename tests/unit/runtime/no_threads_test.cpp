/// @file
/// A system that gives no threads: whoever needs one gets a sentence that names the remedy, and no other rank waits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "launch/launch.hpp"
#include "support/child.hpp"
#include "support/refuse_call.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

constexpr const char* no_thread =
    "no thread to be had (Resource temporarily unavailable): run fewer ranks or raise the limits of processes and of "
    "memory (ulimit -u, -v)";

/// Makes this process that of a user who has no other and may have only so many threads. False where it may not.
bool have_threads(rlim_t most) {
  const auto nobody_else = static_cast<uid_t>(1'000'000 + getpid());
  const rlimit limit{most, most};
  return geteuid() == 0 && setrlimit(RLIMIT_NPROC, &limit) == 0 && setuid(nobody_else) == 0;
}

/// Returns the sentence of a run whose ranks meet once.
std::string meet(int ranks, const RunOptions& options) {
  try {
    run(
        ranks, [](Communicator& comm) { comm.barrier(); }, options);
    return "met";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(NoThreads, EndARunWhateverThreadIsTheFirstThatIsMissing) {
  for (const rlim_t most : {1, 2, 3, 4, 5, 6}) {
    const std::string answer = test::in_child(
        [&] { return have_threads(most) ? meet(3, {.progress_thread = true}) : std::string("not allowed"); });
    if (answer == "not allowed") GTEST_SKIP() << "only root can become another user";
    EXPECT_EQ(answer, no_thread) << most;
  }
}

// Beginning with the world's only rank, as a program that nobody launches.
TEST(NoThreads, AreToldByWorld) {
  const std::string answer = test::in_child([] {
    if (!test::refuse_call({.call = SYS_clone3, .error = EAGAIN})) return std::string("not allowed");
    world({.progress_thread = true});
    return std::string("made");
  });
  if (answer == "not allowed") GTEST_SKIP() << "the system lets no calls be refused";
  EXPECT_EQ(answer, no_thread);
}

TEST(NoThreads, EndALaunchWhoseOutputIsToBeLabelled) {
  const std::string answer = test::in_child([] {
    if (!test::refuse_call({.call = SYS_clone3, .error = EAGAIN})) return std::string("not allowed");
    launch::LaunchedJob job{.ranks = 2, .command = {"sleep", "600"}};
    job.label = true;
    launch::launch(job, [](const std::string&) {});
    return std::string("launched");
  });
  if (answer == "not allowed") GTEST_SKIP() << "the system lets no calls be refused";
  EXPECT_EQ(answer, no_thread);
}

}  // namespace
}  // namespace tutti

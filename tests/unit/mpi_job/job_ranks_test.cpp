/// @file
/// Communicators of ranks that an MPI program has: founded, used and gone; and how a rank says where it is.

#include "mpi_job/process/job_ranks.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>

namespace tutti::interpose {
namespace {

// Shared memory of a communicator is found again by a later one, whether all of them have one engine or each its own.
TEST(JobRanks, GiveBackWhatCommunicatorsHadThatAreGone) {
  for (const bool has_threads : {false, true}) {
    runtime::Segment segment = runtime::Segment::create(1);
    segment.join(0);
    const auto ranks =
        JobRanks::of_one_host(std::move(segment), {0}, {.let_mpi_work = []() noexcept {}, .has_threads = has_threads});
    std::set<std::uint64_t> places;
    for (int round = 0; round < 100; ++round) {
      const std::optional<runtime::Foundation> founded = ranks->found({0}, 0);
      ASSERT_TRUE(founded.has_value()) << round;
      places.insert(founded->place);
      auto fresh = ranks->join(std::span(&*founded, 1), {0}, 0, [] { return std::string("a communicator"); });
      ASSERT_TRUE(fresh.has_value()) << round;
      fresh->run({});  // a barrier
    }
    EXPECT_LT(places.size(), 10U) << has_threads;
  }
}

/// Asks this process where it is, as another rank does.
void ask_this_process() {
  siginfo_t question = {};
  question.si_code = SI_QUEUE;
  question.si_pid = getpid();
  question.si_uid = getuid();
  ASSERT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), SIGRTMAX - 2, &question), 0);
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

// MPI closes its files after that.
TEST(JobRanks, GiveTheirAnswerBeforeTheyEnd) {
  static std::atomic<int> answers = 0;
  const std::ptrdiff_t threads = threads_of_this_process();
  JobRanks::answer_where([](std::uintptr_t) { return true; },
                         [](const CallFrames& frames) {
                           EXPECT_GT(frames.count, 0U);
                           std::this_thread::sleep_for(std::chrono::milliseconds(200));
                           ++answers;
                         });
  EXPECT_EQ(threads_of_this_process(), threads + 1);
  ask_this_process();
  JobRanks::end_answers();
  EXPECT_EQ(answers, 1);
  // The system lists a thread for a moment after it has been joined.
  while (threads_of_this_process() != threads) std::this_thread::yield();
  ask_this_process();
  JobRanks::end_answers();
  EXPECT_FALSE(JobRanks::take_answer());
  EXPECT_EQ(answers, 1);
}

}  // namespace
}  // namespace tutti::interpose

/// @file
/// Ranks that find one another on their host, as processes of this test.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mpi_job/process/host_registry.hpp"
#include "support/sanitizers.hpp"

namespace tutti::interpose {
namespace {

std::string job_of_this_test(const char* name) { return fmt::format("test {} {}", name, getpid()); }

/// Runs `rank` in a process for each number from 1 to `ranks` - 1, and for 0 here; whether it returned true in all.
bool all_ranks(int ranks, const std::function<bool(int)>& rank) {
  std::vector<pid_t> others;
  for (int r = 1; r < ranks; ++r) {
    others.push_back(fork());
    if (others.back() == 0) _exit(rank(r) ? 0 : 1);
  }
  bool all = rank(0);
  for (const pid_t other : others) {
    int status = 1;
    waitpid(other, &status, 0);
    all = all && status == 0;
  }
  return all;
}

/// Waits until so many ranks are there, as MPI's initialization does.
std::vector<int> wait_for(const HostRegistry& presence, std::size_t ranks) {
  std::vector<int> present;
  for (int k = 0; k < 10'000 && (present = presence.present()).size() < ranks; ++k) usleep(1000);
  return present;
}

TEST(HostRegistry, RanksOfAJobFindOneAnother) {
  const std::string job = job_of_this_test("find");
  for (const int ranks : {1, 2, 3, 5}) {
    EXPECT_TRUE(all_ranks(ranks, [&](int rank) {
      const HostRegistry presence(job + std::to_string(ranks), 2 * rank);
      const std::vector<int> present = wait_for(presence, static_cast<std::size_t>(ranks));
      const auto segment = presence.share(present);
      return segment && segment->ranks() == ranks && segment->rank() == rank;
    }));
  }
}

/// Meeting of a test's processes, as in MPI's initialization. Made before they part.
class AwaitedMeeting {
 public:
  explicit AwaitedMeeting(int ranks) : ranks_(ranks) {}
  AwaitedMeeting(const AwaitedMeeting&) = delete;
  AwaitedMeeting& operator=(const AwaitedMeeting&) = delete;
  ~AwaitedMeeting() { munmap(come_, sizeof(*come_)); }

  void note() { come_->fetch_add(1); }
  int noted() const { return come_->load(); }
  void come() {
    note();
    for (int k = 0; k < 60'000 && come_->load() < ranks_; ++k) usleep(1000);
  }

 private:
  int ranks_;
  std::atomic<int>* come_ = static_cast<std::atomic<int>*>(
      mmap(nullptr, sizeof(*come_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
};

/// While it lives, this process opens so many descriptors more at most.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t left) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = dup(STDERR_FILENO);
    close(next);
    const rlimit few{static_cast<rlim_t>(next) + left, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_ = {};
};

TEST(HostRegistry, NobodySharesWhereTheFirstHasNoDescriptorForTheOthers) {
  // GCC 12's sanitizer of undefined behaviour looks at an object through a pipe, and without takes its type for wrong.
  if (test::addresses_are_reserved) GTEST_SKIP() << "a sanitizer needs descriptors of its own";
  for (const rlim_t left : {0, 1, 2, 3}) {
    const std::string job = job_of_this_test("limits") + std::to_string(left);
    AwaitedMeeting meeting(5);
    EXPECT_TRUE(all_ranks(5, [&](int rank) {
      const HostRegistry presence(job, rank);
      const std::vector<int> present = wait_for(presence, 5);
      meeting.come();
      std::optional<FewDescriptors> limit;
      if (rank == 0) limit.emplace(left);
      return !presence.share(present).has_value();
    })) << left;
  }
}

/// While it lives, the limit is at most that.
class Limit {
 public:
  Limit(decltype(RLIMIT_AS) resource, rlim_t most) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit lower{std::min(most, before_.rlim_cur), before_.rlim_max};
    setrlimit(resource_, &lower);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { setrlimit(resource_, &before_); }

 private:
  decltype(RLIMIT_AS) resource_;
  rlimit before_ = {};
};

TEST(HostRegistry, TakesNoDescriptorThatTheProgramMayLack) {
  const std::string job = job_of_this_test("few");
  const Limit few(RLIMIT_NOFILE, 63);
  const HostRegistry presence(job, 0);
  EXPECT_EQ(presence.present(), std::vector<int>());
  EXPECT_FALSE(presence.share({0, 1}).has_value()) << "nobody is awaited";
}

TEST(HostRegistry, NobodySharesWhereOneHasFewAddressesLeft) {
  if (test::addresses_are_reserved) GTEST_SKIP() << test::why_addresses_are_reserved;
  constexpr rlim_t enough = rlim_t{8} << 30;
  constexpr rlim_t few = rlim_t{16} << 20;
  for (const int limited : {0, 2}) {
    for (const rlim_t left : {enough, few}) {
      const std::string job = job_of_this_test("addresses") + std::to_string(limited) + std::to_string(left);
      AwaitedMeeting meeting(3);
      EXPECT_TRUE(all_ranks(3,
                            [&](int rank) {
                              const HostRegistry presence(job, rank);
                              const std::vector<int> present = wait_for(presence, 3);
                              meeting.come();
                              rlim_t pages = 0;
                              std::ifstream("/proc/self/statm") >> pages;
                              std::optional<Limit> limit;
                              if (rank == limited)
                                limit.emplace(RLIMIT_AS, pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + left);
                              return presence.share(present).has_value() == (left == enough);
                            }))
          << "rank " << limited << ", " << left << " bytes left";
    }
  }
}

// The first awaits ranks one after the other, each for as long as one that is ready waits in all.
TEST(HostRegistry, RanksGetTheSameAnswerHoweverLateOthersAre) {
  const std::string job = job_of_this_test("late");
  AwaitedMeeting come(4);
  AwaitedMeeting share(4);
  all_ranks(4, [&](int rank) {
    const HostRegistry presence(job, rank, std::chrono::milliseconds(1000));
    const std::vector<int> present = wait_for(presence, 4);
    come.come();
    if (rank > 1) usleep(static_cast<useconds_t>(rank - 1) * 700'000);
    if (presence.share(present)) share.note();
    return true;
  });
  EXPECT_TRUE(share.noted() == 0 || share.noted() == 4) << share.noted() << " of 4 ranks share";
}

TEST(HostRegistry, OtherJobsAreNotSeen) {
  const HostRegistry one(job_of_this_test("one"), 0);
  const HostRegistry other(job_of_this_test("other"), 1);
  EXPECT_EQ(one.present(), std::vector<int>{0});
  EXPECT_EQ(other.present(), std::vector<int>{1});
}

TEST(HostRegistry, EndsWithItsOwner) {
  const std::string job = job_of_this_test("end");
  const HostRegistry stays(job, 0);
  { const HostRegistry goes(job, 1); }
  EXPECT_EQ(stays.present(), std::vector<int>{0});
}

// A second process of the same rank, as a wrapper that has started the program: the first one counts.
TEST(HostRegistry, IsOneProcessARank) {
  const std::string job = job_of_this_test("twice");
  const HostRegistry first(job, 3);
  const HostRegistry second(job, 3);
  EXPECT_EQ(second.present(), std::vector<int>{3});
}

}  // namespace
}  // namespace tutti::interpose

/// @file
/// Records of ranks: the first reason stays, and no text is ever seen half written.

#include "transport/rank_record.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/sanitizers.hpp"

namespace tutti::runtime {
namespace {

TEST(RankRecord, IsTakenOnce) {
  RankRecord record;
  EXPECT_FALSE(record.has_joined());
  EXPECT_EQ(record.join(12), 0);
  EXPECT_EQ(record.join(13), 12);
  EXPECT_EQ(record.process(), 12);
  EXPECT_TRUE(record.has_joined());
  record.end();
  EXPECT_TRUE(record.has_ended());
  EXPECT_FALSE(record.has_joined());
}

TEST(RankRecord, StaysEndedIfSomeoneJoinsTooLate) {
  RankRecord record;
  record.end();
  EXPECT_EQ(record.join(12), 0);
  EXPECT_TRUE(record.has_ended());
}

TEST(RankRecord, KeepsTheFirstReason) {
  RankRecord record;
  EXPECT_EQ(record.failure(), "");
  record.note_failure("threw a stone");
  record.note_failure("threw another");
  record.note_death("exited with status 1");
  EXPECT_EQ(record.failure(), "threw a stone");
  RankRecord other;
  other.note_death("was killed");
  other.note_failure("too late");
  other.note_gone("too late");
  EXPECT_EQ(other.failure(), "was killed");
  RankRecord gone;
  gone.note_gone("its process is gone");
  gone.note_death("too late");
  EXPECT_EQ(gone.failure(), "its process is gone");
}

TEST(RankRecord, CutsLongTextsOff) {
  RankRecord record;
  record.note_failure(std::string(2000, 'x'));
  EXPECT_EQ(record.failure(), std::string(RankRecord::longest_failure, 'x'));
  record.set_waiting(std::string(2000, 'y'));
  EXPECT_EQ(record.waiting(), std::string(RankRecord::longest_waiting, 'y'));
  record.set_waiting("z");
  EXPECT_EQ(record.waiting(), "z");
  record.set_waiting("");
  EXPECT_EQ(record.waiting(), "");
}

TEST(RankRecord, OneReasonWinsWhoeverSeesIt) {
  for (int trial = 0; trial < 200; ++trial) {
    RankRecord record;
    std::vector<std::jthread> threads;
    for (char name = 'a'; name < 'd'; ++name)
      threads.emplace_back([&record, name] { record.note_failure(std::string(300, name)); });
    std::string seen;
    while ((seen = record.failure()).empty()) std::this_thread::yield();
    EXPECT_EQ(seen, std::string(300, seen.front()));
    threads.clear();
    EXPECT_EQ(record.failure(), seen);
  }
}

/// Two pages, of which the second cannot be read until it is looked at for the first time. Then `within` runs.
class HalfReadable {
 public:
  static constexpr std::size_t page = 4096;

  HalfReadable() {
    memory = static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct sigaction action = {};
    action.sa_handler = [](int) {
      mprotect(memory + page, page, PROT_READ | PROT_WRITE);
      within();
    };
    sigaction(SIGSEGV, &action, &before_);
  }
  HalfReadable(const HalfReadable&) = delete;
  HalfReadable& operator=(const HalfReadable&) = delete;
  ~HalfReadable() {
    sigaction(SIGSEGV, &before_, nullptr);
    munmap(memory, 2 * page);
  }
  /// A text that lies in both pages.
  static std::string_view text(std::size_t length, char letter) {
    mprotect(memory, 2 * page, PROT_READ | PROT_WRITE);
    char* const first = memory + page - length / 2;
    std::fill_n(first, length, letter);
    mprotect(memory + page, page, PROT_NONE);
    return {first, length};
  }

  inline static std::function<void()> within;

 private:
  inline static char* memory = nullptr;
  struct sigaction before_ = {};
};

// A peer that finds a rank gone is alive, also where who has started the rank finds it gone as well.
TEST(RankRecord, ADeathThatOneTellsInTheMidstOfAnothersWordsLeavesThem) {
  if (test::handlers_are_watched) GTEST_SKIP() << test::why_handlers_are_watched;
  RankRecord record;
  const HalfReadable pages;
  std::string seen = "nothing happened";
  HalfReadable::within = [&] {
    record.note_death(std::string(400, 's'));
    seen = record.failure();
  };
  record.note_gone(HalfReadable::text(500, 'p'));
  EXPECT_EQ(seen, "");
  EXPECT_EQ(record.failure(), std::string(500, 'p'));
}

TEST(RankRecord, ADeathInTheMidstOfTheRanksOwnWordsReplacesThem) {
  if (test::handlers_are_watched) GTEST_SKIP() << test::why_handlers_are_watched;
  RankRecord record;
  const HalfReadable pages;
  std::string seen;
  HalfReadable::within = [&] {
    record.note_death("was killed");
    seen = record.failure();
  };
  record.note_failure(HalfReadable::text(500, 'p'));
  EXPECT_EQ(seen, "was killed");
}

TEST(RankRecord, WhatARankWaitsForIsNeverSeenTorn) {
  RankRecord record;
  // Each letter has its own length, so that a mixture of two texts is no text.
  const auto text = [](char letter) { return std::string(static_cast<std::size_t>(1 + 9 * (letter - 'a')), letter); };
  std::atomic<bool> stop = false;
  std::jthread writer([&] {
    for (int k = 0; !stop; ++k) record.set_waiting(text(static_cast<char>('a' + k % 26)));
  });
  for (int seen = 0; seen < 20000;) {
    const std::string waiting = record.waiting();
    if (waiting.empty()) continue;
    EXPECT_EQ(waiting, text(waiting.front()));
    ++seen;
  }
  stop = true;
}

}  // namespace
}  // namespace tutti::runtime

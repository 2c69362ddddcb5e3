/// @file
/// Reports of `tutti run` on hundreds of ranks that end badly.

#include "launch/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tutti::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Endings, TellEachSentenceOnceWithItsRanks) {
  Endings endings;
  EXPECT_THAT(endings.lines(), IsEmpty());
  for (int rank = 255; rank >= 0; --rank) {
    if (rank != 7 && rank != 9) endings.add(rank, "ended: rank 7 failed: no input");
  }
  endings.add(9, "exited with status 3");
  EXPECT_THAT(endings.lines(),
              ElementsAre("ranks 0-6, 8, 10-255 ended: rank 7 failed: no input", "rank 9 exited with status 3"));
}

TEST(Endings, SpeakOfSeveralRanksInThePlural) {
  Endings endings;
  for (const int rank : {1, 2, 3, 4}) endings.add(rank, "was killed by signal 9 (SIGKILL)");
  endings.add(5, "was killed by signal 11 (SIGSEGV)");
  EXPECT_THAT(endings.lines(),
              ElementsAre("ranks 1-4 were killed by signal 9 (SIGKILL)", "rank 5 was killed by signal 11 (SIGSEGV)"));
}

TEST(Endings, CountWhatIsTooMuch) {
  for (const std::size_t kinds : {Endings::most_lines, Endings::most_lines + 1, Endings::most_lines + 30}) {
    Endings endings;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      endings.add(static_cast<int>(kind), "exited with status " + std::to_string(kind));
    }
    const auto lines = endings.lines();
    const std::size_t left = kinds - Endings::most_lines;
    EXPECT_EQ(lines.size(), Endings::most_lines + (left > 0 ? 1 : 0));
    EXPECT_EQ(lines.front(), "rank 0 exited with status 0");
    if (left > 0) {
      EXPECT_EQ(lines.back(),
                std::to_string(left) + (left == 1 ? " more rank ended" : " more ranks ended, each in its own way"));
    }
  }
}

}  // namespace
}  // namespace tutti::launch

/// @file
/// Findings of several processes: the first of them tells, and another one when that one is gone.

#include "runtime/first_reporter.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <string>

namespace tutti::runtime {
namespace {

/// Whether a child of this process is the first to tell that text; then it is gone.
bool is_first_in_a_child(const std::string& text) {
  const pid_t child = fork();
  if (child == 0) _exit(is_first_reporter(text) && !is_first_reporter(text) ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(ToldOnce, IsToldByOneProcessAtATime) {
  const std::string text = "a text of process " + std::to_string(getpid());
  EXPECT_TRUE(is_first_in_a_child(text));
  EXPECT_TRUE(is_first_in_a_child(text)) << "the one who has told it is gone";
  EXPECT_TRUE(is_first_reporter(text)) << "children of another process";
  EXPECT_FALSE(is_first_reporter(text));
  EXPECT_TRUE(is_first_reporter(text + ".")) << "another text";
}

/// A child of this process that takes a place, says so by a byte, does `then`, says so by another, and ends when it is
/// let go.
class Reporter {
 public:
  Reporter(const std::string& text, const std::function<void()>& then) {
    pipe(said_.data());
    pipe(let_go_.data());
    if (child_ = fork(); child_ != 0) return;
    char byte = is_first_reporter(text) ? '1' : '0';
    close(let_go_[1]);
    write(said_[1], &byte, 1);
    then();
    write(said_[1], &byte, 1);
    read(let_go_[0], &byte, 1);
    _exit(0);
  }
  ~Reporter() {
    close(let_go_[1]);
    waitpid(child_, nullptr, 0);
  }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  char word() const {
    char byte = 0;
    read(said_[0], &byte, 1);
    return byte;
  }
  bool speaks_within(std::chrono::milliseconds time) const {
    pollfd said{said_[0], POLLIN, 0};
    return poll(&said, 1, static_cast<int>(time.count())) == 1;
  }

 private:
  std::array<int, 2> said_{};
  std::array<int, 2> let_go_{};
  pid_t child_ = -1;
};

TEST(Reporters, AreAwaitedUntilAllHaveCome) {
  const std::string text = "a text of all children of " + std::to_string(getpid());
  const Reporter first(text, [&] { await_reporters(text, 2, std::chrono::hours(1)); });
  EXPECT_EQ(first.word(), '1');
  EXPECT_FALSE(first.speaks_within(std::chrono::milliseconds(50)));
  const Reporter second(text, [] {});
  EXPECT_EQ(second.word(), '0');
  EXPECT_EQ(first.word(), '1');
}

TEST(Reporters, AreNotAwaitedWhenTheTimeIsOver) {
  const std::string text = "a text of one process, " + std::to_string(getpid());
  EXPECT_TRUE(is_first_reporter(text));
  await_reporters(text, 2, std::chrono::milliseconds(20));
}

}  // namespace
}  // namespace tutti::runtime

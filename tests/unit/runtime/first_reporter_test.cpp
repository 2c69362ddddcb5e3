/// @file
/// Findings of several processes: the first of them tells, and another one when that one is gone.

#include "runtime/first_reporter.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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

}  // namespace
}  // namespace tutti::runtime

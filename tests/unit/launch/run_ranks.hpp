/// @file
/// A test that runs itself as ranks of `tutti run`.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/rank_shells.hpp"

namespace tutti::test {

/// The test runs itself as its ranks: `script` stands before it, and `be` says as what.
class RunRanks : public RunCommand {
 protected:
  static Ran run_ranks(int ranks, const std::string& be, const std::string& script = "exec $SELF",
                       const std::vector<std::string>& options = {}) {
    say_what_to_run(be);
    const Ran ran = run(ranks, script, options);
    unsetenv("BE");
    return ran;
  }
  static Running start_ranks(int ranks, const std::string& be, const std::string& script) {
    say_what_to_run(be);
    Running running = start(ranks, script);
    unsetenv("BE");
    return running;
  }

 private:
  static void say_what_to_run(const std::string& be) {
    setenv("BE", be.c_str(), 1);
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    setenv("SELF", (self + " --gtest_filter=Rank.RunsAsItIsTold").c_str(), 1);
  }
};

}  // namespace tutti::test

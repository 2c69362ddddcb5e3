/// @file
/// For tests of `tutti run`: ranks that are shells.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/command.hpp"

namespace tutti::test {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::string contents_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Waits as long as it takes: what never comes is for the time limit of the test as a whole.
inline void wait_until(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// 'R' and the like as /proc says; 'X' for a process that has ended, even if nobody has asked how.
inline char state_of(const std::string& process) {
  const std::string text = contents_of("/proc/" + process + "/stat");
  const std::size_t name_end = text.rfind(')');
  const char state = name_end == std::string::npos ? 'X' : text[name_end + 2];
  return state == 'Z' ? 'X' : state;
}

/// Ranks are shells, which find their number in $R and a folder for files, the test's own, in $DIR.
class RunCommand : public testing::Test {
 protected:
  void SetUp() override {
    signal(SIGINT, SIG_DFL);  // a program in the background of a shell ignores it, and its children do
    std::string name = std::filesystem::temp_directory_path() / "tutti-run-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("DIR", name.c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::vector<std::string> words(int ranks, const std::string& script,
                                        const std::vector<std::string>& options = {}) {
    std::vector<std::string> all{"run", "-n", std::to_string(ranks)};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {"/bin/sh", "-c", "R=$TUTTI_RANK; " + script});
    return all;
  }
  static Ran run(int ranks, const std::string& script, const std::vector<std::string>& options = {}) {
    return run_command(TUTTI_COMMAND, words(ranks, script, options));
  }
  static Running start(int ranks, const std::string& script) { return {TUTTI_COMMAND, words(ranks, script)}; }

  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::string content(const std::string& name) const { return contents_of(folder_ / name); }
  void make(const std::string& name) const { std::ofstream(folder_ / name) << ""; }
  void wait_for(const std::vector<std::string>& names) const {
    wait_until([&] { return std::all_of(names.begin(), names.end(), [&](const auto& name) { return exists(name); }); });
  }
  /// The process whose number a rank has left in a file.
  std::string process_in(const std::string& name) const {
    const std::vector<std::string> found = lines_of(content(name));
    return found.empty() ? "" : found.front();
  }

  std::filesystem::path folder_;
};

/// A script that leaves the shell's number in process.R; the file appears with its content.
inline const std::string leave_process = "echo $$ > $DIR/tmp.$R; mv $DIR/tmp.$R $DIR/process.$R; ";

}  // namespace tutti::test

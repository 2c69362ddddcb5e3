/// @file
/// Programs of MPI that know nothing of tutti, as tests start them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "mpi_job/process/fallback_table.hpp"
#include "support/launchers.hpp"

namespace tutti::test {

inline int times(const std::string& text, const std::string& words) {
  int found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder or file of this process's alone: tests run beside one another.
inline std::filesystem::path own_path(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) / ("tutti_" + name + "_" + std::to_string(getpid()));
}

class Unchanged : public ::testing::TestWithParam<Launcher> {
 protected:
  static void TearDownTestSuite() { std::filesystem::remove(own_path("all_served")); }
  /// A setting by which nothing is left to MPI because that is faster.
  static std::string all_served() {
    const std::filesystem::path path = own_path("all_served");
    std::ofstream(path) << interpose::FallbackTable().text();
    return "TUTTI_MPI_TABLE=" + path.string();
  }
  static std::string mpi() { return GetParam().name; }
  /// A program of this folder.
  static std::string program(const std::string& name) {
    return std::string(TUTTI_UNCHANGED_PROGRAMS) + "/" + name + "_" + mpi();
  }
  static std::string library(const std::string& of_mpi) {
    return std::string(TUTTI_PRELOADED_LIBRARIES) + "/libtutti-" + of_mpi + ".so";
  }
  static bool is_there(const std::string& path) { return std::filesystem::exists(path); }

  /// The settings are "NAME=value", for the ranks.
  static Ran run(int ranks, const std::string& line, const std::vector<std::string>& settings = {}) {
    return run_launcher(ranks, line, by_tutti(settings));
  }
  /// Starts the program, and returns at once.
  static Running start(int ranks, const std::string& line, const std::vector<std::string>& settings) {
    return {"/usr/bin/env", launching(ranks, line, by_tutti(settings))};
  }
  /// Without `tutti mpi`: nothing is preloaded but what the line says.
  static Ran run_plainly(int ranks, const std::string& line) { return run_launcher(ranks, line, ended); }
  static void expect_success(int ranks, const std::string& line, const std::vector<std::string>& settings = {}) {
    const Ran ran = run(ranks, line, settings);
    EXPECT_EQ(ran.status, 0) << line << "\n" << ran.out << ran.err;
    EXPECT_THAT(ran.out, testing::HasSubstr("as expected")) << line << "\n" << ran.err;
  }
  static void expect_hazard_survived(int ranks, const std::string& way, int rounds) {
    expect_success(ranks, program("hazards") + " " + way + " " + std::to_string(rounds));
  }
  static void expect_progress(int ranks, const std::string& way, int rounds,
                              const std::vector<std::string>& settings = {}) {
    expect_success(ranks, program("progress") + " " + way + " " + std::to_string(rounds), settings);
  }

 private:
  static std::vector<std::string> by_tutti(std::vector<std::string> settings) {
    settings.insert(settings.end(), ended.begin(), ended.end());
    settings.insert(settings.end(), {TUTTI_COMMAND, "mpi"});
    return settings;
  }

  /// Once a job has been aborted, mpirun of Open MPI 4.1 now and then waits for itself for ever, in its
  /// PMIx_server_finalize(). What the ranks have said is known by then.
  static inline const std::vector<std::string> ended{"timeout", "-k", "10", "240"};

  /// All words of a line that starts ranks.
  static std::vector<std::string> launching(int ranks, const std::string& line, std::vector<std::string> words) {
    words.insert(words.end(), GetParam().command.begin(), GetParam().command.end());
    words.insert(words.end(), {"-n", std::to_string(ranks)});
    for (const std::string& word : words_of(line)) words.push_back(word);
    return words;
  }
  static Ran run_launcher(int ranks, const std::string& line, std::vector<std::string> words) {
    Ran ran = run_command("/usr/bin/env", launching(ranks, line, std::move(words)));
    constexpr int of_timeout = 124;
    if (ran.status == of_timeout && ran.err.find("MPI_ABORT was invoked") == std::string::npos)
      ADD_FAILURE() << line << " did not end\n" << ran.out << ran.err;
    return ran;
  }
};

}  // namespace tutti::test

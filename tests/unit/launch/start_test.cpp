/// @file
/// How `tutti run` starts one process.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "base/environment.hpp"
#include "launch/process.hpp"
#include "transport/command_words.hpp"
#include "transport/library_places.hpp"

namespace tutti::launch {
namespace {

// Otherwise a launcher that is killed in between leaves behind what the program has started.
TEST(Start, TellsOfTheProcessBeforeItsProgramBegins) {
  std::string folder = (std::filesystem::temp_directory_path() / "tutti_start_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::filesystem::path mark = std::filesystem::path(folder) / "mark";
  pid_t told = 0;
  const pid_t child =
      start({.command = {"touch", mark.string()}, .environment = runtime::environment_with({})}, [&](pid_t id) {
        told = id;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_FALSE(std::filesystem::exists(mark));
      });
  EXPECT_EQ(told, child);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(mark));
  std::filesystem::remove_all(folder);
}

// The loader would look for each part of such a path, and complain in every process.
TEST(Start, PreloadsNoHeapWhosePathLdPreloadCannotName) {
  const char* const variable = "TUTTI_HEAP_LIBRARY";
  const std::string before = text_in_environment(variable);
  for (const std::string path : {"/some folder/heap.so", "/some:folder/heap.so", "/folder/heap.so"}) {
    setenv(variable, path.c_str(), 1);
    EXPECT_EQ(runtime::heap_library(runtime::Sought::beside), path.starts_with("/some") ? "" : path);
  }
  before.empty() ? unsetenv(variable) : setenv(variable, before.c_str(), 1);
}

}  // namespace
}  // namespace tutti::launch

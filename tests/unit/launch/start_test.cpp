/// @file
/// Start of one process by `tutti run`.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/system/environment.hpp"
#include "launch/preloads.hpp"
#include "launch/process.hpp"
#include "transport/command_words.hpp"
#include "transport/library_places.hpp"
#include "tutti/error.hpp"

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

/// A file below a new folder, which TUTTI_HEAP_LIBRARY names meanwhile.
class HeapLibrary : public testing::Test {
 protected:
  HeapLibrary() : before_(text_in_environment(variable)) {
    std::string folder = std::filesystem::temp_directory_path() / "tutti-heap-XXXXXX";
    folder_ = mkdtemp(folder.data());
  }
  ~HeapLibrary() override {
    before_.empty() ? unsetenv(variable) : setenv(variable, before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  std::string name_one_in(const std::string& subfolder) const {
    std::filesystem::create_directory(folder_ / subfolder);
    std::ofstream(folder_ / subfolder / "heap.so") << "";
    return name(folder_ / subfolder / "heap.so");
  }
  static std::string name(const std::string& path) {
    setenv(variable, path.c_str(), 1);
    return path;
  }

 private:
  static constexpr const char* variable = "TUTTI_HEAP_LIBRARY";
  std::string before_;
  std::filesystem::path folder_;
};

// The loader would look for each part of such a path, and complain in every process.
TEST_F(HeapLibrary, IsNotPreloadedWhereLdPreloadCannotNameIt) {
  for (const char* const subfolder : {"some folder", "some:folder"}) {
    name_one_in(subfolder);
    EXPECT_EQ(runtime::heap_library(runtime::Sought::beside), "");
  }
  const std::string path = name_one_in("folder");
  EXPECT_EQ(runtime::heap_library(runtime::Sought::beside), path);
}

// The loader would complain in every process of what is not there; the launcher does, before it starts any.
TEST_F(HeapLibrary, ThatIsNotThereIsRefused) {
  name("/no such folder/heap.so");
  EXPECT_EQ(runtime::heap_library(runtime::Sought::beside), "");
  EXPECT_NO_THROW(preloading(Heap::own, ""));
  try {
    preloading(Heap::shared, "");
    ADD_FAILURE() << "nothing is refused";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "TUTTI_HEAP_LIBRARY=/no such folder/heap.so: there is no such file; name libtutti-heap.so, or leave "
                 "the variable out");
  }
}

}  // namespace
}  // namespace tutti::launch

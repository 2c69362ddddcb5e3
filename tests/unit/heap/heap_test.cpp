/// @file
/// Programs that nobody has changed, whose heap is shared: they see what glibc's heap would show them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "support/child.hpp"
#include "support/command.hpp"
#include "support/launchers.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

const std::string preload = std::string("LD_PRELOAD=") + TUTTI_HEAP_LIBRARY;

/// The words of a line, with settings "NAME=value" before.
Ran run(const std::string& line, const std::vector<std::string>& settings = {}) {
  std::vector<std::string> words = settings;
  for (const std::string& word : words_of(line)) words.push_back(word);
  return run_command("/usr/bin/env", words);
}

Ran allocating(const std::string& line, const std::vector<std::string>& settings = {preload}) {
  return run(std::string(TUTTI_ALLOCATING) + " " + line, settings);
}

/// Returns how many blocks the program says were shared; -1 if it says nothing.
int shared(const Ran& ran) {
  const std::size_t at = ran.err.find("shared ");
  return at == std::string::npos ? -1 : std::atoi(ran.err.c_str() + at + 7);
}

/// With the heap as without it; from then on in shared blocks.
void expect_the_same(const std::string& line) {
  const Ran plain = allocating(line, {});
  const Ran with = allocating(line);
  ASSERT_EQ(plain.status, 0) << plain.out << plain.err;
  EXPECT_EQ(with.status, 0) << line << "\n" << with.out << with.err << with.signal;
  EXPECT_EQ(with.out, plain.out) << line;
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tutti-heap-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Heap, DoesWhatGlibcsDoes) {
  for (const int seed : {1, 2, 3}) {
    const std::string line = "churn " + std::to_string(seed) + " 2500";
    expect_the_same(line);
    EXPECT_GT(shared(allocating(line)), 100) << line;
  }
}

TEST(Heap, IsCopiedForEveryChild) {
  const Ran ran = allocating("fork 1 1000");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_GT(shared(ran), 0);
}

TEST(Heap, IsCopiedForChildrenOfRanksWhileCollectivesAreUnderWay) {
  for (const char* const line : {" run -n 2 " TUTTI_FORKING_RANKS " 350", " run -n 3 " TUTTI_FORKING_RANKS " 100"}) {
    const Ran ran = run(TUTTI_COMMAND + std::string(line));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "as expected\n");
  }
}

TEST(Heap, IsCopiedForChildrenOfThreadsAmongOthers) { expect_the_same("fork-among-threads 1 40"); }

TEST(Heap, IsCopiedWhereTheProgramHasClosedAllDescriptors) { expect_the_same("fork-without-descriptors 1 60"); }

TEST(Heap, IsFreeAgainAfterAForkThatTheSystemRefuses) { expect_the_same("fork-in-vain 1 3"); }

TEST(Heap, IsNotCopiedForProgramsThatAreStarted) { expect_the_same("start 1 1"); }

TEST(Heap, GivesWayToTheLimitOfAddresses) {
  for (const char* const blocks : {"0", "1"}) {
    const std::string line = std::string("ulimit -v 700000; exec " TUTTI_ALLOCATING " use-up 1 ") + blocks;
    const Ran plain = run_command("/bin/sh", {"-c", line});
    const Ran with = run_command("/usr/bin/env", {preload, "/bin/sh", "-c", line});
    ASSERT_EQ(plain.status, 0) << plain.err;
    ASSERT_EQ(with.status, 0) << with.err << with.signal;
    EXPECT_GE(std::atoi(with.out.c_str()), std::atoi(plain.out.c_str()) * 17 / 20) << blocks;
  }
}

TEST(Heap, TakesNoneOfFewAddresses) {
  const auto under = [](const char* limit) {
    const std::string line = std::string("ulimit -v ") + limit + "; exec " TUTTI_ALLOCATING " churn 7 100";
    return run_command("/usr/bin/env", {preload, "/bin/sh", "-c", line});
  };
  const Ran few = under("500000");
  EXPECT_EQ(few.status, 0) << few.err << few.signal;
  EXPECT_EQ(shared(few), 0);
  EXPECT_GT(shared(under("1000000")), 0);
}

// Open files of whoever starts the tests are closed, because the limit of descriptors counts them.
TEST(Heap, GivesWayToOtherLimits) {
  for (const char* const limit : {"-f 100", "-l 0", "-n 7", "-d 400000", "-s 100"}) {
    const Ran ran = run_command("/usr/bin/env", {preload, "/bin/sh", "-c",
                                                 std::string("exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit ") +
                                                     limit + "; exec " TUTTI_ALLOCATING " churn 5 500"});
    EXPECT_EQ(ran.status, 0) << limit << ": " << ran.err << ran.signal;
  }
}

TEST(Heap, NeedsNoNamedSharedMemory) {
  const std::string answer = in_child([]() -> std::string {
    if (!has_own_shared_memory(4096)) return "skipped";
    const Ran ran = allocating("churn 6 500");
    return ran.status == 0 && shared(ran) > 10 ? "" : "wrong: " + ran.err;
  });
  if (answer == "skipped") GTEST_SKIP() << "this process may not have a /dev/shm of its own";
  EXPECT_EQ(answer, "");
}

TEST(Heap, StepsAsideForAnotherAllocator) {
  const std::string both = preload + ":" TUTTI_OTHER_ALLOCATOR;
  const std::string reverse = "LD_PRELOAD=" TUTTI_OTHER_ALLOCATOR ":" TUTTI_HEAP_LIBRARY;
  for (const std::string& list : {both, reverse}) {
    const Ran ran = allocating("churn 1 200", {list});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(shared(ran), 0);
    EXPECT_THAT(ran.err, HasSubstr("tutti: the heap is not shared, because memory comes from ")) << list;
    const Ran second = allocating("churn 1 200", {list, "TUTTI_RANK=1"});
    EXPECT_THAT(second.err, Not(HasSubstr("tutti:"))) << "one rank is enough to say so";
  }
  EXPECT_THAT(allocating("churn 1 200", {both}).err, HasSubstr("libother_allocator.so"));
}

// Its reports say who has asked for memory, though the heap stands between.
TEST(Heap, StepsAsideForASanitizer) {
  const Folder folder;
  std::ofstream(folder.file("late.c")) << "#include <stdlib.h>\n"
                                          "char* made_here(void) { return malloc(100000); }\n"
                                          "int main(void) { char* p = made_here(); free(p); return p[5]; }\n";
  const std::string program = folder.file("late");
  if (run(std::string(TUTTI_COMPILER) + " -xc -g -O0 -fsanitize=address -o " + program + " " + folder.file("late.c"))
          .status != 0)
    GTEST_SKIP() << "no sanitizer";
  const Ran ran = run(std::string(TUTTI_COMMAND) + " run -n 2 " + program);
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("tutti: the heap is not shared, because memory comes from a sanitizer"));
  EXPECT_THAT(ran.err, HasSubstr("heap-use-after-free"));
  EXPECT_THAT(ran.err, HasSubstr("made_here"));
}

TEST(Heap, StepsAsideForValgrind) {
  if (run("valgrind -q true").status != 0) GTEST_SKIP() << "no Valgrind";
  const Ran ran = run("valgrind -q true", {preload});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("because memory comes from a tool that watches memory, such as Valgrind: "));
}

TEST(Heap, IsLeftOutOnRequest) {
  const Ran ran = allocating("churn 1 200", {preload, "TUTTI_HEAP=0"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(shared(ran), 0);
  EXPECT_THAT(ran.err, Not(HasSubstr("tutti:")));
}

TEST(Heap, ServesASort) {
  const Folder folder;
  {
    std::mt19937 random(7);
    std::ofstream file(folder.file("numbers"));
    for (int k = 0; k < 200'000; ++k) file << random() << '\n';
  }
  const std::string line = "sort -n --parallel=2 -S 8M -o ";
  ASSERT_EQ(run(line + folder.file("plain") + " " + folder.file("numbers")).status, 0);
  const Ran ran = run(line + folder.file("with") + " " + folder.file("numbers"), {preload});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(text_of(folder.file("plain")), text_of(folder.file("with")));
}

TEST(Heap, ServesACompiler) {
  const Folder folder;
  const std::string line = std::string(TUTTI_COMPILER) + " -std=c++20 -O1 -c " TUTTI_PROJECT_DIR
                                                         "/src/heap/space.cpp -I " TUTTI_PROJECT_DIR
                                                         "/src -frandom-seed=1 -o ";
  ASSERT_EQ(run(line + folder.file("plain.o")).status, 0);
  const Ran ran = run(line + folder.file("with.o"), {preload});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(text_of(folder.file("plain.o")), text_of(folder.file("with.o")));
}

TEST(Heap, ServesPythonWithNumPyAndItsChildren) {
  const std::string program =
      "import numpy, os, subprocess, multiprocessing\n"
      "a = numpy.arange(3e5).reshape(500, 600)\n"
      "def part(k): return float((a[k] * 2).sum())\n"
      "with multiprocessing.get_context('fork').Pool(3) as pool: sums = pool.map(part, range(500))\n"
      "assert sum(sums) == 2 * a.sum()\n"
      "assert numpy.zeros((400, 400)).any() == False\n"
      "assert numpy.allclose(numpy.linalg.inv(numpy.eye(300) * 4), numpy.eye(300) / 4)\n"
      "assert 'memfd:tutti-heap' in open('/proc/self/maps').read()\n"
      "print(subprocess.run(['echo', 'started'], capture_output=True, text=True).stdout)\n";
  if (run_command("/usr/bin/env", {"/usr/bin/python3", "-c", "import numpy"}).status != 0) GTEST_SKIP() << "no NumPy";
  const Ran ran = run_command("/usr/bin/env", {preload, "/usr/bin/python3", "-c", program});
  EXPECT_EQ(ran.status, 0) << ran.err << ran.signal;
  EXPECT_THAT(ran.out, HasSubstr("started"));
}

TEST(Heap, ServesRanksOfPythonWithNumPyAndMpi4py) {
  if (run_command("/usr/bin/env", {"/usr/bin/python3", "-c", "import numpy, mpi4py"}).status != 0)
    GTEST_SKIP() << "no NumPy, or no mpi4py";
  if (!fs::exists(fs::path(TUTTI_HEAP_LIBRARY).parent_path() / "libtutti-openmpi.so")) GTEST_SKIP() << "no Open MPI";
  const Ran ran = run(TUTTI_COMMAND
                      " mpi mpirun.openmpi --allow-run-as-root --oversubscribe -n 3 /usr/bin/python3 " TUTTI_PROJECT_DIR
                      "/tests/unit/heap/with_numpy.py");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected"));
}

TEST(Heap, IsSharedBySettingsThatItDoesNotKnow) {
  for (const std::string setting : {"yes", "q", "00"}) {
    const Ran ran = run(std::string(TUTTI_COMMAND) + " run -n 2 " TUTTI_HEAP_RANKS " 9", {"TUTTI_HEAP=" + setting});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "in place\n");
    EXPECT_THAT(ran.err, HasSubstr("TUTTI_HEAP is '" + setting + "', which counts as 1: 0 has ranks keep"));
  }
}

Ran ranks(const std::string& words, const std::vector<std::string>& settings = {}, const std::string& way = "") {
  return run(std::string(TUTTI_COMMAND) + " run " + words + " " TUTTI_HEAP_RANKS " 30 " + way, settings);
}

TEST(Heap, IsNotMistakenForAnotherFile) {
  const Ran ran = ranks("-n 3", {}, "close");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "copied\n");
}

TEST(Heap, IsReadInPlaceByPeers) {
  for (const int n : {2, 3, 5}) {
    const std::string count = "-n " + std::to_string(n);
    for (const std::vector<std::string>& settings :
         {std::vector<std::string>{}, std::vector<std::string>{"TUTTI_PEER_READS=0"}}) {
      const Ran with = ranks(count, settings);
      EXPECT_EQ(with.status, 0) << with.err;
      EXPECT_EQ(with.out, "in place\n");
    }
  }
  for (const Ran& without : {ranks("-n 2 --heap off"), ranks("-n 2", {"TUTTI_HEAP=0"})}) {
    EXPECT_EQ(without.status, 0) << without.err;
    EXPECT_EQ(without.out, "copied\n");
  }
}

// `tutti mpi` preloads it; without it a program of tutti begins again with it.
TEST(Heap, IsReadInPlaceByPeersOfAnMpirunToo) {
  for (const Launcher& mpirun : launchers_in(TUTTI_LAUNCHERS)) {
    const auto ranks_by = [&](std::vector<std::string> words) {
      words.insert(words.end(), mpirun.command.begin(), mpirun.command.end());
      words.insert(words.end(), {"-n", "3", TUTTI_HEAP_RANKS, "30"});
      const Ran ran = run_command("/usr/bin/env", words);
      EXPECT_EQ(ran.status, 0) << ran.err;
      return ran.out;
    };
    EXPECT_EQ(ranks_by({TUTTI_COMMAND, "mpi"}), "in place\n") << mpirun.name;
    EXPECT_EQ(ranks_by({TUTTI_COMMAND, "mpi", "--heap", "off"}), "copied\n") << mpirun.name;
    EXPECT_EQ(ranks_by({}), "in place\n") << mpirun.name;
    EXPECT_EQ(ranks_by({"TUTTI_HEAP=0"}), "copied\n") << mpirun.name;
  }
}

}  // namespace
}  // namespace tutti::test

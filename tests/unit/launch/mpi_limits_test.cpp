/// @file
/// `tutti mpi` where limits are close.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/command.hpp"
#include "support/sanitizers.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class MpiLimits : public testing::Test {
 protected:
  // Makes a launcher that says that it is MPICH's, and with which words it was started.
  void SetUp() override {
    if (addresses_are_reserved) GTEST_SKIP() << why_addresses_are_reserved;
    std::ofstream(launcher_) << "#!/bin/sh\n[ \"$1\" = --version ] && echo HYDRA && exit\necho words: \"$@\"\n";
    fs::permissions(launcher_, fs::perms::owner_all);
  }
  void TearDown() override { fs::remove(launcher_); }

  /// Returns the words with which `tutti mpi` starts it if processes may have so many KiB of addresses.
  std::string words(const std::string& limit, const std::string& settings = "") const {
    const std::string line = "ulimit -S -v " + limit + "; " + settings + " " TUTTI_COMMAND " mpi " + launcher_;
    const Ran ran = run_command("/bin/sh", {"-c", line + " -n 2 prog"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out;
  }

 private:
  std::string launcher_ = (fs::path(testing::TempDir()) / ("tutti_launcher_" + std::to_string(getpid()))).string();
};

TEST_F(MpiLimits, LeaveOutWhatWouldServeNothing) {
  if (!fs::exists(fs::path(TUTTI_COMMAND).parent_path() / "lib" / "libtutti-mpich.so"))
    GTEST_SKIP() << "there is no library for MPICH";
  EXPECT_EQ(words("130000"), "words: -n 2 prog\n");
  EXPECT_THAT(words("132000"), HasSubstr("LD_PRELOAD"));
  EXPECT_THAT(words("unlimited"), HasSubstr("LD_PRELOAD"));
  for (const std::string asked : {"TUTTI_MPI_CHECK=1", "TUTTI_MPI_REPORT=1"})
    EXPECT_THAT(words("130000", asked), HasSubstr("LD_PRELOAD")) << asked;
  EXPECT_THAT(words("130000", "TUTTI_MPI_CHECK=0"), Not(HasSubstr("LD_PRELOAD")));
}

}  // namespace
}  // namespace tutti::test

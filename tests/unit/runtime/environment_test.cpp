/// @file
/// A program that has more rights than who starts it heeds no variable of the environment.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti {
namespace {

using test::Ran;
using test::run_command;

namespace fs = std::filesystem;

/// A folder of this test's own, removed with it.
class Folder {
 public:
  explicit Folder(const fs::path& below) {
    std::string name = below / "tutti-environment-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code none;
    if (!path_.empty()) fs::remove_all(path_, none);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Variables {
  std::vector<std::string> settings;  // NAME=value
  const char* complaint;              // complaint of an ordinary program about them
};

// Each of them keeps an ordinary program from joining, so that a program which heeds one is found out.
const std::vector<Variables>& variables() {
  static const std::vector<Variables> all = {
      {{"TUTTI_TIMEOUT=never"}, "TUTTI_TIMEOUT"},
      {{"TUTTI_PROGRESS_THREAD=perhaps"}, "TUTTI_PROGRESS_THREAD"},
      {{"TUTTI_EXPLAIN=perhaps"}, "TUTTI_EXPLAIN is 0 or 1, not"},
      {{"TUTTI_SEGMENT=0"}, "TUTTI_SEGMENT"},
      {{"TUTTI_ALGORITHM_ALL_REDUCE=no-such"}, "no-such"},
      {{"PMI_SIZE=1", "PMI_RANK=0", "TUTTI_MPI_LIBRARY=/no/such.so"}, "/no/such.so cannot be loaded"},
      {{"OMPI_COMM_WORLD_SIZE=1", "OMPI_COMM_WORLD_RANK=0", "TUTTI_MPI_LIBRARY=/no/such.so"}, "/no/such.so cannot be"},
  };
  return all;
}

Ran run_with(std::vector<std::string> settings, const fs::path& program) {
  settings.push_back(program);
  return run_command("/usr/bin/env", settings);
}

/// Makes the file's owner, or its group, another than this process's: nobody where root asks, else a group that this
/// process has beside its own. Says whether the system did.
bool gets_more_rights(const fs::path& file) {
  constexpr uid_t nobody = 65534;
  struct statvfs place {};
  if (statvfs(file.c_str(), &place) != 0 || (place.f_flag & ST_NOSUID) != 0) return false;
  if (geteuid() == 0) return chown(file.c_str(), nobody, nobody) == 0 && chmod(file.c_str(), 06755) == 0;
  std::vector<gid_t> groups(1024);
  groups.resize(static_cast<std::size_t>(std::max(0, getgroups(static_cast<int>(groups.size()), groups.data()))));
  for (const gid_t group : groups) {
    if (group != getegid() && chown(file.c_str(), static_cast<uid_t>(-1), group) == 0)
      return chmod(file.c_str(), 02755) == 0;
  }
  return false;
}

/// A copy of the program with more rights than this process has; nothing where the system permits none.
std::optional<fs::path> privileged_copy(const Folder& folder) {
  if (folder.path().empty()) return std::nullopt;
  fs::permissions(folder.path(), fs::perms(0755));
  const fs::path copy = folder.path() / "privileged";
  fs::copy_file(TUTTI_LONE_RANK, copy);
  if (!gets_more_rights(copy)) return std::nullopt;
  if (!run_with({}, copy).out.starts_with("secure")) return std::nullopt;  // no_new_privs, or a container's rule
  return copy;
}

TEST(Environment, AnOrdinaryProgramHeedsIt) {
  EXPECT_EQ(run_with({}, TUTTI_LONE_RANK).out, "ordinary: 1\n");
  for (const Variables& each : variables()) {
    const Ran ran = run_with(each.settings, TUTTI_LONE_RANK);
    EXPECT_NE(ran.status, 0) << each.settings.front();
    EXPECT_THAT(ran.err, testing::HasSubstr(each.complaint)) << each.settings.front();
  }
}

TEST(Environment, VariablesThatNobodyAsksForAreTold) {
  const Ran ran = run_with({"TUTTI_ALGORITHM_ALLREDUCE=ring", "TUTTI_ALGORITHM_SCAN=chain",
                            "TUTTI_ALGORITHM_ALL_TO_ALL_V=mpi", "TUTTI_ALGORITHM_REDUCE_SCATTER_BLOCK=mpi"},
                           TUTTI_LONE_RANK);
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err,
            "tutti: TUTTI_ALGORITHM_ALLREDUCE names no collective; the nearest is 'TUTTI_ALGORITHM_ALL_REDUCE'\n");
}

TEST(Environment, AProgramWithMoreRightsDoesNot) {
  const Folder here(fs::path(TUTTI_LONE_RANK).parent_path());
  const Folder elsewhere("/var/tmp");
  std::optional<fs::path> program = privileged_copy(here);
  if (!program) program = privileged_copy(elsewhere);
  if (!program) GTEST_SKIP() << "no program can be given more rights here: nosuid, no second group, or no_new_privs";
  for (const Variables& each : variables()) {
    const Ran ran = run_with(each.settings, *program);
    EXPECT_EQ(ran.status, 0) << each.settings.front() << ": " << ran.err;
    EXPECT_EQ(ran.out, "secure: 1\n") << each.settings.front();
  }
}

TEST(Environment, AProgramWithMoreRightsWritesNoTrace) {
  const Folder folder("/var/tmp");
  const std::optional<fs::path> program = privileged_copy(folder);
  if (!program) GTEST_SKIP() << "no program can be given more rights in /var/tmp";
  fs::permissions(folder.path(), fs::perms(0777));
  const fs::path trace = folder.path() / "trace.json";
  EXPECT_EQ(run_with({"TUTTI_TRACE=" + trace.string()}, *program).out, "secure: 1\n");
  EXPECT_FALSE(fs::exists(trace));
  EXPECT_EQ(run_with({"TUTTI_TRACE=" + trace.string()}, TUTTI_LONE_RANK).out, "ordinary: 1\n");
  EXPECT_TRUE(fs::exists(trace)) << "an ordinary program writes it";
}

}  // namespace
}  // namespace tutti

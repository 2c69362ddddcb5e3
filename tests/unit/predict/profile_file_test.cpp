/// @file
/// Programs change the file of a profile, several at a time, and lose nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/text/short_file.hpp"
#include "tutti/error.hpp"
#include "unit/predict/profiles.hpp"

namespace tutti {
namespace {

StoredProfile keep_threads(const std::string& file) {
  return change_profile(
             file,
             [](StoredProfile& kept) { kept.measured[Transport::threads] = example().measured[Transport::threads]; })
      .profile;
}

TEST_F(Places, AProfileIsChangedInOnePart) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  EXPECT_TRUE(keep_threads(file).measured[Transport::threads]) << "it is made where it is not there";
  keep_entry(file, {.call = "a call", .algorithm = "ring"});
  const ChangedProfile changed = change_profile(
      file, [](StoredProfile& kept) { kept.measured[Transport::mpi] = example().measured[Transport::threads]; });
  EXPECT_EQ(changed.set_aside, "");
  const StoredProfile kept = profile_of_this_machine(file);
  EXPECT_TRUE(kept.measured[Transport::threads] && kept.measured[Transport::mpi]);
  ASSERT_EQ(kept.wisdom.size(), 1U);
  EXPECT_EQ(kept.wisdom[0].call, "a call");
}

// Findings of an administrator count if the user has found nothing.
TEST_F(Places, WinnersAreThoseOfTheUserBeforeThoseOfTheAdministrator) {
  const std::string own = own_profile_file();
  StoredProfile shipped = example();
  shipped.wisdom = {{.call = "a call", .algorithm = "ring"}, {.call = "another", .algorithm = "flat"}};
  write(folder_ / "etc" / fs::path(own).filename(), shipped);
  StoredProfile general = example();
  general.wisdom = {{.call = "another", .algorithm = "mesh"}, {.call = "a third", .algorithm = "mesh"}};
  write(folder_ / "etc" / "profile.json", general);
  const auto recalled = [&] {
    std::map<std::string, std::string> algorithms;
    for (const WisdomEntry& entry : recall_all(folder_ / "etc")) algorithms[entry.call] = entry.algorithm;
    return algorithms;
  };
  using Winners = std::map<std::string, std::string>;
  EXPECT_EQ(recalled(), (Winners{{"a call", "ring"}, {"another", "flat"}, {"a third", "mesh"}}));
  keep_entry(own, {.call = "a call", .algorithm = "direct"});
  EXPECT_EQ(recalled(), (Winners{{"a call", "direct"}, {"another", "flat"}, {"a third", "mesh"}}));
  std::ofstream(folder_ / "etc" / fs::path(own).filename()) << "{";
  EXPECT_EQ(recalled(), (Winners{{"a call", "direct"}, {"another", "mesh"}, {"a third", "mesh"}}));
  setenv("TUTTI_PROFILE", own.c_str(), 1);
  EXPECT_EQ(recalled(), (Winners{{"a call", "direct"}}));
}

// A newer tutti may have written what this one does not understand, and another machine what only that can measure.
TEST_F(Places, WhatCannotBeKeptInAProfileIsSetAside) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  StoredProfile foreign = example();
  foreign.machine = "another one";
  std::string aside = file + ".old";
  for (const std::string& text : {std::string(R"({"tutti_profile": 9})"), text_of(foreign), std::string("{")}) {
    std::ofstream(file) << text;
    const ChangedProfile changed = change_profile(
        file, [](StoredProfile& kept) { kept.measured[Transport::threads] = example().measured[Transport::threads]; });
    EXPECT_THAT(changed.set_aside, testing::StartsWith(file + ": "));
    EXPECT_THAT(changed.set_aside, testing::EndsWith("; it is kept as " + aside));
    EXPECT_EQ(short_file(aside), text);
    EXPECT_TRUE(profile_of_this_machine(file).measured[Transport::threads]);
    aside = file + ".old" + (aside.ends_with(".old") ? "2" : "3");
  }
  std::ofstream(file).close();
  EXPECT_EQ(change_profile(file, [](StoredProfile&) {}).set_aside, "") << "nothing is lost of an empty file";
}

TEST_F(Places, AnEmptyFileIsANewProfile) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  std::ofstream(file).close();
  keep_entry(file, {.call = "a call", .algorithm = "ring"});
  EXPECT_EQ(profile_of_this_machine(file).wisdom.size(), 1U);
}

TEST_F(Places, AnEmptyFileIsANewProfileForWhoeverReadsIt) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  std::ofstream(file).close();
  EXPECT_EQ(find_profile(folder_ / "etc").complaint, "");
  EXPECT_EQ(profile_of_this_machine(file).machine, machine_identity());
  EXPECT_TRUE(claim_first_use(file, Transport::threads, "a look"));
}

TEST_F(Places, WhatIsWrittenCanBeReadAgain) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  const std::string long_call(2000, 'c');
  change_profile(file, [&](StoredProfile& kept) {
    kept.measured[Transport::threads] = example().measured[Transport::threads];
    for (std::size_t k = 0; k < most_wisdom + 100; ++k)
      kept.wisdom.push_back({.call = long_call + std::to_string(k), .algorithm = "ring"});
  });
  const StoredProfile kept = profile_of_this_machine(file);
  ASSERT_FALSE(kept.wisdom.empty());
  EXPECT_LE(kept.wisdom.size(), most_wisdom);
  EXPECT_EQ(kept.wisdom.back().call, long_call + std::to_string(most_wisdom + 99)) << "the latest stay";
}

TEST_F(Places, AProfileThatIsALinkStaysOneAndKeepsItsPermissions) {
  const std::string file = own_profile_file();
  const fs::path target = folder_ / "elsewhere" / "profile.json";
  fs::create_directories(fs::path(file).parent_path());
  fs::create_directories(target.parent_path());
  fs::create_symlink(fs::relative(target, fs::path(file).parent_path()), file);
  keep_threads(file);
  ASSERT_TRUE(fs::is_symlink(file));
  ASSERT_TRUE(fs::is_regular_file(target)) << "also where a link leads to no file yet";
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(target, own);
  keep_entry(file, {.call = "a call", .algorithm = "ring"});
  EXPECT_TRUE(fs::is_symlink(file));
  EXPECT_EQ(fs::status(target).permissions(), own);
  EXPECT_EQ(profile_of_this_machine(target.string()).wisdom.size(), 1U);
}

TEST_F(Places, WhatIsNoRegularFileIsNeverReplaced) {
  const fs::path link = folder_ / "link.json";
  fs::create_directories(folder_);
  fs::create_symlink("/dev/null", link);
  EXPECT_THROW(keep_entry(link, {.call = "a call", .algorithm = "ring"}), Error);
  EXPECT_THROW(change_profile(link, [](StoredProfile&) {}), Error);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_FALSE(fs::exists(link.string() + ".lock"));
}

TEST_F(Places, ProgramsThatChangeAProfileAtOnceAllSucceed) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  constexpr int programs = 8;
  constexpr int calls = 20;
  std::vector<pid_t> children;
  for (int program = 0; program < programs; ++program) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    for (int call = 0; call < calls; ++call) {
      change_profile(file, [&](StoredProfile& kept) {
        kept.wisdom.push_back({.call = std::to_string(program * calls + call), .algorithm = "ring"});
      });
    }
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(profile_of_this_machine(file).wisdom.size(), std::size_t{programs * calls});
}

// The disk is full after some bytes: the file stays as it was, and nothing lies beside it.
TEST_F(Places, AProfileStaysWhereItsSuccessorCannotBeWritten) {
  const std::string file = own_profile_file();
  fs::create_directories(fs::path(file).parent_path());
  keep_threads(file);
  const std::string before = short_file(file);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit few{100, 100};
    setrlimit(RLIMIT_FSIZE, &few);
    try {
      keep_threads(file);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(std::string(error.what()) == file + " cannot be written: File too large" ? 7 : 8);
    }
    _exit(9);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(short_file(file), before);
  const fs::directory_iterator folder(fs::path(file).parent_path());
  EXPECT_EQ(std::distance(fs::begin(folder), fs::end(folder)), 2) << "the profile and its lock";
}

}  // namespace
}  // namespace tutti

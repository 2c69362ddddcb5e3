/// @file
/// Profiles, and places for them that a test may fill.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "predict/profile/stored_profile.hpp"

namespace tutti {

namespace fs = std::filesystem;

inline StoredProfile example() {
  StoredProfile profile{.machine = machine_identity(), .tutti = "0.0.17"};
  profile.measured[Transport::threads] =
      MeasuredCosts{.costs = threads_costs, .median_error = 0.1, .worst_error = 0.4, .observations = 7};
  profile.measured[Transport::threads]->costs.latency = 123e-9;
  return profile;
}

/// A folder of this test's own, where profiles are looked for.
class Places : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "own");
    fs::create_directories(folder_ / "etc");
    setenv("XDG_CONFIG_HOME", (folder_ / "own").c_str(), 1);
    unsetenv("TUTTI_PROFILE");
  }
  void TearDown() override {
    fs::remove_all(folder_);
    setenv("TUTTI_PROFILE", "built-in", 1);
  }
  static void write(const fs::path& file, const StoredProfile& profile) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text_of(profile);
  }
  FoundProfile find() const { return find_profile(folder_ / "etc"); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("tutti-profiles-" + std::to_string(getpid()));
};

}  // namespace tutti

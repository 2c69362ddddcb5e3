/// @file
/// For tests in which ranks fail, and others are told.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "support/ranks.hpp"

namespace tutti {

using testing::Engine;
using testing::Outcome;
using testing::outcomes_of;

inline constexpr Duration soon = std::chrono::milliseconds(400);
/// For errors that must not wait for the clock: a test that waited would fail by ctest's limit, not by a measured time.
inline constexpr Duration never = std::chrono::hours(1);

/// A second communicator beside the one that is to fail. A rank that stays away from the first waits here until the
/// others have seen it fail, and makes progress meanwhile.
class Aside {
 public:
  Aside(Communicator& comm, int absent) : aside_(comm.duplicate()), absent_(absent) {
    aside_.barrier();
    comm.set_timeout(soon);
  }

  /// On the absent rank: returns when `others` ranks have said so. It tests, because ranks that all wait are told so.
  void wait_for(const std::vector<int>& others) {
    for (const int rank : others) {
      int said = 0;
      Handle handle = aside_.receive_async(std::span(&said, 1), rank);
      while (!handle.test()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// On the others: what they do is to throw, and the absent rank is told.
  void expect_error(const std::function<void()>& what) {
    try {
      what();
    } catch (...) {
      aside_.send(1, absent_);
      throw;
    }
  }

 private:
  Communicator aside_;
  int absent_;
};

inline std::vector<int> all_but(int absent, int p) {
  std::vector<int> ranks;
  for (int rank = 0; rank < p; ++rank) {
    if (rank != absent) ranks.push_back(rank);
  }
  return ranks;
}

/// Whether a sentence has the rank's number, or a range that it lies in: "ranks 2-7".
inline bool names(const std::string& text, int rank) {
  static const std::regex pieces("([0-9]+)(?:-([0-9]+))?");
  return std::any_of(std::sregex_iterator(text.begin(), text.end(), pieces), std::sregex_iterator(),
                     [&](const auto& m) {
                       const int first = std::stoi(m[1]);
                       return rank >= first && rank <= (m[2].matched ? std::stoi(m[2]) : first);
                     });
}

/// Returns the part of a sentence between two of its words; empty if it has not both.
inline std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  const std::size_t to = text.find(end, from);
  return to == std::string::npos ? "" : text.substr(from + begin.size(), to - from - begin.size());
}

inline constexpr const char* needs_an_end =
    "a rank ends, which ends the whole program where ranks are those of an mpirun";
inline constexpr const char* needs_run = "run() itself is meant, which throws what ranks throw";

}  // namespace tutti

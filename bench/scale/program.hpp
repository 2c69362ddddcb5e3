/// @file
/// Common part of the programs of `make bench-scale`: a rank that joins, calls the first all-reduce, splits, and calls
/// all-reduces of 8 bytes. Rank 0 prints one line, which scripts/bench-scale reads:
///
///     join 0.021 first 0.0004 split 0.0003 call 0.0000021 memory 1.9 addresses 31.5
///
/// in seconds and MiB; memory is a rank's share of all that is in memory because of it (Pss), the mean over all ranks.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::bench {

/// A number of KiB in a file of /proc, in MiB; 0 where it is not told.
inline double mebibytes_in(const char* file, std::string_view name) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    double kibibytes = 0;
    if (word == name && stream >> kibibytes) return kibibytes / 1024;
  }
  return 0;
}

/// `Subject` joins when it is made, and has
///
///     int rank(); int size();
///     double sum(double);      an all-reduce of 8 bytes
///     double maximum(double);  another
///     void split();            a communicator of all ranks, which is then freed
template <typename Subject>
void measure_scale() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point before = Clock::now();
  const auto lap = [&] {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(before, now)).count();
  };
  Subject subject;
  const double join = lap();
  const double addresses = mebibytes_in("/proc/self/status", "VmSize:");
  lap();
  subject.sum(1);
  const double first = lap();
  subject.split();
  const double split = lap();
  constexpr double effort = 0.2;  // seconds that one of three rounds takes, about
  int calls = 1;
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    subject.sum(1);
    lap();
    for (int call = 0; call < calls; ++call) subject.sum(1);
    const double each = subject.maximum(lap()) / calls;
    if (round > 0) best = std::min(best, each);
    calls = static_cast<int>(std::clamp(effort / each, 1.0, 1e5));
  }
  const double memory = subject.sum(mebibytes_in("/proc/self/smaps_rollup", "Pss:")) / subject.size();
  const double longest_join = subject.maximum(join);
  const double longest_first = subject.maximum(first);
  const double longest_split = subject.maximum(split);
  if (subject.rank() != 0) return;
  std::printf("join %g first %g split %g call %g memory %g addresses %g\n", longest_join, longest_first, longest_split,
              best, memory, addresses);
}

/// Joins, calls an all-reduce, splits and leaves. Returns whether the sum is right.
template <typename Subject>
bool starts() {
  Subject subject;
  const bool is_right = subject.sum(1) == subject.size();
  subject.split();
  return is_right;
}

}  // namespace tutti::bench

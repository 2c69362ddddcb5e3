/// @file
/// How many cores a process may use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tutti::runtime {

/// The cores that a process may run on, and how many of them its control groups give it time for. Plain bytes, which
/// processes may share.
class UsableCores {
 public:
  /// Cores with larger numbers are not seen.
  static constexpr std::size_t most_cores = 1024;

  /// Of this process: its affinity, and the quota of its control groups.
  static UsableCores of_this_process();

  void allow(std::size_t core) { allowed_[core / 64] |= std::uint64_t{1} << core % 64; }
  /// At most that many cores' worth of time; a part of a core counts only where there is no whole one.
  void limit(double cores);
  /// Makes these the cores that any of two processes of one host may use. Each has the quota of its own control groups,
  /// which may well be one: the smaller one counts.
  void add(const UsableCores& other);

  /// At least 1.
  int count() const;

  /// The words of the set, a bit a core, and the quota: what travels.
  using Words = std::array<std::uint64_t, most_cores / 64>;
  const Words& allowed() const { return allowed_; }
  Words& allowed() { return allowed_; }
  int quota() const { return quota_; }

 private:
  Words allowed_ = {};
  int quota_ = std::numeric_limits<int>::max();
};

}  // namespace tutti::runtime

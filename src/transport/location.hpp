/// @file
/// Location of a process: the cores that it may use, its node, and where in it they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>

#include "schedule/model/layout.hpp"

namespace tutti::runtime {

/// The cores that a process may run on, and how many of them its control groups give it time for. Plain bytes, which
/// processes may share.
class UsableCores {
 public:
  /// Cores with larger numbers are not seen.
  static constexpr std::size_t most_cores = 1024;

  /// Returns the cores of this process: its affinity, and the quota of its control groups.
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

/// The core of a process that may run on these cores, where it is one core, and its NUMA domain, where all are of one.
/// The node is 0. `root` is where the system's files lie; without them no domain is known.
Location location_of(const UsableCores& cores, const std::filesystem::path& root = "/");

/// A number that is the same for all processes of one machine and differs between machines, but by a chance of 2^-64:
/// of the kernel's boot id, or of the host's name where that cannot be read. The environment's TUTTI_NODE names another
/// one, so that one machine can stand for several nodes.
std::uint64_t node_of_this_process();

/// Place of a process, as it has found it: its node, and its cores there. Plain bytes, which processes may share and
/// send.
struct ProcessPlace {
  std::uint64_t node = 0;  ///< see node_of_this_process()
  Location location = {};  ///< its node is not set
};

/// Returns the place of this process, which may use those cores.
ProcessPlace place_of_this_process(const UsableCores& cores);

/// The layout of ranks with these places.
Layout layout_of(std::span<const ProcessPlace> places);

}  // namespace tutti::runtime

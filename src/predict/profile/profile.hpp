/// @file
/// Profile of a machine: costs of messages for each transport, and the origin of these numbers.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/transport.hpp"
#include "predict/model/machine_costs.hpp"

namespace tutti {

/// Something for each transport.
template <typename T>
class ByTransport {
 public:
  T& operator[](Transport transport) { return each_[static_cast<std::size_t>(transport)]; }
  const T& operator[](Transport transport) const { return each_[static_cast<std::size_t>(transport)]; }

 private:
  std::array<T, all_transports.size()> each_ = {};
};

/// Returns its name on the command line and in profiles: "system-copies".
std::string_view name_of(Transport transport);
/// The transport of that name; throws `Error` naming the nearest otherwise.
Transport parse_transport(std::string_view name);

/// The costs by which choices are made where nothing was measured.
const MachineCosts& built_in_costs(Transport transport);

/// The costs by which choices are made. All ranks of a communicator have the same.
struct Profile {
  Profile();

  /// Returns the costs of that many ranks on so many cores.
  const MachineCosts& costs_of(Transport transport, int ranks, int cores) const {
    return ranks > cores ? on_shared_cores[transport] : costs[transport];
  }

  ByTransport<MachineCosts> costs;            ///< costs of ranks that have a core each
  ByTransport<MachineCosts> on_shared_cores;  ///< costs of ranks that outnumber cores
  ByTransport<std::string> origins;           ///< for people
  /// Error that nine tenths of predictions stay below, as a part of the measured time; 0: not known.
  ByTransport<double> errors = {};
};

/// The origin of built_in_costs().
inline constexpr std::string_view built_in_origin = "built-in costs";

/// Placement of a call's ranks: the transport between them, and the cores that they run on.
struct PlacementKey {
  Transport inside = Transport::threads;  ///< transport between the ranks of a node
  int cores = 1;                          ///< cores of all ranks together
  int nodes = 1;
  Transport between = Transport::mpi;  ///< nodes
  bool is_link_measured = false;       ///< whether the ranks have measured what is between nodes as they met
};

/// "threads on 2 cores".
std::string text_of(const PlacementKey& key);

}  // namespace tutti

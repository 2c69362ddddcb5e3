/// @file
/// What messages cost on a machine, by all that connects ranks there, and where these numbers come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "predict/machine_costs.hpp"

namespace tutti {

/// What connects two ranks.
enum class Transport : std::uint8_t {
  threads,        ///< of one process
  processes,      ///< of one machine, which share their heaps
  system_copies,  ///< the same without shared heaps: the system copies long messages
  mpi
};

/// In the order of their numbers.
inline constexpr std::array all_transports{Transport::threads, Transport::processes, Transport::system_copies,
                                           Transport::mpi};

/// Something for each transport.
template <typename T>
class ByTransport {
 public:
  T& operator[](Transport transport) { return each_[static_cast<std::size_t>(transport)]; }
  const T& operator[](Transport transport) const { return each_[static_cast<std::size_t>(transport)]; }

 private:
  std::array<T, all_transports.size()> each_ = {};
};

/// As it is called on the command line and in profiles: "system-copies".
std::string_view name_of(Transport transport);
/// The transport of that name; throws `Error` naming the nearest otherwise.
Transport parse_transport(std::string_view name);

/// The costs by which choices are made where nothing was measured.
const MachineCosts& built_in_costs(Transport transport);

/// The costs by which choices are made. All ranks of a communicator have the same.
struct Profile {
  Profile();

  ByTransport<MachineCosts> costs;
  ByTransport<std::string> origins;  ///< for people
};

/// The origin of built_in_costs().
inline constexpr std::string_view built_in_origin = "built-in costs";

}  // namespace tutti

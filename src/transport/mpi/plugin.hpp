/// @file
/// Interface of a library that knows one MPI, for the program that loads it.
///
/// `<mpi.h>` of one MPI excludes that of every other, so what includes it is built once for each MPI, as a library that
/// is loaded when it turns out whose mpirun has started the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/interfaces/world.hpp"

namespace tutti::runtime {

enum class ThreadSupport : std::uint8_t { one, in_turn };

/// This process's rank in a world that lasts until the program ends.
struct MpiRank {
  World* world = nullptr;
  int rank = 0;
};

struct Plugin {
  const char* layout = nullptr;  ///< digest of the headers that program and plugin share: see cmake/MPI.cmake
  const char* mpi = nullptr;     ///< whose MPI this is, with its version
  /// Starts MPI where the program has not, and joins all of its ranks. To be called once. `end` is called when the
  /// program itself ends MPI, while MPI still works; where it has returned, MPI is let go of.
  MpiRank (*join)(ThreadSupport threads, void (*end)() noexcept) = nullptr;
  /// Puts the `bytes` bytes of every rank, one after another, into `all`. Once joined; all ranks call it.
  void (*all_gather)(const void* mine, std::size_t bytes, void* all) = nullptr;
  /// Puts rank 0's `count` bytes into those of every other rank. Once joined; all ranks call it.
  void (*broadcast)(void* bytes, std::size_t count) = nullptr;
};

/// Values that each rank tells all others, by rank.
template <typename T>
std::vector<T> told_by_all(const Plugin& plugin, int ranks, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(ranks));
  plugin.all_gather(&mine, sizeof(mine), all.data());
  return all;
}

/// The name and type of the one function that a plugin exports.
inline constexpr const char* plugin_function = "tutti_mpi_plugin";
using PluginFunction = const Plugin* (*)();

}  // namespace tutti::runtime

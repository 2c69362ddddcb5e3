/// @file
/// The collectives as Python calls them: their parameters, in order, and what they say of themselves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "tutti/collective.hpp"

namespace tutti::python {

enum class Parameter : std::uint8_t {
  a,
  counts,
  receive_counts,
  op,
  root,
  distance,
  out,
  // Behind these by name alone, of all collectives.
  algorithm,
  segments,
  radix,
  grid,
  dtype,
};
inline constexpr int parameter_kinds = 12;
inline constexpr std::array<const char*, parameter_kinds> parameter_names = {
    "a",   "counts",    "receive_counts", "op",    "root", "distance",
    "out", "algorithm", "segments",       "radix", "grid", "dtype"};

struct Signature {
  const char* name;
  Collective collective;
  bool by_counts;
  std::array<Parameter, 5> positional;
  int positionals;
  const char* documentation;
};

/// All of them; a row each.
std::span<const Signature> signatures();

/// The collective of that name, as a method of Communicator has it: "all_reduce". Throws `Error(invalid_argument)` for
/// another name.
Collective collective_named(std::string_view name);

}  // namespace tutti::python

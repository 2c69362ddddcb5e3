/// @file
/// Names of communicators that need not be told, and how sentences call them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/digest.hpp"

namespace tutti::runtime {

/// The name of the communicator that collective `number` of communicator `parent` makes of ranks of which `first` is
/// the first: all ranks know who comes together in which call of which communicator. Names have 64 bits: two of a
/// million communicators are alike in one run of 37 million.
inline std::uint64_t name_of_communicator(std::uint64_t parent, std::uint64_t number, int first) {
  return spread(spread(spread(parent) ^ number) ^ static_cast<std::uint64_t>(first));
}

/// Name by which people know a communicator at the moment when they are told of it.
using Title = std::function<std::string()>;

/// One that stays.
inline Title lasting_title(std::string text) {
  return [text = std::move(text)] { return text; };
}

/// "37.0" is what call 37 of the communicator of all ranks has made of ranks of which rank 0 is the first, and
/// "37.0/2.1" what call 2 of that one has made. It stays where the parent is called otherwise later.
inline Title title_of_communicator(std::string_view parent, std::uint64_t number, int first) {
  return lasting_title(fmt::format("{}{}{}.{}", parent, parent.empty() ? "" : "/", number + 1, first));
}

/// Returns the title of the communicator that is the `count`-th to be founded by rank `founder` of the run, without a
/// parent.
inline Title title_of_founded(std::uint64_t count, int founder) {
  return lasting_title(fmt::format("MPI-{}.{}", count, founder));
}

}  // namespace tutti::runtime

/// @file
/// Moving memory as fast as one thread can.
#pragma once

#include <span>
#include <string_view>

namespace tutti::measure {

/// Arrays of the same length: `into` gets the sums of `from`, all of them the same. One of the two has one array.
struct Streams {
  std::span<const double* const> from;
  std::span<double* const> into;
};

/// A way of moving: reads elements [begin, end) of every `from` once and writes those of every `into` once.
struct Mover {
  std::string_view name;
  void (*move)(const Streams& streams, std::size_t begin, std::size_t end) = nullptr;
};

/// The ways that this machine has: "cached", the C++ library's copies and the compiler's loops for the widest vectors
/// that the processor has; "streaming", stores that pass the caches by.
std::span<const Mover> movers();

}  // namespace tutti::measure

/// @file
/// Names of communicators that need not be told.
#pragma once

#include <cstdint>

namespace tutti::runtime {

/// The name of the communicator that collective `number` of communicator `parent` makes of ranks of which `first` is
/// the first: all ranks know who comes together in which call of which communicator. Names have 64 bits: two of a
/// million communicators are alike in one run of 37 million.
inline std::uint64_t name_of_communicator(std::uint64_t parent, std::uint64_t number, int first) {
  const auto mixed = [](std::uint64_t name) {
    // Guy L. Steele Jr., Doug Lea, Christine H. Flood, Fast Splittable Pseudorandom Number Generators, 2014, figure 14.
    name += 0x9e3779b97f4a7c15U;
    name = (name ^ name >> 30) * 0xbf58476d1ce4e5b9U;
    name = (name ^ name >> 27) * 0x94d049bb133111ebU;
    return name ^ name >> 31;
  };
  return mixed(mixed(mixed(parent) ^ number) ^ static_cast<std::uint64_t>(first));
}

}  // namespace tutti::runtime

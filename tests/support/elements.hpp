/// @file
/// Concrete elements for the interpreter, and what each collective makes of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/model/problem.hpp"

namespace tutti::testing {

/// One element. `value` is a 2 × 2 matrix of numbers modulo 2^64 under multiplication where the operator does not
/// commute, under addition where it does. Contributions are drawn by lot, so that another multiset, or another order,
/// of contributions gives another value but for chances of about 2^-60. `bits` depends on the bracketing as well, as
/// floating point does.
struct Element {
  std::array<std::uint64_t, 4> value{};
  std::uint64_t bits = 0;
};

/// An element of memory; empty until written.
using Cell = std::optional<Element>;

/// A number that looks drawn by lot (the finalizer of SplitMix64).
std::uint64_t scrambled(std::uint64_t x);

/// Element `position` of what rank `rank` contributes.
Element contribution(int rank, std::int64_t position);

/// left ∘ right.
Element combined(const Element& left, const Element& right, bool commutative);

/// Returns the cells that `rank` must hold in its output at the end, by the collective's definition; empty if nothing
/// may be written.
std::vector<Cell> expected_output(const Problem& problem, int rank);

}  // namespace tutti::testing

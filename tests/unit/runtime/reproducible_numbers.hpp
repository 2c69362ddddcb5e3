/// @file
/// Numbers whose sums are compared by their bits.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tutti/reproducible.hpp"

namespace tutti {

inline constexpr std::uint64_t seed = 20153;

template <typename T>
auto bits_of(T number) {
  if constexpr (std::same_as<T, double>) {
    return std::bit_cast<std::uint64_t>(number);
  } else {
    return std::bit_cast<std::uint32_t>(number);
  }
}

/// Returns numbers of both signs, with exponents in a range so wide that ordinary sums differ by their order.
template <typename T>
std::vector<T> numbers(std::size_t n, int exponents, std::uint64_t from = seed) {
  std::mt19937_64 random(from);
  std::uniform_real_distribution<double> fraction(-1, 1);
  std::vector<T> found;
  while (found.size() < n) {
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(exponents)) - exponents / 2;
    found.push_back(static_cast<T>(std::ldexp(fraction(random), exponent)));
  }
  return found;
}

template <typename T>
ReproducibleSum<T> sum_of(const std::vector<T>& numbers) {
  ReproducibleSum<T> sum;
  for (const T number : numbers) sum += number;
  return sum;
}

}  // namespace tutti

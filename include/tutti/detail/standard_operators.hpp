/// @file
/// The function objects of the standard library, and the operators of this one that they mean.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>

namespace tutti {

struct Sum;
struct Product;
struct Minimum;
struct Maximum;
struct LogicalAnd;
struct LogicalOr;
struct BitwiseAnd;
struct BitwiseOr;
struct BitwiseXor;

namespace detail {

/// `Means` is the library's operator, `Argument` what the object takes; void: whatever it is given.
///
/// Two things differ where the library's operator is taken instead of the object: signed integers wrap around, and a
/// minimum or maximum is NaN if one of the elements is.
template <typename F>
struct Standard;

template <typename Operator, typename T>
struct Meaning {
  using Means = Operator;
  using Argument = T;
};

template <typename T>
struct Standard<std::plus<T>> : Meaning<Sum, T> {};
template <typename T>
struct Standard<std::multiplies<T>> : Meaning<Product, T> {};
template <typename T>
struct Standard<std::logical_and<T>> : Meaning<LogicalAnd, T> {};
template <typename T>
struct Standard<std::logical_or<T>> : Meaning<LogicalOr, T> {};
template <typename T>
struct Standard<std::bit_and<T>> : Meaning<BitwiseAnd, T> {};
template <typename T>
struct Standard<std::bit_or<T>> : Meaning<BitwiseOr, T> {};
template <typename T>
struct Standard<std::bit_xor<T>> : Meaning<BitwiseXor, T> {};
template <>
struct Standard<std::remove_cvref_t<decltype(std::ranges::min)>> : Meaning<Minimum, void> {};
template <>
struct Standard<std::remove_cvref_t<decltype(std::ranges::max)>> : Meaning<Maximum, void> {};

template <typename F>
concept StandardOperator = requires {
  typename Standard<F>::Means;
};

}  // namespace detail

}  // namespace tutti

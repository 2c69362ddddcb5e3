/// @file
/// Operators by which reduce, all_reduce, reduce_scatter and the scans combine elements.
///
/// The library's operators are values: `tutti::sum`. The standard library's function objects are the same operators
/// where these apply to the elements: `std::plus<>()`, `std::multiplies<>()`, `std::ranges::min`, …
/// (standard_operators.hpp). A user operator is any const callable T f(T, T) that is associative. It counts as
/// non-commutative, which is always right, unless wrapped: `tutti::commutative(f)` lets tutti choose among more
/// algorithms. The schedule fixes the order of combination: the same inputs give the same bits in every run.
///
/// A user operator may call tutti, on other communicators than the one whose call it is part of, and it may throw. It
/// returns within the communicator's timeout: when a call has failed elsewhere, its memory is read by peers until they
/// know, and a rank that cannot leave its call for so long ends the process.
#pragma once

#include <complex>
#include <concepts>
#include <type_traits>
#include <utility>

#include "tutti/detail/operator.hpp"
#include "tutti/detail/standard_operators.hpp"
#include "tutti/reproducible.hpp"
#include "tutti/types.hpp"

namespace tutti {

namespace detail {

template <typename T>
concept ComplexNumber = std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;
template <typename T>
concept FloatingNumber =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, float16> || std::same_as<T, bfloat16>;
template <typename T>
inline constexpr bool is_primitive = primitive_of<T>() != Primitive::none;
/// An integer of at most 64 bits, or a bool: compilers may have longer ones, too, which are no primitives.
template <typename T>
concept Integral = std::integral<T> && is_primitive<T>;
template <typename T>
concept IntegralNumber = Integral<T> && !std::same_as<T, bool>;
template <typename T>
concept RealNumber = IntegralNumber<T> || FloatingNumber<T>;

template <typename T>
inline constexpr bool is_located = false;
template <typename T>
inline constexpr bool is_located<Located<T>> = true;

/// min_location and max_location: the better value, and of equal ones the lower location.
template <bool Least>
struct PickLocation {
  template <typename T>
  Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    const bool a_better = Least ? a.value < b.value : b.value < a.value;
    const bool b_better = Least ? b.value < a.value : a.value < b.value;
    if (a_better != b_better) return a_better ? a : b;
    return b.location < a.location ? b : a;
  }
};

template <typename T>
concept LibraryOperator = requires {
  typename T::IsLibraryOperator;
};

}  // namespace detail

/// a + b. Signed integers wrap around.
struct Sum {
  using IsLibraryOperator = void;
  static constexpr detail::Reduction reduction = detail::Reduction::sum;
  static constexpr std::string_view name = "sum";
  /// Whether elements of type T can be combined so.
  template <typename T>
  static constexpr bool applies_to = detail::RealNumber<T> || detail::ComplexNumber<T>;
};

/// a · b. Signed integers wrap around.
struct Product : Sum {
  static constexpr detail::Reduction reduction = detail::Reduction::product;
  static constexpr std::string_view name = "product";
};

/// The sum divided by the number of ranks, once, over the result. Floating-point and complex types; not for scans.
struct Average : Sum {
  static constexpr std::string_view name = "average";
  /// Whether elements of type T can be combined so.
  template <typename T>
  static constexpr bool applies_to = detail::FloatingNumber<T> || detail::ComplexNumber<T>;
};

/// The smaller of a and b; NaN if either is.
struct Minimum {
  using IsLibraryOperator = void;
  static constexpr detail::Reduction reduction = detail::Reduction::minimum;
  static constexpr std::string_view name = "minimum";
  /// Whether elements of type T can be combined so.
  template <typename T>
  static constexpr bool applies_to = detail::RealNumber<T> || std::same_as<T, bool>;
};

/// The larger of a and b; NaN if either is.
struct Maximum : Minimum {
  static constexpr detail::Reduction reduction = detail::Reduction::maximum;
  static constexpr std::string_view name = "maximum";
};

/// Returns the smaller value of two Located<T>; of equal values the lower location.
struct MinLocation {
  using IsLibraryOperator = void;
  static constexpr std::string_view name = "min_location";
  using Pick = detail::PickLocation<true>;
  /// Whether elements of type T can be combined so.
  template <typename T>
  static constexpr bool applies_to = detail::is_located<T>;
};

/// Returns the larger value of two Located<T>; of equal values the lower location.
struct MaxLocation : MinLocation {
  static constexpr std::string_view name = "max_location";
  using Pick = detail::PickLocation<false>;
};

/// Both are non-zero. The result is 0 or 1. Integers and bool.
struct LogicalAnd {
  using IsLibraryOperator = void;
  static constexpr detail::Reduction reduction = detail::Reduction::logical_and;
  static constexpr std::string_view name = "logical_and";
  /// Whether elements of type T can be combined so.
  template <typename T>
  static constexpr bool applies_to = detail::Integral<T>;
};

/// At least one is non-zero.
struct LogicalOr : LogicalAnd {
  static constexpr detail::Reduction reduction = detail::Reduction::logical_or;
  static constexpr std::string_view name = "logical_or";
};

/// Exactly one is non-zero.
struct LogicalXor : LogicalAnd {
  static constexpr detail::Reduction reduction = detail::Reduction::logical_xor;
  static constexpr std::string_view name = "logical_xor";
};

/// Bits that are 1 in both. Integers and bool, as of all bitwise operators.
struct BitwiseAnd : LogicalAnd {
  static constexpr detail::Reduction reduction = detail::Reduction::bitwise_and;
  static constexpr std::string_view name = "bitwise_and";
};

/// Bits that are 1 in at least one.
struct BitwiseOr : LogicalAnd {
  static constexpr detail::Reduction reduction = detail::Reduction::bitwise_or;
  static constexpr std::string_view name = "bitwise_or";
};

/// Bits that are 1 in exactly one.
struct BitwiseXor : LogicalAnd {
  static constexpr detail::Reduction reduction = detail::Reduction::bitwise_xor;
  static constexpr std::string_view name = "bitwise_xor";
};

/// Operators of the library, as calls take them: comm.all_reduce(data, tutti::sum).
inline constexpr Sum sum{};
inline constexpr Product product{};
inline constexpr Average average{};
inline constexpr Minimum minimum{};
inline constexpr Maximum maximum{};
inline constexpr MinLocation min_location{};
inline constexpr MaxLocation max_location{};
inline constexpr LogicalAnd logical_and{};
inline constexpr LogicalOr logical_or{};
inline constexpr LogicalXor logical_xor{};
inline constexpr BitwiseAnd bitwise_and{};
inline constexpr BitwiseOr bitwise_or{};
inline constexpr BitwiseXor bitwise_xor{};

/// A user operator of which it is said whether f(a, b) = f(b, a).
template <typename F>
struct UserOperator {
  F function;           ///< result = function(a, b); associative
  bool is_commutative;  ///< whether function(a, b) = function(b, a), bit for bit
};

/// Promises f(a, b) = f(b, a), bit for bit. No errors: a broken promise gives results that depend on the algorithm.
/// Cost: `f` is moved.
template <typename F>
UserOperator<F> commutative(F f) {
  return {std::move(f), true};
}
/// Keeps the order of ranks: contributions are combined as x0 ∘ x1 ∘ … ∘ x(p-1). What a bare callable means, too. No
/// errors. Cost: `f` is moved; algorithms that reorder contributions are left out.
template <typename F>
UserOperator<F> non_commutative(F f) {
  return {std::move(f), false};
}

namespace detail {

template <typename T, typename F>
Operator operator_for(const UserOperator<F>& op) {
  return user_operator<T>(op.function, op.is_commutative);
}

template <typename T, LibraryOperator Op>
Operator operator_for(const Op&) {
  constexpr bool is_number_to_sum =
      std::same_as<Op, Reproducible> && (std::same_as<T, float> || std::same_as<T, double>);
  static_assert(
      !is_number_to_sum,
      "the reproducible sum of numbers is rounded when the call ends, which handles and plans do not: give "
      "calls in _async and plans vectors of tutti::ReproducibleSum, and take each value() when they are done");
  static_assert(
      Op::template applies_to<T> || is_number_to_sum,
      "this operator does not apply to this element type: sum and product need numbers, minimum and "
      "maximum real numbers "
      "or bool, average floating-point or complex numbers, logical and bitwise operators integers or bool, "
      "min_location and max_location tutti::Located<T>, reproducible float, double or tutti::ReproducibleSum<T>");
  if constexpr (requires { typename Op::Pick; }) {
    return user_operator<T>(typename Op::Pick{}, true, Op::name);
  } else {
    constexpr Primitive primitive = primitive_of<T>();
    const Divide divide = std::same_as<Op, Average> ? divide_for(primitive) : nullptr;
    constexpr std::uint64_t identity = hash_of(Op::name);
    return {kernel_for(Op::reduction, primitive), nullptr, divide, true, identity, Op::name};
  }
}

/// A function object of the standard library that takes any two elements, or exactly these.
template <typename T, typename Op>
requires(StandardOperator<Op>) Operator operator_for(const Op& op) {
  using Own = typename Standard<Op>::Means;
  using Argument = typename Standard<Op>::Argument;
  if constexpr ((std::same_as<Argument, void> || std::same_as<Argument, T>)&&Own::template applies_to<T>) {
    return operator_for<T>(Own{});
  } else {
    // A caller's operator may do to a class of the caller's whatever it likes.
    return user_operator<T>(op, std::is_arithmetic_v<T>);
  }
}

template <typename T, typename Op>
requires(!LibraryOperator<Op> && !StandardOperator<Op>) Operator operator_for(const Op& op) {
  return user_operator<T>(op, false);
}

}  // namespace detail

}  // namespace tutti

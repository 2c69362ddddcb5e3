/// @file
/// A reduction operator for one element type, as a value.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "tutti/detail/datatype.hpp"

namespace tutti::detail {

/// The operators that the library compiles itself, for every primitive that they apply to.
enum class Reduction : std::uint8_t {
  none,  ///< the user's own
  sum,
  product,
  minimum,
  maximum,
  logical_and,
  logical_or,
  logical_xor,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
};
inline constexpr int reduction_kinds = 11;

/// into[i] = left[i] ∘ right[i] for n elements. `into` may be `left` or `right` exactly; other overlaps are not
/// allowed.
using Kernel = void (*)(void* into, const void* left, const void* right, std::int64_t n, const void* state);
/// data[i] = data[i] / divisor for n elements.
using Divide = void (*)(void* data, std::int64_t n, int divisor);

struct Operator {
  Kernel kernel = nullptr;
  std::shared_ptr<const void> state;  ///< the user's functor; empty for the library's operators
  Divide divide = nullptr;            ///< average: what the sum is divided by p with
  bool commutative = true;
  std::uint64_t identity = 0;  ///< equal for equal operators, on every rank
  std::string_view name;       ///< for error messages; static storage
};

/// The library's kernels; null where the operator does not apply to the type.
Kernel kernel_for(Reduction reduction, Primitive primitive);
Divide divide_for(Primitive primitive);

template <typename F, typename T>
concept CombinesElements = requires(const F& f, const T& a, const T& b) {
  { f(a, b) } -> std::convertible_to<T>;
};

/// The kernel of a functor that only the caller knows; `state` is the functor.
template <typename T, typename F>
void combine(void* into, const void* left, const void* right, std::int64_t n, const void* state) {
  const F& f = *static_cast<const F*>(state);
  T* const o = static_cast<T*>(into);
  const T* const a = static_cast<const T*>(left);
  const T* const b = static_cast<const T*>(right);
  for (std::int64_t i = 0; i < n; ++i) o[i] = static_cast<T>(f(a[i], b[i]));
}

/// Functors of one type are one operator; function pointers differ by the function.
template <typename F>
std::uint64_t identity_of(const F& f) {
  std::uint64_t identity = hash_of(typeid(F).name());
  if constexpr (std::is_pointer_v<F>) identity ^= reinterpret_cast<std::uintptr_t>(f) * 0x9e3779b97f4a7c15U;
  return identity;
}

template <typename T, typename F>
Operator user_operator(F f, bool commutative, std::string_view name = "the user's operator") {
  static_assert(CombinesElements<F, T>,
                "a user operator is a const callable that takes two elements and returns one: T f(T, T)");
  const std::uint64_t identity = identity_of(f);
  return {combine<T, F>, std::make_shared<const F>(std::move(f)), nullptr, commutative, identity, name};
}

}  // namespace tutti::detail

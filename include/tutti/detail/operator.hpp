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
#include "tutti/detail/export.hpp"

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

/// Way of storing results.
enum class Stores : std::uint8_t {
  cached,     ///< through the caches: whoever reads them soon finds them there
  streaming,  ///< past the caches: for more than they hold, no line is read only to be overwritten
};

/// into[i] = operands[0][i] ∘ operands[1][i] ∘ … from left to right, for n elements, in one pass over memory; one
/// operand is copied. `into` may be one of the operands exactly; other overlaps are not allowed. The result has the
/// same bits whatever the processor, the alignment, n and `stores`. Folding k operands gives the bits of k - 1 folds of
/// two, but for sums and products of 16-bit floats, which are computed in float and rounded once at the end. Which NaN
/// a sum or a product of several is, is not said.
using Kernel = void (*)(void* into, const void* const* operands, int count, std::int64_t n, Stores stores,
                        const void* state);
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
TUTTI_API Kernel kernel_for(Reduction reduction, Primitive primitive);
TUTTI_API Divide divide_for(Primitive primitive);

template <typename F, typename T>
concept CombinesElements = requires(const F& f, const T& a, const T& b) {
  { f(a, b) } -> std::convertible_to<T>;
};

/// The kernel of a functor that only the caller knows; `state` is the functor. Elements are stored as they are
/// assigned, whatever `stores` asks for.
template <typename T, typename F>
void combine(void* into, const void* const* operands, int count, std::int64_t n, Stores, const void* state) {
  const F& f = *static_cast<const F*>(state);
  T* const o = static_cast<T*>(into);
  for (std::int64_t i = 0; i < n; ++i) {
    T value = static_cast<const T*>(operands[0])[i];
    for (int k = 1; k < count; ++k) value = static_cast<T>(f(value, static_cast<const T*>(operands[k])[i]));
    o[i] = value;
  }
}

/// Returns the offset of the function at `address` in the program or library that holds it: equal in every process that
/// runs them, wherever they were loaded.
TUTTI_API std::uint64_t place_of_function(std::uintptr_t address);

/// Functors of one type are one operator; function pointers differ by the function.
template <typename F>
std::uint64_t identity_of(const F& f) {
  std::uint64_t identity = hash_of(typeid(F).name());
  if constexpr (std::is_pointer_v<F>) {
    identity ^= place_of_function(reinterpret_cast<std::uintptr_t>(f)) * 0x9e3779b97f4a7c15U;
  }
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

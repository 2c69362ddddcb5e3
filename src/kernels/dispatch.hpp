/// @file
/// Choice of a function's variant, one for each instruction set that it is compiled for, that this processor runs.
///
/// Highway's own dispatch lies in its shared library, which each process would load, and which measures the resolution
/// of a timer when it is: 6 ms of every rank's start. Nothing else here needs that library.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "kernels/targets.hpp"

// After targets.hpp, which says what is compiled.
#include <hwy/highway.h>

namespace tutti::runtime {

/// The instruction sets that the kernels are compiled for and this processor has: a sum of Highway's HWY_AVX2, ….
std::int64_t instruction_sets();
/// For tests: kernels that are looked up from here on are those for one of these instruction sets. 0: for any.
void use_instruction_sets(std::int64_t sets);
/// Returns the sets in use: instruction_sets(), or those that a test has set.
std::int64_t used_instruction_sets();

/// A function as compiled for an instruction set; null: not compiled for it.
template <typename F>
struct Variant {
  std::int64_t set;
  F* function;
};

/// The first variant that is there and in use; the last is for every processor.
template <typename F>
F* best_of(std::span<const Variant<F>> variants) {
  const std::int64_t used = used_instruction_sets();
  for (const Variant<F>& variant : variants.first(variants.size() - 1)) {
    if (variant.function != nullptr && (variant.set & used) != 0) return variant.function;
  }
  return variants.back().function;
}

}  // namespace tutti::runtime

/// The best variant of a function in HWY_NAMESPACE. Variants stand in the order of targets.hpp, the widest first.
#define TUTTI_BEST_OF(NAME)                                                                                            \
  ([] {                                                                                                                \
    using Function = std::remove_pointer_t<decltype(&HWY_STATIC_DISPATCH(NAME))>;                                      \
    static constexpr tutti::runtime::Variant<Function> variants[] = {{HWY_AVX3, HWY_CHOOSE_AVX3(NAME)},                \
                                                                     {HWY_AVX2, HWY_CHOOSE_AVX2(NAME)},                \
                                                                     {HWY_SSSE3, HWY_CHOOSE_SSSE3(NAME)},              \
                                                                     {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(NAME)}}; \
    return tutti::runtime::best_of<Function>(variants);                                                                \
  }())

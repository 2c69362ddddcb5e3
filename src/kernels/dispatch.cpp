#include "kernels/dispatch.hpp"

#include <atomic>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace tutti::runtime {
namespace {

#if HWY_ARCH_X86
// The processor is asked itself, because clang 14 does not know this feature by its name.
bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

// The features that Highway's compiler options of each target name; the compiler asks whether the system keeps the
// wider registers, too.
std::int64_t detected() {
  std::int64_t sets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  const bool has_ssse3 = __builtin_cpu_supports("ssse3");
  const bool has_avx2 = has_ssse3 && __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                        __builtin_cpu_supports("aes") && __builtin_cpu_supports("avx2") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                        __builtin_cpu_supports("fma") && has_f16c();
  const bool has_avx3 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (has_ssse3) sets |= HWY_SSSE3;
  if (has_avx2) sets |= HWY_AVX2;
  if (has_avx3) sets |= HWY_AVX3;
#endif
  return sets & HWY_TARGETS;
}

// Relaxed wherever it is used: the number is all that there is to see.
std::atomic<std::int64_t> in_use = 0;  // 0: not asked yet

}  // namespace

std::int64_t instruction_sets() {
  static const std::int64_t sets = detected();
  return sets;
}

void use_instruction_sets(std::int64_t sets) {
  in_use.store(sets != 0 ? sets : instruction_sets(), std::memory_order_relaxed);
}

std::int64_t used_instruction_sets() {
  const std::int64_t used = in_use.load(std::memory_order_relaxed);
  if (used != 0) return used;
  use_instruction_sets(0);
  return instruction_sets();
}

}  // namespace tutti::runtime

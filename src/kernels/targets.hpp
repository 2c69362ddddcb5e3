/// @file
/// Instruction sets that the kernels are compiled for. Include this before Highway.
///
/// On x86-64 four: plain code for every processor, SSSE3 (2006 and later), AVX2 (2013) and AVX-512. Those between and
/// beyond bring little that the kernels use, and each would cost its compile time and a hundred kilobytes. Elsewhere
/// the one that the compiler is told to expect: NEON on 64-bit ARM.
#pragma once

// Read by Highway, and by foreach_target.h, which must come later.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

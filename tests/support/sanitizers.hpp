/// @file
/// What tests must know of the sanitizers that they are built with.
#pragma once

namespace tutti::test {

/// Whether a sanitizer has reserved terabytes of addresses in every process, so that limits of addresses mean nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool addresses_are_reserved = true;
#else
inline constexpr bool addresses_are_reserved = false;
#endif

}  // namespace tutti::test

/// @file
/// Sanitizers that tests are built with, as far as tests must know of them.
#pragma once

// GCC defines a macro for a sanitizer, clang 14 calls it a feature.
#if defined(__has_feature)
#define TUTTI_TEST_HAS_FEATURE(name) __has_feature(name)
#else
#define TUTTI_TEST_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || TUTTI_TEST_HAS_FEATURE(address_sanitizer)
#define TUTTI_TEST_ADDRESS_SANITIZER 1
#else
#define TUTTI_TEST_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__) || TUTTI_TEST_HAS_FEATURE(thread_sanitizer)
#define TUTTI_TEST_THREAD_SANITIZER 1
#else
#define TUTTI_TEST_THREAD_SANITIZER 0
#endif

namespace tutti::test {

/// Whether a sanitizer has reserved terabytes of addresses in every process, so that limits of addresses mean nothing.
#if TUTTI_TEST_ADDRESS_SANITIZER || TUTTI_TEST_THREAD_SANITIZER
inline constexpr bool addresses_are_reserved = true;
#else
inline constexpr bool addresses_are_reserved = false;
#endif

/// Words of a test about such limits when it is skipped.
inline constexpr const char* why_addresses_are_reserved = "a sanitizer has reserved terabytes of addresses";

/// Transport between the processes of `tutti run`, as the command calls it: a sanitizer's allocator stands in the place
/// of the shared heap.
inline constexpr const char* processes_here = addresses_are_reserved ? "system-copies" : "processes";

/// Whether a sanitizer reports what a handler of signals does that only a test can be sure of, as to take memory.
#if TUTTI_TEST_THREAD_SANITIZER
inline constexpr bool handlers_are_watched = true;
#else
inline constexpr bool handlers_are_watched = false;
#endif

/// Words of a test with such a handler when it is skipped.
inline constexpr const char* why_handlers_are_watched = "a sanitizer reports memory that a handler of signals takes";

/// Sampling of long lists of cases that compute alike: all are tried as shipped, and each tenth with a sanitizer, which
/// takes ten times as long: it looks for errors of memory, which all of them would make.
inline constexpr int sampled_of = addresses_are_reserved ? 10 : 1;

/// Whether a sanitizer would only see again, more slowly, what fewer cases show it: what is checked is a size or a
/// figure.
inline constexpr bool has_seen_enough = addresses_are_reserved;

/// Words of a test of that kind when it is skipped.
inline constexpr const char* learns_nothing_from_size = "a sanitizer learns nothing from size";

class Sample {
 public:
  bool takes_next() { return next_++ % sampled_of == 0; }

 private:
  int next_ = 0;
};

}  // namespace tutti::test

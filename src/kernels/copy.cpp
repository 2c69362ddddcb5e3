#include "kernels/copy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tutti::runtime {
namespace {

#ifdef __SSE2__
constexpr std::size_t line = 64;

/// Whole cache lines, because a line written in part must be read first. Every x86-64 has SSE2, and four of its stores
/// fill a line as fast as one of AVX-512. All places lie alike to lines.
template <std::size_t places>
void stream(const std::array<unsigned char*, places>& to, const unsigned char* from, std::size_t n) {
  const std::size_t head = std::min(n, (line - reinterpret_cast<std::uintptr_t>(to[0]) % line) % line);
  for (unsigned char* const place : to) std::memcpy(place, from, head);
  std::size_t at = head;
  for (; at + line <= n; at += line) {
    __m128i part[4];
    for (int i = 0; i < 4; ++i) part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at) + i);
    for (unsigned char* const place : to) {
      for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(place + at) + i, part[i]);
    }
  }
  for (unsigned char* const place : to) std::memcpy(place + at, from + at, n - at);
}
#endif

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t n, detail::Stores stores) {
  if (n == 0 || to == from) return;
#ifdef __SSE2__
  if (stores == detail::Stores::streaming) {
    stream<1>({static_cast<unsigned char*>(to)}, static_cast<const unsigned char*>(from), n);
    return;
  }
#else
  static_cast<void>(stores);
#endif
  std::memcpy(to, from, n);
}

void copy_bytes_twice(void* to, void* also_to, const void* from, std::size_t n, detail::Stores stores) {
#ifdef __SSE2__
  const auto into_line = [](const void* place) { return reinterpret_cast<std::uintptr_t>(place) % line; };
  if (stores == detail::Stores::streaming && to != from && into_line(to) == into_line(also_to)) {
    stream<2>({static_cast<unsigned char*>(to), static_cast<unsigned char*>(also_to)},
              static_cast<const unsigned char*>(from), n);
    return;
  }
#endif
  constexpr std::size_t part = 16 * 1024;  // stays in the first cache
  for (std::size_t at = 0; at < n; at += part) {
    const std::size_t now = std::min(part, n - at);
    for (void* const place : {to, also_to})
      copy_bytes(static_cast<unsigned char*>(place) + at, static_cast<const unsigned char*>(from) + at, now, stores);
  }
}

void fence_streaming_stores() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace tutti::runtime

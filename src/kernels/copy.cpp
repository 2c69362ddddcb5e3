#include "kernels/copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tutti::runtime {
namespace {

#ifdef __SSE2__
/// Whole cache lines, because a line written in part must be read first. Every x86-64 has SSE2, and four of its stores
/// fill a line as fast as one of AVX-512.
void stream(unsigned char* to, const unsigned char* from, std::size_t n) {
  constexpr std::size_t line = 64;
  const std::size_t head = std::min(n, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; at + line <= n; at += line) {
    __m128i part[4];
    for (int i = 0; i < 4; ++i) part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at) + i);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to + at) + i, part[i]);
  }
  std::memcpy(to + at, from + at, n - at);
  _mm_sfence();
}
#endif

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t n, detail::Stores stores) {
  if (n == 0 || to == from) return;
#ifdef __SSE2__
  if (stores == detail::Stores::streaming) {
    stream(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), n);
    return;
  }
#else
  static_cast<void>(stores);
#endif
  std::memcpy(to, from, n);
}

}  // namespace tutti::runtime

#include "measure/moving.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tutti::measure {
namespace {

// Copies go piece by piece, so that a piece is in the first cache when it is written to its second destination.
constexpr std::size_t piece = 1024;

template <typename Copy>
void copy_to_all(const Streams& streams, std::size_t begin, std::size_t end, Copy copy) {
  const std::size_t step = streams.into.size() == 1 ? end - begin : piece;
  for (std::size_t at = begin; at < end; at += step) {
    const std::size_t count = std::min(step, end - at);
    for (double* const into : streams.into) copy(into + at, streams.from[0] + at, count);
  }
}

[[gnu::always_inline]] inline void add_all(const Streams& streams, std::size_t begin, std::size_t end) {
  double* const into = streams.into[0];
  for (std::size_t at = begin; at < end; at += piece) {
    const std::size_t last = std::min(at + piece, end);
    const double* const first = streams.from[0];
    const double* const second = streams.from[1];
    for (std::size_t k = at; k < last; ++k) into[k] = first[k] + second[k];
    for (const double* const more : streams.from.subspan(2)) {
      for (std::size_t k = at; k < last; ++k) into[k] += more[k];
    }
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx512f")]] void add_all_512(const Streams& streams, std::size_t begin, std::size_t end) {
  add_all(streams, begin, end);
}
[[gnu::target("avx2")]] void add_all_256(const Streams& streams, std::size_t begin, std::size_t end) {
  add_all(streams, begin, end);
}
void add_widest(const Streams& streams, std::size_t begin, std::size_t end) {
  static const auto chosen = __builtin_cpu_supports("avx512f") ? add_all_512
                             : __builtin_cpu_supports("avx2")
                                 ? add_all_256
                                 : +[](const Streams& s, std::size_t b, std::size_t e) { add_all(s, b, e); };
  chosen(streams, begin, end);
}
#else
void add_widest(const Streams& streams, std::size_t begin, std::size_t end) { add_all(streams, begin, end); }
#endif

void move_cached(const Streams& streams, std::size_t begin, std::size_t end) {
  if (streams.from.size() > 1) return add_widest(streams, begin, end);
  copy_to_all(streams, begin, end, [](double* into, const double* from, std::size_t count) {
    std::memcpy(into, from, count * sizeof(double));
  });
}

#ifdef __SSE2__
// Streaming stores want whole aligned lines: what is before the first and after the last is moved the other way.
void move_streaming(const Streams& streams, std::size_t begin, std::size_t end) {
  constexpr std::size_t line = 64 / sizeof(double);
  const std::size_t first = std::min(end, (begin + line - 1) / line * line);
  const std::size_t last = std::max(first, end / line * line);
  if (begin < first) move_cached(streams, begin, first);
  for (std::size_t at = first; at < last; at += piece) {
    const std::size_t until = std::min(at + piece, last);
    for (double* const into : streams.into) {
      for (std::size_t k = at; k < until; k += 2) {
        __m128d sum = _mm_load_pd(streams.from[0] + k);
        for (const double* const more : streams.from.subspan(1)) sum = _mm_add_pd(sum, _mm_load_pd(more + k));
        _mm_stream_pd(into + k, sum);
      }
    }
  }
  _mm_sfence();
  if (last < end) move_cached(streams, last, end);
}
constexpr Mover ways[] = {{"cached", move_cached}, {"streaming", move_streaming}};
#else
constexpr Mover ways[] = {{"cached", move_cached}};
#endif

}  // namespace

std::span<const Mover> movers() { return ways; }

}  // namespace tutti::measure

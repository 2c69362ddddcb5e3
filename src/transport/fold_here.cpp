#include "transport/fold_here.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/copy.hpp"

namespace tutti::runtime {
namespace {

/// Computes that part of the fold into `into`.
void combine_into(std::byte* into, const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                  detail::Stores stores, std::vector<const void*>& pointers) {
  if (fold.operands.size() == 1) {
    copy_bytes(into, fold.operands.front().pointer() + first, static_cast<std::size_t>(bytes), stores);
    return;
  }
  pointers.clear();
  for (const Stretch& operand : fold.operands) pointers.push_back(operand.pointer() + first);
  how.op->kernel(into, pointers.data(), static_cast<int>(pointers.size()), bytes / how.element_size, stores,
                 how.op->state.get());
}

/// The same, stored at several places: computed in `into`, a part at a time, and copied from there while it lies in the
/// first cache.
void fold_to_several(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                     std::vector<const void*>& pointers) {
  combine_into(fold.into.pointer() + first, fold, how, first, bytes, detail::Stores::cached, pointers);
  for (const Stretch& place : fold.also)
    std::memcpy(place.pointer() + first, fold.into.pointer() + first, static_cast<std::size_t>(bytes));
}

/// A part of a fold that fills other places than its result's. An operand that is copied is combined, too, while it
/// lies in a cache.
void fill_part(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers) {
  if (fold.copy.bytes > 0) {
    const std::byte* const copied = fold.operands[static_cast<std::size_t>(fold.copied)].pointer();
    copy_bytes(fold.copy.pointer() + first, copied + first, static_cast<std::size_t>(bytes), stores);
  }
  if (fold.also.empty()) {
    combine_into(fold.into.pointer() + first, fold, how, first, bytes, stores, pointers);
  } else {
    fold_to_several(fold, how, first, bytes, pointers);
  }
}

/// How a fold is cut: into a part of `head` bytes, and others of `step` bytes.
struct Parts {
  std::int64_t head = 0;
  std::int64_t step = 0;
};

constexpr std::int64_t line = 64;

/// Where the copy and the result are both stored past the caches, they are a few lines at a time. Two threads of an AMD
/// EPYC with 1 MiB of L2 cache a core, the copy and the sum of two that a scan needs as a loop by hand, microseconds,
/// medians of 37 to 258 in turn:
///
///     parts of                     128 B   512 B   1 KiB   4 KiB   32 KiB   line by line
///     4 MiB, buffers changing        281     278     282     302      315            276
///     16 MiB, buffers changing     1,091   1,103   1,092   1,145    1,248          1,084
///     4 MiB, warm                     79      66      66      71       86             65
///     16 MiB, warm                   368     306     308     327      447            291
constexpr std::int64_t part_that_streams = 512;
/// Where they cannot be, or are stored through the caches.
constexpr std::int64_t part_with_copy = 32 * 1024;
constexpr std::int64_t part_without_copy = 16 * 1024;

/// Parts that begin, but for the head, where a line of the result and one of the copy do. Nothing where there are no
/// such parts, because the two lie differently to lines or an element is too odd or too long.
std::optional<Parts> parts_of_lines(const Fold& fold, std::int64_t size, std::int64_t first) {
  const auto into_line = [&](const Stretch& place) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place.pointer() + first) % line);
  };
  const std::int64_t least = std::lcm(line, size);
  if (least > part_with_copy || into_line(fold.into) != into_line(fold.copy)) return std::nullopt;
  std::int64_t head = 0;
  while (head < least && (into_line(fold.into) + head) % line != 0) head += size;
  if (head == least) return std::nullopt;
  return Parts{head, std::max<std::int64_t>(part_that_streams / least, 1) * least};
}

Parts parts_of(const Fold& fold, std::int64_t size, std::int64_t first, detail::Stores stores) {
  if (fold.copy.bytes > 0 && fold.also.empty() && stores == detail::Stores::streaming) {
    if (const auto parts = parts_of_lines(fold, size, first)) return *parts;
  }
  const std::int64_t bytes = fold.copy.bytes > 0 ? part_with_copy : part_without_copy;
  return {0, std::max<std::int64_t>(bytes / size, 1) * size};
}

void fold_and_fill(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                   detail::Stores stores, std::vector<const void*>& pointers) {
  const Parts parts = parts_of(fold, how.element_size, first, stores);
  std::int64_t part = parts.head > 0 ? parts.head : parts.step;
  for (std::int64_t at = first; at < first + bytes; at += std::exchange(part, parts.step))
    fill_part(fold, how, at, std::min(part, first + bytes - at), stores, pointers);
}

}  // namespace

detail::Stores stores_for(std::int64_t bytes) {
  return bytes >= static_cast<std::int64_t>(streaming_from) ? detail::Stores::streaming : detail::Stores::cached;
}

void fold_here(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers) {
  if (fold.operands.size() == 1 && fold.also.empty() && fold.copy.bytes > 0) {
    copy_bytes_twice(fold.into.pointer() + first, fold.copy.pointer() + first, fold.operands.front().pointer() + first,
                     static_cast<std::size_t>(bytes), stores);
  } else if (!fold.fills()) {
    combine_into(fold.into.pointer() + first, fold, how, first, bytes, stores, pointers);
  } else {
    fold_and_fill(fold, how, first, bytes, stores, pointers);
  }
  if (stores == detail::Stores::streaming) fence_streaming_stores();
}

}  // namespace tutti::runtime

#include "transport/fold_here.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/copy.hpp"

namespace tutti::runtime {
namespace {

constexpr std::int64_t line = 64;
constexpr std::int64_t longest_part_that_streams = 4096;

/// Computes that part of the fold into `into`.
void combine_into(std::byte* into, const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                  detail::Stores stores, std::vector<const void*>& pointers) {
  if (fold.operands.size() == 1) {
    copy_bytes(into, fold.operands.front().pointer() + first, static_cast<std::size_t>(bytes), stores);
    return;
  }
  pointers.clear();
  for (const MemoryRange& operand : fold.operands) pointers.push_back(operand.pointer() + first);
  how.op->kernel(into, pointers.data(), static_cast<int>(pointers.size()), bytes / how.element_size, stores,
                 how.op->state.get());
}

/// Folds into several places: computed in `into`, a part at a time, and copied from there while it lies in the first
/// cache.
void fold_to_several(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                     std::vector<const void*>& pointers) {
  combine_into(fold.into.pointer() + first, fold, how, first, bytes, detail::Stores::cached, pointers);
  for (const MemoryRange& place : fold.also)
    std::memcpy(place.pointer() + first, fold.into.pointer() + first, static_cast<std::size_t>(bytes));
}

/// Folds into several places past the caches, for a part that streams: computed beside all of them.
void stream_to_several(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                       std::vector<const void*>& pointers) {
  alignas(line) std::array<std::byte, longest_part_that_streams> result;
  const auto n = static_cast<std::size_t>(bytes);
  combine_into(result.data(), fold, how, first, bytes, detail::Stores::cached, pointers);
  copy_bytes_twice(fold.into.pointer() + first, fold.also.front().pointer() + first, result.data(), n,
                   detail::Stores::streaming);
  for (const MemoryRange& place : fold.also.subspan(1))
    copy_bytes(place.pointer() + first, result.data(), n, detail::Stores::streaming);
}

/// Cut of a fold: into a part of `head` bytes, and others of `step` bytes. Results at several places stream if all
/// parts but the head and the last are whole lines of them.
struct FoldParts {
  std::int64_t head = 0;
  std::int64_t step = 0;
  detail::Stores to_several = detail::Stores::cached;
};

/// A part of a fold that fills other places than its result's. An operand that is copied is combined, too, while it
/// lies in a cache.
void fill_part(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               detail::Stores to_several, std::vector<const void*>& pointers) {
  if (fold.copy.bytes > 0) {
    const std::byte* const copied = fold.operands[static_cast<std::size_t>(fold.copied)].pointer();
    copy_bytes(fold.copy.pointer() + first, copied + first, static_cast<std::size_t>(bytes), stores);
  }
  if (fold.also.empty()) {
    combine_into(fold.into.pointer() + first, fold, how, first, bytes, stores, pointers);
  } else if (to_several == detail::Stores::streaming) {
    stream_to_several(fold, how, first, bytes, pointers);
  } else {
    fold_to_several(fold, how, first, bytes, pointers);
  }
}

/// Parts stored at two places and more past the caches are a few lines at a time. Two threads of an AMD EPYC with 1 MiB
/// of L2 cache a core, the copy and the sum of two that a scan needs as a loop by hand, microseconds, medians of 37 to
/// 258 in turn:
///
///     parts of                     128 B   512 B   1 KiB   4 KiB   32 KiB   line by line
///     4 MiB, buffers changing        281     278     282     302      315            276
///     16 MiB, buffers changing     1,091   1,103   1,092   1,145    1,248          1,084
///     4 MiB, warm                     79      66      66      71       86             65
///     16 MiB, warm                   368     306     308     327      447            291
///
/// Whole all-reduces in warm buffers, threads and processes, whose ranks store what they have combined at both, medians
/// of eight rows: two passes 4 MiB 259, 16 MiB 1,300; parts of 512 bytes 197 and 945, of 1 KiB 197 and 1,115, of 2 KiB
/// 198 and 1,192. With what comes next fetched ahead no part is faster than 512 bytes are.
constexpr std::int64_t part_that_streams = 512;
/// Parts that cannot be, or are stored through the caches.
constexpr std::int64_t part_with_copy = 32 * 1024;
constexpr std::int64_t part_without_copy = 16 * 1024;

/// Parts that begin, but for the head, where a line of each place does that is written. Nothing where there are no such
/// parts, because places lie differently to lines or an element is too odd or too long.
std::optional<FoldParts> parts_of_lines(const Fold& fold, std::int64_t size, std::int64_t first) {
  const auto into_line = [&](const MemoryRange& place) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place.pointer() + first) % line);
  };
  const std::int64_t least = std::lcm(line, size);
  if (least > longest_part_that_streams) return std::nullopt;
  const auto lies_alike = [&](const MemoryRange& place) { return into_line(place) == into_line(fold.into); };
  if (fold.copy.bytes > 0 && !lies_alike(fold.copy)) return std::nullopt;
  if (!std::all_of(fold.also.begin(), fold.also.end(), lies_alike)) return std::nullopt;
  std::int64_t head = 0;
  while (head < least && (into_line(fold.into) + head) % line != 0) head += size;
  if (head == least) return std::nullopt;
  return FoldParts{head, std::max<std::int64_t>(part_that_streams / least, 1) * least, detail::Stores::streaming};
}

FoldParts parts_of(const Fold& fold, std::int64_t size, std::int64_t first, detail::Stores stores) {
  if (stores == detail::Stores::streaming) {
    if (const auto parts = parts_of_lines(fold, size, first)) return *parts;
  }
  const std::int64_t bytes = fold.copy.bytes > 0 ? part_with_copy : part_without_copy;
  return {0, std::max<std::int64_t>(bytes / size, 1) * size};
}

void fold_and_fill(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes,
                   detail::Stores stores, std::vector<const void*>& pointers) {
  const FoldParts parts = parts_of(fold, how.element_size, first, stores);
  std::int64_t part = parts.head > 0 ? parts.head : parts.step;
  for (std::int64_t at = first; at < first + bytes; at += std::exchange(part, parts.step))
    fill_part(fold, how, at, std::min(part, first + bytes - at), stores, parts.to_several, pointers);
}

/// Fences the streaming stores that were asked for, also where a user's operator throws: other ranks, whose memory it
/// may be, are told afterwards that nobody writes there.
class FenceAtEnd {
 public:
  explicit FenceAtEnd(detail::Stores stores) : stores_(stores) {}
  FenceAtEnd(const FenceAtEnd&) = delete;
  FenceAtEnd& operator=(const FenceAtEnd&) = delete;
  ~FenceAtEnd() {
    if (stores_ == detail::Stores::streaming) fence_streaming_stores();
  }

 private:
  detail::Stores stores_;
};

}  // namespace

detail::Stores stores_for(std::int64_t bytes) {
  return bytes >= static_cast<std::int64_t>(streaming_from) ? detail::Stores::streaming : detail::Stores::cached;
}

void fold_here(const Fold& fold, const Combination& how, std::int64_t first, std::int64_t bytes, detail::Stores stores,
               std::vector<const void*>& pointers) {
  const FenceAtEnd fence(stores);
  if (fold.operands.size() == 1 && fold.also.empty() && fold.copy.bytes > 0) {
    copy_bytes_twice(fold.into.pointer() + first, fold.copy.pointer() + first, fold.operands.front().pointer() + first,
                     static_cast<std::size_t>(bytes), stores);
  } else if (!fold.fills()) {
    combine_into(fold.into.pointer() + first, fold, how, first, bytes, stores, pointers);
  } else {
    fold_and_fill(fold, how, first, bytes, stores, pointers);
  }
}

}  // namespace tutti::runtime

#include "transport/processes/segment_map.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "base/units.hpp"
#include "heap/memory.hpp"
#include "heap/pages.hpp"

namespace tutti::runtime {
namespace {

using heap::page;

constexpr std::size_t unit = AddressIndex::unit;

[[noreturn]] void refuse(std::size_t bytes, int error) {
  const std::string size = text_of(Bytes{static_cast<std::int64_t>(bytes)});
  if (error == EBADF)
    fail(ErrorCode::unsupported,
         "{} more of shared memory cannot be reached: the program has closed tutti's descriptor, and the system maps "
         "none without it: leave descriptors alone that the program has not opened",
         size);
  fail(ErrorCode::unsupported, "no room for {} of addresses ({}): raise the limit of {}", size,
       std::generic_category().message(error),
       error == EAGAIN ? "locked memory (ulimit -l)" : "virtual memory (ulimit -v)");
}

}  // namespace

SegmentMap::SegmentMap(SegmentFile file, std::size_t control_bytes, int ranks)
    : file_(std::move(file)),
      control_bytes_(control_bytes),
      heaps_(static_cast<std::size_t>(ranks)),
      extents_(std::make_unique<std::atomic<std::byte*>[]>(heaps_ * extent_count)) {
  control_ = map(0, control_bytes_);
}

SegmentMap::~SegmentMap() {
  munmap(control_, control_bytes_);
  for (std::size_t number = 0; number < heaps_ * extent_count; ++number) {
    std::byte* const begin = extents_[number].load(std::memory_order_relaxed);
    if (begin != nullptr) munmap(begin, Extent::number(static_cast<int>(number % extent_count)).bytes);
  }
}

std::byte* SegmentMap::map_extent(std::size_t number) {
  require(number < heaps_ * extent_count, "the segment has no extent {}", number);
  const std::lock_guard lock(mutex_);
  std::byte* begin = extents_[number].load(std::memory_order_relaxed);
  if (begin != nullptr) return begin;
  const Extent extent = Extent::number(static_cast<int>(number % extent_count));
  begin = map(control_bytes_ + number / extent_count * heap_size + extent.offset, extent.bytes);
  // Release: who finds the extent finds it mapped.
  extents_[number].store(begin, std::memory_order_release);
  return begin;
}

std::byte* SegmentMap::map(std::uint64_t offset, std::size_t bytes) {
  auto* const place = reinterpret_cast<std::byte*>(heap::reserve_addresses(bytes, unit));  // NOLINT: an address
  if (place == nullptr) refuse(bytes, errno);
  if (!map_by_descriptor(place, offset, bytes) && !map_by_address(place, offset, bytes)) {
    const int why = errno;
    munmap(place, bytes);
    refuse(bytes, why);
  }
  madvise(place, bytes, MADV_DONTDUMP);
  index_.add(place, bytes, offset);
  return place;
}

bool SegmentMap::map_by_descriptor(std::byte* place, std::uint64_t offset, std::size_t bytes) const {
  if (!file_.is_ours()) return false;
  const void* const memory = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                                  file_.number(), static_cast<off_t>(offset));
  // Again, because another thread may have closed the descriptor in between.
  return memory != MAP_FAILED && file_.is_ours();
}

// A mapping knows its file: a second one is made of the control part, and moved to another part of the file.
bool SegmentMap::map_by_address(std::byte* place, std::uint64_t offset, std::size_t bytes) const {
  const bool works = control_ != nullptr && !file_.is_ours() &&
                     mremap(control_, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED &&
                     remap_file_pages(place, bytes, 0, offset / page, MAP_NONBLOCK) == 0;
  if (!works && errno != ENOMEM && !file_.is_ours()) errno = EBADF;
  return works;
}

}  // namespace tutti::runtime

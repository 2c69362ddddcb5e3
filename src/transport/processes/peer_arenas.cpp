#include "transport/processes/peer_arenas.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "transport/processes/segment.hpp"

namespace tutti::runtime {
namespace {

/// An arena's file as it was opened; closes itself.
class ArenaFile {
 public:
  /// The number may mean something else, in another namespace or since the process has closed the file: it is the
  /// arena's if it belongs to this user alone and has the secret.
  ArenaFile(std::int64_t process, const heap::ArenaDescription& arena) {
    const std::string path = fmt::format("/proc/{}/fd/{}", process, arena.file);
    number_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (number_ >= 0 && !is_of(arena)) {
      close(number_);
      number_ = -1;
    }
  }
  ArenaFile(const ArenaFile&) = delete;
  ArenaFile& operator=(const ArenaFile&) = delete;
  ~ArenaFile() {
    if (number_ >= 0) close(number_);
  }

  bool is_open() const { return number_ >= 0; }
  /// Null where the system refuses.
  std::byte* map(const heap::Extent& extent) const {
    void* const memory =
        mmap(nullptr, extent.bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, number_, static_cast<off_t>(extent.offset));
    if (memory == MAP_FAILED) return nullptr;
    madvise(memory, extent.bytes, MADV_DONTDUMP);
    return static_cast<std::byte*>(memory);
  }

 private:
  bool is_of(const heap::ArenaDescription& arena) const {
    struct stat status = {};
    std::uint64_t secret = 0;
    return fstat(number_, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IRWXG | S_IRWXO)) == 0 && (fcntl(number_, F_GET_SEALS) & F_SEAL_SHRINK) != 0 &&
           pread(number_, &secret, sizeof(secret), static_cast<off_t>(arena.bytes)) == sizeof(secret) &&
           secret == arena.secret;
  }

  int number_ = -1;
};

/// The marks of one word that stand for windows [first, end).
std::uint64_t mask_of(std::size_t word, std::size_t first, std::size_t end) {
  constexpr std::size_t bits = 64;
  const std::size_t low = std::max(first, word * bits) - word * bits;
  const std::size_t high = std::min(end, (word + 1) * bits) - word * bits;
  const std::uint64_t below_high = high == bits ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
  return below_high & ~((std::uint64_t{1} << low) - 1);
}

}  // namespace

PeerArenas::PeerArenas(const Segment& segment)
    : segment_(segment), arenas_(std::make_unique<std::atomic<Arena*>[]>(static_cast<std::size_t>(segment.ranks()))) {}

PeerArenas::~PeerArenas() {
  for (int rank = 0; rank < segment_.ranks(); ++rank) {
    const std::unique_ptr<Arena> arena(arenas_[static_cast<std::size_t>(rank)].load(std::memory_order_relaxed));
    if (arena == nullptr) continue;
    for (int index = 0; index < most_extents; ++index) {
      std::byte* const begin = arena->extents[static_cast<std::size_t>(index)].load(std::memory_order_relaxed);
      if (begin != nullptr) munmap(begin, heap::Extent::number(index).bytes);
    }
  }
}

/// Returns the begin of the extent in this process, for that place; null if it cannot be mapped.
std::byte* PeerArenas::extent_of(const ArenaPlace& place) {
  const int index = heap::Extent::number_at(place.offset);
  if (place.rank >= segment_.ranks() || index >= most_extents) return nullptr;
  // Acquire, both: pairs with map() of another thread.
  Arena* const arena = arenas_[static_cast<std::size_t>(place.rank)].load(std::memory_order_acquire);
  std::byte* const begin =
      arena == nullptr ? nullptr : arena->extents[static_cast<std::size_t>(index)].load(std::memory_order_acquire);
  return begin == nullptr ? map(place.rank, index) : begin;
}

/// The place, in an extent that begins there, with so many bytes to be used.
std::byte* PeerArenas::expected(const ArenaPlace& place, std::byte* begin, std::size_t bytes, KnownPages::Use use) {
  const int index = heap::Extent::number_at(place.offset);
  const std::size_t at = place.offset - heap::Extent::number(index).offset;
  // Relaxed: extent_of() has acquired it.
  const Arena& arena = *arenas_[static_cast<std::size_t>(place.rank)].load(std::memory_order_relaxed);
  arena.pages[static_cast<std::size_t>(index)]->expect(begin, at, bytes, use);
  return begin + at;
}

std::byte* PeerArenas::at(const ArenaPlace& place, std::size_t bytes) {
  std::byte* const begin = extent_of(place);
  return begin == nullptr ? nullptr : expected(place, begin, bytes, KnownPages::Use::read);
}

std::byte* PeerArenas::writable_at(const ArenaPlace& place, std::size_t bytes) {
  std::byte* const begin = extent_of(place);
  if (begin == nullptr) return nullptr;
  const int index = heap::Extent::number_at(place.offset);
  Arena& arena = *arenas_[static_cast<std::size_t>(place.rank)].load(std::memory_order_acquire);
  std::atomic<bool>& is_writable = arena.are_writable[static_cast<std::size_t>(index)];
  // Acquire, release: who finds it so finds the pages so.
  if (!is_writable.load(std::memory_order_acquire)) [[unlikely]] {
    if (mprotect(begin, heap::Extent::number(index).bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    is_writable.store(true, std::memory_order_release);
  }
  return expected(place, begin, bytes, KnownPages::Use::write);
}

PeerArenas::Arena& PeerArenas::arena_of(int rank) {
  std::atomic<Arena*>& place = arenas_[static_cast<std::size_t>(rank)];
  if (place.load(std::memory_order_relaxed) == nullptr) {
    auto arena = std::make_unique<Arena>();
    arena->is_refused = segment_.record(rank).arena().base == 0;
    // Release: publishes the empty arena.
    place.store(arena.release(), std::memory_order_release);
  }
  return *place.load(std::memory_order_relaxed);
}

std::byte* PeerArenas::map(int rank, int index) {
  const heap::ArenaDescription& told = segment_.record(rank).arena();
  const heap::Extent extent = heap::Extent::number(index);
  if (extent.offset + extent.bytes > told.bytes) return nullptr;
  const std::lock_guard lock(mutex_);
  Arena& arena = arena_of(rank);
  std::atomic<std::byte*>& begin = arena.extents[static_cast<std::size_t>(index)];
  if (begin.load(std::memory_order_relaxed) != nullptr || arena.is_refused) {
    return begin.load(std::memory_order_relaxed);
  }
  const ArenaFile file(segment_.record(rank).process(), told);
  std::byte* const mapped = file.is_open() ? file.map(extent) : nullptr;
  arena.is_refused = mapped == nullptr;
  if (mapped != nullptr) arena.pages[static_cast<std::size_t>(index)] = std::make_unique<KnownPages>(extent.bytes);
  // Release: who finds the extent finds it mapped.
  begin.store(mapped, std::memory_order_release);
  return mapped;
}

bool PeerArenas::can_map(int rank) { return rank == segment_.rank() || at({rank, 0}, 0) != nullptr; }

KnownPages::KnownPages(std::size_t bytes)
    : bytes_(bytes),
      read_(std::make_unique<std::atomic<std::uint64_t>[]>(bytes / window / bits + 1)),
      written_(std::make_unique<std::atomic<std::uint64_t>[]>(bytes / window / bits + 1)) {}

bool KnownPages::has_all(const Marks& marks, std::size_t first, std::size_t end) {
  for (std::size_t word = first / bits; word * bits < end; ++word) {
    const std::uint64_t mask = mask_of(word, first, end);
    // Relaxed, here and where marks are set: whoever misses one asks once more.
    if ((marks[word].load(std::memory_order_relaxed) & mask) != mask) return false;
  }
  return true;
}

void KnownPages::expect(std::byte* begin, std::size_t at, std::size_t bytes, Use use) {
  if (bytes < window || at + bytes > bytes_) return;
  // A marked window is known as a whole.
  const std::size_t first = (at + window - 1) / window;
  const std::size_t end = (at + bytes) / window;
  Marks& marks = marks_of(use);
  if (has_all(marks, first, end)) [[likely]]
    return;
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::byte* const from = begin + at / page * page;
  const std::size_t length = at % page + bytes;
  // Nothing depends on whether the system does it. Reading first: it finds sixteen pages a step, and where the mapping
  // may be written they can be; then only those remain that were found while it could only be read.
  madvise(from, length, MADV_POPULATE_READ);
  if (use == Use::write) madvise(from, length, MADV_POPULATE_WRITE);
  for (std::size_t word = first / bits; word * bits < end; ++word)
    marks[word].fetch_or(mask_of(word, first, end), std::memory_order_relaxed);
}

}  // namespace tutti::runtime

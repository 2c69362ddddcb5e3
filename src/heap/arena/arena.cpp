#include "heap/arena/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "heap/arena/system.hpp"
#include "heap/memory.hpp"
#include "heap/pages.hpp"

namespace tutti::heap {
namespace {

/// Bytes that free blocks keep, so that the next blocks find pages: as much as glibc keeps at most.
constexpr std::size_t most_kept = std::size_t{64} << 20;
constexpr std::size_t little = std::size_t{16} << 20;
/// Number of extents that are reserved at the beginning. Programs are limited in addresses, and read how many they
/// have.
constexpr int first_extents = 9;
static_assert(Extent::sum(first_extents) == std::size_t{512} << 20);
/// From this size on a block is had only if the machine has that much memory to give.
constexpr std::size_t large = std::size_t{64} << 20;
/// From this size on a block begins where a large page may.
constexpr std::size_t with_large_pages = std::size_t{4} << 20;

/// Holds the arena's lock.
class Guard {
 public:
  explicit Guard(Arena& arena) : arena_(arena) { arena_.lock(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { arena_.unlock(); }

 private:
  Arena& arena_;
};

}  // namespace

bool Arena::reserve() noexcept {
  const std::size_t most = most_addresses();
  while (extents_ < most_extents && Extent::sum(extents_ + 1) <= most) ++extents_;
  if (extents_ == 0) return false;
  const std::size_t bytes = Extent::sum(extents_);
  std::size_t first = Extent::sum(std::min(extents_, first_extents));
  base_ = reserve_lonely_addresses(first, bytes, Extent::least);
  if (base_ == 0) base_ = reserve_addresses(first = bytes, Extent::least);
  if (base_ == 0) return false;
  bytes_ = bytes;
  // From here on contains() knows it.
  reserved_.store(first, std::memory_order_relaxed);
  return true;
}

/// Reserves the extents up to there; false where something else has taken their addresses, or a limit is met.
bool Arena::reserve_to(std::size_t end) noexcept {
  const std::size_t reserved = reserved_.load(std::memory_order_relaxed);
  if (end <= reserved) return true;
  if (!reserve_there(at(reserved), end - reserved)) return false;
  reserved_.store(end, std::memory_order_relaxed);
  return true;
}

bool Arena::open() noexcept {
  if (state_ == State::shared || state_ == State::own) return true;
  if (state_ == State::refused || bytes_ == 0) return false;
  state_ = State::refused;
  if (!nodes_.prepare(4 * most_extents) || !marks_.reserve(bytes_)) return false;
  if (!make_file()) {
    marks_.release();
    return false;
  }
  space_ = new (place_.data()) Space(extents_, &nodes_);
  most_kept_ = most_kept;
  is_strict_ = overcommit_is_strict();
  has_one_node_ = memory_has_one_node();
  state_ = State::shared;
  return true;
}

bool Arena::make_file() noexcept {
  secret_ = random_number();
  file_ = make_sealed_file(bytes_, secret_);
  return file_ >= 0 && identity_of(file_, device_, inode_);
}

// Programs close descriptors that they have not opened, and get their numbers for files of their own.
bool Arena::has_file() const noexcept {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  return file_ >= 0 && identity_of(file_, device, inode) && device == device_ && inode == inode_;
}

/// Maps the extent up to the end of that block.
bool Arena::map(std::size_t offset, std::size_t bytes) noexcept {
  const int index = Extent::number_at(offset);
  const Extent extent = Extent::number(index);
  std::size_t& mapped = mapped_[static_cast<std::size_t>(index)];
  const std::size_t end = round_up(offset - extent.offset + bytes, Extent::least);
  if (end <= mapped) return true;
  if (!reserve_to(extent.offset + extent.bytes)) return false;
  if (state_ == State::shared && !has_file()) return false;
  const bool is_done = state_ == State::shared
                           ? map_file(at(extent.offset + mapped), end - mapped, file_, extent.offset + mapped)
                           : map_own(at(extent.offset + mapped), end - mapped);
  if (is_done) mapped = end;
  return is_done;
}

/// Makes sure that the block can be touched. Where the system promises more memory than it has, a page that cannot be
/// had ends the process as any other page would; where it does not, pages are taken now.
bool Arena::provide(std::size_t offset, std::size_t bytes) noexcept {
  if (bytes >= large && !has_memory_for(bytes)) return false;
  if (!map(offset, bytes)) return false;
  return !is_strict_ || state_ != State::shared || take_pages(at(offset), bytes, file_, offset);
}

/// Whether there are nodes for one block more, and for freeing each one without asking the system.
bool Arena::has_nodes() noexcept { return nodes_.prepare(space_->blocks().size() + 8); }

/// A block of that size that was freed a moment ago, if there is one. Its pages hold what was written there.
std::optional<std::size_t> Arena::take_again(std::size_t bytes) noexcept {
  const Guard guard(*this);
  return recent_.take(bytes);
}

void* Arena::allocate(std::size_t bytes, std::size_t alignment, BlockContent content, std::size_t room) noexcept {
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), page);
  if (alignment <= page && room == 0) {
    if (const auto again = take_again(rounded)) {
      if (content == BlockContent::zeros) std::memset(at(*again), 0, rounded);
      return at(*again);
    }
  }
  const std::size_t aligned = std::max(alignment, rounded < with_large_pages ? page : large_page);
  std::size_t offset = 0;
  std::size_t dirty = 0;
  bool will_be_full = false;
  {
    const Guard guard(*this);
    if (!open() || rounded > bytes_ || !has_nodes()) return nullptr;
    const auto block = space_->take(rounded, aligned, room);
    if (!block) return nullptr;
    offset = *block;
    if (!provide(offset, rounded)) {
      space_->give_back(offset);
      return nullptr;
    }
    dirty = kept_ == 0 ? 0 : marks_.marked(offset, rounded);
    kept_ -= dirty;
    keep_within_peak();
    will_be_full = full_.take(rounded) && state_ == State::shared;
  }
  // The block is in use: nobody else has its pages.
  if (dirty != 0 && content == BlockContent::zeros) {
    marks_.for_each_run(offset, rounded, [&](std::size_t first, std::size_t n) { std::memset(at(first), 0, n); });
  }
  if (dirty != 0) marks_.clear(offset, rounded);
  if (will_be_full) take_large_pages(at(offset), rounded);
  return at(offset);
}

void Arena::free(void* block) noexcept {
  const std::size_t offset = offset_of(block);
  std::size_t bytes = 0;
  {
    const Guard guard(*this);
    bytes = space_ == nullptr ? 0 : space_->bytes_at(offset);
    if (bytes == 0) give_up("free(): invalid pointer into the heap that tutti shares");
    if (recent_.have(offset, bytes)) give_up("free(): a block of the heap that tutti shares is freed twice");
    if (recent_.put(offset, bytes)) return;
    if (bytes <= most_kept_ / 2) {
      marks_.set(offset, bytes);
      kept_ += bytes;
      space_->give_back(offset);
      if (kept_ > most_kept_) keep(most_kept_ / 2);
      return;
    }
  }
  free_long(offset, bytes);
}

/// Frees a block in use whose pages are not kept.
void Arena::free_long(std::size_t offset, std::size_t bytes) noexcept {
  // Outside of the lock, because it takes a while, and while the block is in use, which is mapped to its end.
  const std::size_t before = has_one_node_ ? bytes_held_by(file_) : 0;
  const bool is_empty = give_pages_back(offset, bytes);
  const std::size_t after = before == 0 ? 0 : bytes_held_by(file_);
  const Guard guard(*this);
  if (!is_empty) {
    marks_.set(offset, bytes);
    kept_ += bytes;
  }
  if (before >= after + bytes - bytes / 16) full_.put(bytes);
  space_->give_back(offset);
}

/// Keeps no more than makes a program as large as it was at its largest, but for a little.
void Arena::keep_within_peak() noexcept {
  const std::size_t used = space_->used();
  peak_ = std::max(peak_, used);
  const std::size_t most = peak_ + std::max(peak_ / 20, little);
  // Half of it at once, because to look through all pieces takes a while.
  if (kept_ != 0 && used + kept_ > most) keep(std::min(used < most ? most - used : 0, kept_ / 2));
}

/// Gives back pages of what is free until no more than that is kept. Pages of locked memory stay, and are not asked for
/// again.
void Arena::keep(std::size_t most) noexcept {
  most -= most % page;  // marks are of whole pages, and kept_ is what they add up to
  const std::size_t before = kept_;
  const Space::Blocks& pieces = space_->free_pieces();
  for (auto piece = pieces.rbegin(); piece != pieces.rend() && kept_ > most; ++piece) {
    // Memory that is not mapped has no marks, and is most of the room: a look through it would take longer than all
    // else here.
    const std::size_t mapped = mapped_of(piece->first, piece->second);
    marks_.for_each_run(piece->first, mapped, [&](std::size_t first, std::size_t n) {
      const std::size_t given = std::min(n, kept_ - std::min(most, kept_));
      if (given == 0 || !give_pages_back(first, given)) return;
      marks_.clear(first, given);
      kept_ -= given;
    });
  }
  if (kept_ == before) most_kept_ = peak_ = bytes_;
}

/// Returns how many of those bytes of one extent, from their beginning on, are mapped, which is what was handed out
/// before.
std::size_t Arena::mapped_of(std::size_t offset, std::size_t bytes) const noexcept {
  const int index = Extent::number_at(offset);
  const std::size_t end = Extent::number(index).offset + mapped_[static_cast<std::size_t>(index)];
  return std::min(bytes, end - std::min(offset, end));
}

/// Gives back the pages of what is mapped. Needs no lock where nobody else has it.
bool Arena::give_pages_back(std::size_t offset, std::size_t bytes) noexcept {
  return madvise(at(offset), bytes, state_ == State::shared ? MADV_REMOVE : MADV_DONTNEED) == 0;
}

std::size_t Arena::bytes_of(const void* block) noexcept {
  const Guard guard(*this);
  return space_ == nullptr ? 0 : space_->bytes_at(offset_of(block));
}

std::size_t Arena::bytes_from(const void* address) noexcept {
  const Guard guard(*this);
  return space_ == nullptr ? 0 : space_->bytes_from(offset_of(address));
}

bool Arena::resize(void* block, std::size_t bytes) noexcept {
  const std::size_t offset = offset_of(block);
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), page);
  const Guard guard(*this);
  const std::size_t before = space_ == nullptr ? 0 : space_->bytes_at(offset);
  if (before == 0) give_up("realloc(): invalid pointer into the heap that tutti shares");
  if (before == rounded) return true;
  if (!has_nodes() || !space_->resize(offset, rounded)) return false;
  if (rounded > before) {
    if (!provide(offset, rounded)) {
      space_->resize(offset, before);
      return false;
    }
    kept_ -= marks_.marked(offset + before, rounded - before);
    marks_.clear(offset + before, rounded - before);
    keep_within_peak();
    return true;
  }
  marks_.set(offset + rounded, before - rounded);
  kept_ += before - rounded;
  if (kept_ > most_kept_) keep(most_kept_ / 2);
  return true;
}

bool Arena::describe(ArenaDescription& description) noexcept {
  const Guard guard(*this);
  if (!open() || state_ != State::shared || !has_file()) return false;
  description = {base_, bytes_, secret_, file_};
  return true;
}

}  // namespace tutti::heap

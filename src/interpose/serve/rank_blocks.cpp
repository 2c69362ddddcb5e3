#include "interpose/serve/rank_blocks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tutti::interpose {

bool RankBlocks::are_sound() const {
  if (type_.handle == MPI_DATATYPE_NULL || !counts_.is_there() || !displacements_.is_there()) return false;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (counts_[rank] < 0) return false;
  }
  return true;
}

void RankBlocks::put_counts(std::vector<std::int64_t>& bytes) const {
  bytes.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) bytes[static_cast<std::size_t>(rank)] = counts_[rank] * type_.size;
}

std::int64_t RankBlocks::packed_bytes() const {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < ranks_; ++rank) bytes += counts_[rank] * type_.size;
  return bytes;
}

bool RankBlocks::are_equal() const {
  for (int rank = 1; rank < ranks_; ++rank) {
    if (counts_[rank] != counts_[0]) return false;
  }
  return true;
}

bool RankBlocks::are_in_a_row() const {
  for (int rank = 1; rank < ranks_; ++rank) {
    if (displacements_[rank] != displacements_[rank - 1] + counts_[rank - 1]) return false;
  }
  return true;
}

bool RankBlocks::overlap() const {
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  bool ascend = true;  // blocks of most programs ascend, which takes no sorting
  for (int rank = 0; ascend && rank < ranks_; ++rank) {
    if (counts_[rank] == 0) continue;
    const std::int64_t begin = displacements_[rank] * type_.extent;
    ascend = end <= begin;
    end = begin + counts_[rank] * type_.size;
  }
  if (ascend) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> bytes;
  for (int rank = 0; rank < ranks_; ++rank) {
    const std::int64_t begin = displacements_[rank] * type_.extent;
    if (counts_[rank] > 0) bytes.emplace_back(begin, begin + counts_[rank] * type_.size);
  }
  std::sort(bytes.begin(), bytes.end());
  return std::adjacent_find(bytes.begin(), bytes.end(),
                            [](const auto& one, const auto& next) { return one.second > next.first; }) != bytes.end();
}

// Displacements may be negative, and those of empty blocks anything.
RankBlocks::Range RankBlocks::range() const {
  Range range{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (int rank = 0; rank < ranks_; ++rank) {
    if (counts_[rank] == 0) continue;
    const std::int64_t begin = displacements_[rank] * type_.extent;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + counts_[rank] * type_.size);
  }
  return range.begin <= range.end ? range : Range{};
}

void RankBlocks::put_displacements(std::vector<std::int64_t>& bytes, const Range& range) const {
  bytes.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) {
    bytes[static_cast<std::size_t>(rank)] = counts_[rank] == 0 ? 0 : displacements_[rank] * type_.extent - range.begin;
  }
}

void RankBlocks::pack_all(const std::byte* buffer, std::byte* packed) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    pack(block(buffer, rank), counts_[rank], type_, packed);
    packed += counts_[rank] * type_.size;
  }
}

void RankBlocks::unpack_all(const std::byte* packed, std::byte* buffer) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    unpack(packed, counts_[rank], type_, block(buffer, rank));
    packed += counts_[rank] * type_.size;
  }
}

}  // namespace tutti::interpose

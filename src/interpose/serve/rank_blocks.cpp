#include "interpose/serve/rank_blocks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "interpose/serve/served_call.hpp"

namespace tutti::interpose {

RankBlocks::RankBlocks(const ServedCommunicator& on, Numbers counts, Numbers displacements, Types types)
    : ranks_(on.size()), counts_(counts), displacements_(displacements) {
  if (!counts.is_there() || !types.is_there()) return;
  are_plain_ = true;
  types_.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) {
    const MPI_Datatype handle = types[rank];
    MpiType& type = types_[static_cast<std::size_t>(rank)];
    if (handle == MPI_DATATYPE_NULL || is_ignored(rank)) continue;
    // A type that the program has made is asked about, which takes longer than a look at the block before.
    const bool is_as_before = rank > 0 && types_[static_cast<std::size_t>(rank) - 1].handle == handle;
    type = is_as_before ? types_[static_cast<std::size_t>(rank) - 1] : type_of(handle);
    are_plain_ = are_plain_ && type.is_plain;
  }
}

bool RankBlocks::are_sound() const {
  if (!counts_.is_there() || !displacements_.is_there()) return false;
  if (types_.empty() && type_.handle == MPI_DATATYPE_NULL) return false;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (counts_[rank] < 0 || (type(rank).handle == MPI_DATATYPE_NULL && !is_ignored(rank))) return false;
  }
  return true;
}

bool RankBlocks::may_lie_at(const void* buffer) const {
  if (types_.empty()) return interpose::may_lie_at(buffer, packed_bytes() > 0 ? 1 : 0, type_);
  for (int rank = 0; rank < ranks_; ++rank) {
    if (!is_ignored(rank) && !interpose::may_lie_at(buffer, counts_[rank], type(rank))) return false;
  }
  return true;
}

void RankBlocks::put_counts(std::vector<std::int64_t>& bytes) const {
  bytes.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) bytes[static_cast<std::size_t>(rank)] = packed_bytes(rank);
}

std::int64_t RankBlocks::packed_bytes() const {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < ranks_; ++rank) bytes += packed_bytes(rank);
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
    ascend = end <= begin(rank);
    end = begin(rank) + packed_bytes(rank);
  }
  if (ascend) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> bytes;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (counts_[rank] > 0) bytes.emplace_back(begin(rank), begin(rank) + packed_bytes(rank));
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
    range.begin = std::min(range.begin, begin(rank));
    range.end = std::max(range.end, begin(rank) + packed_bytes(rank));
  }
  return range.begin <= range.end ? range : Range{};
}

void RankBlocks::put_displacements(std::vector<std::int64_t>& bytes, const Range& range) const {
  bytes.resize(static_cast<std::size_t>(ranks_));
  for (int rank = 0; rank < ranks_; ++rank) {
    bytes[static_cast<std::size_t>(rank)] = counts_[rank] == 0 ? 0 : begin(rank) - range.begin;
  }
}

void RankBlocks::pack_all(const std::byte* buffer, std::byte* packed) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    pack(block(buffer, rank), counts_[rank], type(rank), packed);
    packed += packed_bytes(rank);
  }
}

void RankBlocks::unpack_all(const std::byte* packed, std::byte* buffer) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    unpack(packed, counts_[rank], type(rank), block(buffer, rank));
    packed += packed_bytes(rank);
  }
}

}  // namespace tutti::interpose

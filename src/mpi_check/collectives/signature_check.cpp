#include "mpi_check/collectives/signature_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/digest.hpp"
#include "base/text/rank_lists.hpp"
#include "mpi_check/collectives/datatype_signatures.hpp"
#include "mpi_check/collectives/first_mismatch.hpp"
#include "mpi_check/collectives/intercomm_check.hpp"
#include "mpi_check/collectives/neighbour_signatures.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "tutti/untyped.hpp"

namespace tutti::interpose {
namespace {

using Pattern = CallData::Pattern;

/// Signatures of blocks, of which many have one count and type.
class BlockSignatures {
 public:
  SignatureDigest of(const Elements& block) {
    if (!is_there_ || block.count != latest_.count || block.type != latest_.type) {
      latest_ = block;
      is_there_ = true;
      signature_ = signature_of(block.count, block.type).told();
    }
    return signature_;
  }

 private:
  bool is_there_ = false;
  Elements latest_;
  SignatureDigest signature_;
};

bool has_blocks(const DataBuffer& buffer) { return !buffer.is_in_list || buffer.counts.is_there(); }

class SignaturesOfRank {
 public:
  SignaturesOfRank(const CallData& data, const ServedCommunicator& on) : data_(data), on_(on) {}

  DataSignatures all() {
    if (data_.is_reduction()) {
      all_.folded = folded();
      return std::move(all_);
    }
    all_.sent.resize(static_cast<std::size_t>(on_.others()));
    all_.awaited.resize(all_.sent.size());
    if (data_.pattern == Pattern::to_neighbours || data_.pattern == Pattern::among_neighbours) {
      put_neighbours();
    } else if (on_.is_between_groups()) {
      put_between();
    } else {
      put_within();
    }
    return std::move(all_);
  }

 private:
  /// All of it: in which blocks is compared elsewhere.
  SignatureDigest folded() const {
    const DataBuffer& buffer = data_.sent;
    if (data_.pattern != Pattern::reduce_scatter) return signature_of(buffer.each.count, buffer.each.type).told();
    if (!buffer.is_in_list) return signature_of(buffer.each.count * on_.size(), buffer.each.type).told();
    MPI_Count count = 0;
    for (int rank = 0; has_blocks(buffer) && rank < on_.size(); ++rank) count += buffer.counts[rank];
    return signature_of(count, buffer.type(0)).told();
  }

  void put_within() {
    const int rank = on_.rank();
    const bool is_root = rank == data_.root;
    const bool is_root_known = data_.root >= 0 && data_.root < on_.size();
    const bool is_in_place = data_.sent.at == MPI_IN_PLACE;
    switch (data_.pattern) {
      case Pattern::broadcast:
        if (is_root) put_all(all_.sent, data_.sent);
        if (is_root_known && !is_root) put(all_.awaited, data_.root, data_.sent.each);
        break;
      case Pattern::gather:
        if (is_root) put_all(all_.awaited, data_.received);
        if (is_root_known && !is_in_place) put(all_.sent, data_.root, data_.sent.each);
        if (is_in_place) leave_out_own();
        break;
      case Pattern::scatter:
        if (is_root) put_all(all_.sent, data_.sent);
        if (is_root_known && data_.received.at != MPI_IN_PLACE) put(all_.awaited, data_.root, data_.received.each);
        if (data_.received.at == MPI_IN_PLACE) leave_out_own();
        break;
      case Pattern::all_gather:
        put_all(all_.awaited, data_.received);
        if (!is_in_place) {
          put_all(all_.sent, data_.sent);
        } else if (has_blocks(data_.received)) {
          all_.sent.assign(all_.sent.size(), all_.awaited[static_cast<std::size_t>(rank)]);
        }
        break;
      default:
        put_all(all_.awaited, data_.received);
        put_all(all_.sent, is_in_place ? data_.received : data_.sent);
    }
  }

  void put_between() {
    const bool is_root = data_.root == MPI_ROOT;
    const bool has_root = data_.root >= 0 && data_.root < on_.others();
    switch (data_.pattern) {
      case Pattern::broadcast:
        if (is_root) put_all(all_.sent, data_.sent);
        if (has_root) put(all_.awaited, data_.root, data_.sent.each);
        break;
      case Pattern::gather:
        if (is_root) put_all(all_.awaited, data_.received);
        if (has_root) put(all_.sent, data_.root, data_.sent.each);
        break;
      case Pattern::scatter:
        if (is_root) put_all(all_.sent, data_.sent);
        if (has_root) put(all_.awaited, data_.root, data_.received.each);
        break;
      default:
        put_all(all_.awaited, data_.received);
        put_all(all_.sent, data_.sent);
    }
  }

  void put_neighbours() {
    const auto neighbours = neighbours_of(on_.handle());
    if (!neighbours) return;
    put_along(all_.sent, neighbours->destinations, data_.sent, data_.pattern == Pattern::to_neighbours);
    put_along(all_.awaited, neighbours->sources, data_.received, false);
  }

  /// Nothing is known of several edges between two ranks: MPI says little of which message goes along which.
  void put_along(std::vector<SignatureDigest>& to, const std::vector<int>& ends, const DataBuffer& buffer,
                 bool is_one) {
    if (!has_blocks(buffer)) return;
    std::vector<int> edges(to.size(), 0);
    for (std::size_t k = 0; k < ends.size(); ++k) {
      if (ends[k] < 0 || ends[k] >= on_.size()) continue;
      const auto end = static_cast<std::size_t>(ends[k]);
      to[end] = ++edges[end] > 1 ? SignatureDigest() : signatures_.of(buffer.block(is_one ? 0 : static_cast<int>(k)));
    }
  }

  void put(std::vector<SignatureDigest>& to, int rank, const Elements& block) {
    to[static_cast<std::size_t>(rank)] = signatures_.of(block);
  }

  void put_all(std::vector<SignatureDigest>& to, const DataBuffer& buffer) {
    if (!has_blocks(buffer)) return;
    for (std::size_t rank = 0; rank < to.size(); ++rank)
      to[rank] = signatures_.of(buffer.block(static_cast<int>(rank)));
  }

  /// In place, the root sends itself nothing.
  void leave_out_own() {
    const auto own = static_cast<std::size_t>(on_.rank());
    all_.sent[own] = all_.awaited[own] = SignatureDigest();
  }

  const CallData& data_;
  const ServedCommunicator& on_;
  BlockSignatures signatures_;
  DataSignatures all_;
};

/// A word for what one rank sends to another one.
std::uint64_t word_of(int from, int to, const SignatureDigest& signature) {
  if (!signature.is_known()) return 0;
  const std::uint64_t pair = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  return mixed(
      mixed(mixed(mixed(digest_of_nothing, pair), signature.digest), static_cast<std::uint64_t>(signature.elements)),
      pair);
}

/// The words of all ranks add up to 0 where all that is sent is what is expected, but for a chance of 2^-64. In a
/// reduction each rank gives to the next one what it expects of the one before it.
std::uint64_t balance_of(const DataSignatures& signatures, int rank, int ranks) {
  if (signatures.sent.empty()) {
    const int next = (rank + 1) % ranks;
    return word_of(rank, next, signatures.folded) - word_of((rank + ranks - 1) % ranks, rank, signatures.folded);
  }
  std::uint64_t balance = 0;
  for (int other = 0; other < ranks; ++other) {
    const auto k = static_cast<std::size_t>(other);
    balance += word_of(rank, other, signatures.sent[k]) - word_of(other, rank, signatures.awaited[k]);
  }
  return balance;
}

std::uint64_t sum_over_ranks(ServedCommunicator& on, std::uint64_t word) {
  // MPI's own call: those of this library are numbered, and a program's sentences name these numbers.
  PMPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_UINT64_T, MPI_SUM, on.handle());
  return word;
}

/// Thrown where ranks give a reduction elements of other types.
void compare_folded(const char* function, ServedCommunicator& on, const SignatureDigest& folded) {
  std::vector<SignatureDigest> all(static_cast<std::size_t>(on.size()));
  constexpr int bytes = sizeof(SignatureDigest);
  if (PMPI_Allgather(&folded, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS) return;
  RankGroups groups;
  for (int rank = 0; rank < on.size(); ++rank) {
    const auto k = static_cast<std::size_t>(rank);
    if (all[k].is_known())
      groups.add(rank, fmt::format("called {} with {}", without_width(function), words_of(all, k)));
  }
  const std::string sentence = groups.difference();
  if (sentence.empty()) return;
  throw Error(ErrorCode::mismatch, fmt::format("{} (on communicator {})", sentence, on.title()));
}

}  // namespace

DataSignatures signatures_of(const CallData& data, const ServedCommunicator& on) {
  return SignaturesOfRank(data, on).all();
}

std::optional<Error> difference_of_signatures(const char* function, ServedCommunicator& on, const CallData& data) {
  const ReentrancyGuard guard;
  try {
    const DataSignatures signatures = signatures_of(data, on);
    if (sum_over_ranks(on, balance_of(signatures, on.rank(), on.size())) == 0) return std::nullopt;
    if (data.is_reduction()) {
      compare_folded(function, on, signatures.folded);
    } else {
      RankFlows flows(on.size());
      flows.signatures = signatures;
      compare_flows(function, on, flows);
    }
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

void compare_flows(const char* function, ServedCommunicator& on, const RankFlows& flows) {
  const auto ranks = static_cast<std::size_t>(on.size());
  std::vector<CallSignature> mine(ranks);
  std::vector<CallSignature> told(ranks);
  std::vector<int> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t rank = 0; rank < ranks; ++rank) flows.put(mine[rank], rank);
  constexpr int bytes = sizeof(CallSignature);
  if (PMPI_Alltoall(mine.data(), bytes, MPI_BYTE, told.data(), bytes, MPI_BYTE, on.handle()) != MPI_SUCCESS) return;
  const FlowMismatch first = first_mismatch_on_any(on, first_wrong_flow(on.rank(), all, mine, told));
  if (!first.is_there()) return;
  throw Error(ErrorCode::mismatch, fmt::format("{}; all called {} (on communicator {})", words_of(first),
                                               without_width(function), on.title()));
}

}  // namespace tutti::interpose

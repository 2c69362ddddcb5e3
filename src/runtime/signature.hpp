/// @file
/// What a rank says about a collective before it takes part in it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "schedule/problem.hpp"

namespace tutti::runtime {

/// What a rank calls: a collective, or one of the calls that make communicators.
enum class Purpose : std::uint8_t { collective, split, duplicate };

/// One rank's arguments of a collective call, as far as all ranks must agree on them.
struct Signature {
  std::uint64_t digest = 0;  ///< over everything below but color and key: equal where all of it is
  Purpose purpose = Purpose::collective;
  Collective collective = Collective::barrier;
  bool by_counts = false;
  bool commutative = true;
  int root = 0;
  int distance = 0;
  int segments = 0;
  std::int64_t count = 0;
  std::uint64_t counts = 0;  ///< hash of the per-rank counts
  std::uint64_t grid = 0;    ///< hash of the extents
  std::uint64_t type = 0;
  std::uint64_t op = 0;
  std::string_view type_name;  ///< names live for ever
  std::string_view op_name;
  std::string_view algorithm;
  std::int64_t color = 0;  ///< split: each rank's own
  std::int64_t key = 0;

  /// Computes the digest once all else is set.
  void seal();
};

/// The call as the user writes it: "all_reduce", "gather_v", "split".
std::string call_name(const Signature& signature);

/// One sentence about the first argument in which the ranks differ: "rank 2 called reduce with root 1; ranks 0, 1, 3
/// with root 0". Empty where all agree. `ranks` are the numbers of those who signed.
std::string disagreement(std::span<const int> ranks, std::span<const Signature* const> signatures);

/// "rank 3", "ranks 0, 1, 3"; long lists are cut off.
std::string list_of(std::span<const int> ranks);

}  // namespace tutti::runtime

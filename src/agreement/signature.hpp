/// @file
/// What a rank says about a collective before it takes part in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "schedule/planning.hpp"
#include "schedule/problem.hpp"

namespace tutti::runtime {

/// What a rank calls: a collective, or one of the calls that make communicators.
enum class Purpose : std::uint8_t { collective, split, duplicate };

/// Who named the algorithm of a call.
enum class NamedBy : std::uint8_t { nobody, call, environment };

/// A name that travels by value: cut off where it is longer.
class ShortName {
 public:
  ShortName() = default;
  ShortName(std::string_view text) {  // NOLINT: a name is a text wherever one is wanted
    std::copy_n(text.begin(), std::min(text.size(), text_.size() - 1), text_.begin());
  }
  operator std::string_view() const { return text_.data(); }  // NOLINT
  bool empty() const { return text_[0] == '\0'; }
  friend bool operator==(const ShortName&, const ShortName&) = default;

 private:
  std::array<char, 40> text_ = {};
};

/// One rank's arguments of a collective call, as far as all ranks must agree on them. Plain bytes: it is read by other
/// processes, and sent.
struct Signature {
  std::uint64_t digest = 0;  ///< over everything below but color and key: equal where all of it is
  Purpose purpose = Purpose::collective;
  Collective collective = Collective::barrier;
  bool by_counts = false;
  bool commutative = true;
  NamedBy named_by = NamedBy::nobody;
  Planning planning = Planning::estimate;
  int root = 0;
  int distance = 0;
  std::int64_t count = 0;
  std::uint64_t counts = 0;  ///< hash of the per-rank counts
  std::uint64_t type = 0;
  std::uint64_t op = 0;
  ShortName type_name;
  ShortName op_name;
  ShortName algorithm;           ///< as the environment has it, where that names it
  std::uint64_t parameters = 0;  ///< hash of the algorithm's parameters
  ShortName parameters_in_words;
  std::int64_t color = 0;  ///< split: each rank's own
  std::int64_t key = 0;    ///< split: each rank's own; by counts: where the rank keeps the counts, or how many it tells

  /// Computes the digest once all else is set.
  void seal();
};

/// Of a call that only brings the ranks together: split, duplicate.
Signature meeting(Purpose purpose, std::int64_t color, std::int64_t key);

}  // namespace tutti::runtime

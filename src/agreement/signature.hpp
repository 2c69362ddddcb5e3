/// @file
/// Signature of a collective: what a rank says about it before it takes part in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/digest.hpp"
#include "schedule/model/planning.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::runtime {

/// Purpose of a call: a collective, one of the calls that make communicators, or a call without a part of its own here,
/// known by its name.
enum class Purpose : std::uint8_t { collective, split, duplicate, named };

/// Source of the algorithm's name in a call.
enum class NamedBy : std::uint8_t { nobody, call, environment };

/// A name that travels by value: cut off where it is longer.
class ShortName {
 public:
  ShortName() = default;
  /// Keeps the beginning of a text that has no room, and a digest of the whole.
  ShortName(std::string_view text) {  // NOLINT: a name is a text wherever one is wanted
    const std::size_t room = text_.size() - 1;
    std::copy_n(text.begin(), std::min(text.size(), room), text_.begin());
    if (text.size() > room) end_with(digest_of(text));
  }
  operator std::string_view() const { return text_.data(); }  // NOLINT
  bool empty() const { return text_[0] == '\0'; }
  friend bool operator==(const ShortName&, const ShortName&) = default;

 private:
  void end_with(std::uint64_t digest) {
    constexpr int digits = 8;
    auto at = text_.end() - 1 - digits - 1;
    *at = '~';
    for (int k = 0; k < digits; ++k, digest >>= 4) *++at = "0123456789abcdef"[digest & 0xf];
  }

  std::array<char, 40> text_ = {};
};

/// One rank's arguments of a collective call, as far as all ranks must agree on them. Plain bytes: it is read by other
/// processes, and sent.
struct Signature {
  /// Digest of all that ranks must agree on: equal if they do. Left out are what each rank has for itself (balance,
  /// color, key) and the words for types, operators and parameters, which the hashes beside them stand for; of
  /// `named_by` it has whether the environment did.
  std::uint64_t digest = 0;
  std::uint64_t balance = 0;  ///< see balance_of(); 0 where all ranks know the same counts
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
  ShortName algorithm;           ///< name in the environment, if that names one
  std::uint64_t parameters = 0;  ///< hash of the algorithm's parameters
  ShortName parameters_in_words;
  std::int64_t color = 0;  ///< split: each rank's own
  std::int64_t key = 0;    ///< split: each rank's own; by counts: where the rank keeps the counts, or how many it tells

  /// Computes the digest once all else is set.
  void seal();
};

/// Returns a word for the counts that this rank sends to each rank and expects of each, where each rank knows its own
/// alone. The words of all ranks add up to 0, modulo 2^64, if every rank expects what the others send it: the sender
/// adds a count and the receiver takes it away, each hashed together with both ranks. If a count is expected that is
/// not sent, they add up to 0 with a chance of 2^-64.
std::uint64_t balance_of(int rank, std::span<const std::int64_t> sends, std::span<const std::int64_t> receives);

/// `Signature::counts` of calls whose counts the root alone knows.
inline constexpr std::uint64_t counts_at_root = 1;

/// Whether the ranks that call this each know their own counts alone, and their words are to add up to 0.
inline bool has_balance(const Signature& signature) {
  return signature.by_counts && (signature.collective == Collective::all_to_all || signature.counts == counts_at_root);
}
/// Returns the number of counts that each of `ranks` ranks gives: one for each rank that it sends to and one for each
/// that it expects from, or one for each rank.
inline std::size_t counts_of(const Signature& signature, int ranks) {
  return static_cast<std::size_t>(ranks) * (has_balance(signature) ? 2 : 1);
}

/// Returns the signature of a call that only brings the ranks together: split, duplicate.
Signature meeting(Purpose purpose, std::int64_t color, std::int64_t key);
/// Returns the signature of a call of that name that only brings the ranks together, and makes nothing.
Signature named_meeting(std::string_view name);

}  // namespace tutti::runtime

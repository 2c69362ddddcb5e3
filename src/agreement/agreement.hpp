/// @file
/// Agreement of a communicator's ranks: they come to know that all of them call the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agreement/signature.hpp"
#include "tutti/detail/limits.hpp"

namespace tutti::runtime {

/// So many collectives of a communicator may be in flight on a rank: each has a call slot of its own.
inline constexpr int collective_slots = most_collectives_ahead;

/// Signatures of the latest 2 L collectives are kept, L = collective_slots; that of number s takes the place of s - 2L.
///
/// Why that one is not needed any more: a rank enters s only after all ranks have completed s - L, hence entered it,
/// hence compared s - 2L (see Agreement::may_enter).
inline constexpr std::uint64_t kept_calls = 2 * collective_slots;

/// The part of a meeting's signature that each rank reads of all others (split, duplicate). Color and key mean something
/// where the digest is the reader's own.
struct MeetingWords {
  std::uint64_t digest = 0;
  std::int64_t color = 0;
  std::int64_t key = 0;
};

/// One rank's part in the agreement on what the ranks of a communicator call. For one thread at a time; nothing blocks.
///
/// Collectives are numbered from 0 and entered in that order; number s uses call slot s mod L, L = collective_slots.
class Agreement {
 public:
  Agreement() = default;
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;
  virtual ~Agreement() = default;

  /// Whether all ranks have completed collective `number` - L, so that its call slot is free everywhere.
  virtual bool may_enter(std::uint64_t number) = 0;
  /// Enters collective `number`, and lets the others know what this rank calls; `counts` are those per rank.
  virtual void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) = 0;
  virtual bool has_signed(int rank, std::uint64_t number) = 0;
  /// Whether has_signed() says so as soon as the rank has signed. Otherwise it may say so later, but at once of a rank
  /// that has ended.
  virtual bool hears_at_once() const { return true; }
  /// The signature, once signed and until this rank enters collective `number` + L.
  virtual const Signature& signature(int rank, std::uint64_t number) = 0;
  /// Returns the signature's digest, as signature() does: cheaper where many ranks are asked.
  virtual std::uint64_t digest(int rank, std::uint64_t number) { return signature(rank, number).digest; }
  /// Returns these words of the signature, once signed and for as long: cheaper where many ranks are asked.
  virtual MeetingWords meeting_words(int rank, std::uint64_t number) {
    const Signature& told = signature(rank, number);
    return {told.digest, told.color, told.key};
  }
  /// The counts that belong to the signature; empty where it has none, or where they were too many to be told.
  virtual std::vector<std::int64_t> counts(int rank, std::uint64_t number) = 0;
  /// This rank has completed all collectives below `number`. Others may learn of it a little later, but at flush().
  virtual void complete(std::uint64_t number) = 0;
  /// Whether `rank` has told that it has completed collective `number`, which is what may_enter() asks of all.
  virtual bool has_completed(int rank, std::uint64_t number) = 0;
  /// To be called before this rank waits: tells the others all that they may be waiting to learn.
  virtual void flush() = 0;
  /// Tells everything before a long wait, however many packets that takes.
  virtual void tell_all() { flush(); }
  /// Whether all ranks have signed all that this rank has signed, and have signed the same.
  virtual bool settled() = 0;
  /// A collective that ranks turn out to have signed differently. Compared as late as the call slot's next use, because
  /// ranks that need nothing from others do not wait for them.
  virtual std::optional<std::uint64_t> disputed() const = 0;
  /// Whether a rank that has ended, and had signed collective `number`, had completed that one and all before. Engines
  /// whose ranks all end together need not know.
  virtual bool has_finished(int, std::uint64_t) const { return true; }
};

}  // namespace tutti::runtime

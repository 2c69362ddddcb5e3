/// @file
/// What the runtime asks of an engine that connects the ranks of a communicator.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/message.hpp"
#include "transport/signature.hpp"
#include "transport/sleep_word.hpp"
#include "tutti/detail/limits.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// Collectives in flight use one call slot each, so that they cannot meet one another's messages; messages of the
/// user's own have theirs.
inline constexpr int collective_slots = most_collectives_ahead;
inline constexpr int message_slot = collective_slots;
inline constexpr int call_slots = collective_slots + 1;

/// One message's way between this rank and a peer. Sender and receiver number it alike; `previous` is the number of the
/// message before it whose place it may take, 0 where the place is known to be free.
struct Route {
  int peer = 0;
  int call_slot = 0;
  std::uint64_t number = 0;
  std::uint64_t previous = 0;
  bool begins = false;  ///< numbers are counted anew from here: the one before it is no message
};

enum class Offer : std::uint8_t { refused, offered, delivered };

/// A message that has come, to be read until it is released.
struct Arrival {
  std::uint64_t digest = 0;
  std::int64_t bytes = 0;
  std::int64_t element_size = 1;  ///< messages of the user's own, like the name
  std::string_view type_name;
  int tag = 0;
  bool in_place = false;  ///< it lies in the sender's memory: read only between begin_reading() and end_reading()
  bool in_parts = false;  ///< it comes a part at a time, by part() and take(), and has no stretches
  std::vector<Stretch> stretches;
};

/// Memory of a rank that is there cannot be reached: what carry_out() throws. The text says whose, where and why.
class Unreachable : public Error {
 public:
  using Error::Error;
};

class ShortSlots;

/// One rank's end of a communicator. For one thread at a time. Nothing blocks, but carry_out() and withdraw(), neither
/// for longer than `timeout` without a move: what cannot happen yet says so and is asked again.
///
/// Direct access to a peer's memory is a capability that an engine may lack: then messages arrive in memory of its own.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // Calls. Collectives are numbered from 0 and entered in that order; number s uses call slot s mod L, L =
  // collective_slots.

  /// Whether all ranks have completed collective `number` - L, so that its call slot is free everywhere.
  virtual bool may_enter(std::uint64_t number) = 0;
  /// Enters collective `number`, and lets the others know what this rank calls; `counts` are those per rank.
  virtual void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) = 0;
  virtual bool has_signed(int rank, std::uint64_t number) = 0;
  /// The signature, once signed and until this rank enters collective `number` + L.
  virtual const Signature& signature(int rank, std::uint64_t number) = 0;
  /// The counts that belong to the signature; empty where it has none, or where they were too many to be told.
  virtual std::vector<std::int64_t> counts(int rank, std::uint64_t number) = 0;
  /// This rank has completed all collectives below `number`. Others may learn of it a little later, but at flush().
  virtual void complete(std::uint64_t number) = 0;
  /// Whether `rank` has told that it has completed collective `number`, which is what may_enter() asks of all.
  virtual bool has_completed(int rank, std::uint64_t number) = 0;
  /// Before this rank waits: lets the others know all that they may wait for.
  virtual void flush() = 0;
  /// The same before this rank waits for long, whatever that costs.
  virtual void tell_all() { flush(); }
  /// Whether all ranks have signed all that this rank has signed.
  virtual bool settled() = 0;
  /// A collective that ranks turn out to have signed differently. Compared as late as the call slot's next use, because
  /// ranks that need nothing from others do not wait for them.
  virtual std::optional<std::uint64_t> disputed() const = 0;
  /// Of a rank that has ended and had signed collective `number`: whether it had completed that one, and all before.
  /// Engines whose ranks all end together need not know.
  virtual bool has_finished(int, std::uint64_t) const { return true; }
  /// A word that `rank` tells all others within collective `number`, which all of them have signed: for engines whose
  /// ranks need one to find the communicator that they make.
  virtual void tell(std::uint64_t, std::uint64_t) {}
  virtual std::optional<std::uint64_t> told(int, std::uint64_t) { return std::nullopt; }

  // Messages.

  /// Offers the message to the peer.
  virtual Offer post(const Route& route, const Outgoing& message) = 0;
  /// Whether an offered message's memory may be written again.
  virtual bool delivered(const Route& route) = 0;
  /// Whether the peer's message is there. Where it has to be brought here, `landing` is where to, if long enough.
  virtual bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) = 0;
  /// What can be read now of a message that comes in parts: whole elements in one piece, after what was taken; empty
  /// while nothing has come.
  virtual std::span<const std::byte> part(const Route&) { return {}; }
  /// So many bytes of that were read.
  virtual void take(const Route&, std::int64_t) {}
  /// The message was read: its sender may go on.
  virtual void release(const Route& route) = 0;
  /// Short messages in memory that sender and receiver share, for who calls without looking back here; null where an
  /// engine has no such memory.
  virtual ShortSlots* short_slots() { return nullptr; }
  /// How many parts of messages have moved: what delivered() does on the way to its answer.
  std::uint64_t parts() const { return parts_; }

  /// From here to end_reading() no peer takes back the memory of a message in place, but one that has waited for this
  /// rank in vain: see withdraw(). False once the communicator has failed: then it may be gone.
  virtual bool begin_reading() = 0;
  virtual void end_reading() noexcept = 0;
  /// Computes the fold; peers that wait may help. False if the communicator has failed, or is about to, because a rank
  /// has ended or help does not come to its end: the fold may be half done, and all later ones are refused. Throws
  /// `Unreachable` where memory of a rank that is there cannot be reached.
  virtual bool carry_out(const Fold& fold, const Combination& how, int call_slot) = 0;
  /// Lends `peer` a hand in what it carries out, if it wants one.
  virtual void help(int peer, int call_slot, const Combination& how) = 0;

  /// This rank, which has something under way here, is about to sleep, until others wake it: see World::lie_down().
  /// What they post wakes it until get_up() with the same word.
  virtual void lie_down(WokenBy) {}
  virtual void get_up(WokenBy) {}

  // Failure.

  virtual bool failed() const = 0;
  /// Ends all operations, on every rank, with this error. The first call counts.
  virtual void fail(ErrorCode code, const std::string& message) = 0;
  /// The error that ended the communicator. Only once failed.
  virtual Error error() const = 0;
  /// After the communicator has failed: returns when no peer touches this rank's memory any more, or when a peer that
  /// still does can do no harm. Where harm cannot be ruled out in time, it ends the process and says why.
  virtual void withdraw() noexcept = 0;

  /// How long this rank waits for a peer while nothing moves.
  std::chrono::duration<double> timeout{30};

 protected:
  void note_part() { ++parts_; }

 private:
  std::uint64_t parts_ = 0;
};

}  // namespace tutti::runtime

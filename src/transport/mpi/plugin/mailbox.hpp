/// @file
/// What has come for one communicator, and what is still to be sent.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "transport/mpi/plugin/link.hpp"
#include "transport/transport.hpp"

namespace tutti::runtime {

/// A message of a communicator, as both sides know it.
struct MessageKey {
  int peer = 0;  ///< in the communicator
  int call_slot = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

/// Signatures of the latest 2 L collectives are kept, as on the board of ranks that share memory, and for the same
/// reason: a rank that signs s + 2L has seen all ranks complete s + L, which each entered after it had compared s.
inline constexpr std::uint64_t kept_calls = 2 * collective_slots;

/// What one rank has said about its calls.
struct CallsOfARank {
  std::uint64_t entered = 0;
  std::uint64_t completed = 0;
  std::array<Signature, kept_calls> signatures;
  std::array<std::vector<std::int64_t>, kept_calls> counts;  ///< of the signatures, where they have any
  std::array<std::uint64_t, kept_calls> told = {};           ///< number + 1 once `words` holds that collective's
  std::array<std::uint64_t, kept_calls> words = {};
};

/// A message that has come, or has been announced.
struct Incoming {
  PacketPointer packet;
  TransferPointer transfer;
  std::byte* place = nullptr;  ///< where a long message goes
  AlignedBytes own;
};

/// A message that the receiver is yet to take.
struct Unread {
  const std::byte* data = nullptr;  ///< of a long message
  std::int64_t bytes = 0;
  AlignedBytes packed;
  TransferPointer transfer;
  bool taken = false;

  bool is_delivered() const { return taken || (transfer != nullptr && transfer->done()); }
};

/// Made by the first packet that comes for a communicator, maybe before this rank has joined it; kept until all of its
/// ranks have left, so that late packets find what they are about, or find it gone.
class Mailbox {
 public:
  explicit Mailbox(Link& link) : link_(link) {}

  void receive(int from, PacketPointer packet);

  std::map<MessageKey, Incoming> incoming;
  std::map<MessageKey, Unread> unread;
  /// By peer and call slot: the latest message that the peer is known to have read.
  std::map<std::pair<int, int>, std::uint64_t> read;
  std::optional<Error> failure;
  int left = 0;                ///< ranks that do not use it any more
  std::optional<int> members;  ///< of the communicator, once this rank has left
  std::uint64_t arrivals = 0;  ///< packets so far

  /// Stays where it is, whoever else is heard of: references into it may be kept while packets come.
  CallsOfARank& calls(int rank);
  bool is_abandoned() const { return members == left; }

 private:
  void clear(int from, const Packet& packet);
  void take(const Packet& packet);
  void read_calls(const Packet& packet);

  Link& link_;
  std::deque<CallsOfARank> calls_;  // grows at its end alone, which moves nothing
};

}  // namespace tutti::runtime

/// @file
/// Mailboxes of a process's communicators: what has come, and what is still to be sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "agreement/call_tree.hpp"
#include "transport/mpi/plugin/mpi_link.hpp"
#include "transport/mpi/plugin/open_boxes.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// A message of a communicator, as both sides know it.
struct MessageKey {
  int peer = 0;  ///< in the communicator
  int call_slot = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

/// A message that has come, or has been announced.
struct Incoming {
  PacketPointer packet;
  TransferPointer transfer;
  std::byte* place = nullptr;  ///< place of a long message
  AlignedBytes own;
};

/// A message that the receiver is yet to take.
struct Unread {
  const std::byte* data = nullptr;  ///< bytes of a long message
  std::int64_t bytes = 0;
  AlignedBytes packed;
  TransferPointer transfer;
  bool taken = false;

  bool is_delivered() const { return taken || (transfer != nullptr && transfer->done()); }
};

/// Made by the first packet that comes for a communicator, maybe before this rank has joined it; kept until all of its
/// ranks have left: see OpenBoxes.
class Mailbox {
 public:
  Mailbox(MpiLink& link, std::uint64_t communicator) : calls(communicator), link_(link) {}

  void receive(int from, PacketPointer packet);
  /// The receiver of a message has a receive under way in any case: if the message is gone, with its mailbox or before
  /// it, it gets nothing instead.
  static void send_nothing_for(MpiLink& link, int from, const Packet& clear);

  std::map<MessageKey, Incoming> incoming;
  std::map<MessageKey, Unread> unread;
  /// By peer and call slot: the latest message that the peer is known to have read.
  std::map<std::pair<int, int>, std::uint64_t> read;
  std::optional<Error> failure;
  bool has_told_failure = false;  ///< to all others
  std::uint64_t arrivals = 0;     ///< packets so far
  /// Calls of the ranks. This rank has its part in it until all have left.
  CallTree calls;

 private:
  void clear(int from, const Packet& packet);
  void take(const Packet& packet);

  MpiLink& link_;
};

/// Mailboxes by the identities of their communicators. For one thread at a time.
class Mailboxes {
 public:
  explicit Mailboxes(MpiLink& link)
      : link_(link), boxes_([&link](std::uint64_t communicator) { return Mailbox(link, communicator); }) {}
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;

  /// Returns the mailbox of a communicator that this rank has not left.
  Mailbox& of_member(std::uint64_t communicator) { return boxes_.of_member(communicator); }
  /// This rank does not use the communicator any more.
  void leave(std::uint64_t communicator);
  /// Takes a packet of a communicator that another rank has sent.
  void receive(int from, PacketPointer packet);
  /// Tells the others of all calls, for the last time: this rank is about to end.
  void fall_silent();

 private:
  MpiLink& link_;
  OpenBoxes<Mailbox> boxes_;
};

}  // namespace tutti::runtime

/// @file
/// What the runtime asks of an engine that moves messages.
#pragma once

#include <cstdint>

#include "runtime/transport/message.hpp"

namespace tutti::runtime {

/// The way of one message between this rank and a peer. Messages of one lane and direction are numbered from 0.
struct Route {
  int peer = 0;
  int lane = 0;
  std::uint64_t number = 0;
};

/// Collectives in flight use one lane each, so that they cannot meet one another's messages; messages of the user's own
/// have theirs.
inline constexpr int collective_lanes = 8;
inline constexpr int message_lane = collective_lanes;
inline constexpr int lanes = collective_lanes + 1;

/// One rank's end of the connections of a communicator. For the rank's thread only. Nothing blocks: what cannot happen
/// yet says so and is asked again.
///
/// Sends are rendezvous: a message is delivered when the receiver has released it.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Offers message `route.number` to the peer; false while the message before it is not delivered.
  virtual bool post(const Route& route, const Message& message) = 0;
  /// Whether the peer has released the message: its memory may be written again.
  virtual bool delivered(const Route& route) = 0;

  /// The peer's message, to be read in place until `release` or `abandon`; null while it has not arrived, and for ever
  /// once the communicator has failed. At most one message is held at a time.
  virtual const Message* arrived(const Route& route) = 0;
  /// The message was read: its sender may go on.
  virtual void release(const Route& route) = 0;
  /// The message cannot be read: the communicator has failed or is about to.
  virtual void abandon() noexcept = 0;

  /// After the communicator has failed: returns when no peer reads this rank's memory any more.
  virtual void withdraw() noexcept = 0;
};

/// A message that has arrived, given up unless accepted.
class Arrival {
 public:
  Arrival(Transport& transport, const Route& route)
      : transport_(transport), route_(route), message_(transport.arrived(route)) {}
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  ~Arrival() {
    if (message_ != nullptr) transport_.abandon();
  }

  explicit operator bool() const { return message_ != nullptr; }
  const Message& operator*() const { return *message_; }
  const Message* operator->() const { return message_; }
  void accept() {
    message_ = nullptr;
    transport_.release(route_);
  }

 private:
  Transport& transport_;
  Route route_;
  const Message* message_;
};

}  // namespace tutti::runtime

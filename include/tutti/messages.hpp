/// @file
/// Messages between two ranks.
#pragma once

#include <vector>

#include "tutti/scans.hpp"

namespace tutti {

/// A message has any number of elements, or one value. Those of one pair of ranks arrive in the order in which they are
/// sent. A send completes when the receiver has read the data; there is no buffering. So ranks that all send before they
/// receive wait for one another for ever, and are told so: send_receive does both at once.
///
/// Errors, beside those of Communicator: `invalid_argument` for a rank that is not in [0, size()); mismatch, on every rank,
/// where sender and receiver differ in the number or type of elements; timeout, at once, where ranks wait for one another in
/// a circle. Cost: ts + tw m b; a rank's messages to and from other ranks are under way together.
class Messages : public Scans {
 public:
  using Scans::Scans;

  /// Returns when rank `to` has received `data`.
  template <typename Data>
  void send(Data&& data, int to) {
    start_send(detail::parcel_of<Data>(data), to).wait();
  }
  /// The same at once; `data` must stay as it is until the handle is done.
  template <typename Data>
  Handle send_async(Data&& data, int to) {
    detail::check_lasting<Data>();
    return start_send(detail::parcel_of<Data>(data), to);
  }

  /// Returns when `data` holds what rank `from` has sent, which must be as many elements.
  template <typename Data>
  void receive(Data&& data, int from) {
    start_receive(detail::parcel_into<Data>(data), from).wait();
  }
  /// The same at once; `data` must not be read or written until the handle is done.
  template <typename Data>
  Handle receive_async(Data&& data, int from) {
    return start_receive(detail::parcel_into<Data>(data), from);
  }
  /// Returns the one value that rank `from` has sent.
  template <OneElement T>
  T receive(int from) {
    static_assert(std::default_initializable<T>,
                  "a value is made before it is received, so that its type needs a default constructor: receive into a "
                  "variable");
    T value;
    receive(std::span(&value, 1), from);
    return value;
  }

  /// Sends `sent` to rank `to` and receives `received` from rank `from`, both under way together: what a ring, or two ranks
  /// that exchange data, need. Returns when both are done. The two may differ in type and length, and must not overlap.
  template <typename Sent, typename Received>
  void send_receive(Sent&& sent, int to, Received&& received, int from) {
    start_send_receive(detail::parcel_of<Sent>(sent), to, detail::parcel_into<Received>(received), from).wait();
  }
  /// The same at once: one handle for both.
  template <typename Sent, typename Received>
  Handle send_receive_async(Sent&& sent, int to, Received&& received, int from) {
    detail::check_lasting<Sent>();
    return start_send_receive(detail::parcel_of<Sent>(sent), to, detail::parcel_into<Received>(received), from);
  }
  /// Returns what rank `from` has sent: one value for one value, a vector of as many elements for elements.
  template <typename Sent>
  auto send_receive(Sent&& sent, int to, int from) {
    using T = detail::ElementIn<Sent>;
    if constexpr (detail::is_single<Sent>) {
      T received(sent);
      send_receive(sent, to, std::span(&received, 1), from);
      return received;
    } else {
      auto received = detail::result_of<T>(detail::size_of(sent));
      send_receive(sent, to, received, from);
      return received;
    }
  }
};

}  // namespace tutti

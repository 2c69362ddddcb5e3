/// @file
/// Messages between two ranks.
#pragma once

#include <optional>
#include <vector>

#include "tutti/detail/export.hpp"
#include "tutti/envelope.hpp"
#include "tutti/reproducible_scans.hpp"

namespace tutti {

/// A message has any number of elements, or one value, and a tag: 0 unless MessageOptions say otherwise. Receives name
/// the rank and the tag that they take messages of, or any_rank and any_tag.
///
/// Order. Messages of one rank under one tag are received in the order in which they were sent, and receives that take
/// the same messages get them in the order in which they were posted. A send completes when the receiver has read the
/// data; there is no buffering. So ranks that all send before they receive wait for one another for ever, and are told
/// so: send_receive does both at once. Only a message that is in the way of one that its receiver waits for, because it
/// was sent earlier under another tag, is copied and kept there until it is wanted.
///
/// Errors, beside those of Communicator: `invalid_argument` for a rank that is not in [0, size()) or a tag below 0;
/// mismatch, on every rank, where sender and receiver differ in the number or type of elements; timeout, at once, where
/// ranks wait for one another in a circle. A receive from any rank waits for all of them.
/// Cost: ts + tw m b; a rank's messages to and from other ranks are under way together. A receive from any rank looks
/// at all p ranks in turn.
class TUTTI_API Messages : public ReproducibleScans {
 public:
  using ReproducibleScans::ReproducibleScans;

  /// Returns when rank `to` has received `data`. Errors: see above, as for all messages. Cost: ts + tw m b.
  template <typename Data>
  void send(Data&& data, int to, const MessageOptions& options = {}) {
    start_send(detail::parcel_of<Data>(data), to, options).wait();
  }
  /// Sends and returns at once; `data` must stay as it is until the handle is done. Errors: at the wait. Cost: as
  /// above.
  template <typename Data>
  Handle send_async(Data&& data, int to, const MessageOptions& options = {}) {
    detail::check_lasting<Data>();
    return start_send(detail::parcel_of<Data>(data), to, options);
  }

  /// Returns when `data` holds what rank `from` has sent, which must be as many elements; says who has sent it. Errors:
  /// mismatch for another number or type. Cost: ts + tw m b.
  template <typename Data>
  Envelope receive(Data&& data, int from, const MessageOptions& options = {}) {
    Handle receiving = start_receive(detail::parcel_into<Data>(data), from, options);
    receiving.wait();
    return receiving.envelope();
  }
  /// Receives and returns at once; `data` must not be read or written until the handle is done, and then it has the
  /// envelope. Errors: at the wait. Cost: as above.
  template <typename Data>
  Handle receive_async(Data&& data, int from, const MessageOptions& options = {}) {
    return start_receive(detail::parcel_into<Data>(data), from, options);
  }
  /// Returns the one value that rank `from` has sent. Errors and cost: as above.
  template <OneElement T>
  T receive(int from, const MessageOptions& options = {}) {
    static_assert(std::default_initializable<T>,
                  "a value is made before it is received, so that its type needs a default constructor: receive into a "
                  "variable");
    T value;
    receive(std::span(&value, 1), from, options);
    return value;
  }

  /// Sends `sent` to rank `to` and receives `received` from rank `from`, both under way together: what a ring, or two
  /// ranks that exchange data, need. Returns when both are done. The two may differ in type and length, and must not
  /// overlap. Errors: as of both. Cost: ts + tw m b of the longer.
  template <typename Sent, typename Received>
  void send_receive(Sent&& sent, int to, Received&& received, int from, const MessageOptions& options = {}) {
    start_send_receive(detail::parcel_of<Sent>(sent), to, detail::parcel_into<Received>(received), from, options)
        .wait();
  }
  /// Exchanges and returns at once: one handle for both. Errors: at the wait. Cost: as above.
  template <typename Sent, typename Received>
  Handle send_receive_async(Sent&& sent, int to, Received&& received, int from, const MessageOptions& options = {}) {
    detail::check_lasting<Sent>();
    return start_send_receive(detail::parcel_of<Sent>(sent), to, detail::parcel_into<Received>(received), from,
                              options);
  }
  /// Returns what rank `from` has sent: one value for one value, a vector of as many elements for elements. Errors: as
  /// above. Cost: as above, and memory for elements.
  template <typename Sent>
  auto send_receive(Sent&& sent, int to, int from, const MessageOptions& options = {}) {
    using T = detail::ElementIn<Sent>;
    if constexpr (detail::is_single<Sent>) {
      T received(sent);
      send_receive(sent, to, std::span(&received, 1), from, options);
      return received;
    } else {
      auto received = detail::result_of<T>(detail::size_of(sent));
      send_receive(sent, to, received, from, options);
      return received;
    }
  }

  /// Returns when a message has come that a receive from `from` with these options would take, and leaves it where it
  /// is. Errors: as a receive from there; timeout where none comes. Cost: waits for the sender; a message in the way of
  /// the one that is found is copied. So the receive can be given memory of its size:
  ///
  ///     const tutti::Envelope next = comm.probe();
  ///     std::vector<double> data(static_cast<std::size_t>(next.count));
  ///     comm.receive(data, next.rank, {.tag = next.tag});
  Envelope probe(int from = any_rank, const MessageOptions& options = {.tag = any_tag});
  /// Probes without waiting: nothing if no such message has come yet. Makes progress. Errors: those of arguments, and
  /// of a communicator that has failed, as it does if a rank is lost; a rank that has ended well sends nothing more,
  /// and no loop of these times out. Cost: a look at the rank, or at all p.
  std::optional<Envelope> test_probe(int from = any_rank, const MessageOptions& options = {.tag = any_tag});
};

}  // namespace tutti

/// @file
/// Which message of the user's own goes to which receive.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "calls/reception.hpp"
#include "tutti/envelope.hpp"

namespace tutti::runtime {

class CommunicatorState;
class ReceiveOperation;

/// A message as its receiver first sees it.
struct Announced {
  Envelope envelope;
  std::int64_t bytes = 0;
  std::int64_t element_size = 1;
  std::uint64_t type = 0;
  std::string type_name;
};

/// A message that came before it was wanted, in memory of its own.
struct SetAside {
  SetAside(Announced message, const Route& route)
      : announced(std::move(message)),
        memory(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(announced.bytes))),
        reception(route, memory.get(), announced.bytes, announced.element_size) {}

  Announced announced;
  std::unique_ptr<std::byte[]> memory;
  Reception reception;
};

/// The messages that have come to one rank of a communicator, and the receives and probes that wait for one.
///
/// Messages of a pair of ranks come one after the other. Each goes to the receive that was posted first among those
/// that take it; so messages of one rank under one tag are received in the order in which they were sent, and receives
/// that take the same messages get them in the order in which they were posted. A message that no receive takes stays
/// with its sender, until a receive or probe waits for a later one of that rank: then it is copied and set aside, for
/// the next one cannot be seen before. A receive that is posted looks first at what was set aside, in the order in
/// which it came.
class Inbox {
 public:
  explicit Inbox(CommunicatorState& communicator);
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  /// Gives the operation a message that was set aside, or lets it wait for one.
  void post(ReceiveOperation& operation);
  /// The operation does not wait any more.
  void forget(const ReceiveOperation& operation);
  /// Looks at what has come from the ranks that the operation listens to, for all that wait for it. Says whether
  /// anything moved.
  bool look(const ReceiveOperation& operation);
  /// Whether a message is being copied to be set aside: its sender waits for that.
  bool is_setting_aside() const;

 private:
  bool look_at(int source, const ReceiveOperation& operation);
  bool advance_set_aside();

  CommunicatorState& communicator_;
  std::vector<ReceiveOperation*> waiting_;           // in the order in which they were posted
  std::deque<std::unique_ptr<SetAside>> set_aside_;  // in the order in which they came
  Arrival arrival_;
};

}  // namespace tutti::runtime

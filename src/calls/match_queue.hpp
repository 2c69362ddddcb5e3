/// @file
/// Matching of the user's own messages and receives.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "progress/communicator_state.hpp"
#include "transport/interfaces/channel.hpp"
#include "tutti/envelope.hpp"

namespace tutti::runtime {

/// Rank and tag of a message, or what a receive takes: `any_rank`, `any_tag`.
struct MatchKey {
  int rank = any_rank;
  int tag = any_tag;

  friend auto operator<=>(const MatchKey&, const MatchKey&) = default;
};

/// A queue a key, each in the order in which items were added. Time of each call: logarithmic in the number of keys,
/// and independent of the number of items.
template <typename Item>
class KeyedQueues {
  using Queues = std::map<MatchKey, std::list<Item>>;

 public:
  /// Place of an item.
  struct Position {
    typename Queues::iterator queue;
    typename std::list<Item>::iterator item;
  };

  Position add(const MatchKey& key, Item item) {
    const auto queue = queue_of(key);
    return {queue, queue->second.insert(queue->second.end(), std::move(item))};
  }
  void remove(const Position& place) {
    place.queue->second.erase(place.item);
    // The node is kept: programs that wait for one message at a time use it again and again.
    if (place.queue->second.empty()) spare_ = queues_.extract(place.queue);
  }
  /// The first with exactly that key; null where there is none.
  Item* first(const MatchKey& key) {
    const auto found = queues_.find(key);
    return found == queues_.end() ? nullptr : &found->second.front();
  }

 private:
  typename Queues::iterator queue_of(const MatchKey& key) {
    if (spare_.empty()) return queues_.try_emplace(key).first;
    spare_.key() = key;
    auto result = queues_.insert(std::move(spare_));
    spare_ = std::move(result.node);
    return result.position;
  }

  Queues queues_;  // none is empty
  typename Queues::node_type spare_;
};

class CommunicatorState;

/// Brings one message that has been announced to where it is wanted. The memory stays until it is done.
class IncomingMessage {
 public:
  IncomingMessage(const Route& route, std::byte* into, std::int64_t bytes, std::int64_t element_size)
      : route_(route), into_(into), bytes_(bytes), element_size_(element_size) {}

  /// Does what can be done now, and says whether anything moved.
  bool advance(CommunicatorState& communicator);
  bool done() const { return done_; }

 private:
  bool come(CommunicatorState& communicator);
  bool take(CommunicatorState& communicator);
  bool take_parts(CommunicatorState& communicator);

  Route route_;
  std::byte* into_;
  std::int64_t bytes_;
  std::int64_t element_size_;
  Arrival arrival_;
  std::int64_t taken_ = 0;  // bytes of what comes in parts
  bool come_ = false;
  bool done_ = false;
};

/// A message as its receiver first sees it.
struct MessageHeader {
  Envelope envelope;
  std::int64_t bytes = 0;
  std::int64_t element_size = 1;
  std::uint64_t type = 0;
  std::string type_name;
};

/// A message that came before it was wanted, in memory of its own.
struct UnexpectedMessage {
  UnexpectedMessage(MessageHeader message, const Route& route)
      : header(std::move(message)),
        memory(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(header.bytes))),
        incoming(route, memory.get(), header.bytes, header.element_size) {}

  MessageHeader header;
  std::unique_ptr<std::byte[]> memory;
  IncomingMessage incoming;
  std::array<KeyedQueues<std::shared_ptr<UnexpectedMessage>>::Position, 4> places;  // under each key that takes it
};

/// The keys of receives that take the message.
inline std::array<MatchKey, 4> keys_of(const Envelope& envelope) {
  const int rank = envelope.rank;
  const int tag = envelope.tag;
  return {{{rank, tag}, {rank, any_tag}, {any_rank, tag}, {any_rank, any_tag}}};
}

/// The messages that have come to one rank of a communicator, and the receives and probes that wait for one.
///
/// Messages of a pair of ranks come one after the other. Each goes to the receive that was posted first among those
/// that take it; so messages of one rank under one tag are received in the order in which they were sent, and receives
/// that take the same messages get them in the order in which they were posted. A message that no receive takes stays
/// with its sender, until a receive or probe waits for a later one of that rank: then it is copied and set aside, for
/// the next one cannot be seen before. A receive that is posted looks first at what was set aside, in the order in
/// which it came.
///
/// A receive takes messages of one key or of four: rank and tag, each or any. Receives wait in the queue of their key,
/// and a message looks at the first of four queues; what was set aside is in four queues, and a receive looks at one.
/// So the time of a match does not grow with what waits.
template <typename Receive>
class MatchQueue {
 public:
  explicit MatchQueue(CommunicatorState& communicator);
  MatchQueue(const MatchQueue&) = delete;
  MatchQueue& operator=(const MatchQueue&) = delete;

  /// Gives the operation a message that was set aside, or lets it wait for one.
  void post(Receive& operation);
  /// The operation does not wait any more.
  void forget(Receive& operation);
  /// Looks at what has come from the ranks that the operation listens to, for all that wait for it. Says whether
  /// anything moved.
  bool look(const Receive& operation);
  /// Whether a message is being copied to be set aside: its sender waits for that.
  bool is_copying_unexpected() const;

 private:
  bool look_at(int source, const Receive& operation);
  bool advance_unexpected();
  Receive* taker_of(const Envelope& envelope);
  void keep_unexpected(MessageHeader header, const Route& route);

  CommunicatorState& communicator_;
  std::uint64_t posted_ = 0;
  KeyedQueues<Receive*> waiting_;
  KeyedQueues<std::shared_ptr<UnexpectedMessage>> unexpected_;
  std::vector<std::shared_ptr<UnexpectedMessage>> arriving_;  // messages that are set aside, or were taken since
  Arrival arrival_;
};

template <typename Receive>
MatchQueue<Receive>::MatchQueue(CommunicatorState& communicator) : communicator_(communicator) {}

template <typename Receive>
void MatchQueue<Receive>::post(Receive& operation) {
  std::shared_ptr<UnexpectedMessage>* const first = unexpected_.first(operation.key());
  if (first == nullptr) {
    operation.number_ = ++posted_;
    operation.place_ = waiting_.add(operation.key(), &operation);
    return;
  }
  const std::shared_ptr<UnexpectedMessage> found = *first;
  if (operation.is_probe()) return operation.see(found->header.envelope);
  for (const auto& place : found->places) unexpected_.remove(place);
  operation.take_over(found);
}

template <typename Receive>
void MatchQueue<Receive>::forget(Receive& operation) {
  if (operation.place_) waiting_.remove(*operation.place_);
  operation.place_.reset();
}

template <typename Receive>
bool MatchQueue<Receive>::is_copying_unexpected() const {
  return std::any_of(arriving_.begin(), arriving_.end(), [](const auto& each) { return !each->incoming.done(); });
}

template <typename Receive>
bool MatchQueue<Receive>::advance_unexpected() {
  bool moved = false;
  for (const auto& each : arriving_) moved |= each->incoming.advance(communicator_);
  std::erase_if(arriving_, [](const auto& each) { return each->incoming.done(); });
  return moved;
}

template <typename Receive>
bool MatchQueue<Receive>::look(const Receive& operation) {
  bool moved = advance_unexpected();
  const int from = operation.from();
  const int first = from == any_rank ? 0 : from;
  const int end = from == any_rank ? communicator_.size() : from + 1;
  for (int source = first; source < end && operation.is_waiting(); ++source) moved |= look_at(source, operation);
  return moved;
}

/// The receive or probe that was posted first of those that take the message, which then waits no more; null where
/// there is none.
template <typename Receive>
Receive* MatchQueue<Receive>::taker_of(const Envelope& envelope) {
  Receive* taker = nullptr;
  for (const MatchKey& key : keys_of(envelope)) {
    Receive** const first = waiting_.first(key);
    if (first != nullptr && (taker == nullptr || (*first)->number_ < taker->number_)) taker = *first;
  }
  if (taker != nullptr) forget(*taker);
  return taker;
}

template <typename Receive>
void MatchQueue<Receive>::keep_unexpected(MessageHeader header, const Route& route) {
  const auto message = std::make_shared<UnexpectedMessage>(std::move(header), route);
  const std::array<MatchKey, 4> keys = keys_of(message->header.envelope);
  for (std::size_t k = 0; k < keys.size(); ++k) message->places[k] = unexpected_.add(keys[k], message);
  message->incoming.advance(communicator_);
  if (!message->incoming.done()) arriving_.push_back(message);
}

template <typename Receive>
bool MatchQueue<Receive>::look_at(int source, const Receive& operation) {
  bool moved = false;
  while (operation.is_waiting()) {
    const Route route = communicator_.coming(source);
    if (!communicator_.channel().peek(route, arrival_)) break;
    moved = true;
    MessageHeader header{{source, arrival_.tag, arrival_.bytes / arrival_.element_size},
                         arrival_.bytes,
                         arrival_.element_size,
                         arrival_.digest,
                         std::string(arrival_.type_name)};
    Receive* const taker = taker_of(header.envelope);
    if (taker != nullptr && taker->is_probe()) {
      taker->see(header.envelope);
      continue;
    }
    communicator_.take_over(source);
    if (taker == nullptr) {
      keep_unexpected(std::move(header), route);
    } else {
      taker->take_over(header, route);
    }
  }
  return moved;
}

}  // namespace tutti::runtime

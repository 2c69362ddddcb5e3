#include "algorithms/all_to_all/transit.hpp"

#include <utility>

namespace tutti::algorithms {

Slice Transit::place(std::int64_t elements) {
  if (!free_.empty() && free_.back().count == elements) {
    const Slice place = free_.back();
    free_.pop_back();
    return place;
  }
  const Slice place = me_.scratch(end_, elements);
  end_ += elements;
  return place;
}

void Transit::exchange(const std::vector<int>& slots, int to, int from,
                       const std::function<Message(int slot)>& arrival) {
  if (counted_) {
    const Slice all{Buffer::scratch, 0, std::ssize(slots) * *counted_};
    me_.send(all, to);
    me_.receive(all, from);
    return me_.wait();
  }
  Message leaving;
  Message arriving;
  std::vector<Message> arrived;
  arrived.reserve(slots.size());
  for (const int slot : slots) {
    const Message& bundle = (*this)[slot];
    leaving.insert(leaving.end(), bundle.begin(), bundle.end());
    arrived.push_back(arrival(slot));
    arriving.insert(arriving.end(), arrived.back().begin(), arrived.back().end());
  }
  me_.send(leaving, to);
  me_.receive(arriving, from);
  me_.wait();

  // Freed from the last to the first, so that neighbouring places are taken again in order and joined.
  for (std::size_t k = slots.size(); k-- > 0;) {
    Message& bundle = (*this)[slots[k]];
    for (const Slice& slice : bundle) {
      if (slice.buffer == Buffer::scratch && slice.count > 0) free_.push_back(slice);
    }
    bundle = std::move(arrived[k]);
  }
}

void bruck_exchange(Transit& transit, const Digits& numbers, int me, const std::function<int(int number)>& rank_of,
                    const std::function<Message(int origin, int destination)>& arrival) {
  const int n = numbers.size();
  numbers.for_each_value([&](int weight, int value) {
    const int distance = value * weight;
    std::vector<int> slots;
    for (int i = distance; i < n; ++i) {
      if (numbers.digit(i, weight) == value) slots.push_back(i);
    }
    // Returns how far the bundle in slot i has come: as far as the digits up to this one say.
    const auto place = [&](int i) {
      const int origin = modulo(me - i % weight - distance, n);
      return arrival(origin, (origin + i) % n);
    };
    transit.exchange(slots, rank_of((me + distance) % n), rank_of(modulo(me - distance, n)), place);
  });
}

}  // namespace tutti::algorithms

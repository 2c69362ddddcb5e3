#include "property/stress_messages.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/odd_element.hpp"

namespace tutti::testing {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }

struct Message {
  int from = 0;
  int to = 0;
  std::size_t kind = 0;  // kind of elements
  std::size_t count = 0;
  std::uint64_t seed = 0;
};

/// One end of a message.
class End {
 public:
  virtual ~End() = default;
  virtual Handle send(Communicator& comm) = 0;
  virtual Handle receive(Communicator& comm) = 0;
  virtual void check() const = 0;
};

template <std::size_t Size>
class EndOf final : public End {
 public:
  using Element = OddElement<Size>;

  /// In memory of the rank's own, or that other ranks reach.
  EndOf(Communicator& comm, const Message& message, bool is_allocated) : message_(message) {
    own_.resize(message.count);
    data_ = own_;
    if (is_allocated) {
      allocated_ = comm.allocate<Element>(message.count);
      data_ = allocated_;
    }
  }

  Handle send(Communicator& comm) override {
    const std::vector<Element> content = parcel<Element>(message_.seed, message_.count);
    std::copy(content.begin(), content.end(), data_.begin());
    return comm.send_async(data_, message_.to);
  }
  Handle receive(Communicator& comm) override { return comm.receive_async(data_, message_.from); }
  void check() const override {
    const std::vector<Element> expected = parcel<Element>(message_.seed, message_.count);
    EXPECT_TRUE(std::equal(data_.begin(), data_.end(), expected.begin(), expected.end()))
        << "message of " << message_.count << " elements of " << Size << " bytes from rank " << message_.from
        << " to rank " << message_.to;
  }

 private:
  Message message_;
  std::vector<Element> own_;
  Memory<Element> allocated_;
  std::span<Element> data_;
};

template <std::size_t... Sizes>
struct Kinds {
  static constexpr std::size_t size_of(std::size_t kind) {
    constexpr std::size_t sizes[] = {Sizes...};
    return sizes[kind];
  }
  static std::unique_ptr<End> end(Communicator& comm, const Message& message, bool is_allocated) {
    std::unique_ptr<End> made;
    std::size_t kind = 0;
    ((kind++ == message.kind ? void(made = std::make_unique<EndOf<Sizes>>(comm, message, is_allocated)) : void()), ...);
    return made;
  }
  static constexpr std::size_t count = sizeof...(Sizes);
};
using AllKinds = Kinds<1, 3, 7, 8, 12, 1000, 200'000>;

/// Most messages are short; some are about as long as a ring, or several times as long.
std::size_t random_count(Random& random, std::size_t element_size) {
  constexpr std::size_t ring = 112 * 1024;
  constexpr std::size_t most_bytes[] = {0, 40, 300, 3000, 20'000, ring, ring + 5000, 3 * ring, 5 * ring};
  const std::size_t most = most_bytes[below(random, std::size(most_bytes))] / element_size;
  return most - std::min(most, below(random, 3)) + (below(random, 6) == 0 ? 1 : 0);
}

std::vector<Message> random_messages(Random& random, int p) {
  const auto ranks = static_cast<std::size_t>(p);
  std::vector<Message> messages(1 + below(random, 12));
  // Often all between the same two.
  const bool is_pair = below(random, 2) == 0;
  const std::size_t one = below(random, ranks);
  const std::size_t other = below(random, ranks);
  for (Message& message : messages) {
    const bool turned = below(random, 2) == 0;
    message.from = static_cast<int>(is_pair ? (turned ? other : one) : below(random, ranks));
    message.to = static_cast<int>(is_pair ? (turned ? one : other) : below(random, ranks));
    message.kind = below(random, AllKinds::count);
    message.count = random_count(random, AllKinds::size_of(message.kind));
    message.seed = random();
  }
  return messages;
}

}  // namespace

// Every rank goes through the messages in the same order, and begins those of one direction before it waits for any of
// the other: so the first message that is not through can always go on.
void exchange_messages(Communicator& comm, std::uint64_t seed, Random& own) {
  Random shared(seed);
  const std::vector<Message> messages = random_messages(shared, comm.size());
  const bool sends_first = below(own, 2) == 0;
  std::vector<std::unique_ptr<End>> ends;
  std::vector<Handle> handles;
  for (const bool sends : {sends_first, !sends_first}) {
    for (const Message& message : messages) {
      if ((sends ? message.from : message.to) != comm.rank()) continue;
      ends.push_back(AllKinds::end(comm, message, below(own, 4) == 0));
      handles.push_back(sends ? ends.back()->send(comm) : ends.back()->receive(comm));
      if (sends != sends_first && below(own, 2) == 0) handles.back().wait();
      if (below(own, 8) == 0) (void)handles[below(own, handles.size())].test();
    }
  }
  std::shuffle(handles.begin(), handles.end(), own);
  comm.wait(handles);
  for (const auto& end : ends) end->check();
}

}  // namespace tutti::testing

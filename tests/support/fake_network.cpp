#include "support/fake_network.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "transport/fold_here.hpp"

namespace tutti::testing {

using namespace runtime;

namespace {

constexpr int nonsense = 0x5a;

void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

class FakeAgreement : public Agreement {
 public:
  FakeAgreement(FakeNetwork& network, int rank) : net_(network), rank_(rank) {}

  bool may_enter(std::uint64_t number) override {
    for (std::uint64_t call = 0; call < number && !disputed_; ++call) compare(call);
    if (disputed_) return false;
    return std::all_of(net_.completed_.begin(), net_.completed_.end(),
                       [&](std::uint64_t completed) { return completed + collective_slots > number; });
  }
  void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) override {
    demand(mine().size() == number, "collectives are signed in their order");
    mine().push_back({signature, {counts.begin(), counts.end()}});
  }
  bool has_signed(int rank, std::uint64_t number) override { return of(rank).size() > number; }
  const Signature& signature(int rank, std::uint64_t number) override { return of(rank).at(number).signature; }
  std::vector<std::int64_t> counts(int rank, std::uint64_t number) override { return of(rank).at(number).counts; }
  void complete(std::uint64_t number) override { net_.completed_[static_cast<std::size_t>(rank_)] = number; }
  bool has_completed(int rank, std::uint64_t number) override {
    return net_.completed_[static_cast<std::size_t>(rank)] > number;
  }
  void flush() override {}
  bool settled() override {
    for (std::uint64_t call = 0; call < mine().size(); ++call) {
      if (!compare(call)) return false;
    }
    return !disputed_;
  }
  std::optional<std::uint64_t> disputed() const override { return disputed_; }

 private:
  std::vector<FakeNetwork::Signed>& of(int rank) { return net_.calls_[static_cast<std::size_t>(rank)]; }
  std::vector<FakeNetwork::Signed>& mine() { return of(rank_); }
  /// Whether all have signed the call.
  bool compare(std::uint64_t call) {
    std::uint64_t balance = 0;
    for (int rank = 0; rank < net_.size(); ++rank) {
      if (!has_signed(rank, call)) return false;
      if (!disputed_ && signature(rank, call).digest != signature(0, call).digest) disputed_ = call;
      balance += signature(rank, call).balance;
    }
    if (!disputed_ && balance != 0) disputed_ = call;
    return true;
  }

  FakeNetwork& net_;
  int rank_;
  std::optional<std::uint64_t> disputed_;
};

class FakeChannel : public Channel, public StreamedMessages, public OpenPlaces, public ReceiverCopies {
 public:
  FakeChannel(FakeNetwork& network, int rank) : net_(network), rank_(rank) {}

  ChannelCapabilities capabilities() override {
    return {.streams = this, .open_places = this, .receiver_copies = this};
  }

  PostResult post(const Route& route, const Outgoing& message) override {
    FakeNetwork::Letter& letter = net_.letters_[{rank_, route.peer, route.call_slot}];
    // Messages take the place in their order: one that was refused is not overtaken.
    const std::uint64_t before = route.begins ? letter.number : route.previous;
    if (route.previous != 0 && letter.released != before) return PostResult::refused;
    demand(letter.is_read(), "posted as the first message, before the last one was read");
    if (net_.failure_ || net_.lot(net_.faults_.refused)) return PostResult::refused;
    letter.number = route.number;
    letter.digest = message.digest;
    letter.element_size = message.bindings->element_size;
    letter.type_name = message.type_name;
    letter.tag = message.tag;
    letter.lies.clear();
    letter.bytes.clear();
    letter.taken = 0;
    for (const Slice& slice : message.slices) {
      const std::byte* const from = message.bindings->at(slice);
      const std::int64_t bytes = slice.count * letter.element_size;
      letter.lies.push_back(MemoryRange::of(from, bytes));
      letter.bytes.insert(letter.bytes.end(), from, from + bytes);
    }
    demand(static_cast<std::int64_t>(letter.bytes.size()) == message.bytes, "a message is as long as its slices");
    letter.is_in_its_place = message.in_its_place;
    if (message.in_its_place) return place(letter);
    letter.is_in_parts = net_.lot(net_.faults_.in_parts);
    letter.is_buffered = !letter.is_in_parts && message.may_buffer && net_.lot(net_.faults_.buffered);
    lend(letter, message);
    return letter.is_buffered ? PostResult::delivered : PostResult::offered;
  }
  bool delivered(const Route& route) override {
    return net_.letters_[{rank_, route.peer, route.call_slot}].released >= route.number;
  }
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override {
    if (net_.cut_[static_cast<std::size_t>(route.peer)] || net_.lot(net_.faults_.late)) return false;
    FakeNetwork::Letter& letter = incoming(route);
    if (letter.number != route.number || letter.is_read()) return false;
    arrival.digest = letter.digest;
    arrival.bytes = static_cast<std::int64_t>(letter.bytes.size());
    arrival.element_size = letter.element_size;
    arrival.type_name = letter.type_name;
    arrival.tag = letter.tag;
    arrival.in_parts = letter.is_in_parts;
    arrival.in_place = false;
    arrival.in_its_place = letter.is_in_its_place;
    arrival.is_lent = false;
    arrival.ranges.clear();
    if (letter.is_in_parts || letter.is_in_its_place) return true;
    if (letter.is_buffered) {
      arrival.ranges.push_back(MemoryRange::of(letter.bytes.data(), arrival.bytes));
    } else if (landing.size() == letter.bytes.size() && net_.lot(net_.faults_.landed)) {
      std::copy(letter.bytes.begin(), letter.bytes.end(), landing.begin());
      arrival.ranges.push_back(MemoryRange::of(landing.data(), arrival.bytes));
    } else {
      arrival.in_place = true;
      arrival.is_lent = letter.is_lent;
      arrival.ranges = letter.lies;
    }
    return true;
  }
  std::span<const std::byte> part(const Route& route) override {
    if (net_.lot(net_.faults_.late)) return {};
    const FakeNetwork::Letter& letter = incoming(route);
    demand(letter.number == route.number && letter.is_in_parts, "part() of a message that does not come in parts");
    const auto left = (static_cast<std::int64_t>(letter.bytes.size()) - letter.taken) / letter.element_size;
    const std::int64_t some =
        left == 0 ? 0 : 1 + static_cast<std::int64_t>(net_.random()() % static_cast<std::uint64_t>(left));
    return std::span<const std::byte>(letter.bytes)
        .subspan(static_cast<std::size_t>(letter.taken), static_cast<std::size_t>(some * letter.element_size));
  }
  void take(const Route& route, std::int64_t bytes) override { incoming(route).taken += bytes; }
  std::uint64_t parts() const override { return 0; }
  void release(const Route& route) override {
    FakeNetwork::Letter& letter = incoming(route);
    demand(letter.number == route.number && !letter.is_read(), "released what is not there");
    demand(!letter.is_in_parts || letter.taken == static_cast<std::int64_t>(letter.bytes.size()),
           "released before all parts were taken");
    if (!letter.is_buffered && !is_overwritten_by_reader(route, letter))
      demand(is_unchanged(letter), "the sender wrote its memory before it was delivered");
    demand(letter.taken_from < 0 || is_made(letter), "released before the copy was made that was taken on");
    letter.released = route.number;
  }
  void open_place(const Route& route, const OpenPlace& place) override {
    FakeNetwork::Letter& letter = incoming(route);
    if (letter.number < letter.opened) return;
    letter.opened = route.number;
    letter.place = place;
    letter.was_there.assign(place.where.pointer(), place.where.pointer() + place.where.bytes);
  }
  std::optional<OpenPlace> place_of(const Route& route) override {
    FakeNetwork::Letter& letter = net_.letters_[{rank_, route.peer, route.call_slot}];
    if (letter.opened != route.number || !net_.lot(net_.faults_.placed)) return std::nullopt;
    const OpenPlace place = letter.place;
    const auto bytes = static_cast<std::size_t>(place.where.bytes);
    const bool is_left_alone = std::memcmp(place.where.pointer(), letter.was_there.data(), bytes) == 0;
    demand(is_left_alone, "a rank wrote into a place after it was opened");
    // A later reader computes nonsense.
    if (!place.is_sent) std::memset(place.where.pointer(), nonsense, bytes);
    return place;
  }
  bool lends_copy(const Route& route) override { return net_.letters_[{rank_, route.peer, route.call_slot}].is_lent; }
  std::optional<std::int64_t> claim_copy(const Route& route, std::int64_t bytes) override {
    FakeNetwork::Letter& letter = net_.letters_[{rank_, route.peer, route.call_slot}];
    demand(letter.number == route.number && letter.is_lent, "claimed of a copy that is not lent");
    if (letter.claimed >= letter.copy.bytes) return std::nullopt;
    return std::exchange(letter.claimed, letter.claimed + bytes);
  }
  std::optional<LentCopy> take_copy(const Route& route) override {
    FakeNetwork::Letter& letter = incoming(route);
    demand(letter.number == route.number && letter.is_lent, "took a copy that is not lent");
    if (letter.claimed >= letter.copy.bytes || !net_.lot(net_.faults_.lent)) return std::nullopt;
    letter.taken_from = std::exchange(letter.claimed, letter.copy.bytes);
    ++net_.lent_;
    return LentCopy{letter.copy, letter.taken_from};
  }

 private:
  void lend(FakeNetwork::Letter& letter, const Outgoing& message) {
    letter.claimed = 0;
    letter.taken_from = -1;
    letter.is_lent =
        message.copy.bytes > 0 && !letter.is_in_parts && !letter.is_buffered && net_.lot(net_.faults_.lent);
    if (!letter.is_lent) return;
    demand(message.copy.bytes == message.bytes, "a copy is as long as its message");
    letter.copy = message.copy;
    // So that what nobody makes is seen.
    std::memset(letter.copy.pointer(), nonsense, static_cast<std::size_t>(letter.copy.bytes));
  }
  static bool is_made(const FakeNetwork::Letter& letter) {
    const std::byte* const made = letter.copy.pointer() + letter.taken_from;
    return std::equal(letter.bytes.begin() + letter.taken_from, letter.bytes.end(), made);
  }
  /// The message is in the receiver's memory, where it stays until it is released.
  PostResult place(FakeNetwork::Letter& letter) {
    letter.is_in_parts = false;
    letter.is_buffered = true;
    const bool is_there = letter.opened == letter.number &&
                          letter.place.where.bytes == static_cast<std::int64_t>(letter.bytes.size()) &&
                          std::memcmp(letter.place.where.pointer(), letter.bytes.data(), letter.bytes.size()) == 0;
    demand(is_there, "a message that is said to lie in its place does not");
    ++net_.placed_;
    return PostResult::delivered;
  }
  FakeNetwork::Letter& incoming(const Route& route) { return net_.letters_[{route.peer, rank_, route.call_slot}]; }
  /// Whether the message lies in a place that this rank, its receiver, may fill.
  bool is_overwritten_by_reader(const Route& route, const FakeNetwork::Letter& letter) {
    const OpenPlace& place = net_.letters_[{rank_, route.peer, route.call_slot}].place;
    return place.is_sent && letter.lies.size() == 1 && letter.lies.front().address == place.where.address;
  }
  static bool is_unchanged(const FakeNetwork::Letter& letter) {
    const std::byte* was = letter.bytes.data();
    for (const MemoryRange& each : letter.lies) {
      if (each.bytes > 0 && std::memcmp(was, each.pointer(), static_cast<std::size_t>(each.bytes)) != 0) return false;
      was += each.bytes;
    }
    return true;
  }

  FakeNetwork& net_;
  int rank_;
};

class FakeFolding : public Folding {
 public:
  bool carry_out(const Fold& fold, const Combination& how, int) override {
    const bool is_there = fold.operands.size() == 1 && fold.operands.front().address == fold.into.address;
    if (!is_there) fold_here(fold, how, 0, fold.into.bytes, detail::Stores::cached, pointers_);
    return true;
  }
  void help(int, int, const Combination&) override {}

 private:
  std::vector<const void*> pointers_;
};

class FakeFailure : public Failure {
 public:
  FakeFailure(FakeNetwork& network, int rank) : net_(network), rank_(rank) {}

  bool failed() const override { return net_.failure_.has_value(); }
  void fail(ErrorCode code, const std::string& message) override {
    if (!failed()) net_.failure_.emplace(code, message);
  }
  Error error() const override { return *net_.failure_; }
  void withdraw() noexcept override { net_.withdrawn_[static_cast<std::size_t>(rank_)] = true; }

 private:
  FakeNetwork& net_;
  int rank_;
};

namespace {

struct Parts {
  Parts(FakeNetwork& network, int rank) : agreement(network, rank), channel(network, rank), failure(network, rank) {}

  FakeAgreement agreement;
  FakeChannel channel;
  FakeFolding folding;
  FakeFailure failure;
};

struct FakeConnection : private Parts, public Connection {
  FakeConnection(FakeNetwork& network, int rank)
      : Parts(network, rank), Connection(Parts::agreement, Parts::channel, Parts::folding, Parts::failure) {}
};

}  // namespace

FakeNetwork::FakeNetwork(int ranks, std::uint64_t seed, const Faults& faults)
    : size_(ranks),
      faults_(faults),
      random_(seed),
      cut_(static_cast<std::size_t>(ranks)),
      withdrawn_(static_cast<std::size_t>(ranks)),
      calls_(static_cast<std::size_t>(ranks)),
      completed_(static_cast<std::size_t>(ranks)) {}

std::unique_ptr<Connection> FakeNetwork::connect(int rank) { return std::make_unique<FakeConnection>(*this, rank); }

}  // namespace tutti::testing

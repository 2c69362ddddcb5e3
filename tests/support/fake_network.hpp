/// @file
/// Connections between ranks of one thread, which go wrong in every way that their interfaces allow.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "transport/interfaces/connection.hpp"

namespace tutti::testing {

/// Percentages of messages that go the less usual way.
struct Faults {
  unsigned refused = 0;   ///< messages that find no room at first
  unsigned late = 0;      ///< looks that do not find what is there
  unsigned in_parts = 0;  ///< messages that come a part at a time
  unsigned buffered = 0;  ///< messages that may, and do, count as delivered at once
  unsigned landed = 0;    ///< other messages that come into the receiver's memory
  unsigned placed = 0;    ///< places that are found by who may fill them
  unsigned lent = 0;      ///< copies that may be lent with a message which is read in place, and then be taken
};

/// Common state of the ranks of one communicator. A forbidden use of an interface is an error of the test: a message
/// posted while the last one was not read, read before it has come, or changed before it was delivered.
class FakeNetwork {
 public:
  FakeNetwork(int ranks, std::uint64_t seed, const Faults& faults);
  FakeNetwork(const FakeNetwork&) = delete;
  FakeNetwork& operator=(const FakeNetwork&) = delete;

  int size() const { return size_; }
  /// Returns that rank's end. The network outlives it.
  std::unique_ptr<runtime::Connection> connect(int rank);
  /// Nothing that the rank sends comes any more.
  void cut(int rank) { cut_[static_cast<std::size_t>(rank)] = true; }
  bool has_withdrawn(int rank) const { return withdrawn_[static_cast<std::size_t>(rank)]; }
  /// Messages that lay in their places when they were sent.
  int placed() const { return placed_; }
  /// Copies of which the receivers of messages have made some or all.
  int lent() const { return lent_; }
  std::mt19937_64& random() { return random_; }
  bool lot(unsigned of_a_hundred) { return random_() % 100 < of_a_hundred; }

 private:
  friend class FakeAgreement;
  friend class FakeChannel;
  friend class FakeFailure;

  /// Sender, receiver and call slot: room for one message.
  using Pair = std::tuple<int, int, int>;
  struct Letter {
    std::uint64_t number = 0;
    std::uint64_t released = 0;  // the latest that was
    std::uint64_t digest = 0;
    std::int64_t element_size = 1;
    std::string type_name;
    int tag = 0;
    std::vector<runtime::MemoryRange> lies;  // in the sender's memory
    std::vector<std::byte> bytes;            // bytes as they were posted
    bool is_buffered = false;
    bool is_in_parts = false;
    std::int64_t taken = 0;
    bool is_in_its_place = false;
    std::uint64_t opened = 0;  // the message for which there is a place
    runtime::OpenPlace place;
    std::vector<std::byte> was_there;  // when the place was opened
    bool is_lent = false;
    runtime::MemoryRange copy;     // the sender's
    std::int64_t claimed = 0;      // claimed bytes of the copy
    std::int64_t taken_from = -1;  // from there on the receiver makes the copy; -1: it does not

    bool is_read() const { return released == number; }
  };
  struct Signed {
    runtime::Signature signature;
    std::vector<std::int64_t> counts;
  };

  int size_;
  Faults faults_;
  std::mt19937_64 random_;
  std::map<Pair, Letter> letters_;
  int placed_ = 0;
  int lent_ = 0;
  std::vector<bool> cut_;
  std::vector<bool> withdrawn_;
  std::optional<Error> failure_;
  std::vector<std::vector<Signed>> calls_;  // by rank and number
  std::vector<std::uint64_t> completed_;    // by rank: all collectives below
};

}  // namespace tutti::testing

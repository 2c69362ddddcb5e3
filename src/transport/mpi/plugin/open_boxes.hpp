/// @file
/// Mailboxes of a rank's communicators, from the first packet until all of its ranks have left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

namespace tutti::runtime {

/// Boxes by the names of their communicators, which never come again. A packet may come before this rank has joined its
/// communicator, and after all have left it: news that all have left comes by other ranks than the packet. Nothing
/// would ever end a box made for that, so the latest names that have ended are kept in mind.
template <typename Box>
class OpenBoxes {
 public:
  /// Makes the box of a communicator.
  using Make = std::function<Box(std::uint64_t communicator)>;

  explicit OpenBoxes(Make make) : make_(std::move(make)) {}

  /// The communicator's, of which this rank is a member that has not left; made where there is none.
  Box& of_member(std::uint64_t communicator) {
    const auto found = boxes_.find(communicator);
    return found != boxes_.end() ? found->second : boxes_.try_emplace(communicator, make_(communicator)).first->second;
  }
  /// Returns the mailbox of a packet's communicator, made if there is none; null if all have left it.
  Box* of_packet(std::uint64_t communicator) {
    const auto found = boxes_.find(communicator);
    if (found != boxes_.end()) return &found->second;
    if (std::find(ended_.begin(), ended_.end(), communicator) != ended_.end()) return nullptr;
    return &of_member(communicator);
  }
  /// All have left it.
  void end(std::uint64_t communicator) {
    boxes_.erase(communicator);
    if (ended_.size() == most_ended) ended_.pop_front();
    ended_.push_back(communicator);
  }

  auto begin() { return boxes_.begin(); }
  auto end() { return boxes_.end(); }

 private:
  /// Far more than end while a packet is on its way.
  static constexpr std::size_t most_ended = 1024;

  Make make_;
  std::map<std::uint64_t, Box> boxes_;
  std::deque<std::uint64_t> ended_;
};

}  // namespace tutti::runtime

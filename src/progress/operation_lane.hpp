/// @file
/// Row of operations of which only the first can move.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <utility>

namespace tutti::runtime {

/// Operations of one rank that take turns: collectives of a communicator before they enter, sends to one peer before
/// they are posted, receives that listen to the same rank before their message has come. The engine looks at the first
/// alone, so that a look costs no more where many wait behind it. For one thread at a time.
template <typename Member>
class BasicLane {
 public:
  using Parked = std::list<std::shared_ptr<Member>>;

  BasicLane() = default;
  BasicLane(const BasicLane&) = delete;
  BasicLane& operator=(const BasicLane&) = delete;

  /// Whether an operation is first: others wait behind it.
  bool has_first() const { return first_ != nullptr; }
  bool is_first(const Member& member) const { return first_ == &member; }
  /// Makes the operation the first, which the engine has.
  void lead(Member& member);
  /// Lets the operation wait behind the others.
  void park(const std::shared_ptr<Member>& member);
  /// Lets an operation of the lane go on by itself. Returns what the engine is to look at from here on: the operation,
  /// if it waited behind others, or the one that is first after it; null where there is none.
  std::shared_ptr<Member> leave(Member& member);
  /// Returns the operations that wait behind the first, in their order.
  const Parked& parked() const { return parked_; }
  /// Empties the lane; its operations go on by themselves. Returns those that waited behind the first.
  Parked let_go();

  /// Returns how often an operation has left the lane: for those that wait in it this is progress.
  std::uint64_t moves() const { return moves_; }

 private:
  Member* first_ = nullptr;
  Parked parked_;
  std::uint64_t moves_ = 0;
};

template <typename Member>
void BasicLane<Member>::lead(Member& member) {
  first_ = &member;
  member.lane_ = this;
}

template <typename Member>
void BasicLane<Member>::park(const std::shared_ptr<Member>& member) {
  member->place_ = parked_.insert(parked_.end(), member);
  member->lane_ = this;
}

template <typename Member>
std::shared_ptr<Member> BasicLane<Member>::leave(Member& member) {
  std::shared_ptr<Member> next;
  if (first_ != &member) {
    next = std::move(*member.place_);
    parked_.erase(member.place_);
  } else if (parked_.empty()) {
    first_ = nullptr;
  } else {
    next = std::move(parked_.front());
    parked_.pop_front();
    first_ = next.get();
  }
  member.moves_ += ++moves_;
  member.lane_ = nullptr;
  return next;
}

template <typename Member>
typename BasicLane<Member>::Parked BasicLane<Member>::let_go() {
  if (first_ != nullptr) first_->lane_ = nullptr;
  first_ = nullptr;
  for (const std::shared_ptr<Member>& each : parked_) each->lane_ = nullptr;
  return std::exchange(parked_, {});
}

class Operation;
/// Lane of operations.
using OperationLane = BasicLane<Operation>;

}  // namespace tutti::runtime

/// @file
/// One rank's side of one communicator.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "plan/recipes.hpp"
#include "runtime/executor/executor.hpp"
#include "runtime/group.hpp"
#include "runtime/rank.hpp"
#include "tutti/communicator.hpp"

namespace tutti::runtime {

/// What Communicator stands for. For the rank's thread only.
class Member : public std::enable_shared_from_this<Member> {
 public:
  Member(std::shared_ptr<Rank> owner, std::shared_ptr<Group> group, int rank, Duration timeout);

  int rank() const { return rank_; }
  int size() const { return group_->size(); }
  Group& group() const { return *group_; }
  Rank& owner() const { return *owner_; }
  const std::shared_ptr<Rank>& shared_owner() const { return owner_; }
  Transport& transport() const { return *transport_; }
  Numbers& numbers() { return numbers_; }
  Recipes& recipes() { return recipes_; }
  /// Whether rank `rank`'s function has returned or thrown.
  bool has_ended(int rank) const { return owner_->world().has_ended(group_->member(rank)); }

  /// The number of the next collective. Number s runs on lane s mod L, once s - L is complete.
  std::uint64_t take_number() { return next_number_++; }
  bool may_enter(std::uint64_t number) const { return due_[number % collective_lanes] == number; }
  void leave(std::uint64_t number) { due_[number % collective_lanes] = number + collective_lanes; }

  Duration timeout;

 private:
  std::shared_ptr<Rank> owner_;
  std::shared_ptr<Group> group_;
  int rank_;
  std::unique_ptr<Transport> transport_;
  Numbers numbers_;
  Recipes recipes_;
  std::uint64_t next_number_ = 0;
  std::array<std::uint64_t, collective_lanes> due_ = {};  // by lane: the collective that may enter next
};

}  // namespace tutti::runtime

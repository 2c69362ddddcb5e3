#include "runtime/communicator_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/collective_operation.hpp"
#include "runtime/cost_model.hpp"

namespace tutti::runtime {
namespace {

Recipes recipes_of(const World& world, const Membership& membership) {
  Layout layout = world.layout().of(membership.members);
  auto model = cost_model_of(world, layout);
  return {membership.rank, std::move(layout), std::move(model)};
}

}  // namespace

CommunicatorState::CommunicatorState(std::shared_ptr<ProgressEngine> owner, Membership membership,
                                     Duration longest_wait)
    : timeout(membership.transport->timeout),
      owner_(std::move(owner)),
      inbox_(*this),
      membership_(std::move(membership)),
      preparations_(rank(), recipes_of(owner_->world(), membership_)),
      sent_(membership_.members.size()),
      received_(membership_.members.size()) {
  timeout = longest_wait;
  std::iota(due_.begin(), due_.end(), std::uint64_t{0});
  if (Recorder* const recorder = owner_->recorder()) {
    trace_ = std::make_unique<Trace>(*recorder, membership_.identity, membership_.rank, membership_.members);
  }
}

CommunicatorState::~CommunicatorState() = default;

std::optional<int> CommunicatorState::rank_of(int member) const {
  const auto found = std::find(membership_.members.begin(), membership_.members.end(), member);
  if (found == membership_.members.end()) return std::nullopt;
  return static_cast<int>(found - membership_.members.begin());
}

std::string CommunicatorState::suffix() const {
  return membership_.identity == 0 ? std::string() : fmt::format(" of communicator {}", membership_.identity);
}

const RankRecord& CommunicatorState::record(int rank) const { return owner_->world().record(member(rank)); }

Error CommunicatorState::failure_of(int rank, const std::string& reason) const {
  const std::string who = rank == member(rank) ? fmt::format("rank {}", rank)
                                               : fmt::format("rank {} (rank {} of the run)", rank, member(rank));
  return {ErrorCode::peer_failed, fmt::format("{} failed: {}", who, reason)};
}

std::optional<Error> CommunicatorState::failure_of_a_rank() const {
  const World& world = owner_->world();
  if (world.losses() == 0) return std::nullopt;
  const auto reason_of = [&](int rank) { return record(rank).has_failed() ? record(rank).failure() : std::string(); };
  const std::optional<int> first = world.first_lost();
  if (const auto here = first ? rank_of(*first) : std::nullopt) {
    if (const std::string reason = reason_of(*here); !reason.empty()) return failure_of(*here, reason);
  }
  for (int rank = 0; rank < size(); ++rank) {
    if (const std::string reason = reason_of(rank); !reason.empty()) return failure_of(rank, reason + cause());
  }
  return std::nullopt;
}

std::string CommunicatorState::cause() const {
  const World& world = owner_->world();
  const std::optional<int> first = world.losses() == 0 ? std::nullopt : world.first_lost();
  const std::string reason = first ? world.record(*first).failure() : std::string();
  return reason.empty() ? reason : fmt::format("; rank {} of the run failed: {}", *first, reason);
}

Route CommunicatorState::next_sent(int peer) {
  const std::uint64_t previous = sent_[static_cast<std::size_t>(peer)]++;
  return {peer, message_slot, previous + 1, previous, previous == 0};
}

void CommunicatorState::add_to_pool() { pool_.push_back(std::make_shared<CollectiveOperation>(*this)); }

}  // namespace tutti::runtime

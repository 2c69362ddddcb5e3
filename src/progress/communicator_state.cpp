#include "progress/communicator_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/text/rank_lists.hpp"

namespace tutti::runtime {
namespace {

std::unique_ptr<TracedConnection> traced(const RankState& rank, const Membership& membership) {
  if (rank.recorder == nullptr) return nullptr;
  const std::uint64_t communicator = name_of_communicator(rank.world->name(), membership.identity, 0);
  return std::make_unique<TracedConnection>(*membership.connection, *rank.recorder, communicator, membership.rank,
                                            membership.members);
}

}  // namespace

CommunicatorState::CommunicatorState(RankState& rank, Membership membership, std::chrono::duration<double> longest_wait)
    : timeout(membership.connection->failure().timeout),
      rank_(rank),
      membership_(std::move(membership)),
      traced_(traced(rank_, membership_)),
      agreement_(connection().agreement()),
      channel_(connection().channel()),
      streams_(connection().capabilities().streams),
      folding_(connection().folding()),
      failure_(connection().failure()),
      sent_(membership_.members.size()),
      received_(membership_.members.size()),
      executors_(connection()) {
  timeout = longest_wait;
  failure_.late_after = rank_.late_after;
  std::iota(due_.begin(), due_.end(), std::uint64_t{0});
}

std::optional<int> CommunicatorState::rank_of(int member) const {
  const auto found = std::find(membership_.members.begin(), membership_.members.end(), member);
  if (found == membership_.members.end()) return std::nullopt;
  return static_cast<int>(found - membership_.members.begin());
}

std::string CommunicatorState::title() const {
  if (membership_.identity == 0) return {};
  return membership_.title ? membership_.title() : fmt::format("{}", membership_.identity);
}

std::string CommunicatorState::suffix() const {
  const std::string name = title();
  return name.empty() ? name : " of communicator " + name;
}

const RankRecord& CommunicatorState::record(int rank) const { return world().record(member(rank)); }

std::string CommunicatorState::of_the_run(std::span<const int> ranks) const {
  std::vector<int> members;
  for (const int rank : ranks) members.push_back(member(rank));
  if (std::equal(members.begin(), members.end(), ranks.begin())) return {};
  std::sort(members.begin(), members.end());
  return fmt::format(" ({} of the run)", list_of(members));
}

Error CommunicatorState::failure_of(int rank, const std::string& reason) const {
  const std::string who = fmt::format("rank {}{}", rank, of_the_run({&rank, 1}));
  const std::optional<FirstFailure> first = first_failure();
  if (!first || first->member == member(rank)) {
    return {ErrorCode::peer_failed, fmt::format("{} failed: {}", who, reason)};
  }
  if (!first->is_told_in(reason)) return {ErrorCode::peer_failed, fmt::format("{} failed: {}{}", who, reason, cause())};
  if (const auto here = rank_of(first->member)) return failure_of(*here, first->reason);
  return {ErrorCode::peer_failed,
          fmt::format("{} ended, because rank {} of the run failed: {}", who, first->member, first->reason)};
}

std::optional<Error> CommunicatorState::failure_of_a_rank() const {
  const World& run = world();
  if (run.losses() == 0) return std::nullopt;
  const auto reason_of = [&](int rank) { return record(rank).has_failed() ? record(rank).failure() : std::string(); };
  const std::optional<int> first = run.first_lost();
  if (const auto here = first ? rank_of(*first) : std::nullopt) {
    if (const std::string reason = reason_of(*here); !reason.empty()) return failure_of(*here, reason);
  }
  for (int rank = 0; rank < size(); ++rank) {
    if (const std::string reason = reason_of(rank); !reason.empty()) return failure_of(rank, reason);
  }
  return std::nullopt;
}

std::optional<Error> CommunicatorState::failure_of_missed(std::span<const int> ranks) {
  for (const int rank : ranks) {
    const std::string reason = world().losses() == 0 ? record(rank).failure() : std::string();
    if (!reason.empty()) world().fail(member(rank), reason);
  }
  return failure_of_a_rank();
}

// The error has come through the program, which may have thrown another one that says more: what is left of it is its
// text, of which records keep the begin.
bool CommunicatorState::FirstFailure::is_told_in(const std::string& text) const {
  for (const char* const form : {"rank {} failed: ", "(rank {} of the run) failed: ", "rank {} of the run failed: "}) {
    const std::string names = fmt::format(fmt::runtime(form), member);
    const std::size_t found = text.find(names);
    if (found == std::string::npos) continue;
    const std::string_view told = std::string_view(text).substr(found + names.size());
    if (told.starts_with(reason) || (text.size() >= RankRecord::longest_failure && reason.starts_with(told)))
      return true;
  }
  return false;
}

std::optional<CommunicatorState::FirstFailure> CommunicatorState::first_failure() const {
  const World& run = world();
  const std::optional<int> first = run.losses() == 0 ? std::nullopt : run.first_lost();
  if (!first) return std::nullopt;
  std::string reason = run.record(*first).failure();
  if (reason.empty()) return std::nullopt;
  return FirstFailure{*first, std::move(reason)};
}

std::string CommunicatorState::cause() const {
  const std::optional<FirstFailure> first = first_failure();
  return first ? fmt::format("; rank {} of the run failed: {}", first->member, first->reason) : std::string();
}

OperationLane& CommunicatorState::lane_of(std::unique_ptr<OperationLane[]>& lanes, int peer) {
  const std::size_t ranks = membership_.members.size();
  if (lanes == nullptr) lanes = std::make_unique<OperationLane[]>(ranks + 1);
  return lanes[peer < 0 ? ranks : static_cast<std::size_t>(peer)];
}

Route CommunicatorState::next_sent(int peer) {
  const std::uint64_t previous = sent_[static_cast<std::size_t>(peer)]++;
  return {peer, message_slot, previous + 1, previous, previous == 0};
}

}  // namespace tutti::runtime

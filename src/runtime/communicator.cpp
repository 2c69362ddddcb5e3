#include "tutti/communicator.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/check.hpp"
#include "runtime/collective_operation.hpp"
#include "runtime/message_operation.hpp"
#include "runtime/plan_state.hpp"

namespace tutti {
namespace {

using namespace runtime;

std::shared_ptr<CollectiveOperation> begin(const std::shared_ptr<Member>& member, Invocation invocation) {
  auto operation = std::make_shared<CollectiveOperation>(member, std::move(invocation));
  operation->arm();
  member->owner().begin(operation);
  return operation;
}

/// The ranks of one color, in the order of their keys; what each rank signed is on the board until the next call.
std::vector<int> ranks_of_color(const Member& member, std::uint64_t number, std::int64_t color) {
  const Board& board = member.group().board();
  std::vector<std::pair<std::int64_t, int>> keyed;
  for (int rank = 0; rank < member.size(); ++rank) {
    const Signature& signature = board.signature(rank, number);
    if (signature.color == color) keyed.emplace_back(signature.key, rank);
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<int> ranks;
  for (const auto& [key, rank] : keyed) ranks.push_back(rank);
  return ranks;
}

/// Makes the communicator of the ranks that came with the same color; null for a negative color.
std::shared_ptr<Member> meet(const std::shared_ptr<Member>& member, Purpose purpose, std::int64_t color,
                             std::int64_t key) {
  const auto operation = begin(member, meeting(purpose, color, key));
  member->owner().wait(*operation);
  if (color < 0) return nullptr;
  const std::vector<int> ranks = ranks_of_color(*member, operation->number(), color);
  std::vector<int> members;
  for (const int rank : ranks) members.push_back(member->group().member(rank));
  auto group = member->owner().world().group(member->group(), operation->number(), color, members);
  const auto place = std::find(ranks.begin(), ranks.end(), member->rank()) - ranks.begin();
  return std::make_shared<Member>(member->shared_owner(), std::move(group), static_cast<int>(place), member->timeout);
}

void check_peer(const Member& member, int peer, std::string_view what) {
  require(peer >= 0 && peer < member.size(), "{} rank {}: not one of the ranks 0 to {}", what, peer, member.size() - 1);
}

Handle begin_message(const std::shared_ptr<Member>& member, Direction direction, const Parcel& parcel, int peer) {
  auto operation = std::make_shared<MessageOperation>(member, direction, parcel, peer);
  member->owner().begin(operation);
  return Handle(std::move(operation));
}

}  // namespace

int Endpoint::rank() const { return member_->rank(); }

int Endpoint::size() const { return member_->size(); }

void Endpoint::run(const detail::Call& call) {
  const auto operation = begin(member_, invocation_of(call, *member_));
  member_->owner().wait(*operation);
}

Handle Endpoint::start(const detail::Call& call) { return Handle(begin(member_, invocation_of(call, *member_))); }

Plan Endpoint::plan(const detail::Call& call) {
  return Plan(std::make_shared<PlanState>(member_, invocation_of(call, *member_)));
}

std::optional<Communicator> Communicator::split(int color, int key) {
  auto fresh = meet(member(), Purpose::split, color, key);
  if (fresh == nullptr) return std::nullopt;
  return Communicator(std::move(fresh));
}

Communicator Communicator::duplicate() { return Communicator(meet(member(), Purpose::duplicate, 0, rank())); }

Duration Communicator::timeout() const { return member()->timeout; }

void Communicator::set_timeout(Duration timeout) {
  require(timeout.count() > 0, "a timeout is more than 0 s, not {} s", timeout.count());
  member()->timeout = timeout;
}

void Communicator::wait_all() { member()->owner().wait_all(*member()); }

std::string_view Communicator::algorithm_of(Collective collective, std::int64_t count, std::size_t element_size) const {
  const Problem problem{.collective = collective, .ranks = size(), .count = count};
  return member()->recipes().find(problem, {}, static_cast<std::int64_t>(element_size))->algorithm->name;
}

Handle Communicator::start_send(const void* data, std::int64_t count, const detail::Datatype& type, int to) {
  check_peer(*member(), to, "send to");
  // The data is only read: the direction says so.
  return begin_message(member(), Direction::send, {const_cast<void*>(data), count, type}, to);
}

Handle Communicator::start_receive(void* data, std::int64_t count, const detail::Datatype& type, int from) {
  check_peer(*member(), from, "receive from");
  return begin_message(member(), Direction::receive, {data, count, type}, from);
}

}  // namespace tutti

#include "mpi_check/waits/message_dependencies.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tutti::interpose {

using runtime::Dependency;
using runtime::OperationId;
using runtime::PendingOperation;
using runtime::WaitState;

namespace {

// Identities under which no operation is known: see operation_id().
const OperationId awaited_messages = runtime::operation_id(101, 0, 0);
const OperationId messages_beside = runtime::operation_id(102, 0, 0);
const OperationId the_end = runtime::operation_id(103, 0, 0);
const OperationId begun_collectives = runtime::operation_id(107, 0, 0);
const OperationId polling = runtime::operation_id(108, 0, 0);
/// Identity of the second part of a meeting, by which the first is known to be one.
const OperationId any_meeting = runtime::operation_id(105, 0, 0);
/// Operation that a rank's program is to go on to: nobody has it under way.
const OperationId whatever_comes = runtime::operation_id(104, 0, 0);

OperationId meeting_of(std::uint32_t communicator) { return runtime::operation_id(106, communicator, 0); }

Dependency::Kind kind_of(PendingMessage::Side side) {
  switch (side) {
    case PendingMessage::Side::sent:
      return Dependency::Kind::reading;
    case PendingMessage::Side::received:
      return Dependency::Kind::message;
    case PendingMessage::Side::begun:
      break;
  }
  return Dependency::Kind::begin;
}

Dependency dependency_of(const PendingMessage& message) {
  return {OperationId{message.communicator} << 32 | static_cast<std::uint32_t>(message.tag), message.peer,
          kind_of(message.side)};
}

PendingMessage message_of(const Dependency& dependency) {
  const PendingMessage::Side side = dependency.kind == Dependency::Kind::reading   ? PendingMessage::Side::sent
                                    : dependency.kind == Dependency::Kind::message ? PendingMessage::Side::received
                                                                                   : PendingMessage::Side::begun;
  return {side, dependency.rank, static_cast<std::int32_t>(dependency.operation & 0xffffffffU),
          static_cast<std::uint32_t>(dependency.operation >> 32)};
}

/// One message of any tag for all of a side with a rank on a communicator.
std::vector<PendingMessage> without_tags(std::span<const PendingMessage> messages) {
  std::vector<PendingMessage> fewer(messages.begin(), messages.end());
  for (PendingMessage& message : fewer) message.tag = PendingMessage::any_tag;
  const auto key = [](const PendingMessage& each) { return std::tuple(each.communicator, each.peer, each.side); };
  std::sort(fewer.begin(), fewer.end(),
            [&](const PendingMessage& a, const PendingMessage& b) { return key(a) < key(b); });
  fewer.erase(std::unique(fewer.begin(), fewer.end()), fewer.end());
  return fewer;
}

bool tell(WaitState& wait_state, OperationId id, std::span<const PendingMessage> messages) {
  if (!wait_state.begin(id)) return false;
  wait_state.doubt();
  const bool have_room = wait_state.dependencies + messages.size() <= WaitState::most_dependencies;
  const std::vector<PendingMessage> fewer = have_room ? std::vector<PendingMessage>() : without_tags(messages);
  for (const PendingMessage& message : have_room ? messages : fewer) wait_state.add(dependency_of(message));
  return true;
}

bool is_of_messages(const PendingOperation& operation) {
  return operation.id == awaited_messages || operation.id == messages_beside;
}

std::span<const PendingOperation> operations_of(const WaitState& wait_state) {
  return std::span(wait_state.operation).first(wait_state.operations);
}

std::span<const Dependency> dependencies_of(const WaitState& wait_state, const PendingOperation& operation) {
  return std::span(wait_state.dependency).subspan(operation.first_dependency, operation.dependencies);
}

/// Whether MPI might match what `rank` tells of with what its peer, who has number `peer`, tells of.
bool may_match(int rank, const PendingMessage& mine, int peer, const PendingMessage& theirs) {
  const auto means = [](int told, int number) { return told == number || told == PendingMessage::any_rank; };
  const bool are_tags_alike =
      mine.tag == theirs.tag || mine.tag == PendingMessage::any_tag || theirs.tag == PendingMessage::any_tag;
  const auto is = [&](PendingMessage::Side one, PendingMessage::Side other) {
    return mine.side == one && theirs.side == other;
  };
  const bool are_ends = is(PendingMessage::Side::sent, PendingMessage::Side::received) ||
                        is(PendingMessage::Side::received, PendingMessage::Side::sent);
  return are_ends && mine.communicator == theirs.communicator && are_tags_alike && means(mine.peer, peer) &&
         means(theirs.peer, rank);
}

/// Whether the rank that tells `others` has begun that collective, or may have.
bool has_begun(const PendingMessage& collective, const WaitState& others) {
  return collective.tag == PendingMessage::any_tag ||
         std::any_of(operations_of(others).begin(), operations_of(others).end(),
                     [&](const PendingOperation& operation) {
                       if (operation.id != begun_collectives) return false;
                       const auto dependencies = dependencies_of(others, operation);
                       return operation.is_cut ||
                              std::any_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
                                const PendingMessage last = message_of(dependency);
                                return last.communicator == collective.communicator && last.tag >= collective.tag;
                              });
                     });
}

/// Whether the other rank of that message tells of one that may be its counterpart, or of more than it can tell.
bool is_matched(int rank, const PendingMessage& message, const WaitState& others) {
  if (message.side == PendingMessage::Side::begun) return has_begun(message, others);
  return std::any_of(operations_of(others).begin(), operations_of(others).end(),
                     [&](const PendingOperation& operation) {
                       if (!is_of_messages(operation)) return false;
                       const auto dependencies = dependencies_of(others, operation);
                       return operation.is_cut ||
                              std::any_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
                                return may_match(rank, message, message.peer, message_of(dependency));
                              });
                     });
}

}  // namespace

bool tell_awaited(WaitState& wait_state, std::span<const PendingMessage> messages, bool any_suffices) {
  if (!tell(wait_state, awaited_messages, messages)) return false;
  if (any_suffices) wait_state.let_any_suffice();
  return true;
}

bool tell_under_way(WaitState& wait_state, const WorkUnderWay& beside) {
  if (!beside.messages.empty() && !tell(wait_state, messages_beside, beside.messages)) return false;
  if (beside.collectives.empty()) return true;
  if (!wait_state.begin(begun_collectives)) return false;
  wait_state.doubt();
  for (const BegunCollectives& each : beside.collectives)
    wait_state.add(
        dependency_of({PendingMessage::Side::begun, PendingMessage::any_rank, each.collectives, each.communicator}));
  return true;
}

bool tell_meeting(WaitState& wait_state, std::uint32_t communicator, std::span<const int> others) {
  const OperationId meeting = meeting_of(communicator);
  if (!wait_state.begin(meeting)) return false;
  for (const int rank : others) wait_state.add({meeting, rank, Dependency::Kind::begin});
  return tell(wait_state, any_meeting, {});
}

bool tell_end(WaitState& wait_state) { return tell(wait_state, the_end, {}); }
bool tell_polling(WaitState& wait_state) { return tell(wait_state, polling, {}); }

bool awaits_messages(const WaitState& told) { return told.operations > 0 && told.operation[0].id == awaited_messages; }
bool is_in_meeting(const WaitState& told) { return told.operations > 1 && told.operation[1].id == any_meeting; }
bool is_at_the_end(const WaitState& told) { return told.operations > 0 && told.operation[0].id == the_end; }
bool is_polling(const WaitState& told) {
  const auto operations = operations_of(told);
  return awaits_messages(told) &&
         std::any_of(operations.begin(), operations.end(),
                     [](const PendingOperation& operation) { return operation.id == polling; });
}

namespace {

/// Adds what a part of a rank's wait needs of other ranks' programs.
void add_understood(WaitState& wait_state, int rank, const WaitState& told, const PendingOperation& operation,
                    const std::function<const WaitState*(int)>& told_of) {
  wait_state.begin(operation.id);
  if (operation.any_suffices) wait_state.let_any_suffice();
  if (operation.is_cut && operation.any_suffices) wait_state.doubt();
  for (const Dependency& dependency : dependencies_of(told, operation)) {
    const PendingMessage message = message_of(dependency);
    const WaitState* const others = message.peer < 0 ? nullptr : told_of(message.peer);
    // Nothing is concluded by wait_cycle_of() about a rank that tells nothing.
    const bool is_open = message.peer < 0 || (others != nullptr && is_matched(rank, message, *others));
    if (!is_open) wait_state.add({whatever_comes, message.peer, Dependency::Kind::begin});
    if (is_open && operation.any_suffices) wait_state.doubt();
  }
}

}  // namespace

WaitState with_messages_resolved(int rank, const WaitState& told, int asking,
                                 const std::function<const WaitState*(int)>& told_of) {
  if (!awaits_messages(told) && !is_at_the_end(told)) return told;
  WaitState wait_state;
  if (is_at_the_end(told)) {
    wait_state.begin(the_end);
    wait_state.add({whatever_comes, asking, Dependency::Kind::begin});
    return wait_state;
  }
  for (const PendingOperation& operation : operations_of(told).first(told.awaited))
    add_understood(wait_state, rank, told, operation, told_of);
  wait_state.awaited = wait_state.operations;
  return wait_state;
}

}  // namespace tutti::interpose

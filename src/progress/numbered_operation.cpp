#include "progress/numbered_operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agreement/disagreement.hpp"
#include "base/text/rank_lists.hpp"
#include "progress/communicator_state.hpp"

namespace tutti::runtime {

void NumberedOperation::arm() {
  number_ = communicator().take_number();
  entered_ = false;
  come_ = 0;
  are_alike_ = false;
}

bool NumberedOperation::enter() {
  if (!communicator().may_enter(number_)) {
    if (const auto number = communicator().agreement().disputed()) fail_disputed(*number);
    return false;
  }
  const Signature& mine = signature();
  communicator().enter(number_, mine, mine.by_counts ? counts() : std::span<const std::int64_t>());
  entered_ = true;
  return true;
}

// A rank counts for one when it is there, and for two when it has entered; its work counts also after that.
std::uint64_t NumberedOperation::arrivals() const {
  const bool may_have_work = communicator().world().may_have_work();
  auto arrivals = 2 * static_cast<std::uint64_t>(come_);
  for (int rank = may_have_work ? 0 : come_; rank < communicator().size(); ++rank) {
    if (may_have_work) arrivals += communicator().record(rank).work();
    if (rank < come_) continue;
    const bool has_entered = communicator().agreement().has_signed(rank, number_);
    arrivals += has_entered ? 2 : communicator().record(rank).thread() != 0 ? 1 : 0;
  }
  return arrivals;
}

bool NumberedOperation::all_have_entered() {
  while (come_ < communicator().size() && communicator().agreement().has_signed(come_, number_)) ++come_;
  return come_ == communicator().size();
}

void NumberedOperation::fail_disputed(std::uint64_t number) {
  communicator().failure().fail(ErrorCode::mismatch, disagreement_in(number));
}

// Whether those who have signed `number` have signed the same, as far as digests say all.
bool NumberedOperation::are_digests_alike(std::uint64_t number) const {
  Agreement& agreement = communicator().agreement();
  const Signature& mine = agreement.signature(communicator().rank(), number);
  if (has_balance(mine)) return false;
  for (int rank = 0; rank < communicator().size(); ++rank) {
    if (agreement.has_signed(rank, number) && agreement.digest(rank, number) != mine.digest) return false;
  }
  return true;
}

std::string NumberedOperation::disagreement_in(std::uint64_t number) const {
  Agreement& agreement = communicator().agreement();
  if (are_digests_alike(number)) return {};
  std::vector<int> ranks;
  std::vector<const Signature*> signatures;
  bool all_agree = true;
  std::uint64_t balance = 0;
  for (int rank = 0; rank < communicator().size(); ++rank) {
    if (!agreement.has_signed(rank, number)) continue;
    ranks.push_back(rank);
    signatures.push_back(&agreement.signature(rank, number));
    all_agree = all_agree && signatures.back()->digest == signatures.front()->digest;
    balance += signatures.back()->balance;
  }
  if (all_agree && balance == 0) return {};
  std::vector<std::vector<std::int64_t>> counts;
  for (std::size_t k = 0; k < ranks.size(); ++k)
    counts.push_back(signatures[k]->by_counts ? agreement.counts(ranks[k], number) : std::vector<std::int64_t>());
  const std::string text = disagreement(ranks, signatures, counts);
  if (!text.empty()) return fmt::format("{} (call {}{})", text, number + 1, communicator().suffix());
  std::string pair;
  if (has_balance(*signatures.front()))
    pair = unmatched(ranks, counts, communicator().size(), std::string_view(signatures.front()->type_name));
  if (pair.empty() && agreement.disputed() == number) pair = "a rank expects other counts than are sent to it";
  if (pair.empty()) return {};
  return fmt::format("{} (call {}{}): {}", call_name(*signatures.front()), number + 1, communicator().suffix(), pair);
}

std::vector<int> NumberedOperation::absent() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < communicator().size(); ++rank) {
    if (!communicator().agreement().has_signed(rank, number_)) ranks.push_back(rank);
  }
  return ranks;
}

// Returns the ranks known to be absent. If words come late, an absent rank may have come: it has not if it has ended,
// or tells that it waits elsewhere.
std::vector<int> NumberedOperation::known_absent() const {
  std::vector<int> ranks = absent();
  if (communicator().agreement().hears_at_once()) return ranks;
  const auto waits_elsewhere = [&](int rank) {
    WaitState told;
    if (communicator().record(rank).wait_state(told) == 0 || told.operations == 0) return false;
    const OperationId entering = collective_id(communicator().identity(), number_);
    const OperationId settling = settling_id(communicator().identity(), number_);
    return std::none_of(
        told.operation.begin(), told.operation.begin() + told.operations,
        [&](const PendingOperation& operation) { return operation.id == entering || operation.id == settling; });
  };
  std::erase_if(ranks, [&](int rank) { return !communicator().record(rank).has_ended() && !waits_elsewhere(rank); });
  return ranks;
}

OperationId NumberedOperation::id() const { return collective_id(communicator().identity(), number_); }

void NumberedOperation::depend_on_absent(WaitState& wait_state) const {
  const OperationId entering = collective_id(communicator().identity(), number_);
  for (const int rank : absent()) wait_state.add({entering, communicator().member(rank), Dependency::Kind::begin});
}

std::string NumberedOperation::describe() const {
  return fmt::format("{} ({})", call_name(signature()), call_number());
}

std::string NumberedOperation::call_number() const {
  return fmt::format("call {}{}", number_ + 1, communicator().suffix());
}

std::string NumberedOperation::named(const std::vector<int>& ranks) const {
  return list_of(ranks) + communicator().of_the_run(ranks);
}

std::string NumberedOperation::waits_to_enter() const {
  if (!entered_) return waits_for_turn();
  const std::vector<int> missing = absent();
  return fmt::format("{} to enter {}", missing.empty() ? "all" : named(missing), describe());
}

// Calls are entered in order, and the first that this rank has not entered waits until all ranks have completed the one
// before it in its call slot.
std::string NumberedOperation::waits_for_turn() const {
  const std::uint64_t next = communicator().entered();
  if (next < collective_slots) return fmt::format("call {} to begin, before {}", next + 1, describe());
  const std::uint64_t before = next - collective_slots;
  std::vector<int> behind;
  for (int rank = 0; rank < communicator().size(); ++rank) {
    if (!communicator().agreement().has_completed(rank, before)) behind.push_back(rank);
  }
  if (std::find(behind.begin(), behind.end(), communicator().rank()) != behind.end()) {
    const std::string why = communicator().rank_state().under_way.waits_in(communicator(), before);
    return fmt::format("its own call {} to end, before {}{}{}", before + 1, describe(), why.empty() ? "" : ": for ",
                       why);
  }
  return fmt::format("{} to tell that call {} has ended there, before {}", behind.empty() ? "all" : named(behind),
                     before + 1, describe());
}

std::optional<Error> NumberedOperation::lost() {
  if (auto error = communicator().failure_of_a_rank()) return error;
  // Ranks of different calls may wait for one another without any message that could tell.
  if (entered_ && !are_alike_ && all_have_entered()) {
    if (auto error = explain()) return error;
    are_alike_ = true;  // nobody signs this number again
  }
  return communicator().world().may_have_ends() ? missed() : std::nullopt;
}

// The error of a rank that has ended and not completed the call; nothing where there is none.
std::optional<Error> NumberedOperation::missed() {
  Agreement& agreement = communicator().agreement();
  const auto has_completed = [&](int rank) {
    return agreement.has_signed(rank, number_) && agreement.has_finished(rank, number_);
  };
  for (int rank = 0; rank < communicator().size(); ++rank) {
    // Asked before the rank's record, which most looks need not touch then; and again after its end, so that all that
    // the rank had signed and completed before it ended is seen.
    if (has_completed(rank) || !communicator().record(rank).has_ended() || has_completed(rank)) continue;
    const bool has_signed = agreement.has_signed(rank, number_);
    // The rank may have failed after the question above: a rank notes its failure before it notes its end.
    if (auto error = communicator().failure_of_missed({&rank, 1})) return error;
    if (has_signed) {
      return Error(ErrorCode::peer_failed, fmt::format("{} ended in the midst of {}, without an error{}", named({rank}),
                                                       describe(), communicator().cause()));
    }
    if (auto error = explain()) return error;
    std::vector<int> others = known_absent();
    std::erase(others, rank);
    return Error(ErrorCode::peer_failed,
                 fmt::format("{} ended without entering {}, where {} waits{}{}", named({rank}), describe(),
                             named({communicator().rank()}),
                             others.empty() ? std::string() : fmt::format("; {} did not come either", named(others)),
                             communicator().cause()));
  }
  return std::nullopt;
}

std::optional<Error> NumberedOperation::explain() {
  if (!entered_) return std::nullopt;
  const std::string text = disagreement_in(number_);
  if (text.empty()) return std::nullopt;
  std::string whole = text;
  std::vector<int> unheard = absent();
  const std::vector<int> missing = known_absent();
  std::erase_if(unheard, [&](int rank) { return std::binary_search(missing.begin(), missing.end(), rank); });
  if (!missing.empty()) whole += fmt::format("; {} did not come", list_of(missing));
  if (!unheard.empty()) whole += fmt::format("; {} did not come, or has not said so yet", list_of(unheard));
  return Error(ErrorCode::mismatch, whole);
}

// ---- Settling

SettlingOperation::SettlingOperation(CommunicatorState& communicator) : NumberedOperation(communicator) {
  if (communicator.entered() == 0) return;
  look_at(communicator.entered() - 1);
  signature_ = communicator.agreement().signature(communicator.rank(), number());
}

// No other operation needs this one, which comes after the collective of its number.
OperationId SettlingOperation::id() const { return settling_id(communicator().identity(), number()); }

bool SettlingOperation::advance() {
  if (communicator().agreement().settled()) {
    finish();
    return true;
  }
  if (const auto number = communicator().agreement().disputed()) fail_disputed(*number);
  return false;
}

}  // namespace tutti::runtime

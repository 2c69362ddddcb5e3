#include "calls/collective_operation.hpp"

#include <fmt/format.h>

#include <utility>

#include "agreement/disagreement.hpp"
#include "base/units.hpp"

namespace tutti::runtime {
namespace {

std::byte* bytes(const void* data) { return static_cast<std::byte*>(const_cast<void*>(data)); }

}  // namespace

CollectiveOperation::CollectiveOperation(CommunicatorState& communicator, CallCache& calls)
    : NumberedOperation(communicator), calls_(calls) {}

CollectiveOperation::~CollectiveOperation() { give_back_scratch(); }

void CollectiveOperation::prepare(const std::shared_ptr<const PreparedCall>& prepared, const untyped::Call& call) {
  if (prepared_ != prepared) prepared_ = prepared;
  chosen_ = prepared_.get();
  op_ = call.op;
  // Input is only read: the executor writes to output and scratch alone.
  bindings_.base = {bytes(call.input), bytes(call.output), nullptr};
  bindings_.element_size = call.type.size;
  own_counts_.clear();
  root_counts_.clear();
  if (prepared_->plan != nullptr) return;
  if (call.counts_at_root) {
    own_counts_.push_back(call.collective == Collective::gather ? call.input_size : call.output_size);
    if (communicator().rank() == call.root) root_counts_.assign(call.counts.begin(), call.counts.end());
  } else {
    own_counts_ = prepared_->own_counts;
  }
}

bool CollectiveOperation::run_fast_path(int looks) {
  take_executor();
  // A user's operator may throw, or call again.
  const bool is_fast = prepared_->contenders.empty() && prepared_->fast_path_bytes >= 0 && op_.state == nullptr &&
                       executor_->fits_fast_path(prepared_->fast_path_bytes);
  if (!is_fast || communicator().failure().failed()) return false;
  try {
    if (!enter()) return false;
    begin();
    if (!executor_->run_fast_path(looks)) return false;
    end_run();
    return true;
  } catch (...) {
    // Memory may be wanting, for scratch as well as for counts: the other ranks learn why this one does not go on.
    take_exception();
    static_cast<void>(communicator().told_error());
    throw;
  }
}

bool CollectiveOperation::advance() {
  if (!is_entered()) phase_ = Phase::queued;
  bool moved = false;
  while (active() && !communicator().failure().failed() && advance_phase()) moved = true;
  return moved;
}

bool CollectiveOperation::advance_phase() {
  if (phase_ == Phase::queued) {
    if (!enter()) return false;
    begin();
    return true;
  }
  if (phase_ == Phase::held) {
    begin_trial();
    return phase_ != Phase::held;
  }
  if (phase_ == Phase::disputed) {
    if (all_have_entered()) fail_disputed(number());
    return false;
  }
  const bool moved = executor_->advance();
  if (executor_->met_another_call()) {
    phase_ = Phase::disputed;
    if (const auto& odd = executor_->odd_message()) fail_by_message(*odd);
    return true;
  }
  if (!executor_->done()) return moved;
  if (phase_ != Phase::running && is_tried()) {
    if (phase_ == Phase::exchanging) prepared_->algorithm_trial->trial.hear(ticket_, all_counts_);
    run_contender();
  } else if (phase_ == Phase::exchanging) {
    end_exchange();
  } else {
    end_run();
  }
  return true;
}

void CollectiveOperation::begin() {
  take_executor();
  if (is_tried()) {
    begin_trial();
  } else if (prepared_->plan == nullptr) {
    begin_exchange();
  } else {
    begin_run(*prepared_, 0);
  }
}

void CollectiveOperation::begin_exchange() {
  const auto p = static_cast<std::size_t>(communicator().size());
  exchange_ = calls_.exchange(prepared_->exchange);
  all_counts_.resize(own_counts_.size() * p);
  begin_part(0);
  phase_ = Phase::exchanging;
}

void CollectiveOperation::end_exchange() {
  auto counts = prepared_->exchange == PreliminaryExchange::size_of_each ? counts_of_blocks() : counts_of_pairs();
  if (!counts) return;
  counted_ = calls_.with_counts(prepared_, std::move(*counts));
  chosen_ = counted_.get();
  begin_run(*counted_, 1);
}

/// Begins an exchange, as that part of the call.
void CollectiveOperation::begin_part(std::uint32_t part) {
  exchange_bindings_.element_size = exchange_->type.size;
  exchange_bindings_.base = {bytes(own_counts_.data()), bytes(all_counts_.data()),
                             scratch_for(*exchange_->compiled, exchange_->type.size)};
  executor_->begin({&*exchange_->compiled,
                    &exchange_bindings_,
                    {&largest_, exchange_->type.size},
                    number(),
                    part,
                    signature().digest});
}

// Every rank has the counts of all, and so comes to the same verdict.
std::optional<std::vector<std::int64_t>> CollectiveOperation::counts_of_pairs() {
  const auto p = static_cast<std::size_t>(communicator().size());
  std::vector<std::int64_t> counts(p * p);
  for (std::size_t from = 0; from < p; ++from) {
    for (std::size_t to = 0; to < p; ++to) {
      const std::int64_t sent = all_counts_[from * 2 * p + to];
      const std::int64_t expected = all_counts_[to * 2 * p + p + from];
      counts[from * p + to] = sent;
      if (sent == expected) continue;
      fail_by_pair(from, to, sent, expected);
      return std::nullopt;
    }
  }
  return counts;
}

void CollectiveOperation::fail_by_pair(std::size_t from, std::size_t to, std::int64_t sent, std::int64_t expected) {
  communicator().failure().fail(
      ErrorCode::mismatch,
      fmt::format("{}: {}", describe(), unmatched(from, to, sent, expected, prepared_->type.name)));
}

// This rank alone can tell so early. The others learn it from the communicator's error, or from the balance of all
// signatures.
void CollectiveOperation::fail_by_message(const OddMessage& odd) {
  fail_by_pair(static_cast<std::size_t>(odd.from), static_cast<std::size_t>(communicator().rank()),
               odd.bytes / bindings_.element_size, odd.expected / bindings_.element_size);
}

// The root alone can tell; where it does, the others learn it from the communicator's error.
std::optional<std::vector<std::int64_t>> CollectiveOperation::counts_of_blocks() {
  for (std::size_t rank = 0; rank < root_counts_.size(); ++rank) {
    if (all_counts_[rank] == root_counts_[rank]) continue;
    communicator().failure().fail(
        ErrorCode::mismatch, fmt::format("{}: rank {} has {}, but the counts of the root, rank {}, say {}", describe(),
                                         rank, count_in_words(all_counts_[rank], prepared_->type.name),
                                         communicator().rank(), root_counts_[rank]));
    return std::nullopt;
  }
  return all_counts_;
}

void CollectiveOperation::begin_run(const PreparedCall& what, std::uint32_t part) {
  phase_ = Phase::running;
  bindings_.base[static_cast<std::size_t>(Buffer::scratch)] = scratch_for(*what.compiled, bindings_.element_size);
  executor_->begin({&*what.compiled, &bindings_, {&op_, bindings_.element_size}, number(), part, signature().digest});
}

std::byte* CollectiveOperation::scratch_for(const CompiledProgram& compiled, std::int64_t element_size) {
  const auto needed = static_cast<std::size_t>(compiled.scratch * element_size);
  if (scratch_.bytes < needed) {
    give_back_scratch();
    scratch_ = communicator().rank_state().scratch.take(needed);
  }
  return scratch_.memory;
}

void CollectiveOperation::give_back_scratch() {
  if (scratch_.memory != nullptr) communicator().rank_state().scratch.give(std::exchange(scratch_, {}));
}

void CollectiveOperation::end_run() {
  if (is_tried()) end_trial();
  if (op_.divide != nullptr) {
    const std::int64_t n = output_blocks(prepared_->problem, communicator().rank()).total();
    const Slice all{Buffer::output, 0, n};
    if (n > 0) op_.divide(bindings_.at(all), n, communicator().size());
  }
  communicator().leave(number());
  finish();
  if (!runs_once_) return;
  give_back_scratch();
  communicator().executors().give(std::move(executor_));
}

std::string CollectiveOperation::waits_for() const {
  switch (phase_) {
    case Phase::queued:
    case Phase::disputed:
      return waits_to_enter();
    case Phase::held:
      return fmt::format("an earlier call of its shape to end, before {}", describe());
    case Phase::exchanging:
    case Phase::agreeing:
    case Phase::running:
      break;
  }
  return absent().empty() ? fmt::format("{} in {}", executor_->waits_for(), describe()) : waits_to_enter();
}

void CollectiveOperation::tell_dependencies(WaitState& wait_state) const {
  if (phase_ == Phase::disputed) return depend_on_absent(wait_state);
  const bool known = phase_ != Phase::queued && phase_ != Phase::held && is_entered() &&
                     executor_->tell_dependencies([&](Dependency::Kind kind, int peer) {
                       wait_state.add({id(), communicator().member(peer), kind});
                     });
  if (!known) wait_state.doubt();
}

std::string CollectiveOperation::title() const {
  std::string text = call_name(signature());
  if (prepared_->problem.count > 0) text += fmt::format(" of {} {}", prepared_->problem.count, prepared_->type.name);
  const std::string_view chosen = algorithm();
  return chosen.empty() ? text : fmt::format("{} by {}", text, chosen);
}

std::string_view CollectiveOperation::algorithm() const {
  return chosen_ != nullptr && chosen_->plan ? chosen_->plan->choice.algorithm->name : std::string_view();
}

std::string CollectiveOperation::explanation() const {
  const PreparedCall& known = chosen_ != nullptr && chosen_->plan != nullptr ? *chosen_ : *prepared_;
  if (known.plan == nullptr) return "the algorithm is chosen at each start, once the counts have travelled\n";
  std::string text = calls_.plan_cache().explanation(known.problem, known.request, known.type.size);
  if (known.algorithm_trial == nullptr) return text;
  const AlgorithmTrial& algorithm_trial = *known.algorithm_trial;
  return text +
         (algorithm_trial.told.empty()
              ? fmt::format("The first {} calls are made by several algorithms, to find the fastest.",
                            algorithm_trial.trial.calls())
              : algorithm_trial.told) +
         '\n';
}

}  // namespace tutti::runtime

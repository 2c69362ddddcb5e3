/// @file
/// The calls of a collective by which algorithms are tried: see Trial.

#include "calls/collective_operation.hpp"
#include "plan/wisdom.hpp"

namespace tutti::runtime {

void CollectiveOperation::take_ticket() {
  const Trial& trial = prepared_->algorithm_trial->trial;
  if (trial.winner()) {
    const std::shared_ptr<const PreparedCall> won = prepared_->contenders[*trial.winner()];
    prepared_ = won;
  } else {
    ticket_ = prepared_->algorithm_trial->trial.take_ticket();
  }
}

// A call that was started while an earlier one of its shape is under way may have to wait for that.
void CollectiveOperation::begin_trial() {
  const Trial& trial = prepared_->algorithm_trial->trial;
  parts_ = 0;
  phase_ = Phase::held;
  if (!trial.may_begin(ticket_)) return;
  const Trial::Prelude prelude = trial.prelude(ticket_);
  if (prelude == Trial::Prelude::nothing) return run_contender();
  own_counts_.clear();
  all_counts_.clear();
  if (prelude == Trial::Prelude::hear) {
    const bool asks = ticket_ == 0 && communicator().rank() == 0;
    const Trial::Words words =
        trial.words(ticket_, asks ? recall(prepared_->algorithm_trial->call, trial.contenders()) : std::nullopt);
    own_counts_.assign(words.begin(), words.end());
    all_counts_.resize(words.size());
    largest_ = {.kernel = detail::kernel_for(detail::Reduction::maximum, detail::Primitive::int64)};
  }
  exchange_ =
      calls_.exchange(prelude == Trial::Prelude::hear ? PreliminaryExchange::slowest : PreliminaryExchange::verdict);
  begin_part(parts_++);
  phase_ = prelude == Trial::Prelude::hear ? Phase::exchanging : Phase::agreeing;
}

void CollectiveOperation::run_contender() {
  const Trial& trial = prepared_->algorithm_trial->trial;
  chosen_ = prepared_->contenders[trial.contender(ticket_)].get();
  begun_ = std::chrono::steady_clock::now();
  begin_run(*chosen_, parts_);
}

void CollectiveOperation::end_trial() {
  AlgorithmTrial& algorithm_trial = *prepared_->algorithm_trial;
  if (algorithm_trial.trial.is_timed(ticket_)) {
    algorithm_trial.trial.took(ticket_, std::chrono::nanoseconds(std::chrono::steady_clock::now() - begun_).count());
  } else if (algorithm_trial.told.empty()) {
    calls_.settle(algorithm_trial);
  }
}

}  // namespace tutti::runtime

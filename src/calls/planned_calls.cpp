/// @file
/// Planning of calls: by an estimate, by a trial, or by the findings of an earlier run's trial.

#include <string>

#include "calls/call_cache.hpp"

namespace tutti::runtime {

/// Returns the planning of a call. Planning that the environment alone asks for leaves the bits of a program as they
/// are.
Planning CallCache::planning_of(const untyped::Call& call) const {
  if (call.options->planning != Planning::inherited) return call.options->planning;
  if (set_ != Planning::inherited) return set_;
  return rounds(call, ranks_) ? Planning::estimate : here_.planning;
}

/// Whether nobody names an algorithm for the call, which is one that trials are made of.
bool CallCache::is_open(const PreparedCall& prepared) const {
  return prepared.plan->by.empty() && ranks_ > 1 && prepared.problem.counts.empty();
}

/// Has the call's algorithm found by trying, where nobody names it. The signature stays that of the
/// estimate, so that ranks which have heard the end of a trial and ranks which have not sign the same.
void CallCache::measure(PreparedCall& prepared, Planning planning) {
  if (!is_open(prepared) || trials_.is_full()) return;
  const Problem& problem = prepared.problem;
  prepared.algorithm_trial = trials_.find(prepared, planning, here_.place, [&] {
    return plans_.contenders(problem, prepared.request.parameters, prepared.type.size, planning);
  });
  if (prepared.algorithm_trial == nullptr) return;
  const Trial& trial = prepared.algorithm_trial->trial;
  if (trial.winner()) {
    prepared.plan = plans_.by(trial.contenders()[*trial.winner()], problem, prepared.type.size);
    return;
  }
  PreparedCall alone = prepared;
  for (const Choice& choice : trial.contenders()) {
    alone.plan = plans_.by(choice, problem, prepared.type.size);
    prepared.contenders.push_back(finished(PreparedCall(alone)));
  }
}

/// An estimate goes by what a trial has found for the call in an earlier run, as far as all ranks know of it. Not where
/// that would change the bits of a program.
void CallCache::remember(PreparedCall& prepared) {
  if (!is_open(prepared) || here_.winners->list.empty()) return;
  const std::string call = AlgorithmTrials::words_of(prepared, here_.place);
  const Choice* const winner = here_.winners->find(call, prepared.problem, plans_.layout());
  if (winner == nullptr) return;
  prepared.plan = plans_.by(*winner, prepared.problem, prepared.type.size);
  prepared.signature.algorithm = winner->algorithm->name;
  prepared.algorithm_trial =
      std::make_shared<AlgorithmTrial>(AlgorithmTrial{Trial({.all = {*winner}}), call, found_earlier(*winner)});
  plans_.tell(call + "\n" + prepared.algorithm_trial->told + "\n");
}

}  // namespace tutti::runtime

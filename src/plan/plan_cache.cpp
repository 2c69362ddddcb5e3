#include "plan/plan_cache.hpp"

#include "algorithms/own.hpp"
#include "plan/explanation.hpp"

namespace tutti {

std::size_t PlanCache::Hash::operator()(const CallShape& shape) const {
  std::size_t hash = std::hash<std::string_view>()(shape.algorithm);
  const auto mix = [&](std::int64_t value) { hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15U; };
  const Problem& problem = shape.problem;
  mix(static_cast<std::int64_t>(problem.collective));
  mix(problem.count);
  mix(problem.root);
  mix(problem.distance);
  mix(problem.known_to);
  mix((problem.commutative ? 1 : 0) + (problem.in_place ? 2 : 0));
  mix(shape.element_size);
  mix(static_cast<std::int64_t>(hash_of(shape.parameters)));
  for (const std::int64_t count : problem.counts) mix(count);
  return hash ^ (hash >> 32);
}

std::shared_ptr<const CachedPlan> PlanCache::find(const Problem& problem, const ChoiceRequest& request,
                                                  std::int64_t element_size) {
  return find_or_make(problem, request, element_size, true);
}

std::shared_ptr<const CachedPlan> PlanCache::find_or_make(const Problem& problem, const ChoiceRequest& request,
                                                          std::int64_t element_size, bool is_of_call) {
  const CallShape shape{problem, request.algorithm, request.parameters, element_size};
  if (const auto found = plans_.find(shape); found != plans_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
    return found->second.plan;
  }
  auto plan = make(problem, request, element_size);
  const std::size_t bytes = bytes_of(problem, *plan);
  while (!uses_.empty() && bytes_ + bytes > most_bytes) forget_oldest();
  Key key{problem, std::string(request.algorithm), request.parameters, element_size};
  const auto made = plans_.emplace(std::move(key), Entry{plan, bytes, {}}).first;
  uses_.push_front(&made->first);
  made->second.use = uses_.begin();
  bytes_ += bytes;
  if (tell_ && is_of_call) tell_(explanation(problem, request, element_size));
  return plan;
}

void PlanCache::forget_oldest() {
  const auto oldest = plans_.find(*uses_.back());
  bytes_ -= oldest->second.bytes;
  uses_.pop_back();
  plans_.erase(oldest);
}

std::size_t PlanCache::bytes_of(const Problem& problem, const CachedPlan& plan) {
  constexpr std::size_t node = sizeof(Key) + sizeof(Entry) + sizeof(CachedPlan) + 128;  // and what the allocator adds
  return node + problem.counts.size() * sizeof(problem.counts[0]) + plan.program.ops.capacity() * sizeof(Op) +
         plan.program.pool.capacity() * sizeof(Slice);
}

std::shared_ptr<const CachedPlan> PlanCache::cheapest(const Problem& problem, std::int64_t element_size) {
  return by(choose(problem, {}, element_size, *model_), problem, element_size);
}

std::shared_ptr<const CachedPlan> PlanCache::by(const Choice& choice, const Problem& problem,
                                                std::int64_t element_size) {
  return find_or_make(problem, {choice.algorithm->name, choice.parameters}, element_size, false);
}

std::string PlanCache::explanation(const Problem& problem, const ChoiceRequest& request,
                                   std::int64_t element_size) const {
  const Decision decided = decide(problem, request, element_size, *model_, *rules_);
  return text_of(explain(problem, decided.choice, decided.by, request.parameters, element_size, *model_,
                         CrossoverSearch::other_sizes),
                 layout_);
}

double PlanCache::seconds(const Problem& problem, const ChoiceRequest& request, std::int64_t element_size) {
  return model_->seconds(find(problem, request, element_size)->choice, problem, element_size);
}

std::shared_ptr<const CachedPlan> PlanCache::make(const Problem& problem, const ChoiceRequest& request,
                                                  std::int64_t element_size) const {
  check(problem);
  Decision decided = decide(problem, request, element_size, *model_, *rules_);
  algorithms::admit(*decided.choice.algorithm, problem);
  auto plan = std::make_shared<CachedPlan>(CachedPlan{std::move(decided.choice), {}, std::move(decided.by)});
  record_rank(plan->choice, problem, rank_, plan->program, layout_);
  return plan;
}

}  // namespace tutti

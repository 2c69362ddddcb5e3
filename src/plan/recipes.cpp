#include "plan/recipes.hpp"

namespace tutti {

std::size_t Recipes::Hash::operator()(const Shape& shape) const {
  std::size_t hash = std::hash<std::string_view>()(shape.algorithm);
  const auto mix = [&](std::int64_t value) { hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15U; };
  const Problem& problem = shape.problem;
  mix(static_cast<std::int64_t>(problem.collective));
  mix(problem.count);
  mix(problem.root);
  mix(problem.distance);
  mix(problem.segments);
  mix((problem.commutative ? 1 : 0) + (problem.in_place ? 2 : 0));
  mix(shape.element_size);
  for (const std::int64_t count : problem.counts) mix(count);
  return hash ^ (hash >> 32);
}

std::shared_ptr<const Recipe> Recipes::find(const Problem& problem, std::string_view algorithm,
                                            std::int64_t element_size) {
  const Shape shape{problem, algorithm, element_size};
  if (const auto found = recipes_.find(shape); found != recipes_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
    return found->second.recipe;
  }
  auto recipe = make(shape);
  const std::size_t bytes = bytes_of(shape, *recipe);
  while (!uses_.empty() && bytes_ + bytes > most_bytes) forget_oldest();
  const auto made =
      recipes_.emplace(Key{problem, std::string(algorithm), element_size}, Entry{recipe, bytes, {}}).first;
  uses_.push_front(&made->first);
  made->second.use = uses_.begin();
  bytes_ += bytes;
  return recipe;
}

void Recipes::forget_oldest() {
  const auto oldest = recipes_.find(*uses_.back());
  bytes_ -= oldest->second.bytes;
  uses_.pop_back();
  recipes_.erase(oldest);
}

std::size_t Recipes::bytes_of(const Shape& shape, const Recipe& recipe) {
  constexpr std::size_t node = sizeof(Key) + sizeof(Entry) + sizeof(Recipe) + 128;  // and what the allocator adds
  return node + shape.problem.counts.size() * sizeof(shape.problem.counts[0]) +
         recipe.program.ops.capacity() * sizeof(Op) + recipe.program.pool.capacity() * sizeof(Slice);
}

std::shared_ptr<const Recipe> Recipes::cheapest(const Problem& problem, std::int64_t element_size) {
  return find(problem, choose(problem, element_size, *model_).name, element_size);
}

double Recipes::seconds(const Problem& problem, std::string_view algorithm, std::int64_t element_size) {
  return model_->seconds(*find(problem, algorithm, element_size)->algorithm, problem, element_size);
}

std::shared_ptr<const Recipe> Recipes::make(const Shape& shape) const {
  check(shape.problem);
  auto recipe = std::make_shared<Recipe>();
  recipe->algorithm = &algorithm_for(shape.problem, shape.algorithm, shape.element_size, *model_);
  recipe->program = record_rank(recipe->algorithm->record, shape.problem, rank_);
  return recipe;
}

}  // namespace tutti

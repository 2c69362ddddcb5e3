#include "plan/recipes.hpp"

namespace tutti {
namespace {

// A program that meets ever new shapes must not grow for ever; one that repeats itself stays far below.
constexpr std::size_t most_recipes = 1024;

}  // namespace

std::size_t Recipes::Hash::operator()(const Key& key) const {
  std::size_t hash = std::hash<std::string>()(key.algorithm);
  const auto mix = [&](std::int64_t value) { hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15U; };
  const Problem& problem = key.problem;
  mix(static_cast<std::int64_t>(problem.collective));
  mix(problem.count);
  mix(problem.root);
  mix(problem.distance);
  mix(problem.segments);
  mix((problem.commutative ? 1 : 0) + (problem.in_place ? 2 : 0));
  mix(key.element_size);
  for (const std::int64_t count : problem.counts) mix(count);
  return hash ^ (hash >> 32);
}

std::shared_ptr<const Recipe> Recipes::find(const Problem& problem, std::string_view algorithm,
                                            std::int64_t element_size) {
  Key key{problem, std::string(algorithm), element_size};
  if (const auto found = recipes_.find(key); found != recipes_.end()) return found->second;
  auto recipe = make(key);
  if (recipes_.size() >= most_recipes) recipes_.clear();
  recipes_.emplace(std::move(key), recipe);
  return recipe;
}

double Recipes::seconds(const Problem& problem, std::string_view algorithm, std::int64_t element_size) {
  return model_->seconds(*find(problem, algorithm, element_size)->algorithm, problem, element_size);
}

std::shared_ptr<const Recipe> Recipes::make(const Key& key) const {
  check(key.problem);
  Problem apart = key.problem;
  apart.in_place = false;
  auto recipe = std::make_shared<Recipe>();
  recipe->algorithm = &algorithm_for(apart, key.algorithm, key.element_size, *model_);
  recipe->program = record_rank(recipe->algorithm->record, key.problem, rank_);
  return recipe;
}

}  // namespace tutti

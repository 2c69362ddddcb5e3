#include "app/offers.hpp"

#include <algorithm>

namespace tutti::app {
namespace {

Problem sized(Problem problem, std::int64_t bytes) {
  problem.count = problem.collective == Collective::barrier ? 0 : bytes;
  return problem;
}

// The number of the fastest algorithm; of the first without a form where none has one.
std::size_t winner(const Question& question, std::int64_t bytes) {
  const Algorithm* best = offers(question, bytes).front().algorithm;
  return static_cast<std::size_t>(std::find(question.algorithms.begin(), question.algorithms.end(), best) -
                                  question.algorithms.begin());
}

bool has_prices(const Question& question) {
  return std::any_of(question.algorithms.begin(), question.algorithms.end(),
                     [&](const Algorithm* algorithm) { return question.price(*algorithm, 1).has_value(); });
}

}  // namespace

std::optional<Price> Question::price(const Algorithm& algorithm, std::int64_t bytes) const {
  return tutti::price(algorithm, sized(problem, bytes), *topology, machine);
}

LowerBound Question::bound(std::int64_t bytes) const {
  return lower_bound(sized(problem, bytes), 1, *topology, machine);
}

std::vector<Offer> offers(const Question& question, std::int64_t bytes) {
  std::vector<Offer> found;
  for (const Algorithm* algorithm : question.algorithms) {
    Offer offer{algorithm, question.price(*algorithm, bytes)};
    if (offer.price) offer.seconds = seconds(offer.price->terms, 1, question.machine);
    found.push_back(offer);
  }
  std::stable_sort(found.begin(), found.end(), [](const Offer& a, const Offer& b) {
    return a.price && b.price ? a.seconds < b.seconds : a.price.has_value() && !b.price;
  });
  return found;
}

std::vector<Reign> reigns(const Question& question, const SizeRange& range) {
  std::vector<Reign> found;
  if (!has_prices(question)) return found;
  std::int64_t from = range.least;
  std::vector<std::int64_t> ends = winner_changes([&](std::int64_t bytes) { return winner(question, bytes); }, range);
  ends.push_back(range.most + 1);
  for (const std::int64_t end : ends) {
    found.push_back({{from, end - 1}, question.algorithms[winner(question, from)]});
    from = end;
  }
  return found;
}

}  // namespace tutti::app

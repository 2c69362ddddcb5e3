#include "app/prove.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <thread>

namespace tutti::app {
namespace {

constexpr std::size_t flaws_kept = 10;

using Failures = std::vector<std::optional<Failure>>;

std::optional<Failure> failure_of(const Case& one) {
  try {
    return verify(record(*one.algorithm, one.problem)).failure;
  } catch (const std::exception& error) {
    return Failure{.kind = Failure::Kind::malformed, .reason = error.what()};
  }
}

// Positions of the cases, the largest first, so that no thread is left with a large one at the end.
std::vector<std::size_t> largest_first(std::span<const Case> cases) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cases[a].problem.ranks > cases[b].problem.ranks; });
  return order;
}

Failures failures_of(std::span<const Case> cases, int jobs, const Progress& progress) {
  using namespace std::chrono_literals;
  const std::vector<std::size_t> order = largest_first(cases);
  Failures failures(cases.size());
  // Counters alone: each thread writes only the failures whose numbers it drew, and joining publishes them.
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  const auto work = [&] {
    for (std::size_t k = next.fetch_add(1, std::memory_order_relaxed); k < order.size();
         k = next.fetch_add(1, std::memory_order_relaxed)) {
      failures[order[k]] = failure_of(cases[order[k]]);
      done.fetch_add(1, std::memory_order_relaxed);
    }
  };
  std::vector<std::jthread> threads;
  for (int k = 0; k < jobs; ++k) threads.emplace_back(work);
  while (progress && done.load(std::memory_order_relaxed) < cases.size()) {
    progress(done.load(std::memory_order_relaxed));
    std::this_thread::sleep_for(50ms);
  }
  threads.clear();
  return failures;
}

void keep(Verdict& verdict, const Problem& problem, const Failure& failure) {
  ++verdict.failed;
  const auto place = std::upper_bound(verdict.flaws.begin(), verdict.flaws.end(), problem.ranks,
                                      [](int ranks, const Flaw& flaw) { return ranks < flaw.problem.ranks; });
  verdict.flaws.insert(place, Flaw{problem, failure});
  if (verdict.flaws.size() > flaws_kept) verdict.flaws.pop_back();
}

}  // namespace

std::vector<Verdict> prove(std::span<const Case> cases, int jobs, const Progress& progress) {
  for (const Case& one : cases) check_size(*one.algorithm, one.problem);
  const Failures failures = failures_of(cases, jobs, progress);
  std::vector<Verdict> verdicts;
  std::map<const Algorithm*, std::size_t> places;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto [place, fresh] = places.try_emplace(cases[k].algorithm, verdicts.size());
    if (fresh) verdicts.push_back({.algorithm = cases[k].algorithm});
    Verdict& verdict = verdicts[place->second];
    if (failures[k]) {
      keep(verdict, cases[k].problem, *failures[k]);
    } else {
      ++verdict.proved;
    }
  }
  return verdicts;
}

}  // namespace tutti::app

#include "app/reports/proofs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <utility>

#include "app/command_line/platform.hpp"
#include "base/check.hpp"
#include "schedule/record/recording_context.hpp"
#include "verify/text.hpp"

namespace tutti::app {
namespace {

constexpr std::size_t flaws_kept = 10;

/// Outcome of a case.
struct Tried {
  Proof proof;
  bool asked_layout = false;
};
using Trials = std::vector<Tried>;

Proof proof_of(RecordingContext& context, const Case& one, const Layout& layout) {
  try {
    if (const auto need = unmet_need(*one.choice.algorithm, one.problem, layout))
      fail(ErrorCode::unsupported, "{} needs {}", one.choice.algorithm->name, describe(*need));
    check(layout, one.problem.ranks);
    return verify(context, one.choice, one.problem, layout);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw;
    return {.failure = ProofFailure{.kind = ProofFailure::Kind::malformed, .reason = error.what()}};
  }
}

// Positions of cases that differ in parameters alone, or in nothing.
using Family = std::vector<std::size_t>;

// The families, those of the most ranks first, so that no thread is left with a large one at the end.
std::vector<Family> families_of(std::span<const Case> cases) {
  std::vector<Family> families;
  std::map<const Algorithm*, std::vector<std::size_t>> of_algorithm;  // families of the number of ranks at hand
  for (std::size_t k = 0; k < cases.size(); ++k) {
    std::vector<std::size_t>& known = of_algorithm[cases[k].choice.algorithm];
    if (!known.empty() && cases[families[known.back()].front()].problem.ranks != cases[k].problem.ranks) known.clear();
    const auto found = std::find_if(known.begin(), known.end(), [&](std::size_t family) {
      return cases[families[family].front()].problem == cases[k].problem;
    });
    if (found != known.end()) {
      families[*found].push_back(k);
    } else {
      known.push_back(families.size());
      families.push_back({k});
    }
  }
  std::stable_sort(families.begin(), families.end(), [&](const Family& a, const Family& b) {
    return cases[a.front()].problem.ranks > cases[b.front()].problem.ranks;
  });
  return families;
}

/// A proof, and what its text looked at.
struct Proved {
  const Parameters* parameters;
  ParameterAccess looked;
  Proof proof;

  // Whether the text records the same for `other` of the same family: it is told nothing else that differs.
  bool holds_for(const Parameters& other) const {
    return (looked.at_grid == 0 || parameters->grid == other.grid) &&
           (looked.at_radix == 0 || parameters->radix == other.radix) &&
           (looked.at_segments == 0 || parameters->segments == other.segments);
  }
};

void prove_family(std::span<const Case> cases, const Family& family, const Layout& layout, Trials& trials,
                  std::atomic<std::size_t>& done) {
  std::vector<Proved> proved;
  for (const std::size_t at : family) {
    const Parameters& parameters = cases[at].choice.parameters;
    auto found =
        std::find_if(proved.begin(), proved.end(), [&](const Proved& one) { return one.holds_for(parameters); });
    if (found == proved.end()) {
      RecordingContext context;
      Proof proof = proof_of(context, cases[at], layout);
      found = proved.insert(proved.end(), {&parameters, context.access(), std::move(proof)});
    }
    trials[at] = {found->proof, found->looked.at_layout > 0};
    done.fetch_add(1, std::memory_order_relaxed);
  }
}

Trials trials_of(std::span<const Case> cases, int jobs, const Progress& progress, const Layout& layout) {
  const std::vector<Family> families = families_of(cases);
  Trials trials(cases.size());
  // Counters alone: each thread writes only the trials of the families that it drew, and the first one that throws
  // writes what it threw. All of that is published when all threads have ended.
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::atomic_flag has_thrown;
  std::exception_ptr thrown;
  const auto work = [&] {
    try {
      for (std::size_t k = next.fetch_add(1, std::memory_order_relaxed); k < families.size();
           k = next.fetch_add(1, std::memory_order_relaxed)) {
        prove_family(cases, families[k], layout, trials, done);
      }
    } catch (...) {
      if (!has_thrown.test_and_set(std::memory_order_relaxed)) thrown = std::current_exception();
      next.store(families.size(), std::memory_order_relaxed);  // Nobody will ask for the proofs that are left.
    }
  };
  std::function<void()> watch;
  if (progress) watch = [&] { progress(done.load(std::memory_order_relaxed)); };
  run_in_threads(jobs, work, watch);
  if (thrown) std::rethrow_exception(thrown);
  return trials;
}

// Returns the number of proofs at a time that together hold some gigabytes at most: 140 bytes a message, 50 a slice.
int jobs_that_fit(std::span<const Case> cases, int jobs, const Layout& layout) {
  constexpr std::int64_t most_together = std::int64_t{1} << 25;
  std::int64_t largest = 1;
  for (const Case& one : cases) {
    const RecordedSize size = check_proof_size(one.choice, one.problem, layout);
    largest = std::max({largest, size.messages, size.slices / 2});
  }
  return static_cast<int>(std::clamp<std::int64_t>(most_together / largest, 1, jobs));
}

void keep(Verdict& verdict, Flaw flaw) {
  const auto place = std::upper_bound(verdict.flaws.begin(), verdict.flaws.end(), flaw.problem.ranks,
                                      [](int ranks, const Flaw& other) { return ranks < other.problem.ranks; });
  verdict.flaws.insert(place, std::move(flaw));
  if (verdict.flaws.size() > flaws_kept) verdict.flaws.pop_back();
}

}  // namespace

std::vector<Verdict> prove(std::span<const Case> cases, int jobs, const Progress& progress, const Layout& layout) {
  jobs = jobs_that_fit(cases, jobs, layout);
  const Trials trials = trials_of(cases, jobs, progress, layout);
  std::vector<Verdict> verdicts;
  std::map<const Algorithm*, std::size_t> places;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto [place, fresh] = places.try_emplace(cases[k].choice.algorithm, verdicts.size());
    if (fresh) verdicts.push_back({.algorithm = cases[k].choice.algorithm});
    Verdict& verdict = verdicts[place->second];
    verdict.asks_layout = verdict.asks_layout || trials[k].asked_layout;
    const Proof& proof = trials[k].proof;
    if (proof.failure) {
      ++verdict.failed;
      keep(verdict, {cases[k].problem, *proof.failure});
    } else {
      ++verdict.proved;
      verdict.by_symmetry += proof.by_symmetry ? 1 : 0;
    }
  }
  return verdicts;
}

void add(std::vector<Verdict>& verdicts, std::vector<Verdict> more) {
  for (Verdict& one : more) {
    const auto known = std::find_if(verdicts.begin(), verdicts.end(),
                                    [&](const Verdict& other) { return other.algorithm == one.algorithm; });
    if (known == verdicts.end()) {
      verdicts.push_back(std::move(one));
      continue;
    }
    known->proved += one.proved;
    known->failed += one.failed;
    known->by_symmetry += one.by_symmetry;
    known->asks_layout = known->asks_layout || one.asks_layout;
    for (Flaw& flaw : one.flaws) keep(*known, std::move(flaw));
  }
}

}  // namespace tutti::app

#include "app/reports/proof_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/cases.hpp"
#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

std::string name_of(const Verdict& verdict) {
  return fmt::format("{} by {}", name_of(verdict.algorithm->collective), verdict.algorithm->name);
}

// Returns the most rounds of the algorithm; of a shift without a distance, at the one that takes longest.
std::int64_t most_rounds(const Algorithm& algorithm, Problem problem, const Layout& layout, const Request& asked) {
  const Parameters parameters = parameters_of(asked);
  if (problem.collective != Collective::shift || asked.distance)
    return algorithm.claims(problem, parameters, layout).rounds;
  std::int64_t most = 0;
  for (problem.distance = 0; problem.distance < problem.ranks; ++problem.distance)
    most = std::max(most, algorithm.claims(problem, parameters, layout).rounds);
  return most;
}

// The rounds at the largest number of ranks up to `most` that the algorithm takes.
std::string rounds_in_words(const Algorithm& algorithm, int most, const Layout& layout, const Request& asked) {
  Request like;
  like.count = asked.count;
  if (algorithm.collective == Collective::shift) like.distance = asked.distance;
  if (asked.grid) most = static_cast<int>(asked.grid->size());
  for (int p = most; p >= (asked.grid ? most : 1); --p) {
    const Problem problem = problem_of(like, algorithm.collective, p);
    if (!unmet_need(algorithm, problem, layout))
      return fmt::format("{} at p = {}", most_rounds(algorithm, problem, layout, asked), p);
  }
  return "";
}

Json json_of(const Flaw& flaw) {
  Json fields{{"ranks", flaw.problem.ranks}, {"root", flaw.problem.root}, {"count", flaw.problem.count}};
  fields["problem"] = describe(flaw.problem);
  fields["rank"] = flaw.failure.rank;
  fields["step"] = flaw.failure.step;
  fields["slice"] = flaw.failure.slice;
  fields["kind"] = name_of(flaw.failure.kind);
  fields["reason"] = flaw.failure.reason;
  if (!flaw.failure.cycle.empty()) fields["cycle"] = flaw.failure.cycle;
  return fields;
}

Json json_of(const Verdict& verdict) {
  Json failures = Json::array();
  for (const Flaw& flaw : verdict.flaws) failures.push_back(json_of(flaw));
  return Json{{"collective", name_of(verdict.algorithm->collective)},
              {"name", verdict.algorithm->name},
              {"proved", verdict.proved},
              {"failed", verdict.failed},
              {"by_symmetry", verdict.by_symmetry},
              {"failures", failures}};
}

std::string table(std::span<const Verdict> verdicts, int most_ranks, const Layout& layout, const Request& asked) {
  std::vector<std::vector<std::string>> rows{{"COLLECTIVE", "ALGORITHM", "PROVED", "FAILED", "ROUNDS", "NEEDS"}};
  for (const Verdict& verdict : verdicts) {
    const Algorithm& algorithm = *verdict.algorithm;
    rows.push_back({std::string(name_of(algorithm.collective)), std::string(algorithm.name),
                    std::to_string(verdict.proved), std::to_string(verdict.failed),
                    rounds_in_words(algorithm, most_ranks, layout, asked), needs_in_words(algorithm)});
  }
  return screen_table(rows, {4, 5});
}

std::string flaws(std::span<const Verdict> verdicts) {
  std::string text;
  for (const Verdict& verdict : verdicts) {
    for (const Flaw& flaw : verdict.flaws) {
      text += fmt::format("\n{}: {}\n  {}\n", name_of(verdict), describe(flaw.problem), describe(flaw.failure));
    }
  }
  return text;
}

std::vector<std::size_t> sizes_of(const Layout& layout) {
  std::vector<std::size_t> sizes;
  for (const auto& ranks : layout.ranks_by_node(layout.size())) sizes.push_back(ranks.size());
  return sizes;
}

template <typename Has>
std::vector<std::string> names_of(std::span<const Verdict> verdicts, const Has& has) {
  std::vector<std::string> names;
  for (const Verdict& verdict : verdicts) {
    if (has(verdict)) names.push_back(name_of(verdict));
  }
  return names;
}

std::vector<std::string> asking(std::span<const Verdict> verdicts) {
  return names_of(verdicts, [](const Verdict& verdict) { return verdict.asks_layout; });
}

// Empty where no proof was made so.
std::string symmetry_in_words(std::span<const Verdict> verdicts) {
  std::int64_t proofs = 0;
  for (const Verdict& verdict : verdicts) proofs += verdict.by_symmetry;
  if (proofs == 0) return {};
  return screen_text(fmt::format(
      "{} by symmetry (one rank was run; the programs of the others were compared with its own, or derived from "
      "it): {}",
      counted(proofs, "proof"),
      fmt::join(names_of(verdicts, [](const Verdict& verdict) { return verdict.by_symmetry > 0; }), ", ")));
}

/// An all-to-all of which no case over some numbers of ranks has blocks that differ, though there could be some.
struct EvenAlone {
  std::string name;
  std::vector<int> ranks;
};

// Empty where one count is asked for.
std::vector<EvenAlone> even_alone(std::span<const Verdict> verdicts, const RankRange& ranks, const Layout& layout,
                                  const Request& asked) {
  std::vector<EvenAlone> even;
  if (asked.count) return even;
  for (const Verdict& verdict : verdicts) {
    const Algorithm& algorithm = *verdict.algorithm;
    EvenAlone one{name_of(verdict), {}};
    for (int p = ranks.first; p <= ranks.last; ++p) {
      const Problem problem{.collective = algorithm.collective, .ranks = p, .count = 1};
      if (!unmet_need(algorithm, problem, layout) && !algorithms::tries_uneven_blocks(algorithm, p, layout))
        one.ranks.push_back(p);
    }
    if (!one.ranks.empty()) even.push_back(std::move(one));
  }
  return even;
}

Json json_of(const std::vector<EvenAlone>& even) {
  Json names = Json::array();
  for (const EvenAlone& one : even) names.push_back(one.name);
  return names;
}

// Empty where all blocks were tried.
std::string blocks_in_words(const std::vector<EvenAlone>& even) {
  if (even.empty()) return {};
  std::vector<std::string> names;
  for (const EvenAlone& one : even) {
    const int first = one.ranks.front();
    const int last = one.ranks.back();
    names.push_back(first == last ? fmt::format("{} over {} ranks", one.name, first)
                                  : fmt::format("{} over {} to {} ranks", one.name, first, last));
  }
  return screen_text(
      fmt::format("blocks of one length alone, where those that differ list too many: {}", fmt::join(names, ", ")));
}

// The roots that stand for all, where not all were tried.
std::vector<int> few_roots(std::span<const Verdict> verdicts, int most_ranks, const Request& asked) {
  const bool rooted = std::any_of(verdicts.begin(), verdicts.end(),
                                  [](const Verdict& verdict) { return has_root(verdict.algorithm->collective); });
  if (!rooted || asked.root || most_ranks <= algorithms::most_ranks_of_all_roots) return {};
  return algorithms::roots_tried(most_ranks);
}

// Empty where all were tried.
std::string roots_in_words(const std::vector<int>& roots, int most_ranks) {
  if (roots.empty()) return {};
  return screen_text(fmt::format("of the roots over {} ranks, {} stand for all; --root names another", most_ranks,
                                 fmt::join(roots, ", ")));
}

// Empty where nothing is said of nodes.
std::string layout_in_words(std::span<const Verdict> verdicts, const Layout& layout) {
  if (layout.size() == 0) return {};
  const std::vector<std::string> names = asking(verdicts);
  return fmt::format(
      "{}: {}\n", describe(layout, layout.size()),
      names.empty() ? "no algorithm asks where its ranks are, so that the proofs hold for every layout"
                    : fmt::format("asked for by {}; the other proofs hold for every layout", fmt::join(names, ", ")));
}

}  // namespace

Outcome report(std::span<const Verdict> verdicts, const RankRange& ranks, bool json, const Layout& layout,
               const Request& asked) {
  std::int64_t proved = 0;
  std::int64_t failed = 0;
  Json algorithms = Json::array();
  for (const Verdict& verdict : verdicts) {
    proved += verdict.proved;
    failed += verdict.failed;
    algorithms.push_back(json_of(verdict));
  }
  const int status = failed == 0 ? 0 : 1;
  const std::vector<int> roots = few_roots(verdicts, ranks.last, asked);
  const std::vector<EvenAlone> even = even_alone(verdicts, ranks, layout, asked);
  if (json) {
    Json fields{{"proved", proved}, {"failed", failed}, {"algorithms", algorithms}};
    if (!roots.empty()) fields["roots"] = roots;
    if (!even.empty()) fields["even_blocks_alone"] = json_of(even);
    if (layout.size() > 0) fields["layout"] = {{"nodes", sizes_of(layout)}, {"asked_by", asking(verdicts)}};
    return {fields.dump(2) + '\n', status};
  }
  const std::string outcome = fmt::format("{} made, {} failed", counted(proved + failed, "proof"), failed);
  return {fmt::format("{}{}\n{}{}{}{}{}\n", table(verdicts, ranks.last, layout, asked), flaws(verdicts),
                      roots_in_words(roots, ranks.last), blocks_in_words(even), layout_in_words(verdicts, layout),
                      symmetry_in_words(verdicts), toned(outcome, failed == 0 ? Tone::good : Tone::bad)),
          status};
}

}  // namespace tutti::app

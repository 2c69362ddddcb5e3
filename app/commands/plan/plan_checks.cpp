#include "app/commands/plan/plan_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/command_line/outcome.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/machine/launched.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/text/table.hpp"
#include "base/units.hpp"
#include "measure/machine.hpp"
#include "plan/guidelines.hpp"
#include "plan/ranking.hpp"
#include "schedule/model/problem.hpp"
#include "tuning/guideline_timings.hpp"
#include "tutti/world.hpp"

namespace tutti::app {
namespace {

/// Subject that is held against the guidelines.
struct Checked {
  std::function<double(const Problem&)> seconds;  ///< seconds of one call by itself; no number if it is not known
  /// Seconds if no message were short; empty if that is not known.
  std::function<double(const Problem&)> seconds_if_long = {};
  double noise = 0;   ///< by which part times may differ for no reason
  std::string what;   ///< "what is predicted of one call"
  std::string costs;  ///< name of the machine
  std::int64_t element_size = 1;
};

/// The worst breach of each guideline that is broken, and how often it is.
struct Broken {
  Breach worst;
  int times = 0;
  int by_short_messages = 0;  // breaches among these whose guideline would be kept if no message were short
};
using Findings = std::map<const Guideline*, Broken>;

// Returns the guidelines that would be broken, too, if no message were short.
std::set<const Guideline*> broken_if_long(const Checked& checked, std::int64_t m, int p) {
  std::set<const Guideline*> broken;
  for (const Breach& breach : breaches(checked.seconds_if_long, m, p, checked.noise)) broken.insert(breach.guideline);
  return broken;
}

double factor_of(const Breach& breach) { return breach.left / breach.right; }

Findings findings_of(const Checked& checked, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts) {
  const Progress progress = progress_bar("checking", ranks.size() * counts.size());
  Findings findings;
  std::size_t done = 0;
  for (const int p : ranks) {
    for (const std::int64_t m : counts) {
      if (progress) progress(done++);
      const std::vector<Breach> found = breaches(checked.seconds, m, p, checked.noise);
      const bool asks = checked.seconds_if_long && !found.empty();
      const std::set<const Guideline*> if_long = asks ? broken_if_long(checked, m, p) : std::set<const Guideline*>();
      for (const Breach& breach : found) {
        Broken& broken = findings[breach.guideline];
        if (broken.times == 0 || factor_of(breach) > factor_of(broken.worst)) broken.worst = breach;
        ++broken.times;
        if (asks && !if_long.contains(breach.guideline)) ++broken.by_short_messages;
      }
    }
  }
  if (progress) clear_progress_bar();
  return findings;
}

// Returns the guidelines whose calls are all known.
std::vector<const Guideline*> known_guidelines(const Checked& checked, int ranks, std::int64_t count) {
  const auto is_known = [&](const GuidedCall& call) {
    return !std::isnan(checked.seconds(problem_of(call, count, ranks)));
  };
  std::vector<const Guideline*> known;
  for (const Guideline& guideline : guidelines()) {
    if (is_known(guideline.left) && std::all_of(guideline.right.begin(), guideline.right.end(), is_known))
      known.push_back(&guideline);
  }
  return known;
}

// Why a choice of algorithms does not mend what is broken; empty where nothing is known to be so.
std::string reason_in_words(const Findings& findings) {
  int cases = 0;
  int by_short_messages = 0;
  for (const auto& [guideline, broken] : findings) {
    cases += broken.times;
    by_short_messages += broken.by_short_messages;
  }
  if (by_short_messages == 0) return {};
  return '\n' +
         screen_text(fmt::format("{} of the {} are broken only because of short messages: with any algorithm a longer "
                                 "message waits until its sender and its receiver have met, and a short one does not",
                                 by_short_messages, counted(cases, "case")));
}

std::string text_of(const Findings& findings, const Checked& checked, std::size_t cases,
                    const std::vector<const Guideline*>& known) {
  std::vector<std::vector<std::string>> rows{{"BROKEN", "CASES", "WORST AT", "LEFT", "RIGHT", "TIMES", "BECAUSE"}};
  for (const Guideline& guideline : guidelines()) {
    const auto found = findings.find(&guideline);
    if (found == findings.end()) continue;
    const Breach& worst = found->second.worst;
    rows.push_back({text_of(guideline), fmt::format("{} of {}", found->second.times, cases),
                    fmt::format("m = {}, p = {}", text_of(Bytes{worst.count * checked.element_size}), worst.ranks),
                    text_of(Seconds{worst.left}), text_of(Seconds{worst.right}),
                    fmt::format("{:.2f}", factor_of(worst)), std::string(guideline.reason)});
  }
  return screen_text(fmt::format("{} of {} guidelines are kept by {}; {}", known.size() - findings.size(), known.size(),
                                 checked.what, checked.costs)) +
         (findings.empty() ? std::string() : '\n' + screen_table(rows, {3, 4, 6}) + reason_in_words(findings));
}

Json json_of(const Findings& findings, const Checked& checked, std::size_t cases,
             const std::vector<const Guideline*>& known) {
  Json all = Json::array();
  for (const Guideline* guideline : known) {
    const auto found = findings.find(guideline);
    Json worst = nullptr;
    if (found != findings.end()) {
      const Breach& breach = found->second.worst;
      worst = Json{{"bytes", breach.count * checked.element_size},
                   {"ranks", breach.ranks},
                   {"left_seconds", breach.left},
                   {"right_seconds", breach.right}};
    }
    all.push_back(Json{{"guideline", text_of(*guideline)},
                       {"reason", guideline->reason},
                       {"cases", cases},
                       {"broken", found == findings.end() ? 0 : found->second.times},
                       {"by_short_messages", found == findings.end() ? 0 : found->second.by_short_messages},
                       {"worst", worst}});
  }
  return all;
}

/// Holds the calls against all guidelines whose calls are known, for every number of ranks and of elements. Status 1
/// where one is broken.
Outcome check_guidelines(const Checked& checked, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                         bool json) {
  const Findings findings = findings_of(checked, ranks, counts);
  const std::vector<const Guideline*> known = known_guidelines(checked, ranks.front(), counts.front());
  const std::size_t cases = ranks.size() * counts.size();
  const int status = findings.empty() ? 0 : 1;
  if (json) return {json_of(findings, checked, cases, known).dump(2) + '\n', status};
  return {text_of(findings, checked, cases, known), status};
}

constexpr std::int64_t element = sizeof(double);

void check_request_for_guidelines(const PlanRequest& request) {
  require(!request.collective, "the guidelines are of all collectives; leave {} out", name_of(*request.collective));
  require(!request.topology && !request.nodes && !request.plot && !request.rules && request.skew.empty(),
          "the guidelines are held against one machine; leave --topology, --nodes, --plot, --rules and --skew out");
  require(!request.run || !request.cores, "ranks run on the cores that there are; leave --run or --cores out");
}

std::vector<int> ranks_of(const PlanRequest& request, const RankRange& usual, int most) {
  const RankRange asked = request.ranks.value_or(usual);
  require(asked.last <= most, "the guidelines are checked for 1 to {} ranks here, not for {}", most, asked.last);
  std::vector<int> ranks;
  for (int p = asked.first; p <= asked.last; ++p) ranks.push_back(p);
  return ranks;
}

// In elements. What is measured takes time: every fourth doubling.
std::vector<std::int64_t> counts_of(const PlanRequest& request) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t bytes : sizes_in(request.sizes.value_or(SizeRange{element, std::int64_t{1} << 20}))) {
    const std::int64_t count = std::max<std::int64_t>(1, bytes / element);
    const bool is_near = request.run && !request.sizes && !counts.empty() && count < 16 * counts.back();
    if (!is_near && (counts.empty() || count > counts.back())) counts.push_back(count);
  }
  return counts;
}

// One call a batch: guidelines compare calls by themselves.
measure::Effort effort_of(const PlanRequest& request) {
  measure::Effort effort = request.effort;
  effort.batch_seconds = 0;
  return effort;
}

Outcome report(const PlanRequest& request, const GuidelineTimings& times, const std::vector<int>& ranks,
               Transport transport) {
  constexpr double noise = 0.1;
  const int cores = measure::cores();
  const Checked checked{.seconds = [&](const Problem& problem) { return times.of(problem); },
                        .noise = noise,
                        .what = "what one call was measured to take",
                        .costs = fmt::format("{} on {}", name_of(transport), counted(cores, "core")),
                        .element_size = element};
  return check_guidelines(checked, ranks, counts_of(request), request.json);
}

Outcome check_predictions(const PlanRequest& request) {
  const std::vector<int> ranks = ranks_of(request, {2, MachineModel::most_played_ranks - 1},
                                          MachineModel::most_played_ranks - 1);  // one more are played, too
  const auto model = model_of_machine(request, ranks.back());
  const auto of_long = model_without_short_messages(request, ranks.back());
  return check_guidelines(
      {.seconds = [&](const Problem& problem) { return least_once(problem, element, *model); },
       .seconds_if_long = [&](const Problem& problem) { return least_once(problem, element, *of_long); },
       .what = "what is predicted of one call",
       .costs = model->describe(),
       .element_size = element},
      ranks, counts_of(request), request.json);
}

constexpr int most_measured = 63;

}  // namespace

Outcome check_choices(const PlanRequest& request) {
  check_request_for_guidelines(request);
  if (!request.run) return check_predictions(request);
  require(request.transport != Transport::mpi,
          "ranks of MPI are started by an mpirun: mpirun -n 3 tutti plan --check --run");
  const int usual = std::max(2, measure::cores());
  const std::vector<int> ranks = ranks_of(request, {usual, usual}, most_measured);
  if (is_of_processes(request.transport)) start_again_as_ranks(ranks.back() + 1, *request.transport);
  GuidelineTimings times;
  run(ranks.back() + 1, [&](Communicator& comm) {
    GuidelineTimings of_rank =
        measure_guidelines(comm, ranks, counts_of(request), effort_of(request), measuring_bar(comm));
    clear_measuring_bar(comm);
    if (comm.rank() == 0) times = std::move(of_rank);
  });
  return report(request, times, ranks, Transport::threads);
}

Outcome check_launched(PlanRequest& request, const Launched& launched) {
  std::vector<int> ranks;
  const auto prepare = [&] {
    read_values(request);
    check_request_for_guidelines(request);
    const int most = world().size() - 1;
    require(most >= 2, "the guidelines compare p ranks with p + 1: start 3 ranks at least, not {}", world().size());
    ranks = ranks_of(request, {most, most}, most);
  };
  return speak_as_ranks(launched, prepare, [&] {
    const GuidelineTimings times =
        measure_guidelines(world(), ranks, counts_of(request), effort_of(request), measuring_bar(world()));
    clear_measuring_bar(world());
    return report(request, times, ranks, launched.transport);
  });
}

}  // namespace tutti::app

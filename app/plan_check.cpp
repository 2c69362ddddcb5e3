#include "app/plan_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/meaning.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "base/table.hpp"
#include "base/units.hpp"
#include "plan/guidelines.hpp"
#include "plan/ranking.hpp"

namespace tutti::app {
namespace {

/// The worst breach of each guideline that is broken, and how often it is.
struct Broken {
  Breach worst;
  int times = 0;
};
using Findings = std::map<const Guideline*, Broken>;

double factor_of(const Breach& breach) { return breach.left / breach.right; }

Findings findings_of(const CostModel& model, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                     std::int64_t element_size) {
  const Progress progress = progress_bar("checking", ranks.size() * counts.size());
  Findings findings;
  std::size_t done = 0;
  for (const int p : ranks) {
    for (const std::int64_t m : counts) {
      if (progress) progress(done++);
      for (const Breach& breach :
           breaches([&](const Problem& problem) { return least_once(problem, element_size, model); }, m, p)) {
        Broken& broken = findings[breach.guideline];
        if (broken.times == 0 || factor_of(breach) > factor_of(broken.worst)) broken.worst = breach;
        ++broken.times;
      }
    }
  }
  if (progress) clear_progress_bar();
  return findings;
}

std::string text_of(const Findings& findings, const CostModel& model, std::size_t cases, std::int64_t element_size) {
  std::vector<std::vector<std::string>> rows{{"BROKEN", "CASES", "WORST AT", "LEFT", "RIGHT", "TIMES", "BECAUSE"}};
  for (const Guideline& guideline : guidelines()) {
    const auto found = findings.find(&guideline);
    if (found == findings.end()) continue;
    const Breach& worst = found->second.worst;
    rows.push_back({text_of(guideline), fmt::format("{} of {}", found->second.times, cases),
                    fmt::format("m = {}, p = {}", text_of(Bytes{worst.count * element_size}), worst.ranks),
                    text_of(Seconds{worst.left}), text_of(Seconds{worst.right}),
                    fmt::format("{:.2f}", factor_of(worst)), std::string(guideline.reason)});
  }
  return fmt::format("{} of {} guidelines are kept by what is predicted of one call; {}\n{}",
                     guidelines().size() - findings.size(), guidelines().size(), model.describe(),
                     findings.empty() ? std::string() : '\n' + screen_table(rows));
}

Json json_of(const Findings& findings, std::size_t cases, std::int64_t element_size) {
  Json all = Json::array();
  for (const Guideline& guideline : guidelines()) {
    const auto found = findings.find(&guideline);
    Json worst = nullptr;
    if (found != findings.end()) {
      const Breach& breach = found->second.worst;
      worst = Json{{"bytes", breach.count * element_size},
                   {"ranks", breach.ranks},
                   {"left_seconds", breach.left},
                   {"right_seconds", breach.right}};
    }
    all.push_back(Json{{"guideline", text_of(guideline)},
                       {"reason", guideline.reason},
                       {"cases", cases},
                       {"broken", found == findings.end() ? 0 : found->second.times},
                       {"worst", worst}});
  }
  return all;
}

}  // namespace

Outcome check_guidelines(const CostModel& model, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                         std::int64_t element_size, bool json) {
  const Findings findings = findings_of(model, ranks, counts, element_size);
  const std::size_t cases = ranks.size() * counts.size();
  const int status = findings.empty() ? 0 : 1;
  if (json) return {json_of(findings, cases, element_size).dump(2) + '\n', status};
  return {text_of(findings, model, cases, element_size), status};
}

}  // namespace tutti::app

#include "app/plan_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/meaning.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "base/table.hpp"
#include "base/units.hpp"
#include "plan/guidelines.hpp"

namespace tutti::app {
namespace {

/// The worst breach of each guideline that is broken, and how often it is.
struct Broken {
  Breach worst;
  int times = 0;
  int by_short_messages = 0;  // of these: the guideline would be kept if no message were short
};
using Findings = std::map<const Guideline*, Broken>;

// Those of the guidelines that would be broken, too, if no message were short.
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

// Those whose calls are all known.
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
  return '\n' + screen_text(fmt::format(
                    "{} of the {} would not be broken if no message were short: a message too long to be short waits "
                    "until its reader and its sender have met, which shorter ones do not, whatever the algorithm",
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

}  // namespace

Outcome check_guidelines(const Checked& checked, const std::vector<int>& ranks, const std::vector<std::int64_t>& counts,
                         bool json) {
  const Findings findings = findings_of(checked, ranks, counts);
  const std::vector<const Guideline*> known = known_guidelines(checked, ranks.front(), counts.front());
  const std::size_t cases = ranks.size() * counts.size();
  const int status = findings.empty() ? 0 : 1;
  if (json) return {json_of(findings, checked, cases, known).dump(2) + '\n', status};
  return {text_of(findings, checked, cases, known), status};
}

}  // namespace tutti::app

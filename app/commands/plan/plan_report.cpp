/// @file
/// Report of `tutti plan`: tables.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/command_line/terminal.hpp"
#include "app/commands/plan/kept_winners.hpp"
#include "app/commands/plan/planned.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

bool is_measured(const Planned& planned) {
  const std::vector<PlanRow>& rows = planned.sizes.front().rows;
  return std::any_of(rows.begin(), rows.end(), [](const PlanRow& row) { return row.measured.has_value(); });
}

const PlanRow* fastest_measured(const PlannedSize& size) {
  const PlanRow* best = nullptr;
  for (const PlanRow& row : size.rows) {
    if (row.measured && (best == nullptr || *row.measured < *best->measured)) best = &row;
  }
  return best;
}

// Returns the measured seconds of the chosen algorithm, which a rule may name; nothing if it was not measured.
std::optional<double> measured_of_chosen(const PlannedSize& size) {
  const PlanRow* const row = row_of(size, size.explanation.chosen.algorithm);
  return row == nullptr ? std::nullopt : row->measured;
}

std::string time_in_words(double seconds) { return std::isfinite(seconds) ? text_of(Seconds{seconds}) : "-"; }

std::string proof_in_words(const std::optional<bool>& proved) {
  if (!proved) return "-";
  return *proved ? "yes" : "NO";
}

// Whether an earlier run has found the row's algorithm to be the fastest.
bool is_kept(const PlannedSize& size, const PlanRow& row) {
  return std::any_of(size.kept.begin(), size.kept.end(),
                     [&](const KeptWinner& kept) { return kept.choice.algorithm == row.priced.choice.algorithm; });
}

std::string one_size_table(const PlannedSize& size, bool measured) {
  std::vector<std::string> heading{"ALGORITHM", "PARAMETERS", "NEEDS", "PROVED", "PREDICTED", "ONE CALL"};
  if (measured) heading.insert(heading.end(), {"MEASURED", "ERROR"});
  heading.emplace_back("TIMES THE BOUND");
  std::vector<std::vector<std::string>> rows{heading};
  for (const PlanRow& row : size.rows) {
    const auto error = error_of(row);
    std::vector<std::string> cells{
        fmt::format("{}{}", row.priced.choice.algorithm->name, is_kept(size, row) ? " (kept)" : ""),
        row.parameters.empty() ? "-" : row.parameters,
        needs_in_words(*row.priced.choice.algorithm),
        proof_in_words(row.proved),
        time_in_words(row.priced.seconds),
        time_in_words(row.priced.once)};
    if (measured) {
      cells.push_back(row.measured ? time_in_words(*row.measured) : "-");
      cells.push_back(error ? fmt::format("{:+.0f} %", 100 * *error) : "-");
    }
    cells.push_back(ratio_in_words(row.priced.seconds, size.explanation.bound));
    rows.push_back(std::move(cells));
  }
  return screen_table(rows, {2, 3, 5, 1});
}

std::string measured_in_words(const PlannedSize& size) {
  const PlanRow* const best = fastest_measured(size);
  if (best == nullptr) return "";
  const std::string_view name = best->priced.choice.algorithm->name;
  const Algorithm* const chosen = size.explanation.chosen.algorithm;
  if (best->priced.choice.algorithm == chosen) return fmt::format("Measured, {} is the fastest, too.\n", name);
  const std::optional<double> seconds = measured_of_chosen(size);
  const std::string words =
      seconds ? fmt::format("takes {:.2f} times as long", *seconds / *best->measured) : std::string("was not measured");
  return fmt::format("Measured, {} is the fastest; {}, which was chosen, {}.\n", name, chosen->name, words);
}

std::string evenness_in_words(const PlannedSize& size) {
  if (size.even == nullptr) return "";
  const bool same = size.even == size.explanation.chosen.algorithm;
  return fmt::format("If all ranks came together, {} would be chosen{}.\n", size.even->name, same ? ", too" : "");
}

std::string winners_kept(const PlannedSize& size) {
  std::string text;
  for (const std::string& sentence : sentences_on(size.kept, size.explanation.problem)) text += screen_text(sentence);
  return text;
}

std::string rules_passed_over(const PlannedSize& size) {
  std::string text;
  for (const std::string& sentence : size.passed_over) text += screen_text(sentence);
  return text;
}

// Returns between which times the chosen algorithm is to be expected, if the costs are no better than that.
std::string range_in_words(const PlanQuestion& question, const PlannedSize& size) {
  constexpr double error_of_a_number = 0.25;
  const PlanRow* const row = row_of(size, size.explanation.chosen.algorithm);
  if (question.error <= error_of_a_number || row == nullptr || !(row->priced.seconds > 0)) return "";
  const double least = row->priced.seconds / (1 + question.error);
  const std::string most =
      question.error < 1 ? "to " + text_of(Seconds{row->priced.seconds / (1 - question.error)}) : "or more";
  return screen_text(
      fmt::format("Nine in ten predictions by these costs are off by at most {:.0f} %: expect {} {} of {}.",
                  100 * question.error, text_of(Seconds{least}), most, row->priced.choice.algorithm->name));
}

std::string trials_line(const Planned& planned) {
  const std::string sentence = trials_in_words(planned);
  return sentence.empty() ? sentence : screen_text(sentence);
}

std::string one_size_text(const Planned& planned) {
  const PlannedSize& size = planned.sizes.front();
  const Explanation& told = size.explanation;
  std::string bound = "no schedule is known to need any time";
  if (told.bound > 0)
    bound = fmt::format("no schedule takes less than {} by these costs", text_of(Seconds{told.bound}));
  return screen_text(fmt::format("{}; {}", call_in_words(told.problem, told.element_size), told.costs)) +
         screen_text(bound) + '\n' + one_size_table(size, is_measured(planned)) + '\n' + winners_kept(size) +
         screen_text(told.why) + range_in_words(planned.question, size) + rules_passed_over(size) +
         trials_line(planned) + measured_in_words(size) + evenness_in_words(size);
}

// The columns of algorithms that come near the fastest at no size first; those that are the fastest somewhere are none.
template <typename Of>
std::vector<std::size_t> losers_of(const Planned& planned, const std::vector<const Algorithm*>& algorithms,
                                   const Of& of) {
  std::vector<std::pair<double, std::size_t>> losers;
  for (std::size_t k = 0; k < algorithms.size(); ++k) {
    double nearest = HUGE_VAL;
    for (const PlannedSize& size : planned.sizes) {
      double least = HUGE_VAL;
      for (const PlanRow& row : size.rows) least = std::min(least, of(row));
      if (const PlanRow* const row = row_of(size, algorithms[k])) nearest = std::min(nearest, of(*row) / least);
    }
    if (!(nearest <= 1)) losers.emplace_back(-nearest, k + 1);
  }
  std::sort(losers.begin(), losers.end());
  std::vector<std::size_t> columns;
  for (const auto& [far, column] : losers) columns.push_back(column);
  return columns;
}

// Sizes against algorithms; the least of each row is marked.
template <typename Of>
std::string sizes_table(const Planned& planned, const Of& of) {
  const std::vector<const Algorithm*> algorithms = algorithms_in(planned);
  std::vector<std::vector<std::string>> rows{{"BYTES"}};
  for (const Algorithm* algorithm : algorithms) rows.front().emplace_back(algorithm->name);
  for (const PlannedSize& size : planned.sizes) {
    double least = HUGE_VAL;
    for (const PlanRow& row : size.rows) least = std::min(least, of(row));
    std::vector<std::string> cells{text_of(Bytes{size.bytes})};
    for (const Algorithm* algorithm : algorithms) {
      const PlanRow* const row = row_of(size, algorithm);
      const double seconds = row == nullptr ? HUGE_VAL : of(*row);
      const bool kept = row != nullptr && is_kept(size, *row);
      cells.push_back(time_in_words(seconds) + (seconds == least ? " *" : "") + (kept ? " (kept)" : ""));
    }
    rows.push_back(std::move(cells));
  }
  return screen_table(rows, losers_of(planned, algorithms, of),
                      "The screen has no room for algorithms that are fastest nowhere; --json has them.");
}

double predicted(const PlanRow& row) { return row.priced.seconds; }
double measured(const PlanRow& row) { return row.measured.value_or(HUGE_VAL); }

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Returns how far predictions and choices are from the measurements.
std::string accuracy_in_words(const Planned& planned) {
  std::vector<double> errors;
  std::vector<double> losses;
  for (const PlannedSize& size : planned.sizes) {
    for (const PlanRow& row : size.rows) {
      if (row.measured) errors.push_back(std::abs(*error_of(row)));
    }
    const PlanRow* const best = fastest_measured(size);
    const std::optional<double> chosen = measured_of_chosen(size);
    if (best != nullptr && chosen) losses.push_back(*chosen / *best->measured);
  }
  if (errors.empty() || losses.empty()) return "";
  return fmt::format(
      "Half of the predictions are off by at most {:.0f} %; what was chosen takes at most {:.2f} times as long as the "
      "fastest, {:.2f} times in the middle.\n",
      100 * middle_of(errors), *std::max_element(losses.begin(), losses.end()), middle_of(losses));
}

// Returns a rule's remark about a winner.
std::string rule_in_words(const Term& term) {
  if (term.by.empty()) return "";
  if (term.algorithm == term.cheapest) return fmt::format(", which {} names, too", term.by);
  return fmt::format(", which {} names instead of {}", term.by, term.cheapest->name);
}

std::string list_of(const std::vector<Term>& terms) {
  std::string text;
  for (const Term& term : terms) {
    text += fmt::format("  {} to {}: {}{}\n", text_of(Bytes{term.sizes.least}), text_of(Bytes{term.sizes.most}),
                        term.algorithm->name, rule_in_words(term));
  }
  return text;
}

std::string winners_kept(const Planned& planned) {
  std::string text;
  for (const PlannedSize& size : planned.sizes) {
    for (const KeptWinner& kept : size.kept)
      text += fmt::format("  {}: {}\n", text_of(Bytes{size.bytes}), kept_in_words(kept));
  }
  if (text.empty()) return text;
  return fmt::format("\nFound to be the fastest in earlier runs; {}:\n{}", followers_in_words(planned.question.problem),
                     text);
}

std::string range_text(const Planned& planned) {
  const Explanation& told = planned.sizes.front().explanation;
  Problem shape = told.problem;
  shape.count = 0;
  std::string text =
      screen_text(fmt::format("{} over {}; {}", name_of(shape.collective), counted(shape.ranks, "rank"), told.costs)) +
      "\nPredicted, the fastest of each size marked\n" + sizes_table(planned, predicted);
  if (is_measured(planned)) {
    text += fmt::format("\nMeasured\n{}{}", sizes_table(planned, measured), accuracy_in_words(planned));
  }
  const bool ruled =
      std::any_of(planned.winners.begin(), planned.winners.end(), [](const Term& term) { return !term.by.empty(); });
  text += ruled ? "\nChosen, by size:\n" : "\nPredicted to be the fastest, by size:\n";
  text += list_of(planned.winners) + winners_kept(planned);
  if (const std::string trials = trials_line(planned); !trials.empty()) text += '\n' + trials;
  if (!planned.even.empty()) text += "\nIf all ranks came together:\n" + list_of(planned.even);
  return text;
}

}  // namespace

std::string plan_text(const Planned& planned) {
  return planned.sizes.size() == 1 ? one_size_text(planned) : range_text(planned);
}

}  // namespace tutti::app

#include "plan/trial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_contenders = 8;
constexpr std::size_t most_measured = 4;
constexpr int rounds = 5;
/// Few calls tell no contender from another that takes a tenth more: then the one that was predicted to be fastest
/// stays.
constexpr double clearly_less = 0.9;
static_assert(most_contenders * rounds <= Trial::most_rows);

std::size_t row_of(std::int64_t ticket) { return static_cast<std::size_t>(ticket / Trial::calls_of_a_row); }

std::vector<Parameters> variants_of(const Choice& choice, const Problem& problem, const Layout& layout) {
  std::vector<Parameters> variants{choice.parameters};
  if (choice.parameters.segments != 0 || !uses_segments(choice, problem, layout)) return variants;
  for (const int segments : {2, 32}) {
    Parameters variant = choice.parameters;
    variant.segments = segments;
    const bool is_new = std::all_of(variants.begin(), variants.end(), [&](const Parameters& other) {
      return other.segments_for(problem.count) != variant.segments_for(problem.count);
    });
    if (is_new) variants.push_back(variant);
  }
  return variants;
}

}  // namespace

Contenders contenders_for(const Problem& problem, const Parameters& parameters, std::int64_t element_size,
                          const CostModel& model, Planning planning) {
  constexpr double hopeless = 3;
  Problem alike = problem;
  alike.in_place = false;  // in which ranks may differ
  std::vector<Priced> priced;
  for (const Priced& each : ranking_of(alike, parameters, element_size, model)) {
    for (const Parameters& variant : variants_of(each.choice, alike, model.layout())) {
      const Choice choice(*each.choice.algorithm, variant);
      const bool is_own = variant == each.choice.parameters;
      priced.push_back({choice, is_own ? each.seconds : model.seconds(choice, alike, element_size), 0});
    }
  }
  // The choice stays the first, even if rounding makes another of equal price less.
  std::stable_sort(priced.begin() + 1, priced.end(),
                   [](const Priced& a, const Priced& b) { return a.seconds < b.seconds; });
  Contenders contenders;
  for (const Priced& each : priced) {
    if (contenders.all.size() == most_contenders || each.seconds > hopeless * priced.front().seconds) break;
    contenders.all.push_back(each.choice);
  }
  const bool patient = planning == Planning::patient;
  contenders.tried = patient ? contenders.all.size() : std::min(most_measured, contenders.all.size());
  contenders.rounds = rounds;
  return contenders;
}

Trial::Trial(Contenders contenders) : contenders_(std::move(contenders)), seconds_(contenders_.all.size()) {}

bool Trial::may_begin(std::int64_t ticket) const {
  if (ticket == 0 || winner_) return true;
  return opened_ && (ticket < calls() || (ticket == calls() && timed_ == calls()));
}

Trial::Prelude Trial::prelude(std::int64_t ticket) const {
  if (winner_) return Prelude::nothing;
  if (ticket == 0 || ticket == calls()) return Prelude::hear;
  return ticket % calls_of_a_row == 0 ? Prelude::assemble : Prelude::nothing;
}

Trial::Words Trial::words(std::int64_t ticket, std::optional<std::size_t> known) const {
  if (ticket > 0) return times_;
  Words words = {};
  if (known) words.front() = static_cast<std::int64_t>(*known) + 1;
  return words;
}

void Trial::hear(std::int64_t ticket, std::span<const std::int64_t> words) {
  if (ticket == 0) {
    opened_ = true;
    if (words.front() > 0) winner_ = static_cast<std::size_t>(words.front() - 1);
    return;
  }
  // The first round warms up: caches, and the memory that peers map.
  for (std::size_t k = 0; k < contenders_.tried; ++k) {
    std::vector<std::int64_t> rows;
    for (int round = 1; round < contenders_.rounds; ++round)
      rows.push_back(words[static_cast<std::size_t>(round) * contenders_.tried + k]);
    const auto middle = rows.begin() + (static_cast<std::ptrdiff_t>(rows.size()) - 1) / 2;
    std::nth_element(rows.begin(), middle, rows.end());
    seconds_[k] = 1e-9 * static_cast<double>(*middle) / calls_of_a_row;
  }
  const auto fastest =
      std::min_element(seconds_.begin(), seconds_.begin() + static_cast<std::ptrdiff_t>(contenders_.tried));
  const bool is_clear = *fastest < clearly_less * seconds_.front();
  winner_ = is_clear ? static_cast<std::size_t>(fastest - seconds_.begin()) : 0;
}

std::size_t Trial::contender(std::int64_t ticket) const {
  return winner_ ? *winner_ : contender_of_row(row_of(ticket));
}

void Trial::took(std::int64_t ticket, std::int64_t nanoseconds) {
  times_[row_of(ticket)] += nanoseconds;
  ++timed_;
}

std::string verdict_in_words(const Trial& trial) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < trial.contenders().size(); ++k) {
    if (trial.seconds(k) > 0) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return trial.seconds(a) < trial.seconds(b); });
  std::string words;
  for (const std::size_t k : order) {
    words += fmt::format("{}{} took {}", words.empty() ? "" : ", ", choice_in_words(trial.contenders()[k]),
                         text_of(Seconds{trial.seconds(k)}));
  }
  const std::size_t winner = *trial.winner();
  words += fmt::format(". {} is kept.", choice_in_words(trial.contenders()[winner]));
  if (!order.empty() && trial.seconds(order.front()) < trial.seconds(winner)) {
    words += fmt::format(" The model chose it, and no other took less by {:.0f} %.", 100 * (1 - clearly_less));
  }
  return words;
}

}  // namespace tutti

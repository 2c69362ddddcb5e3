#include "app/price_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/sizes.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

// Sizes so near to one another that a line through them looks smooth: four a doubling.
std::vector<std::int64_t> dense(const SizeRange& range) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t size : sizes_in(range)) {
    for (const double factor : {1.0, std::exp2(0.25), std::exp2(0.5), std::exp2(0.75)}) {
      const std::int64_t between = std::llround(static_cast<double>(size) * factor);
      if (between <= range.most && (sizes.empty() || between > sizes.back())) sizes.push_back(between);
    }
  }
  return sizes;
}

// Where nothing is paid, there is no logarithm.
void add(draw::Series& line, std::int64_t bytes, double seconds) {
  if (seconds > 0) line.samples.push_back({static_cast<double>(bytes), seconds});
}

std::optional<draw::Series> line_of(Prices& prices, const Algorithm& algorithm, const SizeRange& range) {
  draw::Series line{std::string(algorithm.name), {}, draw::LineKind::computed};
  const std::vector<std::int64_t> smooth = dense(range);
  const auto has_form = [&](std::int64_t bytes) { return prices.has_exact_form(algorithm, bytes); };
  if (std::all_of(smooth.begin(), smooth.end(), has_form)) {
    for (const std::int64_t bytes : smooth) add(line, bytes, prices.offer(algorithm, bytes).seconds);
    return line;
  }
  bool known = false;
  std::string_view how;
  const std::vector<std::int64_t>& listed = prices.listed();
  for (const std::int64_t bytes : sizes_drawn(range, listed)) {
    const bool found = prices.is_drawn(algorithm) || prices.has_exact_form(algorithm, bytes) ||
                       std::find(listed.begin(), listed.end(), bytes) != listed.end();
    if (!found || bytes < range.least || bytes > range.most) continue;
    const Offer offer = prices.offer(algorithm, bytes);
    if (offer.basis == Basis::none) continue;
    known = true;
    if (offer.basis == Basis::simulation) {
      line.kind = draw::LineKind::measured;
      how = " (simulated)";
    } else if (offer.basis == Basis::upper_bound) {
      how = " (at most)";
    }
    add(line, bytes, offer.seconds);
  }
  line.name += how;
  return known ? std::optional(line) : std::nullopt;
}

draw::Series bound_of(const Prices& prices, const SizeRange& range) {
  draw::Series line{"lower bound", {}, draw::LineKind::bound};
  for (const std::int64_t bytes : sizes_in(range)) add(line, bytes, prices.bound(bytes).seconds);
  return line;
}

std::vector<draw::Crossing> crossings_of(Prices& prices, const SizeRange& range, const std::vector<Reign>& winners) {
  std::vector<draw::Crossing> found;
  for (const Reign& reign : winners) {
    const std::int64_t bytes = reign.sizes.least;
    if (bytes <= range.least || bytes > range.most) continue;
    const draw::Sample at{static_cast<double>(bytes), prices.offer(*reign.algorithm, bytes).seconds};
    if (at.y > 0) found.push_back({at, fmt::format("from {}: {}", text_of(Bytes{bytes}), reign.algorithm->name)});
  }
  return found;
}

// More flags than this hide the lines; small sizes that p does not divide can have many.
constexpr std::size_t most_flags = 12;

std::string names_of(const std::vector<Reign>& winners) {
  std::vector<const Algorithm*> algorithms;
  for (const Reign& reign : winners) algorithms.push_back(reign.algorithm);
  return fastest_in_words(algorithms);
}

std::vector<std::string> notes_of(const Prices& prices, const std::vector<std::string_view>& unknown,
                                  const std::vector<Reign>& winners) {
  std::vector<std::string> notes{costs_in_words(prices.question())};
  if (!winners.empty()) notes.push_back(names_of(winners));
  if (!unknown.empty())
    notes.push_back(fmt::format("without a closed form here, and too large to simulate: {}", fmt::join(unknown, ", ")));
  std::vector<std::string_view> listed_alone;
  for (const Algorithm* algorithm : prices.question().algorithms) {
    if (!prices.is_drawn(*algorithm)) listed_alone.push_back(algorithm->name);
  }
  if (!listed_alone.empty())
    notes.push_back(fmt::format("simulated at the sizes that were asked for alone: {}", fmt::join(listed_alone, ", ")));
  return notes;
}

}  // namespace

std::vector<std::int64_t> sizes_drawn(const SizeRange& range, const std::vector<std::int64_t>& listed) {
  const std::vector<std::int64_t> own = sizes_in(range);
  std::vector<std::int64_t> sizes;
  std::set_union(own.begin(), own.end(), listed.begin(), listed.end(), std::back_inserter(sizes));
  return sizes;
}

std::string fastest_in_words(const std::vector<const Algorithm*>& winners) {
  std::vector<std::string_view> names;
  for (const Algorithm* winner : winners) {
    if (std::find(names.begin(), names.end(), winner->name) == names.end()) names.push_back(winner->name);
  }
  return fmt::format("the fastest, from small sizes to large: {}", fmt::join(names, ", "));
}

void check_takes_time(const draw::Plot& plot) {
  require(std::any_of(plot.series.begin(), plot.series.end(), [](const auto& line) { return !line.samples.empty(); }),
          "{} takes no time, so that there is nothing to draw; ask for more ranks", plot.title);
}

std::string price_plot(Prices& prices, const SizeRange& range, const std::vector<Reign>& all_winners) {
  const Question& question = prices.question();
  require(range.most > 0,
          "a size of 0 has no place on a logarithmic axis; name a larger one, such as --bytes 1KiB..1MiB");
  const SizeRange drawn{std::max<std::int64_t>(1, range.least), range.most};
  std::vector<Reign> winners = all_winners;
  std::erase_if(winners, [&](const Reign& reign) { return reign.sizes.most < drawn.least; });
  draw::Plot plot{.title = fmt::format("{} over {}", name_of(question.problem.collective), question.topology->name()),
                  .x = {"size, m", draw::Unit::bytes},
                  .y = {"time", draw::Unit::seconds},
                  .series = {}};
  std::vector<std::string_view> unknown;
  for (const Algorithm* algorithm : question.algorithms) {
    if (auto line = line_of(prices, *algorithm, drawn)) {
      plot.series.push_back(std::move(*line));
    } else {
      unknown.push_back(algorithm->name);
    }
  }
  require(!plot.series.empty(), "no closed form is known for {} here, and it is too large to simulate", plot.title);
  check_takes_time(plot);
  plot.series.push_back(bound_of(prices, drawn));
  plot.notes = notes_of(prices, unknown, winners);
  plot.crossings = crossings_of(prices, drawn, winners);
  if (plot.crossings.size() > most_flags) {
    plot.notes.push_back(
        fmt::format("the fastest changes {} times; the first {} are marked", plot.crossings.size(), most_flags));
    plot.crossings.resize(most_flags);
  }
  return draw::svg_of(plot);
}

}  // namespace tutti::app

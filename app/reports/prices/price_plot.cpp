#include "app/reports/prices/price_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "app/options/values.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "pricing/pricing_in_words.hpp"

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

// A time of 0 has no logarithm.
void add(draw::Series& line, std::int64_t bytes, double seconds) {
  if (seconds > 0) line.samples.push_back({static_cast<double>(bytes), seconds});
}

std::optional<draw::Series> line_of(Prices& prices, const Algorithm& algorithm, const SizeRange& range) {
  draw::Series line{std::string(algorithm.name), {}, draw::LineKind::computed};
  const std::vector<std::int64_t> smooth = dense(range);
  const auto has_form = [&](std::int64_t bytes) { return prices.has_exact_form(algorithm, bytes); };
  if (std::all_of(smooth.begin(), smooth.end(), has_form)) {
    for (const std::int64_t bytes : smooth) add(line, bytes, prices.price_of(algorithm, bytes).seconds);
    return line;
  }
  bool known = false;
  std::string_view how;
  const std::vector<std::int64_t>& listed = prices.listed();
  for (const std::int64_t bytes : sizes_drawn(range, listed)) {
    const bool found = prices.is_drawn(algorithm) || prices.has_exact_form(algorithm, bytes) ||
                       std::find(listed.begin(), listed.end(), bytes) != listed.end();
    if (!found || bytes < range.least || bytes > range.most) continue;
    const PricedAlgorithm priced = prices.price_of(algorithm, bytes);
    if (priced.basis == Basis::none) continue;
    known = true;
    if (priced.basis == Basis::simulation) {
      line.kind = draw::LineKind::measured;
      how = " (simulated)";
    } else if (priced.basis == Basis::upper_bound) {
      how = " (at most)";
    }
    add(line, bytes, priced.seconds);
  }
  line.name += how;
  return known ? std::optional(line) : std::nullopt;
}

draw::Series bound_of(const Prices& prices, const SizeRange& range) {
  draw::Series line{"lower bound", {}, draw::LineKind::bound};
  for (const std::int64_t bytes : sizes_in(range)) add(line, bytes, prices.bound(bytes).seconds);
  return line;
}

std::vector<draw::PlotCrossing> crossings_of(Prices& prices, const SizeRange& range,
                                             const std::vector<WinnerRange>& winners) {
  std::vector<draw::PlotCrossing> found;
  for (const WinnerRange& winner : winners) {
    const std::int64_t bytes = winner.sizes.least;
    if (bytes <= range.least || bytes > range.most) continue;
    const draw::Sample at{static_cast<double>(bytes), prices.price_of(*winner.algorithm, bytes).seconds};
    if (at.y > 0) found.push_back({at, fmt::format("from {}: {}", text_of(Bytes{bytes}), winner.algorithm->name)});
  }
  return found;
}

// More lines than this are told apart by nobody.
constexpr std::size_t most_lines = 6;

// More flags than this hide the lines; small sizes that p does not divide can have many.
constexpr std::size_t most_flags = 12;

// The factor by which the line lies above the fastest at each of its points, in the mean: least for the best lines.
double mean_excess(const draw::Series& line, const std::vector<draw::Series>& lines) {
  double sum = 0;
  for (const draw::Sample& at : line.samples) {
    double least = at.y;
    for (const draw::Series& other : lines) {
      const auto same = std::find_if(other.samples.begin(), other.samples.end(),
                                     [&](const draw::Sample& sample) { return sample.x == at.x; });
      if (same != other.samples.end()) least = std::min(least, same->y);
    }
    sum += std::log(at.y / least);
  }
  return line.samples.empty() ? std::numeric_limits<double>::infinity()
                              : sum / static_cast<double>(line.samples.size());
}

// Whether nobody can tell the lines apart.
bool look_alike(const draw::Series& a, const draw::Series& b) {
  constexpr double visible = 0.06;  // in natural logarithms
  bool meet = false;
  for (const draw::Sample& at : a.samples) {
    const auto same =
        std::find_if(b.samples.begin(), b.samples.end(), [&](const draw::Sample& sample) { return sample.x == at.x; });
    if (same == b.samples.end()) continue;
    meet = true;
    if (std::abs(std::log(at.y / same->y)) > visible) return false;
  }
  return meet;
}

// Keeps the lines that are the fastest somewhere, and of the others those nearest to the fastest that look unlike lines
// that are kept. Returns the names of those that look like one.
std::vector<std::string> keep_few(std::vector<draw::Series>& lines, const std::vector<WinnerRange>& winners) {
  const auto wins = [&](const draw::Series& line) {
    return std::any_of(winners.begin(), winners.end(), [&](const WinnerRange& range) {
      return line.name == range.algorithm->name || line.name.starts_with(fmt::format("{} (", range.algorithm->name));
    });
  };
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < lines.size(); ++k)
    order.emplace_back(wins(lines[k]) ? -1.0 : mean_excess(lines[k], lines), k);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> kept;
  std::vector<std::string> alike;
  for (const auto& [excess, k] : order) {
    const auto is_like = [&, k = k](std::size_t other) { return look_alike(lines[k], lines[other]); };
    if (excess >= 0 && std::any_of(kept.begin(), kept.end(), is_like)) {
      alike.push_back(lines[k].name);
    } else if (kept.size() < most_lines) {
      kept.push_back(k);
    }
  }
  std::sort(kept.begin(), kept.end());
  std::vector<draw::Series> few;
  for (const std::size_t k : kept) few.push_back(std::move(lines[k]));
  lines = std::move(few);
  return alike;
}

std::string names_of(const std::vector<WinnerRange>& winners) {
  std::vector<const Algorithm*> algorithms;
  for (const WinnerRange& range : winners) algorithms.push_back(range.algorithm);
  return fastest_in_words(algorithms);
}

std::vector<std::string> notes_of(const Prices& prices, const std::vector<std::string_view>& unknown,
                                  const std::vector<WinnerRange>& winners) {
  std::vector<std::string> notes{costs_in_words(prices.request())};
  if (!winners.empty()) notes.push_back(names_of(winners));
  if (!unknown.empty())
    notes.push_back(fmt::format("without a closed form here, and too large to simulate: {}", fmt::join(unknown, ", ")));
  std::vector<std::string_view> listed_alone;
  for (const Algorithm* algorithm : prices.request().algorithms) {
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

std::string price_plot(Prices& prices, const SizeRange& range, const std::vector<WinnerRange>& all_winners) {
  const PricingRequest& pricing = prices.request();
  require(range.most > 0,
          "a size of 0 has no place on a logarithmic axis; name a larger one, such as --bytes 1KiB..1MiB");
  const SizeRange drawn{std::max<std::int64_t>(1, range.least), range.most};
  std::vector<WinnerRange> winners = all_winners;
  std::erase_if(winners, [&](const WinnerRange& winner) { return winner.sizes.most < drawn.least; });
  draw::Plot plot{.title = fmt::format("{} over {}", name_of(pricing.problem.collective), pricing.topology->name()),
                  .x = {"size, m", draw::AxisUnit::bytes},
                  .y = {"time", draw::AxisUnit::seconds},
                  .series = {}};
  std::vector<std::string_view> unknown;
  for (const Algorithm* algorithm : pricing.algorithms) {
    if (auto line = line_of(prices, *algorithm, drawn)) {
      plot.series.push_back(std::move(*line));
    } else {
      unknown.push_back(algorithm->name);
    }
  }
  require(!plot.series.empty(), "no closed form is known for {} here, and it is too large to simulate", plot.title);
  check_takes_time(plot);
  const std::size_t known = plot.series.size();
  std::vector<std::string> alike;
  if (known > most_lines && !pricing.named) alike = keep_few(plot.series, winners);
  const std::size_t drawn_lines = plot.series.size();
  plot.series.push_back(bound_of(prices, drawn));
  plot.notes = notes_of(prices, unknown, winners);
  if (drawn_lines < known)
    plot.notes.push_back(
        fmt::format("{} of {} algorithms, nearest to the fastest; --algorithm a,b,c draws others", drawn_lines, known));
  if (!alike.empty()) plot.notes.push_back(fmt::format("on lines that are drawn lie: {}", fmt::join(alike, ", ")));
  plot.crossings = crossings_of(prices, drawn, winners);
  if (plot.crossings.size() > most_flags) {
    plot.notes.push_back(
        fmt::format("the fastest changes {} times; the first {} are marked", plot.crossings.size(), most_flags));
    plot.crossings.resize(most_flags);
  }
  return draw::svg_of(plot);
}

}  // namespace tutti::app

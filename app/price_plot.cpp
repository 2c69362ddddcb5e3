#include "app/price_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/sizes.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "draw/plot.hpp"

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

std::optional<double> seconds_of(const Question& question, const Algorithm& algorithm, std::int64_t bytes) {
  const std::optional<Price> price = question.price(algorithm, bytes);
  return price ? std::optional(seconds(price->terms, 1, question.machine)) : std::nullopt;
}

draw::Series line_of(const Question& question, const Algorithm& algorithm, const std::vector<std::int64_t>& sizes) {
  draw::Series line{std::string(algorithm.name), {}, draw::LineKind::computed};
  for (const std::int64_t bytes : sizes) add(line, bytes, seconds_of(question, algorithm, bytes).value_or(0));
  return line;
}

draw::Series bound_of(const Question& question, const SizeRange& range) {
  draw::Series line{"lower bound", {}, draw::LineKind::bound};
  for (const std::int64_t bytes : sizes_in(range)) add(line, bytes, question.bound(bytes).seconds);
  return line;
}

std::vector<draw::Crossing> crossings_of(const Question& question, const SizeRange& range,
                                         const std::vector<Reign>& winners) {
  std::vector<draw::Crossing> found;
  for (const Reign& reign : winners) {
    const std::int64_t bytes = reign.sizes.least;
    if (bytes <= range.least || bytes > range.most) continue;
    const draw::Sample at{static_cast<double>(bytes), seconds_of(question, *reign.algorithm, bytes).value_or(0)};
    if (at.y > 0) found.push_back({at, fmt::format("from {}: {}", text_of(Bytes{bytes}), reign.algorithm->name)});
  }
  return found;
}

// More flags than this hide the lines; small sizes that p does not divide can have many.
constexpr std::size_t most_flags = 12;

std::vector<std::string> notes_of(const Question& question, const std::vector<std::string_view>& without_form) {
  const Machine& m = question.machine;
  std::vector<std::string> notes{fmt::format("{}; ts = {}, tw = {}, th = {}, tc = {}", name_of(m.switching),
                                             text_of(Seconds{m.ts}), text_of(Seconds{m.tw}), text_of(Seconds{m.th}),
                                             text_of(Seconds{m.tc}))};
  if (!without_form.empty())
    notes.push_back(fmt::format("without a closed form for this network: {}", fmt::join(without_form, ", ")));
  return notes;
}

}  // namespace

std::string price_plot(const Question& question, const SizeRange& range, const std::vector<Reign>& winners) {
  require(range.most > 0,
          "a size of 0 has no place on a logarithmic axis; name a larger one, such as --bytes 1KiB..1MiB");
  const SizeRange drawn{std::max<std::int64_t>(1, range.least), range.most};
  draw::Plot plot{.title = fmt::format("{} over {}", name_of(question.problem.collective), question.topology->name()),
                  .x = {"size, m", draw::Unit::bytes},
                  .y = {"time", draw::Unit::seconds},
                  .series = {}};
  const std::vector<std::int64_t> sizes = dense(drawn);
  std::vector<std::string_view> without_form;
  for (const Algorithm* algorithm : question.algorithms) {
    if (!seconds_of(question, *algorithm, drawn.most)) {
      without_form.push_back(algorithm->name);
      continue;
    }
    plot.series.push_back(line_of(question, *algorithm, sizes));
  }
  require(!plot.series.empty(), "no closed form is known for {} here; simulate it instead", plot.title);
  require(std::any_of(plot.series.begin(), plot.series.end(), [](const auto& line) { return !line.samples.empty(); }),
          "{} takes no time, so that there is nothing to draw; ask for more ranks", plot.title);
  plot.series.push_back(bound_of(question, drawn));
  plot.notes = notes_of(question, without_form);
  plot.crossings = crossings_of(question, drawn, winners);
  if (plot.crossings.size() > most_flags) {
    plot.notes.push_back(
        fmt::format("the fastest changes {} times; the first {} are marked", plot.crossings.size(), most_flags));
    plot.crossings.resize(most_flags);
  }
  return draw::svg_of(plot);
}

}  // namespace tutti::app

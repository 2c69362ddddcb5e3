#include "app/price_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/simulation_options.hpp"
#include "app/terminal.hpp"
#include "base/alike.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"
#include "schedule/parameter_values.hpp"

namespace tutti::app {
namespace {

constexpr std::size_t most_listed = 12;

/// A part of the search: questions that differ in what they leave open alone.
struct Part {
  Parameters parameters;
  std::vector<const Algorithm*> algorithms;
};

Problem sized_as(const Problem& problem, std::int64_t bytes) {
  Problem sized = problem;
  if (problem.collective != Collective::barrier && problem.counts.empty()) sized.count = bytes;
  return sized;
}

// All algorithms as they are, then for each value of a parameter those that look at it.
std::vector<Part> parts_of(const Question& question, std::int64_t bytes) {
  std::vector<Part> parts{{question.parameters, question.algorithms}};
  const Problem problem = sized_as(question.problem, bytes);
  const auto add = [&](const Parameters& parameters, const Algorithm* algorithm) {
    auto part = std::find_if(parts.begin() + 1, parts.end(), [&](const Part& p) { return p.parameters == parameters; });
    if (part == parts.end()) part = parts.insert(parts.end(), {parameters, {}});
    part->algorithms.push_back(algorithm);
  };
  for (const Algorithm* algorithm : question.algorithms) {
    const Choice choice(*algorithm, question.parameters);
    const LooksAt looked = looks_at(choice, problem, question.layout);
    if (looked.segments && question.parameters.segments == 0) {
      for (const Parameters& parameters : segments_of(choice, problem).all) add(parameters, algorithm);
    }
    if (looked.radix && question.parameters.radix == 0) {
      for (const Parameters& parameters : radices_of(choice, problem).all) add(parameters, algorithm);
    }
    if (looked.grid && question.parameters.grid.empty()) {
      for (const Parameters& parameters : grids_of(choice, problem).all) add(parameters, algorithm);
    }
  }
  return parts;
}

int openness(const Way& way) {
  const Parameters& parameters = way.offer.parameters;
  return (parameters.segments == 0 ? 1 : 0) + (parameters.radix == 0 ? 1 : 0) + (parameters.grid.empty() ? 1 : 0) +
         (way.embedding.empty() ? 2 : 0);
}

bool comes_first(const Way& a, const Way& b) {
  if (a.offer.seconds * alike < b.offer.seconds) return true;
  if (b.offer.seconds * alike < a.offer.seconds) return false;
  if (openness(a) != openness(b)) return openness(a) > openness(b);
  return a.root < b.root;
}

void add_offers(std::vector<Ways>& found, Prices& prices, const Way& like) {
  for (Ways& ways : found) {
    const double bound = prices.bound(ways.bytes).seconds;
    for (const Offer& offer : prices.offers(ways.bytes)) {
      if (offer.basis == Basis::none) {
        ++ways.unknown;
        continue;
      }
      Way way = like;
      way.offer = offer;
      way.ratio = bound > 0 ? offer.seconds / bound : 0;
      ways.known.push_back(way);
    }
  }
}

bool has_powers_of_two(const Shape& grid) {
  for (int k = 0; k < grid.dimensions(); ++k) {
    if (!is_power_of_two(grid.extent(k))) return false;
  }
  return true;
}

// Sorts the ways, and leaves of each algorithm the first alone.
void keep_best_of_each(Ways& ways) {
  ways.tried = ways.known.size();
  std::stable_sort(ways.known.begin(), ways.known.end(), comes_first);
  std::vector<Way> best;
  for (const Way& way : ways.known) {
    const bool is_new = std::none_of(best.begin(), best.end(),
                                     [&](const Way& other) { return other.offer.algorithm == way.offer.algorithm; });
    if (is_new) best.push_back(way);
  }
  ways.known = std::move(best);
}

std::string basis_in_words(const Offer& offer) {
  if (offer.basis == Basis::simulation) return "simulated";
  return fmt::format("{}{}", offer.basis == Basis::upper_bound ? "at most " : "", offer.formula);
}

std::vector<std::string> row_of(const Way& way, std::string_view size) {
  const Parameters& parameters = way.offer.parameters;
  return {std::string(size),
          text_of(Seconds{way.offer.seconds}),
          way.ratio > 0 ? fmt::format("{:.3f}", way.ratio) : "-",
          std::string(way.offer.algorithm->name),
          parameters.segments == 0 ? "-" : fmt::format("{}", parameters.segments),
          parameters.radix == 0 ? "-" : fmt::format("{}", parameters.radix),
          parameters.grid.empty() ? "-" : text_of(parameters.grid),
          fmt::format("{}", way.root),
          way.embedding.empty() ? "-" : way.embedding,
          basis_in_words(way.offer)};
}

}  // namespace

TopologyPtr placed_for(const Question& question, const std::string& embedding, const Shape& grid,
                       const SearchSpace& space) {
  if (embedding.empty()) return question.topology;
  SimulationRequest simulation;
  simulation.embedding = embedding;
  const std::optional<Shape> of_algorithm = grid.empty() ? std::nullopt : std::optional(grid);
  return placed(simulation, question.topology, embedding == "line" ? space.network_grid : of_algorithm);
}

std::vector<Ways> search_ways(const Question& question, const std::vector<std::int64_t>& sizes,
                              const SearchSpace& space) {
  std::vector<Ways> found;
  for (const std::int64_t bytes : sizes) found.push_back({.bytes = bytes, .known = {}});
  const std::vector<Part> parts = parts_of(question, sizes.back());
  const auto questions = static_cast<std::int64_t>(parts.size() * space.roots.size() * space.embeddings.size());
  const Effort all;
  const Effort each{.shown = all.shown / questions, .compared = all.compared / questions};
  for (const int root : space.roots) {
    for (const std::string& embedding : space.embeddings) {
      for (const Part& part : parts) {
        // A Gray code of a grid is for extents that are powers of two.
        const bool fits = embedding != "gray" || has_powers_of_two(part.parameters.grid);
        if (!fits) continue;
        Question asked = question;
        asked.problem.root = root;
        asked.parameters = part.parameters;
        asked.algorithms = part.algorithms;
        asked.topology = placed_for(question, embedding, part.parameters.grid, space);
        Prices prices(std::move(asked), sizes, 0, each);
        add_offers(found, prices, {.offer = {}, .root = root, .embedding = embedding});
      }
    }
  }
  for (Ways& ways : found) keep_best_of_each(ways);
  return found;
}

std::string text_of(const std::vector<Ways>& found, const Question& question) {
  std::vector<std::vector<std::string>> rows{
      {"SIZE", "TIME", "TIMES THE BOUND", "ALGORITHM", "SEGMENTS", "RADIX", "GRID", "ROOT", "EMBEDDING", "BY"}};
  std::size_t known = 0;
  int unknown = 0;
  for (const Ways& ways : found) {
    const std::size_t listed = found.size() == 1 ? std::min(ways.known.size(), most_listed) : 1;
    for (std::size_t k = 0; k < std::min(listed, ways.known.size()); ++k)
      rows.push_back(row_of(ways.known[k], text_of(Bytes{ways.bytes})));
    known = std::max(known, ways.tried);
    unknown = std::max(unknown, ways.unknown);
  }
  const std::string more = unknown == 0 ? "" : fmt::format("; {} more are too large to simulate", unknown);
  return screen_text(fmt::format("{} over {}, {}", name_of(question.problem.collective), question.topology->name(),
                                 costs_in_words(question))) +
         '\n' + screen_table(rows, {8, 7, 2, 5, 6}) +
         screen_text(fmt::format(
             "{} ways were searched{}; - is the algorithm's own, and rank r in the network's place r.", known, more));
}

Json json_of(const std::vector<Ways>& found, const Question& question) {
  Json sizes = Json::array();
  for (const Ways& ways : found) {
    Json list = Json::array();
    for (std::size_t k = 0; k < std::min(ways.known.size(), most_listed); ++k) {
      const Way& way = ways.known[k];
      const Parameters& parameters = way.offer.parameters;
      list.push_back({{"algorithm", way.offer.algorithm->name},
                      {"segments", parameters.segments == 0 ? Json(nullptr) : Json(parameters.segments)},
                      {"radix", parameters.radix == 0 ? Json(nullptr) : Json(parameters.radix)},
                      {"grid", parameters.grid.empty() ? Json(nullptr) : Json(text_of(parameters.grid))},
                      {"root", way.root},
                      {"embedding", way.embedding.empty() ? Json(nullptr) : Json(way.embedding)},
                      {"basis", name_of(way.offer.basis)},
                      {"seconds", way.offer.seconds},
                      {"ratio", way.ratio > 0 ? Json(way.ratio) : Json(nullptr)}});
    }
    sizes.push_back({{"bytes", ways.bytes}, {"ways", list}, {"known", ways.tried}, {"unknown", ways.unknown}});
  }
  return Json{{"collective", name_of(question.problem.collective)},
              {"ranks", question.problem.ranks},
              {"topology", question.topology->name()},
              {"sizes", sizes}};
}

}  // namespace tutti::app

#include "app/commands/plan/plan_rivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/command_line/terminal.hpp"
#include "app/commands/plan/network_model.hpp"
#include "app/commands/plan/rival_rules.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/network_words.hpp"
#include "app/options/node_options.hpp"
#include "app/reports/descriptions.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "measure/pace.hpp"
#include "plan/choice.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t compared_element = sizeof(double);

/// A network, and where its ranks are.
struct Place {
  TopologyPtr topology;
  Layout layout;
};

/// One call of one library on one network.
struct Duel {
  const RivalRules* rules = nullptr;
  Collective collective = Collective::barrier;
  std::int64_t bytes = 0;
  std::string_view taken;           ///< by the library, in its words
  const Algorithm* ours = nullptr;  ///< chosen algorithm; null: the library's has no equal, or its time is not known
  double seconds = 0;               ///< seconds of the chosen algorithm
  double theirs = 0;

  bool is_known() const { return ours != nullptr; }
  double gain() const { return theirs / seconds; }
  bool is_lost() const { return is_cheaper(theirs, seconds); }
};

/// Score of a library on a network.
struct Score {
  const Place* place = nullptr;
  const RivalRules* rules = nullptr;
  std::vector<Duel> duels;
  int without_equal = 0;
  int too_large = 0;
};

std::vector<Place> places_of(const PlanRequest& request) {
  if (request.topology || request.nodes) return {{network_of(request), layout_of(request)}};
  std::vector<Place> places;
  for (const char* words : {"ring:16", "torus:8x8", "hypercube:6", "fat-tree:4x3", "dgx-1v", "dragonfly:2x4x2"})
    places.push_back({parse_network(words).topology, {}});
  for (const char* words : {"4x8", "32x64"}) {
    Request cluster;
    cluster.nodes = parse_nodes(words);
    places.push_back({network_of_nodes(cluster), layout_of(cluster)});
  }
  return places;
}

std::vector<std::int64_t> sizes_of_duels(const PlanRequest& request) {
  if (request.sizes) return sizes_in(*request.sizes);
  std::vector<std::int64_t> sizes;
  for (std::int64_t bytes = compared_element; bytes <= std::int64_t{8} << 20; bytes *= 16) sizes.push_back(bytes);
  return sizes;
}

/// Choice for a problem on a network, and its seconds.
struct ChosenHere {
  Problem problem;  ///< in elements of one byte, as prices are
  Choice choice;
  double seconds = 0;
};

/// Appends the duel of that call.
void fight(const ChosenHere& chosen, Prices& prices, Score& score) {
  const std::int64_t bytes = chosen.problem.count;
  Problem counted = chosen.problem;
  counted.count /= compared_element;
  Duel duel{.rules = score.rules,
            .collective = counted.collective,
            .bytes = bytes,
            .taken = taken_by(*score.rules, counted, compared_element)};
  const Algorithm* const equal = equal_of(*score.rules, counted, duel.taken);
  const PricedAlgorithm priced = equal == nullptr ? PricedAlgorithm() : prices.price_of(*equal, bytes);
  if (equal == nullptr) {
    ++score.without_equal;
  } else if (priced.basis == Basis::none) {
    ++score.too_large;
  } else {
    duel.ours = chosen.choice.algorithm;
    duel.seconds = chosen.seconds;
    duel.theirs = priced.seconds;
  }
  score.duels.push_back(duel);
}

/// Appends the duels of one collective over the place's ranks to the scores of all libraries.
void fight_all(const Place& place, Collective collective, const PlanRequest& request, std::vector<Score>& scores) {
  const std::vector<std::int64_t> sizes =
      collective == Collective::barrier ? std::vector<std::int64_t>{0} : sizes_of_duels(request);
  Problem problem{.collective = collective, .ranks = place.topology->ranks()};
  // Effort of some seconds.
  constexpr PricingEffort effort{.shown = std::int64_t{1} << 27, .compared = std::int64_t{1} << 23};
  Prices prices({.problem = problem,
                 .topology = place.topology,
                 .machine = request.machine,
                 .algorithms = fitting_algorithms(problem, place.layout),
                 .layout = place.layout},
                sizes, 0, effort);
  const NetworkModel model(prices);
  for (const std::int64_t bytes : sizes) {
    problem.count = bytes;
    const Choice choice = choose(problem, {}, 1, model);
    const ChosenHere chosen{problem, choice, model.seconds(choice, problem, 1)};
    for (Score& score : scores) fight(chosen, prices, score);
  }
}

std::vector<Score> scores_of(const std::vector<Place>& places, const PlanRequest& request) {
  using enum Collective;
  constexpr Collective collectives[] = {broadcast,  reduce,         all_reduce, scatter, gather,
                                        all_gather, reduce_scatter, all_to_all, barrier};
  const Progress progress = progress_bar("comparing", places.size() * std::size(collectives));
  std::size_t done = 0;
  std::vector<Score> all;
  for (const Place& place : places) {
    std::vector<Score> scores;
    for (const RivalRules& rules : rival_rules()) scores.push_back({.place = &place, .rules = &rules, .duels = {}});
    for (const Collective collective : collectives) {
      if (progress) progress(done++);
      fight_all(place, collective, request, scores);
    }
    std::move(scores.begin(), scores.end(), std::back_inserter(all));
  }
  if (progress) clear_progress_bar();
  return all;
}

std::vector<double> gains_of(const Score& score) {
  std::vector<double> gains;
  for (const Duel& duel : score.duels) {
    if (duel.is_known()) gains.push_back(duel.gain());
  }
  return gains;
}

std::vector<Duel> lost_by(const Score& score) {
  std::vector<Duel> lost;
  std::copy_if(score.duels.begin(), score.duels.end(), std::back_inserter(lost),
               [](const Duel& duel) { return duel.is_known() && duel.is_lost(); });
  return lost;
}

std::string factor(double value) { return fmt::format("{:.2f}", value); }

std::string text_of(const std::vector<Score>& scores, const PlanRequest& request) {
  TableRows rows{{"NETWORK", "RANKS", "BESIDE", "CALLS", "SLOWER", "GAIN", "MOST", "NO EQUAL", "TOO LARGE"}};
  TableRows lost{{"NETWORK", "BESIDE", "COLLECTIVE", "SIZE", "TAKES", "TIME", "TUTTI TAKES", "TIME"}};
  std::vector<double> all;
  for (const Score& score : scores) {
    const std::vector<double> gains = gains_of(score);
    const std::vector<Duel> losses = lost_by(score);
    all.insert(all.end(), gains.begin(), gains.end());
    const bool none = gains.empty();
    rows.push_back({score.place->topology->name(), std::to_string(score.place->topology->ranks()),
                    std::string(score.rules->library), std::to_string(gains.size()), std::to_string(losses.size()),
                    none ? "-" : factor(measure::geometric_mean(gains)),
                    none ? "-" : factor(*std::max_element(gains.begin(), gains.end())),
                    std::to_string(score.without_equal), std::to_string(score.too_large)});
    for (const Duel& duel : losses) {
      lost.push_back({score.place->topology->name(), std::string(score.rules->library),
                      std::string(name_of(duel.collective)), text_of(Bytes{duel.bytes}), std::string(duel.taken),
                      text_of(Seconds{duel.theirs}), std::string(duel.ours->name), text_of(Seconds{duel.seconds})});
    }
  }
  std::string text = screen_text(fmt::format(
      "What tutti takes beside what others take by default; {}, ts = {}, tw = {}. GAIN is the geometric mean of their "
      "time over tutti's.",
      name_of(request.machine.switching), text_of(Seconds{request.machine.ts}), text_of(Seconds{request.machine.tw})));
  text += fmt::format("\n{}\n{}, {} slower, gain {}\n", screen_table(rows, {8, 6, 7}),
                      counted(static_cast<std::int64_t>(all.size()), "call"), lost.size() - 1,
                      all.empty() ? "-" : factor(measure::geometric_mean(all)));
  if (lost.size() > 1) text += '\n' + screen_table(lost);
  for (const RivalRules& rules : rival_rules()) text += screen_text(fmt::format("{}: {}", rules.library, rules.source));
  return text;
}

Json json_of(const std::vector<Score>& scores) {
  Json all = Json::array();
  for (const Score& score : scores) {
    const std::vector<double> gains = gains_of(score);
    Json calls = Json::array();
    for (const Duel& duel : score.duels) {
      Json call{{"collective", name_of(duel.collective)}, {"bytes", duel.bytes}, {"taken", duel.taken}};
      call["taken_seconds"] = duel.is_known() ? Json(duel.theirs) : Json(nullptr);
      call["chosen"] = duel.is_known() ? Json(duel.ours->name) : Json(nullptr);
      call["chosen_seconds"] = duel.is_known() ? Json(duel.seconds) : Json(nullptr);
      calls.push_back(std::move(call));
    }
    all.push_back(Json{{"network", score.place->topology->name()},
                       {"ranks", score.place->topology->ranks()},
                       {"library", score.rules->library},
                       {"gain", gains.empty() ? Json(nullptr) : Json(measure::geometric_mean(gains))},
                       {"slower", lost_by(score).size()},
                       {"calls", std::move(calls)}});
  }
  return all;
}

}  // namespace

Outcome compare_with_rivals(const PlanRequest& request) {
  require(!request.collective, "--rivals is about all collectives; leave '{}' out",
          request.collective ? name_of(*request.collective) : "");
  require(
      !request.run && !request.check && !request.plot && !request.rules && request.skew.empty() && !request.transport,
      "--rivals compares on networks that are described; leave --run, --check, --plot, --rules, --skew and "
      "--transport out");
  check(request.machine);
  const std::vector<Place> places = places_of(request);
  const std::vector<Score> scores = scores_of(places, request);
  const bool is_lost =
      std::any_of(scores.begin(), scores.end(), [](const Score& score) { return !lost_by(score).empty(); });
  return {request.json ? json_of(scores).dump(2) + '\n' : text_of(scores, request), is_lost ? 1 : 0};
}

}  // namespace tutti::app

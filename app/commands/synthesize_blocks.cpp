/// @file
/// `tutti synthesize` of all-to-alls, scatters and gathers.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/command_line/terminal.hpp"
#include "app/commands/synthesize.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/versus_catalogue.hpp"
#include "base/units.hpp"
#include "cost/bounds/lower_bound.hpp"
#include "pricing/pricing_in_words.hpp"
#include "synthesize/pairs/pairs.hpp"

namespace tutti::app {
namespace {

/// A schedule over shares of blocks, and what it is worth.
struct MadeOfBlocks {
  Problem problem = {};
  Machine machine = {};
  SimulationOptions traffic = {};
  synthesize::PairSynthesis shares = {};
  double optimum = 0;  ///< seconds that no schedule takes less than; 0 where cuts and loads alone say so
  std::int64_t chunks = 1;
  bool direct = false;  ///< whether blocks go whole by the network's own routes
  Schedule schedule = {};
  double seconds = 0;
  LowerBound bound = {};
  std::optional<CheapestAlgorithm> best = {};

  double least() const { return std::max(optimum, bound.seconds); }
  /// Whether no bound is above the optimum, if there is one.
  bool is_optimum_least() const { return optimum > 0 && optimum * (1 + 1e-6) >= bound.seconds; }
};

// Takes the schedule over these shares where it is the first, or faster.
void take_if_faster(MadeOfBlocks& made, synthesize::PairSynthesis shares, std::int64_t chunks, bool direct,
                    const Topology& topology) {
  Schedule schedule = synthesize::schedule_over(shares, made.problem, chunks);
  check_proof(schedule);
  const double seconds = simulated_seconds(schedule, topology, made.machine, made.traffic);
  if (!made.schedule.programs.empty() && seconds >= made.seconds) return;
  made.shares = std::move(shares);
  made.chunks = chunks;
  made.direct = direct;
  made.schedule = std::move(schedule);
  made.seconds = seconds;
}

MadeOfBlocks made_of_blocks(const SynthesizeRequest& request, const Machine& machine) {
  const Topology& topology = *request.topology;
  MadeOfBlocks made{.problem = problem_asked(request), .machine = machine, .traffic = options_of(request.shared)};
  const synthesize::SynthesisRequest wish{.collective = made.problem.collective,
                                          .root = made.problem.root,
                                          .injection = made.traffic.injection,
                                          .bytes = made.problem.count};
  synthesize::PairSynthesis shares = synthesize::synthesize_pairs(wish, topology, machine);
  made.optimum = shares.optimum * static_cast<double>(made.problem.count);
  const std::int64_t chunks = request.segments && shares.in_chunks
                                  ? *request.segments
                                  : synthesize::best_chunks(shares, made.problem.count, machine);
  take_if_faster(made, std::move(shares), chunks, false, topology);
  if (!request.segments) take_if_faster(made, synthesize::direct_pairs(wish, topology, machine), 1, true, topology);
  made.bound = lower_bound(made.problem, 1, topology, machine, made.traffic.injection);
  made.best = best_of_catalogue(made.problem, request.topology, machine, request.shared);
  return made;
}

int most_passed(const MadeOfBlocks& made) {
  std::size_t most = 0;
  for (const synthesize::Share& share : made.shares.shares) most = std::max(most, share.way.size() - 2);
  return static_cast<int>(most);
}

std::string ways_in_words(const MadeOfBlocks& made) {
  if (made.direct) return "every block whole along the network's own route, all at once";
  const int passed = most_passed(made);
  return fmt::format("{} of blocks, {}; {}", counted(static_cast<std::int64_t>(made.shares.shares.size()), "share"),
                     passed == 0 ? "straight" : fmt::format("over at most {}", counted(passed, "other rank")),
                     made.shares.in_chunks ? "chunks follow one another" : counted(made.shares.rounds(), "round"));
}

std::string text_of(const MadeOfBlocks& made, const Topology& topology) {
  constexpr std::size_t width = 9;
  std::string text = screen_text(fmt::format("{} on {}; every rank uses all of its links at once",
                                             describe(made.problem, Unit::bytes), topology.name()));
  const std::string least = tutti::text_of(Seconds{made.least()});
  if (made.is_optimum_least())
    text += titled("Optimum",
                   fmt::format("{}, {} a byte of a block by its multi-commodity flow: no schedule is faster", least,
                               tutti::text_of(Seconds{made.optimum / static_cast<double>(made.problem.count)})),
                   width);
  else
    text += titled("Bound",
                   fmt::format("{}: no schedule is faster ({}: {})", least, made.bound.name, made.bound.reason), width);
  if (!made.shares.shares.empty()) text += titled("Ways", ways_in_words(made), width);
  if (const std::string traffic = traffic_in_words(made.traffic); !traffic.empty())
    text += titled("Traffic", traffic + ": the times below have this", width);
  if (const std::string words = forwarding_in_words(topology, made.machine); !words.empty())
    text += titled("Forward", words, width);
  return text + "Proved.\n\n" +
         table_beside({{"synthesized, " + counted(made.chunks, "chunk"), made.seconds}}, made.best, made.least(),
                      made.is_optimum_least() ? "OPTIMUM" : "BOUND");
}

Json json_of(const MadeOfBlocks& made, const Topology& topology) {
  Json json = json_asked(made.problem, topology, made.machine, made.bound);
  json.update(
      Json{{"optimum_seconds", made.optimum > 0 ? Json(made.optimum) : Json(nullptr)},
           {"shares", made.shares.shares.size()},
           {"shares_seconds", made.shares.achieved * static_cast<double>(made.problem.count)},
           {"passed", made.shares.shares.empty() ? 0 : most_passed(made)},
           {"rounds", made.shares.rounds()},
           {"chunks", made.chunks},
           {"direct", made.direct},
           {"seconds", made.seconds},
           {"catalogue", json_beside(made.best)},
           {"traffic", traffic_in_words(made.traffic).empty() ? Json(nullptr) : json_of_traffic(made.traffic)}});
  return json;
}

}  // namespace

SynthesizeAnswer synthesize_blocks(const SynthesizeRequest& request, const Machine& machine) {
  MadeOfBlocks made = made_of_blocks(request, machine);
  std::string text = request.json ? json_of(made, *request.topology).dump(2) + '\n' : text_of(made, *request.topology);
  return {std::move(made.schedule), std::move(text)};
}

}  // namespace tutti::app

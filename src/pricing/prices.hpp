/// @file
/// Prices of a problem by each algorithm, size by size: by closed forms, and by simulation if there is none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cost/bounds/lower_bound.hpp"
#include "cost/closed_form.hpp"
#include "cost/crossing.hpp"
#include "simulate/simulate.hpp"
#include "topology/families/families.hpp"
#include "topology/families/nodes.hpp"

namespace tutti {

/// Request of a pricing: everything but the size.
struct PricingRequest {
  Problem problem;
  TopologyPtr topology;
  Machine machine;
  std::vector<const Algorithm*> algorithms;
  bool named = false;          ///< whether the user named the algorithms
  Parameters parameters = {};  ///< parameters of all of them
  Layout layout = {};          ///< places of the ranks
  /// Costs of links inside nodes and between them, if asked for.
  std::optional<NodeLinks> node_links = {};
  /// Routing of messages and other traffic. Unless it says nothing, `beyond_forms`, no closed form holds.
  SimulationOptions traffic = {};
  bool beyond_forms = false;
};

/// The algorithms of the problem's collective that fit it, over ranks that are where `layout` says, in the catalogue's
/// order.
std::vector<const Algorithm*> fitting_algorithms(const Problem& problem, const Layout& layout);

/// Basis on which a time is known.
enum class Basis : std::uint8_t {
  closed_form,  ///< exactly, by a closed form
  simulation,   ///< exactly, by the simulator's flows
  upper_bound,  ///< at most, by a closed form, where a simulation would be too large
  none,         ///< not at all: no closed form holds, and a simulation would be too large
};

/// For JSON: "closed-form", "simulation", "upper-bound"; empty for none.
std::string_view name_of(Basis basis);

/// One algorithm at one size.
struct PricedAlgorithm {
  const Algorithm* algorithm = nullptr;
  Basis basis = Basis::none;
  double seconds = 0;
  const ClosedForm* form = nullptr;  ///< closed form that gives the time, if any
  /// The request's; where it leaves segments open, those that take the least time by a closed form that is exact, or,
  /// where the time is simulated, those that suit the algorithm's rounds.
  Parameters parameters = {};
  std::string formula = {};  ///< the closed form's text here

  bool is_known() const { return basis != Basis::none; }
};

/// The sizes at which an algorithm is the fastest.
struct WinnerRange {
  SizeRange sizes;
  const Algorithm* algorithm = nullptr;
};

/// Fastest algorithms by ranges of sizes.
struct WinnerRanges {
  std::vector<WinnerRange> all;  ///< empty where no time is known
  bool looks_between = true;     ///< otherwise a range begins at the listed size at which it was found
};

/// Limit of simulations, counted as `Simulation::work`: some thirty million take a second.
struct PricingEffort {
  std::int64_t shown = std::int64_t{1} << 26;     ///< for the times that are listed; 0: none is
  std::int64_t drawn = std::int64_t{1} << 26;     ///< for those that a plot has beside them
  std::int64_t compared = std::int64_t{1} << 23;  ///< to find out who is fastest
};

/// The times of all algorithms of a request. Simulated times are kept, so that each is found once.
class Prices {
 public:
  /// `listed` are the sizes whose times will be shown, in order; at least one. `drawn` is at how many more sizes times
  /// will be drawn. Algorithms are simulated, the most promising first, as far as the effort goes, at each listed size
  /// that is not above `largest_count`.
  Prices(PricingRequest request, std::vector<std::int64_t> listed, std::size_t drawn = 0,
         const PricingEffort& effort = {});

  const PricingRequest& request() const { return request_; }
  const std::vector<std::int64_t>& listed() const { return listed_; }

  PricedAlgorithm price_of(const Algorithm& algorithm, std::int64_t bytes);
  /// Returns the first of ranking(), found without simulating what cannot be the fastest; its basis is none where no
  /// time is known.
  PricedAlgorithm cheapest(std::int64_t bytes);
  /// The fastest first; of those that take equally long, to nine digits, the catalogue's first. Unknown times last.
  std::vector<PricedAlgorithm> ranking(std::int64_t bytes);
  LowerBound bound(std::int64_t bytes) const { return bounds_.greatest(bytes); }
  /// Returns the simulation that gave the time, if that is the least of all times that simulations have given.
  std::optional<Simulation> simulation_of(const PricedAlgorithm& priced, std::int64_t bytes) const;

  /// Returns the seconds of that choice by a closed form; nothing if none is exact.
  std::optional<double> exact_seconds(const Choice& choice, std::int64_t bytes) const;
  /// Whether a closed form gives the exact time of a size.
  bool has_exact_form(const Algorithm& algorithm, std::int64_t bytes) const;
  /// Whether the effort for what is drawn goes far enough to simulate the algorithm at sizes that are not listed.
  bool is_drawn(const Algorithm& algorithm) const { return !listed_alone_.contains(&algorithm); }

  /// The algorithms whose time is not known at a listed size: no form holds, and they are too large to simulate.
  std::vector<const Algorithm*> unknown() const;

  /// Finds the fastest algorithms of the range, among those whose times are known. An algorithm that cannot be the
  /// fastest is not simulated, and if the effort does not go far enough, only the listed sizes are compared, if there
  /// are several.
  WinnerRanges winner_ranges(const SizeRange& range);

 private:
  bool lists() const { return effort_.shown > 0; }
  std::int64_t effort_of_a_size() const {
    return lists() ? effort_.shown / static_cast<std::int64_t>(listed_.size()) : effort_.compared;
  }
  /// Returns the choice that is simulated.
  Choice choice(const Algorithm& algorithm, std::int64_t bytes) const {
    return {algorithm, parameters(algorithm, bytes)};
  }
  Parameters parameters(const Algorithm& algorithm, std::int64_t bytes) const;
  std::optional<ClosedFormPrice> form_price(const Algorithm& algorithm, std::int64_t bytes) const;
  void search_segments(PricedAlgorithm& priced, std::int64_t bytes) const;
  bool is_simulated(const Algorithm& algorithm, std::int64_t bytes) const;
  Problem sized(std::int64_t bytes) const;
  std::optional<Workload> recorded(const Algorithm& algorithm, std::int64_t bytes, const SimulationOptions& options,
                                   Detail detail) const;
  std::optional<double> simulated(const Algorithm& algorithm, std::int64_t bytes, const SimulationOptions& limits = {});
  bool messages_take_too_long(const Algorithm& algorithm, std::int64_t bytes, const SimulationOptions& options);
  void find_simulable(std::int64_t bytes);
  void note_simulable(const Algorithm& algorithm, std::int64_t bytes);
  void share_out_drawn(std::size_t sizes);
  std::optional<PricedAlgorithm> contest(const Algorithm& algorithm, std::int64_t bytes, double least, bool is_last);
  double least_seconds(const Algorithm& algorithm, std::int64_t bytes) const;
  double least_seconds_of(const PortLoad& load) const {
    return static_cast<double>(load.messages) * least_ts_ + static_cast<double>(load.elements) * least_tw_;
  }
  std::optional<std::size_t> winner(std::int64_t bytes);
  std::vector<std::int64_t> listed_changes();

  PricingRequest request_;
  std::vector<std::int64_t> listed_;
  PricingEffort effort_;
  LowerBounds bounds_;
  double least_ts_;  // least seconds of a message, and of a byte at a rank
  double most_ts_;
  double least_tw_;
  std::map<const Algorithm*, std::int64_t> recording_;                                // work, of those without a form
  std::map<std::pair<const Algorithm*, std::int64_t>, std::vector<PortLoad>> ports_;  // loads of some ranks, by size
  std::map<const Algorithm*, std::int64_t> simulating_;  // work of the last simulation that came to its end
  std::vector<const Algorithm*> simulable_;
  std::map<const Algorithm*, std::int64_t> simulated_up_to_;  // the largest size at which they are
  std::set<const Algorithm*>
      listed_alone_;                     // algorithms among them that are too large to be simulated at other sizes, too
  std::set<const Algorithm*> given_up_;  // algorithms among them that a comparison has given up
  std::map<std::pair<const Algorithm*, std::int64_t>, double> simulated_;
  struct FastestRun {
    std::pair<const Algorithm*, std::int64_t> key;
    double seconds = 0;
    Simulation simulation;
  };
  std::optional<FastestRun> fastest_;  // fastest simulation, so that the winner's need not run again
  std::set<std::pair<const Algorithm*, std::int64_t>> beaten_;  // known to be slower than another
  std::int64_t work_left_ = 0;                                  // work that winner() may still do
};

}  // namespace tutti

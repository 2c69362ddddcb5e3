/// @file
/// What a problem costs by each algorithm, size by size: by closed forms, and by simulation where there is none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cost/closed_form.hpp"
#include "cost/crossing.hpp"
#include "cost/lower_bound.hpp"
#include "simulate/simulate.hpp"
#include "topology/families.hpp"
#include "topology/nodes.hpp"

namespace tutti::app {

/// What is asked, once: everything but the size.
struct Question {
  Problem problem;
  TopologyPtr topology;
  Machine machine;
  std::vector<const Algorithm*> algorithms;
  Parameters parameters = {};  ///< of all of them
  Layout layout = {};          ///< where the ranks are
  /// What links inside nodes and between them cost, where that was asked for.
  std::optional<NodeLinks> node_links = {};
  /// How messages are routed and what else there is. Unless it says nothing, `beyond_forms`, no closed form holds.
  SimulationOptions traffic = {};
  bool beyond_forms = false;
};

/// The algorithms of the problem's collective that fit it, over ranks that are where `layout` says, in the catalogue's
/// order.
std::vector<const Algorithm*> fitting_algorithms(const Problem& problem, const Layout& layout);

/// What messages cost, in words: "alpha-beta; ts = 1us inside and 20us between nodes, tw = 1ns, th = 0s, tc = 0s".
std::string costs_in_words(const Question& question);

/// How a time is known.
enum class Basis : std::uint8_t {
  closed_form,  ///< exactly, by a closed form
  simulation,   ///< exactly, by the simulator's flows
  upper_bound,  ///< at most, by a closed form, where a simulation would be too large
  none,         ///< not at all: no closed form holds, and a simulation would be too large
};

/// For JSON: "closed-form", "simulation", "upper-bound"; empty for none.
std::string_view name_of(Basis basis);

/// One algorithm at one size.
struct Offer {
  const Algorithm* algorithm = nullptr;
  Basis basis = Basis::none;
  double seconds = 0;
  const ClosedForm* form = nullptr;  ///< where a closed form says the time
  /// The question's; where it leaves segments open, those that take the least time by a closed form that is exact, or,
  /// where the time is simulated, those that suit the algorithm's rounds.
  Parameters parameters = {};
  std::string formula = {};  ///< how the closed form reads here

  bool is_known() const { return basis != Basis::none; }
};

/// The sizes at which an algorithm is the fastest.
struct Reign {
  SizeRange sizes;
  const Algorithm* algorithm = nullptr;
};

/// Who is fastest at which sizes.
struct Reigns {
  std::vector<Reign> all;     ///< empty where no time is known
  bool looks_between = true;  ///< otherwise a reign begins at the listed size at which it was found
};

/// How much is simulated, as `Simulation::work` counts: some thirty million take a second.
struct Effort {
  std::int64_t shown = std::int64_t{1} << 26;     ///< for the times that are listed; 0: none is
  std::int64_t drawn = std::int64_t{1} << 26;     ///< for those that a plot has beside them
  std::int64_t compared = std::int64_t{1} << 23;  ///< to find out who is fastest
};

/// The times of all algorithms of a question. Simulated times are kept, so that each is found once.
class Prices {
 public:
  /// `listed` are the sizes whose times will be shown, in order; at least one. `drawn` is at how many more sizes times
  /// will be drawn. Algorithms are simulated, the most promising first, as far as the effort goes; none where a listed
  /// size is above `largest_count`.
  Prices(Question question, std::vector<std::int64_t> listed, std::size_t drawn = 0, const Effort& effort = {});

  const Question& question() const { return question_; }
  const std::vector<std::int64_t>& listed() const { return listed_; }

  Offer offer(const Algorithm& algorithm, std::int64_t bytes);
  /// The first of `offers`, found without simulating what cannot be the fastest; its basis is none where no time is
  /// known.
  Offer cheapest(std::int64_t bytes);
  /// The fastest first; of those that take equally long, to nine digits, the catalogue's first. Unknown times last.
  std::vector<Offer> offers(std::int64_t bytes);
  LowerBound bound(std::int64_t bytes) const { return bounds_.greatest(bytes); }

  /// What that choice takes by a closed form; nothing where none is exact.
  std::optional<double> exact_seconds(const Choice& choice, std::int64_t bytes) const;
  /// Whether a closed form gives the exact time of a size.
  bool has_exact_form(const Algorithm& algorithm, std::int64_t bytes) const;
  /// Whether the effort for what is drawn goes far enough to simulate the algorithm at sizes that are not listed.
  bool is_drawn(const Algorithm& algorithm) const { return !listed_alone_.contains(&algorithm); }

  /// The algorithms whose time is not known at a listed size: no form holds, and they are too large to simulate.
  std::vector<const Algorithm*> unknown() const;

  /// Who is fastest in the range, of those whose times are known. What cannot be the fastest is not simulated, and
  /// where the effort does not go far enough, only the listed sizes are compared, if there are several.
  Reigns reigns(const SizeRange& range);

 private:
  bool lists() const { return effort_.shown > 0; }
  std::int64_t effort_of_a_size() const {
    return lists() ? effort_.shown / static_cast<std::int64_t>(listed_.size()) : effort_.compared;
  }
  /// What is simulated.
  Choice choice(const Algorithm& algorithm, std::int64_t bytes) const {
    return {algorithm, parameters(algorithm, bytes)};
  }
  Parameters parameters(const Algorithm& algorithm, std::int64_t bytes) const;
  std::optional<ClosedFormPrice> price(const Algorithm& algorithm, std::int64_t bytes) const;
  void search_segments(Offer& offer, std::int64_t bytes) const;
  bool is_simulated(const Algorithm& algorithm, std::int64_t bytes) const;
  std::optional<double> simulated(const Algorithm& algorithm, std::int64_t bytes, const SimulationOptions& limits = {});
  void find_simulable();
  void share_out_drawn(std::size_t sizes);
  std::optional<Offer> contest(const Algorithm& algorithm, std::int64_t bytes, double least);
  double least_seconds(const Algorithm& algorithm, std::int64_t bytes) const;
  std::size_t winner(std::int64_t bytes);
  std::vector<std::int64_t> listed_changes();

  Question question_;
  std::vector<std::int64_t> listed_;
  Effort effort_;
  LowerBounds bounds_;
  double least_ts_;  // that a message takes, and a byte at a rank
  double most_ts_;
  double least_tw_;
  std::map<const Algorithm*, std::int64_t> recording_;   // work, of those without a form at the largest size
  std::map<const Algorithm*, std::int64_t> simulating_;  // work of the last simulation that came to its end
  std::vector<const Algorithm*> simulable_;
  std::set<const Algorithm*> listed_alone_;  // of them, too large to be simulated at other sizes, too
  std::set<const Algorithm*> given_up_;      // of them, in a comparison
  std::map<std::pair<const Algorithm*, std::int64_t>, double> simulated_;
  std::set<std::pair<const Algorithm*, std::int64_t>> beaten_;  // known to be slower than another
  std::int64_t work_left_ = 0;                                  // that winner() may still do
};

}  // namespace tutti::app

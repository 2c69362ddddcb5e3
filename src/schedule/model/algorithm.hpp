/// @file
/// An algorithm as data: one row of the catalogue, and the formulas that it has.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/layout.hpp"
#include "schedule/model/parameters.hpp"
#include "schedule/model/problem.hpp"
#include "schedule/model/schedule.hpp"
#include "schedule/record/script.hpp"
#include "schedule/symmetry/rank_symmetry.hpp"

namespace tutti {

/// A function of what is asked, f(problem), of question and answer, f(problem, parameters), or of where the ranks are,
/// too, f(problem, parameters, layout): each is written with as much as it looks at. Made from functions and from
/// lambdas that capture nothing.
template <typename Result>
class Formula {
  using OfProblem = Result (*)(const Problem& problem);
  using OfBoth = Result (*)(const Problem& problem, const Parameters& parameters);
  using OfAll = Result (*)(const Problem& problem, const Parameters& parameters, const Layout& layout);

 public:
  constexpr Formula() = default;
  template <std::convertible_to<OfProblem> Function>
  constexpr Formula(Function function) : of_problem_(function) {}  // NOLINT: a formula is a function
  template <std::convertible_to<OfBoth> Function>
  constexpr Formula(Function function) : of_both_(function) {}  // NOLINT
  template <std::convertible_to<OfAll> Function>
  constexpr Formula(Function function) : of_all_(function) {}  // NOLINT

  Result operator()(const Problem& problem, const Parameters& parameters = {}, const Layout& layout = {}) const {
    if (of_all_ != nullptr) return of_all_(problem, parameters, layout);
    return of_both_ != nullptr ? of_both_(problem, parameters) : of_problem_(problem);
  }
  /// Whether it is one of where the ranks are, too.
  bool looks_at_layout() const { return of_all_ != nullptr; }
  /// Whether there is a function.
  explicit operator bool() const { return of_all_ != nullptr || of_both_ != nullptr || of_problem_ != nullptr; }

 private:
  OfProblem of_problem_ = nullptr;
  OfBoth of_both_ = nullptr;
  OfAll of_all_ = nullptr;
};

/// Condition that an algorithm sets on a problem, and on the places of its ranks.
enum class Need : std::uint8_t {
  power_of_two_ranks,
  commutative_operator,
  consecutive_ranks,      ///< on each node
  order_kept_over_nodes,  ///< by the layout, or needed by nobody
};

/// For people and for JSON: "power-of-two-ranks".
std::string_view name_of(Need need);
/// A sentence's end: "a number of ranks that is a power of two".
std::string_view describe(Need need);
bool meets(const Problem& problem, Need need, const Layout& layout = {});

/// Counts that the comment of an algorithm promises, held against its schedule by a test for every p. Exact if blocks
/// are of one size and not empty, and the layout tells no ranks apart; hierarchical() says how exact over nodes. If
/// blocks differ, messages and elements are upper bounds. Empty messages are not sent: then messages and elements are
/// upper bounds, and rounds say nothing, because ranks that skip a message reach the next one early.
using Claims = Traffic;

/// One algorithm for one collective.
struct Algorithm {
  Collective collective = Collective::broadcast;
  std::string_view name;                       ///< kebab-case, unique within the collective
  std::vector<std::string_view> aliases = {};  ///< other names of the field for the same schedule
  std::string_view summary;                    ///< its work in one sentence
  std::string_view when;                       ///< when to use it, one sentence
  std::string_view source;                     ///< author, title, year, section
  std::vector<Need> needs = {};
  /// The text asks for the blocks that its own rank sends and gets, and for no others.
  bool own_blocks_suffice = false;
  /// Made for ranks on several nodes, or for networks. On one node it is another algorithm by another name, or costs
  /// more than it gains where ranks help one another with whole messages, and it is no candidate of a choice.
  bool for_several_nodes = false;
  /// Symmetry of the ranks, if the turns fit the number of ranks and has_equal_blocks(): each rank's messages are those
  /// of rank 0, their peers turned, wherever the ranks are. Nothing: ranks differ.
  std::optional<RankSymmetry::Kind> symmetry = {};
  /// Symmetry on a grid of the ranks, which parameters and ranks tell, by going round along each of its dimensions.
  std::function<Shape(const Parameters& parameters, int ranks)> grid_symmetry = {};
  /// Whether ranks that are alike differ all the same in the steps in which they exchange these messages, or in what
  /// they do beside.
  bool steps_differ = false;
  Record record;
  Formula<Claims> claims = {};
};

/// "any ranks", or the names of what the algorithm needs: "power-of-two-ranks, commutative-operator".
std::string needs_in_words(const Algorithm& algorithm);

/// The first need that the problem, over ranks that are where `layout` says, does not meet.
std::optional<Need> unmet_need(const Algorithm& algorithm, const Problem& problem, const Layout& layout = {});

}  // namespace tutti

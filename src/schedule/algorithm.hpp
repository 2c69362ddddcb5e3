/// @file
/// An algorithm as data: one row of the catalogue.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/formula.hpp"
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"
#include "schedule/script.hpp"
#include "schedule/turns.hpp"

namespace tutti {

/// What the nature of an algorithm asks of a problem, and of where its ranks are.
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

/// What the comment of an algorithm promises, held against its schedule by a test for every p. Exact where blocks are of
/// one size and not empty, and the layout tells no ranks apart; hierarchical() says how exact over nodes. Where blocks
/// differ, messages and elements are upper bounds. Empty messages are not sent: then
/// messages and elements are upper bounds, and rounds say nothing, because ranks that skip a message reach the next one
/// early.
using Claims = Traffic;

/// One algorithm for one collective.
struct Algorithm {
  Collective collective = Collective::broadcast;
  std::string_view name;                       ///< kebab-case, unique within the collective
  std::vector<std::string_view> aliases = {};  ///< other names of the field for the same schedule
  std::string_view summary;                    ///< what it does, one sentence
  std::string_view when;                       ///< when to use it, one sentence
  std::string_view source;                     ///< author, title, year, section
  std::vector<Need> needs = {};
  /// All-to-all: the text asks for the blocks that its own rank sends and gets, and for no others.
  bool own_blocks_suffice = false;
  /// Made for ranks on several nodes, or for networks. On one node it is another algorithm by another name, or costs
  /// more than it gains where ranks help one another with whole messages, and it is no candidate of a choice.
  bool for_several_nodes = false;
  /// Where the turns fit the number of ranks, and has_equal_blocks(): each rank's messages are those of rank 0, their
  /// peers turned, wherever the ranks are. Nothing: ranks differ.
  std::optional<Turns::Kind> alike = {};
  /// The same on a grid of the ranks, which parameters and ranks tell, by going round along each of its dimensions.
  std::function<Shape(const Parameters& parameters, int ranks)> alike_on = {};
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

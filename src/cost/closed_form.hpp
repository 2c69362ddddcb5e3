/// @file
/// The textbook's formulas as data: what an algorithm costs on a network.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/terms.hpp"
#include "schedule/choice.hpp"

namespace tutti {

/// What a formula asks of a problem, and of the algorithm's parameters, beyond the algorithm's own needs.
struct Condition {
  std::string_view words;  ///< a sentence's end: "p = 2^d"
  Formula<bool> holds = {};
};

/// What one algorithm costs on one family of networks, for ranks with one port.
///
/// Symbols of the formulas: p ranks, d = log2 p; r rows and c columns of the grid; q the shift's distance; m bytes, by
/// the collective's own convention (see Problem); ts, tw, th and tc as in Machine.
///
/// A form holds for every root and operator, and for every m, also one that p does not divide, unless `needs` says what
/// it holds for. It is exactly the time of ranks that go at their own pace, each of which begins a step when it has
/// ended the one before; where `exact_where` or, for tc > 0, `exact_combining_where` does not hold, it is an upper
/// bound of that time.
struct ClosedForm {
  const Algorithm* algorithm = nullptr;
  std::string_view topology;  ///< the family: "full", "ring", "linear", "torus", "hypercube", "tree"
  Switching switching = Switching::alpha_beta;
  std::string_view formula;
  Formula<Terms> terms = {};
  std::vector<Condition> needs = {};
  std::string_view source = {};  ///< empty: the algorithm's
  std::vector<Condition> exact_where = {};
  std::vector<Condition> exact_combining_where = {};
  /// With store and forward: whether every message crosses one link, where some do not. Empty: all of them do.
  Formula<bool> crosses_one_link_each = {};
};

/// All forms, by collective.
std::span<const ClosedForm> closed_forms();

/// The form for the algorithm on that family of networks; null where there is none.
const ClosedForm* find_form(const Algorithm& algorithm, std::string_view topology, Switching switching);

/// The first condition that the problem does not meet.
std::optional<std::string_view> unmet_condition(const ClosedForm& form, const Problem& problem,
                                                const Parameters& parameters = {});

/// The first condition without which the form is an upper bound.
std::optional<std::string_view> inexact_without(const ClosedForm& form, const Problem& problem,
                                                const Parameters& parameters, const Machine& machine);

/// What the form gives for a problem. Nothing moves, and nothing is paid, where the problem has no elements.
Terms terms_of(const ClosedForm& form, const Problem& problem, const Parameters& parameters = {});

/// The family of a network, which its name begins with: "torus" of "torus:4x4"; empty for one
/// that no form is about.
std::string_view family_of(const Topology& topology);

/// What a choice costs for a problem on a network, and by which form.
struct ClosedFormPrice {
  const ClosedForm* form = nullptr;
  Terms terms;
  std::string formula;  ///< the form's, and how it reads with another switching than its own
  bool exactly = true;  ///< otherwise at most
};

/// Nothing where no form is known: for the network, its switching, several ports, packets, or the problem's shape.
/// A form by which every message crosses one link holds with any switching: all forms of fully connected ranks, and
/// those of store and forward that say so. A form of cut-through holds with alpha-beta, too, where hops take no time.
/// On a torus the choice must have the torus's grid: there are no forms of others. Where `layout` has several nodes,
/// the forms of algorithms made for these do not hold: they are of ranks on one node.
std::optional<ClosedFormPrice> price(const Choice& choice, const Problem& problem, const Topology& topology,
                                     const Machine& machine, const Layout& layout = {});

/// Why price() gives nothing, as a sentence's end: "(p - 1)(2 ts + 2 tw m/p) holds where p divides m".
std::string why_no_price(const Choice& choice, const Problem& problem, const Topology& topology, const Machine& machine,
                         const Layout& layout = {});

}  // namespace tutti

/// @file
/// The textbook's formulas as data: what an algorithm costs on a network.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cost/forms/forms.hpp"
#include "cost/terms.hpp"
#include "schedule/model/choice.hpp"

namespace tutti {

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

/// Returns the terms that the form gives for a problem. Nothing moves, and nothing is paid, if the problem has no
/// elements.
Terms terms_of(const ClosedForm& form, const Problem& problem, const Parameters& parameters = {});

/// The family of a network, which its name begins with: "torus" of "torus:4x4"; empty for one
/// that no form is about.
std::string_view family_of(const Topology& topology);

/// Price of a choice for a problem on a network, and the form that gave it.
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

/// Elements that each rank sorts by destination in its own memory, before the phases of an all-to-all on a mesh or a
/// hypercube: the textbook's local rearrangement, which a Machine's `tr` prices. Schedules send blocks from where they
/// are, so a simulation has no such step.
double rearranged_elements(const Choice& choice, const Problem& problem);

/// Why price() gives nothing, as a sentence's end: "(p - 1)(2 ts + 2 tw m/p) holds where p divides m".
std::string why_no_price(const Choice& choice, const Problem& problem, const Topology& topology, const Machine& machine,
                         const Layout& layout = {});

}  // namespace tutti

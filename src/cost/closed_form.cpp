#include "cost/closed_form.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

std::vector<ClosedForm> all_forms() {
  std::vector<ClosedForm> all;
  for (const auto& forms :
       {broadcast_forms, reduce_forms, scatter_forms, gather_forms, all_gather_forms, reduce_scatter_forms,
        all_reduce_forms, scan_forms, all_to_all_forms, shift_forms, barrier_forms}) {
    for (ClosedForm& form : forms()) all.push_back(std::move(form));
  }
  return all;
}

bool has_elements(const Problem& problem) {
  const auto positive = [](std::int64_t count) { return count > 0; };
  return problem.count > 0 || problem.extra > 0 || std::any_of(problem.counts.begin(), problem.counts.end(), positive);
}

std::optional<std::string_view> first_unmet(const std::vector<Condition>& conditions, const Problem& problem,
                                            const Parameters& parameters) {
  for (const Condition& condition : conditions) {
    if (!condition.holds(problem, parameters)) return condition.words;
  }
  return std::nullopt;
}

bool crosses_one_link_each(const ClosedForm& form, const Problem& problem) {
  return !form.crosses_one_link_each || form.crosses_one_link_each(problem);
}

// Ways of switching differ in the hop alone that cut-through counts, if every message crosses one link.
const ClosedForm* form_for(const Algorithm& algorithm, const Problem& problem, const Topology& topology,
                           const Machine& machine) {
  using enum Switching;
  const std::string_view family = family_of(topology);
  if (family == "full") return find_form(algorithm, family, alpha_beta);
  // Forms are of networks that forward by themselves; where ranks do, no message may pass one.
  const bool ranks_forward = forwarding_on(machine, topology) == Forwarding::ranks && family != "tree";
  const ClosedForm* own = find_form(algorithm, family, machine.switching);
  if (own && !ranks_forward) return own;
  const ClosedForm* stored = find_form(algorithm, family, store_and_forward);
  if (stored && crosses_one_link_each(*stored, problem)) return stored;
  return machine.switching == alpha_beta && !ranks_forward ? find_form(algorithm, family, cut_through) : nullptr;
}

// The form's terms with the machine's switching, of which cut-through alone counts hops.
Terms switched(const ClosedForm& form, Terms terms, const Machine& machine) {
  if (machine.switching != Switching::cut_through)
    terms.hops = 0;
  else if (form.switching != Switching::cut_through)
    terms.hops = terms.starts;
  return terms;
}

std::string formula_of(const ClosedForm& form, const Machine& machine) {
  const bool counts_hops = machine.switching == Switching::cut_through;
  const bool has_hops = form.switching == Switching::cut_through;
  if (machine.th == 0 || counts_hops == has_hops) return std::string(form.formula);
  return fmt::format("{}, {}", form.formula, counts_hops ? "with ts + th for ts" : "with th = 0");
}

// Forms of tori are of ranks in the torus's own grid.
bool has_other_grid(const Parameters& parameters, const Problem& problem, const Topology& topology) {
  if (family_of(topology) != "torus") return false;
  return !topology.name().ends_with(':' + text_of(parameters.grid_for(problem.ranks)));
}

bool goes_over_nodes(const Choice& choice, const Layout& layout) {
  return choice.algorithm->for_several_nodes && layout.nodes() > 1;
}

bool outside_all_forms(const Problem& problem, const Machine& machine) {
  const bool in_packets = machine.packet > 0 && machine.switching == Switching::store_and_forward;
  return machine.ports != Ports::single || in_packets || !problem.counts.empty() || problem.extra > 0;
}

}  // namespace

std::span<const ClosedForm> closed_forms() {
  static const std::vector<ClosedForm> forms = all_forms();
  return forms;
}

const ClosedForm* find_form(const Algorithm& algorithm, std::string_view topology, Switching switching) {
  const std::span<const ClosedForm> forms = closed_forms();
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const ClosedForm& form) {
    return form.algorithm == &algorithm && form.topology == topology && form.switching == switching;
  });
  return found == forms.end() ? nullptr : &*found;
}

std::optional<std::string_view> unmet_condition(const ClosedForm& form, const Problem& problem,
                                                const Parameters& parameters) {
  return first_unmet(form.needs, problem, parameters);
}

std::optional<std::string_view> inexact_without(const ClosedForm& form, const Problem& problem,
                                                const Parameters& parameters, const Machine& machine) {
  const auto unmet = first_unmet(form.exact_where, problem, parameters);
  if (unmet || machine.tc == 0) return unmet;
  return first_unmet(form.exact_combining_where, problem, parameters);
}

Terms terms_of(const ClosedForm& form, const Problem& problem, const Parameters& parameters) {
  if (problem.collective != Collective::barrier && !has_elements(problem)) return {};
  return form.terms(problem, parameters);
}

std::string_view family_of(const Topology& topology) {
  static constexpr std::string_view families[] = {"full", "ring", "linear", "torus", "hypercube", "tree"};
  const std::string name = topology.name();
  const std::string_view family = std::string_view(name).substr(0, name.find(':'));
  const auto known = std::find(std::begin(families), std::end(families), family);
  const bool whole = name.find(' ') == std::string::npos;  // "hypercube:3 (embedded)" is another network
  if (known == std::end(families) || !whole) return "";
  return *known;
}

std::optional<ClosedFormPrice> price(const Choice& choice, const Problem& problem, const Topology& topology,
                                     const Machine& machine, const Layout& layout) {
  const Parameters& parameters = choice.parameters;
  if (outside_all_forms(problem, machine) || goes_over_nodes(choice, layout) ||
      has_other_grid(parameters, problem, topology))
    return std::nullopt;
  const ClosedForm* form = form_for(*choice.algorithm, problem, topology, machine);
  if (!form || unmet_need(*choice.algorithm, problem, layout) || unmet_condition(*form, problem, parameters))
    return std::nullopt;
  const Terms terms = switched(*form, terms_of(*form, problem, parameters), machine);
  const double sorted = static_cast<double>(problem.count) * problem.ranks;
  const bool sorts = machine.tr > 0 && terms.rearranged > 0;
  const std::string local = sorts ? fmt::format(" + {:g} tr m p", terms.rearranged / sorted) : "";
  return ClosedFormPrice{form, terms, formula_of(*form, machine) + local,
                         !inexact_without(*form, problem, parameters, machine)};
}

double rearranged_elements(const Choice& choice, const Problem& problem) {
  const ClosedForm* form = find_form(*choice.algorithm, "full", Switching::alpha_beta);
  const bool fits = form != nullptr && !unmet_condition(*form, problem, choice.parameters) && problem.counts.empty();
  return fits ? terms_of(*form, problem, choice.parameters).rearranged : 0;
}

std::string why_no_price(const Choice& choice, const Problem& problem, const Topology& topology, const Machine& machine,
                         const Layout& layout) {
  if (goes_over_nodes(choice, layout)) return "the forms of this algorithm are for ranks on one node";
  if (has_other_grid(choice.parameters, problem, topology)) return "the forms of a torus are for its own grid";
  const ClosedForm* form = form_for(*choice.algorithm, problem, topology, machine);
  if (!form) return "none is known for this network and switching";
  if (outside_all_forms(problem, machine)) return "none is known for several ports, packets and uneven blocks";
  const auto unmet = unmet_condition(*form, problem, choice.parameters);
  return unmet ? fmt::format("{} holds where {}", form->formula, *unmet) : std::string("the algorithm does not fit");
}

}  // namespace tutti

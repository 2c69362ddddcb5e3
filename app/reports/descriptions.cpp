#include "app/reports/descriptions.hpp"

#include <fmt/format.h>

#include "cost/closed_form.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti::app {

std::string_view meaning_of(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
      return "The root's message of m elements goes to every rank.";
    case Collective::reduce:
      return "The messages of all ranks, m elements each, are combined element by element; the root has the result.";
    case Collective::all_reduce:
      return "The messages of all ranks, m elements each, are combined element by element; every rank has the same "
             "bits.";
    case Collective::scan:
      return "Rank r has the combination of the messages of ranks 0 to r, m elements each.";
    case Collective::exclusive_scan:
      return "Rank r has the combination of the messages of ranks 0 to r - 1, m elements each; rank 0's output is left "
             "alone.";
    case Collective::scatter:
      return "The root holds a block of m elements for each rank; rank r has the r-th.";
    case Collective::gather:
      return "Each rank's block of m elements goes to the root, in the order of ranks.";
    case Collective::all_gather:
      return "Each rank's block of m elements goes to every rank, in the order of ranks.";
    case Collective::reduce_scatter:
      return "Each rank holds a block of m elements for each rank; rank r has the combination of all r-th blocks.";
    case Collective::all_to_all:
      return "Each rank holds a block of m elements for each rank; rank r has the r-th block of every rank.";
    case Collective::shift:
      return "Rank r's block of m elements goes to rank (r + q) mod p.";
    case Collective::barrier:
      return "No rank leaves before every rank has entered.";
  }
  return {};
}

std::string also_called(Collective collective) {
  return fmt::format("Also called {}.", fmt::join(aliases_of(collective), ", "));
}

std::string aliases_in_words(const Algorithm& algorithm) {
  return fmt::format("{}", fmt::join(algorithm.aliases, ", "));
}

std::string_view formula_of(const Algorithm& algorithm) {
  const ClosedForm* form = find_form(algorithm, "full", Switching::alpha_beta);
  return form == nullptr ? "no closed form" : form->formula;
}

Json json_of(const Algorithm& algorithm) {
  Json needs = Json::array();
  for (const Need need : algorithm.needs) needs.push_back(name_of(need));
  return Json{
      {"collective", name_of(algorithm.collective)},
      {"name", algorithm.name},
      {"aliases", algorithm.aliases},
      {"needs", needs},
      {"summary", algorithm.summary},
      {"when", algorithm.when},
      {"time", formula_of(algorithm)},
      {"source", algorithm.source},
  };
}

std::string node_in_words(const Topology& topology, int node) {
  return node < topology.ranks() ? fmt::format("{}", node) : fmt::format("S{}", node - topology.ranks());
}

Json json_of_traffic(const SimulationOptions& traffic) {
  return Json{{"routing", name_of(traffic.routing)},
              {"routing_seed", traffic.routing_seed},
              {"background", traffic.background.messages},
              {"background_seed", traffic.background.seed},
              {"injection", traffic.injection},
              {"eager", traffic.eager ? Json(*traffic.eager) : Json(nullptr)}};
}

}  // namespace tutti::app

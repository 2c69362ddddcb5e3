/// @file
/// What `tutti plan` says to programs.

#include <cmath>

#include "app/meaning.hpp"
#include "app/plan_kept.hpp"
#include "app/planned.hpp"
#include "schedule/planning.hpp"

namespace tutti::app {
namespace {

Json json_of(const PlanRow& row, double bound) {
  const auto error = error_of(row);
  const bool known = std::isfinite(row.priced.seconds);
  Json needs = Json::array();
  for (const Need need : row.priced.choice.algorithm->needs) needs.push_back(name_of(need));
  return Json{{"algorithm", row.priced.choice.algorithm->name},
              {"parameters", row.parameters},
              {"needs", needs},
              {"proved", row.proved ? Json(*row.proved) : Json(nullptr)},
              {"predicted_seconds", known ? Json(row.priced.seconds) : Json(nullptr)},
              {"predicted_once_seconds", known ? Json(row.priced.once) : Json(nullptr)},
              {"measured_seconds", row.measured ? Json(*row.measured) : Json(nullptr)},
              {"error", error ? Json(*error) : Json(nullptr)},
              {"ratio", known && bound > 0 ? Json(row.priced.seconds / bound) : Json(nullptr)}};
}

Json json_of(const PlannedSize& size) {
  Json algorithms = Json::array();
  for (const PlanRow& row : size.rows) algorithms.push_back(json_of(row, size.explanation.bound));
  Json kept = Json::array();
  for (const KeptWinner& each : size.kept) {
    const Parameters& parameters = each.choice.parameters;
    kept.push_back(Json{{"elements", each.elements},
                        {"algorithm", each.choice.algorithm->name},
                        {"parameters", parameters == Parameters() ? "" : describe(parameters)},
                        {"seconds", each.seconds}});
  }
  return Json{{"bytes", size.bytes},
              {"count", size.explanation.problem.count},
              {"bound_seconds", size.explanation.bound},
              {"chosen", size.explanation.chosen.algorithm->name},
              {"rule", size.explanation.by.empty() ? Json(nullptr) : Json(size.explanation.by)},
              {"chosen_if_even", size.even == nullptr ? Json(nullptr) : Json(size.even->name)},
              {"kept", kept},
              {"why", size.explanation.why},
              {"algorithms", algorithms}};
}

}  // namespace

std::string plan_json(const Planned& planned) {
  const Explanation& told = planned.sizes.front().explanation;
  Json sizes = Json::array();
  for (const PlannedSize& size : planned.sizes) sizes.push_back(json_of(size));
  Json winners = Json::array();
  for (const Term& term : planned.winners) {
    winners.push_back(Json{{"from_bytes", term.sizes.least},
                           {"to_bytes", term.sizes.most},
                           {"algorithm", term.algorithm->name},
                           {"rule", term.by.empty() ? Json(nullptr) : Json(term.by)},
                           {"overrides", term.algorithm == term.cheapest ? Json(nullptr) : Json(term.cheapest->name)}});
  }
  return Json{{"collective", name_of(told.problem.collective)},
              {"ranks", told.problem.ranks},
              {"element_bytes", told.element_size},
              {"costs", told.costs},
              {"planning", name_of(planning_of(planned.question))},
              {"sizes", sizes},
              {"winners", winners}}
             .dump(2) +
         '\n';
}

}  // namespace tutti::app

/// @file
/// One algorithm inside the nodes and another across them: what is made of which collective.

#include "base/check.hpp"
#include "schedule/combinators/hierarchy.hpp"

namespace tutti {
namespace {

/// What is recorded, and what is claimed of it.
struct Form {
  void (*record)(Script& me, const Problem& problem, const Inside& inside, const Algorithm& across);
  Claims (*claims)(const Inside& inside, const Algorithm& across, const Problem& problem, const Parameters& parameters,
                   const Layout& layout);
};

Form form_of(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::all_reduce:
    case Collective::barrier:
      return {hierarchical_whole, hierarchical_whole_claims};
    case Collective::all_gather:
    case Collective::scatter:
      return {hierarchical_blocks, hierarchical_blocks_claims};
    case Collective::scan:
    case Collective::exclusive_scan:
      return {hierarchical_scan, hierarchical_scan_claims};
    case Collective::all_to_all:
      return {hierarchical_exchange, hierarchical_exchange_claims};
    default:
      fail(ErrorCode::internal, "{} is not made of algorithms inside and across nodes", name_of(collective));
  }
}

}  // namespace

Record hierarchical(Inside inside, const Algorithm& across) {
  return [inside, &across](Script& me, const Problem& problem) {
    form_of(problem.collective).record(me, problem, inside, across);
  };
}

Claims hierarchical_claims(Inside inside, const Algorithm& across, const Problem& problem, const Parameters& parameters,
                           const Layout& layout) {
  return form_of(problem.collective).claims(inside, across, problem, parameters, layout);
}

}  // namespace tutti

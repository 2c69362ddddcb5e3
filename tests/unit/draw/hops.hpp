/// @file
/// All lines that a step has, whether a message's own or shared.
#pragma once

#include <vector>

#include "draw/steps/arrows.hpp"

namespace tutti::draw {

inline std::vector<ArrowHop> hops_of(const DrawnStep& step) {
  std::vector<ArrowHop> hops;
  for (const Trunk& trunk : step.trunks) hops.push_back(trunk.hop);
  for (const DrawnArrow& arrow : step.arrows) hops.insert(hops.end(), arrow.hops.begin(), arrow.hops.end());
  return hops;
}

}  // namespace tutti::draw

/// @file
/// What a problem costs by the closed forms, size by size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/closed_form.hpp"
#include "cost/crossing.hpp"
#include "cost/lower_bound.hpp"
#include "topology/families.hpp"

namespace tutti::app {

/// What is asked, once: everything but the size.
struct Question {
  Problem problem;
  TopologyPtr topology;
  Machine machine;
  std::vector<const Algorithm*> algorithms;

  std::optional<Price> price(const Algorithm& algorithm, std::int64_t bytes) const;
  LowerBound bound(std::int64_t bytes) const;
};

/// One algorithm at one size; without a form where none is known.
struct Offer {
  const Algorithm* algorithm = nullptr;
  std::optional<Price> price;
  double seconds = 0;
};

/// The fastest first; of equals, the catalogue's first. Those without a form last.
std::vector<Offer> offers(const Question& question, std::int64_t bytes);

/// The sizes at which an algorithm is the fastest.
struct Reign {
  SizeRange sizes;
  const Algorithm* algorithm = nullptr;
};

/// Who is fastest, by size; empty where no algorithm has a form.
std::vector<Reign> reigns(const Question& question, const SizeRange& range);

}  // namespace tutti::app

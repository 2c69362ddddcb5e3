/// @file
/// The orders that a reduction combines contributions in, and those of other sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/order.hpp"
#include "verify/order.hpp"

namespace tutti::app {

/// The orders of all results, or of the first block alone, which all others are like, turned to other ranks.
struct Orders {
  CombiningOrder all;
  bool turned = false;
};

/// Those of the choice, proved. Of the first block alone where all would take long.
Orders orders_of(const Choice& choice, const Problem& problem, const Layout& layout);

/// All sizes of a range of powers of two that have the same orders, by the same choice.
struct Sizes {
  std::int64_t least = 0;
  std::int64_t most = 0;
  Choice choice;
  bool looked_at = true;  ///< false where that would take many seconds
  bool turned = false;
  std::vector<std::int32_t> numbers = {};  ///< of the distinct orders, equal where orders are, of all sizes
  std::vector<std::string> texts = {};     ///< where they were asked for
  int depth = 0;

  bool are_like(const Sizes& others) const { return choice == others.choice && have_orders_of(others); }

  bool have_orders_of(const Sizes& others) const {
    return looked_at == others.looked_at && turned == others.turned && numbers == others.numbers;
  }
};

/// From one element to 2^20; for many ranks every fourth power of two. Nothing where blocks have counts.
std::vector<Sizes> other_sizes(const OrderQuestion& question, bool with_texts);

}  // namespace tutti::app

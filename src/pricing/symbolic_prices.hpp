/// @file
/// Prices in symbols: the time of each algorithm as a formula, and the fastest by what the size of a message is to
/// ts/tw.
#pragma once

#include <string>
#include <vector>

#include "cost/symbolic/symbolic_bounds.hpp"
#include "cost/symbolic/time_cases.hpp"
#include "pricing/prices.hpp"

namespace tutti {

/// One algorithm in symbols, for the request's number of ranks.
struct SymbolicPrice {
  const Algorithm* algorithm = nullptr;
  Parameters parameters = {};  ///< with the number of segments, if it is one that cuts
  Basis basis = Basis::none;
  TimeCases cases = {};      ///< one by a closed form; none if the basis is none
  std::string formula = {};  ///< for any p; empty where no closed form holds
};

/// Returns the algorithms of the request, in its order. Those that cut the message are there once, with the segments
/// that the request says, or 8. tc is left out where it is 0. Where no closed form is exact, the time is found by
/// simulations, if they have at most 2^14 messages each; with more than six cases it is that for messages of m bytes.
std::vector<SymbolicPrice> symbolic_prices(const PricingRequest& request, double m);

/// Returns the greatest factor, over messages of all sizes, by which the time is above the greatest of the bounds, with
/// th and tc in their ratio to ts; 0 where the time is not whole, or nothing bounds it.
double greatest_factor(const TimeCases& cases, const std::vector<SymbolicBound>& bounds, const Machine& machine);

/// An algorithm that is the fastest for some sizes.
struct SymbolicWinner {
  const Algorithm* algorithm = nullptr;
  SymbolicTime first = {};  ///< its time for the smallest of these messages
  SymbolicTime last = {};   ///< its time for the longest, in other segments or by another case
  int first_segments = 0;   ///< 0 of those that cut nothing
  int last_segments = 0;
};

/// Returns the fastest algorithms in order of growing messages, among those whose prices are whole. Of the algorithms
/// that cut, all powers of two of segments up to 2^10 are compared if the request leaves them open. th and tc keep
/// their ratio to ts. Of algorithms that are equally fast it is the request's first.
std::vector<SymbolicWinner> symbolic_winners(const PricingRequest& request, const std::vector<SymbolicPrice>& prices);

/// Returns where each of the winners is the fastest: "m <= 5/2 ts/tw"; "always" of the only one.
std::string where(const std::vector<SymbolicWinner>& winners, std::size_t at, const SymbolNames& names = {});

}  // namespace tutti

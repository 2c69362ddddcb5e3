/// @file
/// The tables of closed forms, a file for each collective and its dual, and what they share.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "cost/terms.hpp"
#include "schedule/model/algorithm.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// Condition of a formula on a problem, and on the algorithm's parameters, beyond the algorithm's own needs.
struct Condition {
  std::string_view words;  ///< a sentence's end: "p = 2^d"
  Formula<bool> holds = {};
};

/// Cost of one algorithm on one family of networks, for ranks with one port.
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
  std::string_view source = {};  ///< empty: the algorithm's
  std::vector<Condition> needs = {};
  std::vector<Condition> exact_where = {};
  std::vector<Condition> exact_combining_where = {};
  /// With store and forward: whether every message crosses one link, where some do not. Empty: all of them do.
  Formula<bool> crosses_one_link_each = {};

  // Rows of the tables add to a form by these.
  ClosedForm needing(Condition condition) && { return std::move(with(needs, std::move(condition))); }
  ClosedForm exact_if(Condition condition) && { return std::move(with(exact_where, std::move(condition))); }
  ClosedForm exact_combining_if(Condition condition) && {
    return std::move(with(exact_combining_where, std::move(condition)));
  }
  ClosedForm crossing_one_link_if(Formula<bool> condition) && {
    crosses_one_link_each = condition;
    return std::move(*this);
  }

  ClosedForm& with(std::vector<Condition>& conditions, Condition condition) {
    conditions.push_back(std::move(condition));
    return *this;
  }
};

std::vector<ClosedForm> broadcast_forms();
std::vector<ClosedForm> reduce_forms();
std::vector<ClosedForm> scatter_forms();
std::vector<ClosedForm> gather_forms();
std::vector<ClosedForm> all_gather_forms();
std::vector<ClosedForm> reduce_scatter_forms();
std::vector<ClosedForm> all_reduce_forms();
std::vector<ClosedForm> scan_forms();
std::vector<ClosedForm> all_to_all_forms();
std::vector<ClosedForm> shift_forms();
std::vector<ClosedForm> barrier_forms();

// Source of the formulas for the textbook's own networks.
inline constexpr std::string_view grama =
    "A. Grama, A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd ed., 2003, §4";

extern const Condition power_of_two;
extern const Condition square_grid;
extern const Condition powers_of_two_grid;
extern const Condition equal_parts;
extern const Condition equal_segments;
extern const Condition two_ranks;

/// The problem, with `largest_count` elements where it has more, of which claims would overflow.
Problem claimable(const Problem& problem);

/// The rounds that an algorithm claims for the claimable() problem, whose message has segments_of() segments.
double claimed_rounds(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters = {});

/// Returns how many segments a message has if its rounds are claimed_rounds(): with more elements than are claimable()
/// it has no more than with these, so that segments and rounds agree.
inline std::int64_t segments_of(const Problem& problem, const Parameters& parameters) {
  return parameters.segments_for(std::min(problem.count, largest_count(problem)));
}

/// The sum over the grid's dimensions of `f(extent, stride)`.
template <typename F>
double over_dimensions(const Problem& problem, const Parameters& parameters, F&& f) {
  const Shape grid = parameters.grid_for(problem.ranks);
  double total = 0;
  for (int d = 0; d < grid.dimensions(); ++d) total += f(grid.extent(d), grid.stride(d));
  return total;
}

/// The sum over dimensions of extent - 1: the rounds of rings along the lines of a grid.
inline double ring_steps(const Problem& problem, const Parameters& parameters) {
  return over_dimensions(problem, parameters, [](int extent, int) { return extent - 1; });
}

/// Elements of a message, for arithmetic with other numbers.
inline double count(const Problem& problem) { return static_cast<double>(problem.count); }

/// Elements in the largest of the p parts of a message.
inline double largest_part(const Problem& problem) {
  return static_cast<double>(ceil_divide(problem.count, static_cast<std::int64_t>(problem.ranks)));
}

/// Elements in the largest run of `width` consecutive parts, when a message is cut into `parts`.
inline double largest_run(std::int64_t count, int parts, int width) {
  return static_cast<double>(width * (count / parts) + std::min<std::int64_t>(width, count % parts));
}

/// Recursive halving of a message cut into `parts`, a power of two: halves, quarters, … The same elements as doubling.
inline Terms halving(std::int64_t count, int parts) {
  Terms terms;
  for (int width = parts / 2; width > 0; width /= 2) terms += messages(1, largest_run(count, parts, width));
  return terms;
}

/// A chain of p ranks in segments. In each round the oldest segment under way is a largest one: the first count mod S
/// segments have one element more, and the s-th is the oldest for one round, but the first for p - 1.
inline Terms pipelined_chain(const Problem& problem, const Parameters& parameters) {
  if (problem.ranks == 1) return {};
  const int segments = parameters.segments_for(problem.count);
  const double rounds = problem.ranks + segments - 2;
  const std::int64_t larger = problem.count % segments;
  Terms terms = messages(rounds, static_cast<double>(problem.count / segments));
  if (larger > 0) terms.elements += static_cast<double>(problem.ranks - 2 + larger);
  return terms;
}

}  // namespace tutti

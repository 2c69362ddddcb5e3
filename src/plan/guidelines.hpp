/// @file
/// Performance guidelines, as data: laws that no sensible choice of algorithms breaks.
///
/// A guideline compares a call with others that together do at least as much. If the call took longer, a program would
/// be better off with the others, and so would the library. Source: J. L. Träff, W. Gropp, R. Thakur, Self-consistent
/// MPI performance requirements, IEEE TPDS 21(5), 2010; S. Hunold, A. Carpen-Amarie, Autotuning MPI collectives using
/// performance guidelines, 2018 (PGMPI), table 1.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/problem.hpp"

namespace tutti {

/// Number of elements of a call, if the guideline's first call has m.
enum class GuidedCount : std::uint8_t {
  same,     ///< m
  times_p,  ///< m p
  part,     ///< m / p, rounded up
  one,      ///< one
  twice,    ///< 2 m
};

/// A call in a guideline.
struct GuidedCall {
  Collective collective = Collective::barrier;
  GuidedCount extent = GuidedCount::same;
  int more_ranks = 0;  ///< than the guideline's p
};

/// `left` shall not take longer than all of `right` one after the other.
struct Guideline {
  GuidedCall left;
  std::vector<GuidedCall> right;
  std::string_view reason;
  double slack = 0.05;  ///< by which part it may all the same
};

/// The rows of the table, then for each collective with a message: half of it takes no longer, it may be sent in two
/// halves, and one rank fewer takes no longer.
std::span<const Guideline> guidelines();

/// "all-reduce(m) <= reduce(m) + broadcast(m)".
std::string text_of(const Guideline& guideline);

/// The problem that a call of a guideline poses for m elements over p ranks.
Problem problem_of(const GuidedCall& call, std::int64_t m, int p);

/// A guideline that is broken.
struct Breach {
  const Guideline* guideline = nullptr;
  std::int64_t count = 0;  ///< m
  int ranks = 0;           ///< p
  double left = 0;         ///< seconds
  double right = 0;        ///< seconds
};

/// Returns the guidelines that a library breaks for m elements over p ranks, if its calls, each by itself, take
/// `seconds`. Calls in a row are no measure: those of some collectives overlap. `noise` is the part by which measured
/// times may differ from one another for no reason; a time that is not known is no number, and breaks nothing.
std::vector<Breach> breaches(const std::function<double(const Problem&)>& seconds, std::int64_t m, int p,
                             double noise = 0);

}  // namespace tutti

/// @file
/// The answer to a problem, and what it records.
#pragma once

#include <utility>

#include "schedule/algorithm.hpp"
#include "schedule/layout.hpp"

namespace tutti {

/// An algorithm with its parameters. An algorithm alone is a choice, too: the one that leaves them open.
struct Choice {
  Choice(const Algorithm& chosen, Parameters with = {})  // NOLINT: an algorithm is a choice
      : algorithm(&chosen), parameters(std::move(with)) {}

  const Algorithm* algorithm;
  Parameters parameters;

  Claims claims(const Problem& problem, const Layout& layout = {}) const {
    return algorithm->claims(problem, parameters, layout);
  }

  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Throws `Error(unsupported)` where the choice claims more than 2^26 messages: a schedule of many gigabytes.
void check_size(const Choice& choice, const Problem& problem, const Layout& layout = {});

/// Checks problem, parameters, layout, the algorithm's needs and the size, then records all ranks. Throws `Error` where
/// they do not fit.
Schedule record(const Choice& choice, const Problem& problem, const Layout& layout = {});

// The same without checks: of all ranks, or of one rank into a program whose memory is kept.
Schedule record_all(const Choice& choice, const Problem& problem, const Layout& layout = {});
void record_rank(const Choice& choice, const Problem& problem, int rank, Program& program, const Layout& layout = {});

}  // namespace tutti

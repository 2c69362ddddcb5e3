/// @file
/// Proofs of many problems on several threads, and their outcomes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/command_line/terminal.hpp"
#include "schedule/model/choice.hpp"
#include "verify/verify.hpp"

namespace tutti::app {

/// One proof to be made.
struct Case {
  Choice choice;
  Problem problem;
};

/// A proof that failed.
struct Flaw {
  Problem problem;
  ProofFailure failure;
};

/// Verdict on one algorithm. Only the first few of the failed proofs are kept, those with the fewest ranks.
struct Verdict {
  const Algorithm* algorithm = nullptr;
  std::int64_t proved = 0;
  std::int64_t failed = 0;
  std::vector<Flaw> flaws;
  std::int64_t by_symmetry = 0;  ///< number of proofs by one rank that was run for all
  bool asks_layout = false;      ///< whether any of its texts looked at where the ranks are
};

/// Records and verifies every case on `jobs` threads: a verdict an algorithm, in the order in which the cases name
/// them. Cases for which the algorithm records the same, because it does not look at what they differ in, are proved
/// together. Their ranks are where `layout` says. A schedule that cannot be recorded counts as failed; an
/// `Error(internal)`, and what is no `Error`, such as a lack of memory, is thrown. Order and content of the result do
/// not depend on `jobs`. `progress` is called with the proofs made so far, from the calling thread.
std::vector<Verdict> prove(std::span<const Case> cases, int jobs, const Progress& progress, const Layout& layout = {});

/// Adds what came out of further cases: the verdicts are then those of all cases together.
void add(std::vector<Verdict>& verdicts, std::vector<Verdict> more);

}  // namespace tutti::app

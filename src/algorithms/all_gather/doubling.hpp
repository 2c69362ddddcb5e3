/// @file
/// Doubling all-gathers: every rank holds its own block and those that follow it, and more of them from round to round.
#pragma once

#include <cstdint>

#include "base/integers.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Every rank, which holds `held` blocks from its own on, gets the n <= held blocks from that of rank r + distance on
/// from there. Where it holds its own block alone, it sends from its input.
inline void fetch(Script& me, int held, int distance, int n) {
  const int p = me.size();
  me.send(held == 1 ? Message{me.input()} : me.blocks(Buffer::output, me.rank(), n), modulo(me.rank() - distance, p));
  me.receive(me.blocks(Buffer::output, me.rank() + distance, n), modulo(me.rank() + distance, p));
}

/// A round of which every rank gets the n <= held blocks that follow those that it holds.
inline void fetch_following(Script& me, int held, int n) {
  fetch(me, held, held, n);
  me.wait();
}

/// Every rank sends a message in each of ceil(log2 p) rounds, and every block goes to p - 1 ranks once.
inline Claims doubling_claims(const Problem& problem) {
  const std::int64_t p = problem.ranks;
  const std::int64_t rounds = ceil_log2(problem.ranks);
  return {.rounds = rounds, .messages = p * rounds, .elements = (p - 1) * all_blocks(problem).total()};
}

}  // namespace tutti::algorithms

/// @file
/// Algorithms for reduce: all inputs combined at the root. Duals of broadcast.
#pragma once

#include <cstdint>

#include "algorithms/table.hpp"
#include "schedule/combinators/combinators.hpp"
#include "schedule/model/algorithm.hpp"

namespace tutti::algorithms {

/// Numbering of a tree's ranks from the root.
enum class Numbering : std::uint8_t {
  rotation,       ///< (rank - root) mod p
  virtual_ranks,  ///< numbers of virtual_ranks.hpp
};

/// The algorithm made fit for operators that are not commutative. Trees that are numbered from the root by rotation
/// combine ranks in the order root, root + 1, …, p - 1, 0, …: right only for root 0. With another root the result is
/// formed at rank 0 and then sent on: one message of m and one round more.
Record in_rank_order(Record reduce, Numbering numbering = Numbering::rotation);
/// The claims of `in_rank_order`, from those of the algorithm itself.
Claims in_rank_order(const Claims& claims, const Problem& problem, Numbering numbering = Numbering::rotation);
/// The claims of an algorithm's dual, made fit.
template <const Algorithm& algorithm, Numbering numbering = Numbering::rotation>
Claims dual_claims_in_rank_order(const Problem& problem, const Parameters& parameters) {
  return in_rank_order(dual_claims(algorithm, problem, parameters), problem, numbering);
}

}  // namespace tutti::algorithms

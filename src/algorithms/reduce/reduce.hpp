/// @file
/// Algorithms for reduce: all inputs combined at the root. Duals of broadcast.
#pragma once

#include <cstdint>

#include "schedule/algorithm.hpp"

namespace tutti::algorithms {

extern const Algorithm reduce_linear;
extern const Algorithm reduce_binomial;
extern const Algorithm reduce_k_nomial;
extern const Algorithm reduce_ring;
extern const Algorithm reduce_mesh;
extern const Algorithm reduce_chain;
extern const Algorithm reduce_scatter_gather;
extern const Algorithm reduce_scatter_gather_halving;
extern const Algorithm reduce_scatter_gather_mesh;
extern const Algorithm reduce_scatter_gather_mesh_pat;
extern const Algorithm reduce_n_block;
extern const Algorithm reduce_two_tree;
extern const Algorithm reduce_bine;
extern const Algorithm reduce_disjoint_trees;
extern const Algorithm reduce_flat;
extern const Algorithm reduce_direct;
extern const Algorithm reduce_leaders;
extern const Algorithm reduce_multi_leader;

/// How the ranks of a tree are numbered from the root.
enum class Numbering : std::uint8_t {
  rotation,       ///< (rank - root) mod p
  virtual_ranks,  ///< as in virtual_ranks.hpp
};

/// The algorithm made fit for operators that are not commutative. Trees that are numbered from the root by rotation
/// combine ranks in the order root, root + 1, …, p - 1, 0, …: right only for root 0. With another root the result is
/// formed at rank 0 and then sent on: one message of m and one round more.
Record in_rank_order(Record reduce, Numbering numbering = Numbering::rotation);
/// The claims of `in_rank_order`, from those of the algorithm itself.
Claims in_rank_order(const Claims& claims, const Problem& problem, Numbering numbering = Numbering::rotation);

}  // namespace tutti::algorithms

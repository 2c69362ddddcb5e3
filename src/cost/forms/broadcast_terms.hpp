/// @file
/// Terms of broadcasts on networks on which their messages cross one link each, and on the textbook's: reduces, their
/// duals, cost as much, and their combining.
#pragma once

#include "cost/forms/forms.hpp"

namespace tutti::broadcast_terms {

Terms linear(const Problem& problem);
Terms binomial(const Problem& problem);
Terms k_nomial(const Problem& problem, const Parameters& parameters);
Terms ring(const Problem& problem);
Terms mesh(const Problem& problem, const Parameters& parameters);
Terms n_block(const Problem& problem, const Parameters& parameters);
Terms two_tree(const Problem& problem, const Parameters& parameters);
Terms disjoint_trees(const Problem& problem, const Parameters& parameters);

/// A scatter down a binomial tree, then an all-gather by a ring or by doubling.
Terms scatter_then_ring(const Problem& problem);
Terms scatter_then_doubling(const Problem& problem);
/// A scatter along the dimensions of a grid, then an all-gather along them round rings or by aggregated trees.
Terms scatter_then_mesh(const Problem& problem, const Parameters& parameters);
Terms scatter_then_mesh_pat(const Problem& problem, const Parameters& parameters);

/// Parts of the message to all other ranks, or from them, one after the other.
Terms part_by_part(const Problem& problem);
/// Such parts by recursive halving.
Terms halving_of_parts(const Problem& problem);
/// A scatter of such parts down a binomial tree, or a gather of them up one.
Terms parts_along_tree(const Problem& problem);

/// Binomial trees with cut-through, where messages pass others on their way.
Terms binomial_on_ring(const Problem& problem);
Terms binomial_on_mesh(const Problem& problem, const Parameters& parameters);
Terms binomial_in_tree(const Problem& problem);

}  // namespace tutti::broadcast_terms

/// @file
/// Sentences about signatures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agreement/signature.hpp"

namespace tutti::runtime {

/// The call as the user writes it: "all_reduce", "gather_v", "split".
std::string call_name(const Signature& signature);

/// One sentence about the first argument in which the ranks differ: "rank 2 called reduce with root 1; ranks 0, 1, 3
/// with root 0". Empty where all agree. `ranks` are the numbers of those who signed, `counts` what each gave per rank,
/// or empty where that is not known.
std::string disagreement(std::span<const int> ranks, std::span<const Signature* const> signatures,
                         std::span<const std::vector<std::int64_t>> counts);

/// Returns the noun for one element of that type: "element", or "byte" for calls that see bytes alone, as an MPI
/// program's do whatever their types are.
std::string_view unit_of(std::string_view type);
/// "3 elements", or "3 bytes", by unit_of().
std::string count_in_words(std::int64_t count, std::string_view type);

/// "rank 2 sends 3 elements to rank 0, which expects 2".
std::string unmatched(std::size_t from, std::size_t to, std::int64_t sent, std::int64_t expected,
                      std::string_view type);

/// Returns the sentence about the first pair of ranks whose counts do not match, from the counts that each rank of
/// `ranks` sends to all `size` ranks and then expects of them; empty if there is none, or if the counts of one of them
/// are not known.
std::string unmatched(std::span<const int> ranks, std::span<const std::vector<std::int64_t>> counts, int size,
                      std::string_view type);

}  // namespace tutti::runtime

/// @file
/// What signatures say in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agreement/signature.hpp"

namespace tutti::runtime {

/// `Signature::counts` of calls whose counts the root alone knows.
inline constexpr std::uint64_t counts_at_root = 1;

/// The call as the user writes it: "all_reduce", "gather_v", "split".
std::string call_name(const Signature& signature);

/// One sentence about the first argument in which the ranks differ: "rank 2 called reduce with root 1; ranks 0, 1, 3
/// with root 0". Empty where all agree. `ranks` are the numbers of those who signed, `counts` what each gave per rank,
/// or empty where that is not known.
std::string disagreement(std::span<const int> ranks, std::span<const Signature* const> signatures,
                         std::span<const std::vector<std::int64_t>> counts);

}  // namespace tutti::runtime

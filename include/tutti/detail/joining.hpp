/// @file
/// Communicators whose ranks tell one another by other means than tutti's what they rest on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tutti/communicator.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::detail {

/// Word that a rank tells all others of a communicator that is being made.
using CommunicatorWord = std::array<std::uint64_t, 3>;

/// Returns the word that this rank, as rank `rank` of these ranks of world(), adds to their communicator.
TUTTI_API CommunicatorWord found_communicator(const std::vector<int>& members, int rank);
/// Returns that communicator; `told` has the words of all its ranks, by rank. Sentences call it by that name, if it is
/// not empty.
TUTTI_API Communicator join_communicator(std::span<const CommunicatorWord> told, const std::vector<int>& members,
                                         int rank, const std::string& name);

}  // namespace tutti::detail

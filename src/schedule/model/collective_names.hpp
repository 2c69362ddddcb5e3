/// @file
/// Names of collectives in other libraries and in books, and of the functions that programs call.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/collective.hpp"

namespace tutti {

/// One other name of a collective.
struct CollectiveAlias {
  std::string_view name;  ///< "total-exchange", in lower case, words joined by dashes
  Collective collective;
};

/// All of them, by collective; no name stands twice, and none is a collective's own.
std::span<const CollectiveAlias> collective_aliases();

/// The collective that is called so, here or elsewhere, in any case and with dashes, blanks or low lines:
/// "all-reduce", "total exchange", "MPI_Allreduce".
std::optional<Collective> collective_called(std::string_view text);

/// Returns the sentence about a text that is none of these names: "there is no collective 'allreduse'; the nearest is
/// 'allreduce'".
std::string no_collective(std::string_view text);

/// The other names of one collective, in the table's order.
std::vector<std::string_view> aliases_of(Collective collective);

/// "all_reduce"; with counts a rank "gather_v".
std::string call_name(Collective collective, bool by_counts);

}  // namespace tutti

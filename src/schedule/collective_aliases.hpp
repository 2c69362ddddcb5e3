/// @file
/// What collectives are called elsewhere.
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

/// The collective that is called so, here or elsewhere, in any case and with dashes or low lines: "all-reduce",
/// "MPI_Allreduce".
std::optional<Collective> collective_called(std::string_view text);

/// What to say of a text that is none of these names: "there is no collective 'allreduse'; the nearest is 'allreduce'".
std::string no_collective(std::string_view text);

/// The other names of one collective, in the table's order.
std::vector<std::string_view> aliases_of(Collective collective);

}  // namespace tutti

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

/// A name of a collective as the tables have it, in lower case and with dashes: "MPI_All_Reduce" is "all-reduce".
std::string usual_form(std::string_view text);

/// The collective that is called so, here or elsewhere, in any form: "all-reduce", "MPI_Allreduce".
std::optional<Collective> collective_called(std::string_view text);

/// The other names of one collective, in the table's order.
std::vector<std::string_view> aliases_of(Collective collective);

}  // namespace tutti

/// @file
/// Hang: a wait of an MPI program that never ends, and the ranks in it.
#pragma once

#include <string>
#include <vector>

namespace tutti::interpose {

/// A wait that never ends.
struct Hang {
  std::string text;         ///< a sentence that names its ranks
  std::vector<int> to_ask;  ///< ranks of these, by their places, that have not said from where they called
};

}  // namespace tutti::interpose

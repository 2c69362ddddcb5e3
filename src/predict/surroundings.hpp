/// @file
/// Where the ranks of a call are, in the words by which winners of trials are kept.
#pragma once

#include <string>

#include "predict/profile.hpp"

namespace tutti {

/// What connects the ranks of a call, and what they run on.
struct Surroundings {
  Transport inside = Transport::threads;  ///< of the ranks of a node
  int cores = 1;                          ///< of all ranks together
  int nodes = 1;
  Transport between = Transport::mpi;  ///< nodes
  bool is_link_measured = false;       ///< whether the ranks have measured what is between nodes as they met
};

/// "threads on 2 cores".
std::string text_of(const Surroundings& surroundings);

}  // namespace tutti

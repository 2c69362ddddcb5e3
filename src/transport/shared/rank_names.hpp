/// @file
/// Names of ranks that share memory, in sentences.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// The ranks that share a ControlSegment number themselves in it from 0. They may be a part of a communicator's ranks,
/// on one of several hosts: sentences have the numbers that the user knows.
class RankNames {
 public:
  /// By number in the segment: the rank in the communicator, and in the whole run.
  RankNames(std::vector<int> in_communicator, std::vector<int> in_run)
      : in_communicator_(std::move(in_communicator)), in_run_(std::move(in_run)) {}

  int in_communicator(int rank) const { return in_communicator_[static_cast<std::size_t>(rank)]; }
  /// "rank 1", "rank 1 (rank 5 of the run)".
  std::string full(int rank) const {
    const int here = in_communicator(rank);
    const int of_run = in_run_[static_cast<std::size_t>(rank)];
    return here == of_run ? fmt::format("rank {}", here) : fmt::format("rank {} (rank {} of the run)", here, of_run);
  }

 private:
  std::vector<int> in_communicator_;
  std::vector<int> in_run_;
};

}  // namespace tutti::runtime

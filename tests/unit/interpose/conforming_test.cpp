/// @file
/// Conformance under each MPI: an unchanged program compares every collective with what MPI itself gives.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

TEST_P(Unchanged, GetsWhatMpiSays) {
  for (const int ranks : {2, 3, 5}) expect_success(ranks, program("conforming") + " 1 6");
}

// Nothing is left to MPI here: not what it is faster at, and not the first calls on a communicator.
TEST_P(Unchanged, GetsWhatMpiSaysWhereAllIsServed) {
  for (const int ranks : {2, 4}) expect_success(ranks, program("conforming") + " 2 6", {"TUTTI_MPI_CHECK=1"});
}

// MPICH 4.0.2 by itself fails with other seeds: MPI_Allgatherv of ranks with different types.
TEST_P(Unchanged, GetsWhatMpiSaysWhereNothingIsServed) {
  expect_success(3, program("conforming") + " 1 4", {"TUTTI_MPI=0"});
}

INSTANTIATE_TEST_SUITE_P(Mpis, Unchanged, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test

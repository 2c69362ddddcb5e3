/// @file
/// Programs of MPI that nobody has changed, and that combine integers with operators that MPI has wrong.

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class WrongOperators : public Unchanged {};

// Whether calls are served, left to MPI, or MPI's alone, each result is right.
TEST_P(WrongOperators, AreRightInAllCalls) {
  for (const int ranks : {2, 3, 4}) {
    for (const std::string& setting :
         {std::string("TUTTI_MPI_CHECK=0"), std::string("TUTTI_ALGORITHM_ALL_REDUCE=mpi"), all_served()})
      expect_success(ranks, program("unsigned"), {setting});
  }
}

// MPI_UNSIGNED_LONG is wrong in both MPIs that are known to be wrong; another one may be right.
TEST_P(WrongOperators, AreToldOnceWhereTheProgramIsCheckedOrCounted) {
  const Ran plain = run_plainly(2, program("unsigned"));
  for (const char* const setting : {"TUTTI_MPI_CHECK=1", "TUTTI_MPI_REPORT=1"}) {
    const Ran ran = run(2, program("unsigned"), {setting});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_EQ(times(ran.err,
                    "tutti: MPI_MAX of MPI_UNSIGNED_LONG is wrong in this MPI, which compares these numbers as "
                    "signed ones"),
              plain.status == 0 ? 0 : 1)
        << ran.err;
  }
  EXPECT_THAT(run(2, program("unsigned")).err, Not(HasSubstr("is wrong in this MPI")));
}

INSTANTIATE_TEST_SUITE_P(Mpis, WrongOperators, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test

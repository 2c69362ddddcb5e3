/// @file
/// Communicator::from(MPI_Comm), in programs of each MPI, on one host and on several.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/launchers.hpp"

namespace tutti::test {
namespace {

using testing::HasSubstr;

class FromMpi : public ::testing::TestWithParam<Launcher> {
 protected:
  static std::string program() {
#ifdef TUTTI_FROM_MPI_RANKS_MPICH
    if (GetParam().name.starts_with("mpich")) return TUTTI_FROM_MPI_RANKS_MPICH;
#endif
#ifdef TUTTI_FROM_MPI_RANKS_OPENMPI
    return TUTTI_FROM_MPI_RANKS_OPENMPI;
#endif
  }

  /// Five ranks; `script` is a shell's, and finds the rank's number in RANK_HERE.
  static void expect_success(const std::string& way, const std::string& script = "") {
    std::vector<std::string> words(GetParam().command.begin() + 1, GetParam().command.end());
    words.insert(words.end(),
                 {"-n", "5", "/bin/sh", "-c",
                  "export RANK_HERE=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; " + script + " exec \"$0\" " + way, program()});
    const Ran ran = run_command(GetParam().command.front(), words);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  }
};

TEST_P(FromMpi, HasTheRanksOfMpisCommunicator) { expect_success("single"); }

TEST_P(FromMpi, HasThemOverSeveralHosts) {
  expect_success("funneled", "export TUTTI_NODE=$((RANK_HERE / 2));");
  expect_success("serialized", "export TUTTI_NODE=$((RANK_HERE % 2));");
}

TEST_P(FromMpi, HasThemWithThreads) { expect_success("multiple"); }

TEST_P(FromMpi, IsCalledWhatMpiCallsIt) {
  expect_success("named");
  expect_success("named", "export TUTTI_NODE=$((RANK_HERE / 2));");
}

// Launchers tell the same to programs of any MPI: it is the program's own that counts.
TEST_P(FromMpi, IsThatOfTheProgramWhateverStartsIt) {
  for (const std::vector<std::string>& variables :
       {std::vector<std::string>{"PMIX_NAMESPACE=job", "PMIX_RANK=0"}, {"PMI_SIZE=1", "PMI_RANK=0"}}) {
    std::vector<std::string> words = variables;
    words.insert(words.end(), GetParam().command.begin() + 1, GetParam().command.end());
    std::erase_if(words, [](const std::string& word) { return word.find('=') == std::string::npos; });
    words.insert(words.end(), {program(), "single"});
    const Ran ran = run_command("/usr/bin/env", words);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  }
}

TEST_P(FromMpi, RefusesWhatIsNoGroup) { expect_success("wrong"); }

INSTANTIATE_TEST_SUITE_P(Launchers, FromMpi, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test

/// @file
/// Ranks of which some have not the library that the others have: all of a communicator come to the same end.

#include <algorithm>
#include <sstream>

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Ranks of a job that are alike: what is preloaded into them, and what they are asked besides.
struct Kind {
  int ranks;
  std::string preloaded;
  std::string words;
  std::vector<std::string> unset = {};  ///< variables of the environment that they have not
};

class Strangers : public Unchanged {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder());
    std::filesystem::create_directories(folder());
  }
  void TearDown() override { std::filesystem::remove_all(folder()); }

  static std::filesystem::path folder() { return own_path("strangers"); }
  static std::string of_cuda() { return std::string(TUTTI_UNCHANGED_PROGRAMS) + "/libcuda.so.1"; }

  /// MPICH takes its time for collectives of its own where ranks outnumber cores.
  static std::string strangers() { return program("strangers") + (mpi() == "mpich" ? " 2" : " 10"); }

  /// The library, with other bytes where the linker has noted which build it is.
  static std::string of_another_build() {
    std::string bytes = text_of(library(mpi()));
    using namespace std::string_literals;
    const std::size_t note = bytes.find("\x14\0\0\0\x03\0\0\0GNU\0"s);
    EXPECT_NE(note, std::string::npos);
    for (std::size_t at = note + 12; at < note + 32; ++at) bytes[at] = static_cast<char>(~bytes[at]);
    const std::filesystem::path copy = folder() / ("libtutti-" + mpi() + ".so");
    std::ofstream(copy, std::ios::binary) << bytes;
    return copy;
  }

  /// Returns who served the calls of `function`, as the ranks that have a library report.
  std::vector<std::string> reported(const std::string& function) const {
    std::vector<std::string> lines;
    std::istringstream report(text_of(folder() / "report"));
    for (std::string line; std::getline(report, line);)
      if (line.starts_with(function + " ")) lines.push_back(line);
    return lines;
  }
  std::vector<std::string> settings() const { return {"TUTTI_MPI_CHECK=1", "TUTTI_MPI_REPORT=" + report()}; }

  /// Ranks of these kinds, in this order.
  void run_mixed(const std::vector<Kind>& kinds) const {
    std::filesystem::remove(folder() / "report");
    std::vector<std::string> words = settings();
    words.insert(words.end(), GetParam().command.begin(), GetParam().command.end());
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (k > 0) words.emplace_back(":");
      words.insert(words.end(), {"-n", std::to_string(kinds[k].ranks), "/usr/bin/env"});
      for (const std::string& name : kinds[k].unset) words.insert(words.end(), {"-u", name});
      if (!kinds[k].preloaded.empty()) words.push_back("LD_PRELOAD=" + kinds[k].preloaded);
      for (const std::string& word : words_of(strangers() + " mixed " + kinds[k].words)) words.push_back(word);
    }
    const Ran ran = run_command("/usr/bin/env", words);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  }

 private:
  static std::string report() { return folder() / "report"; }
};

TEST_P(Strangers, WithoutTheLibraryAreMpisAndNobodyHangs) {
  const std::string own = library(mpi());
  const std::vector<std::vector<Kind>> jobs = {{{1, own, "0"}, {3, "", "1"}},
                                               {{3, own, "0"}, {1, "", "1"}},
                                               {{1, "", "0"}, {2, own, "1"}, {1, "", "0"}},
                                               {{2, own, "0"}, {1, "", "1"}, {2, own, "0"}}};
  for (const std::vector<Kind>& job : jobs) {
    run_mixed(job);
    EXPECT_THAT(reported("MPI_Exscan"), AllOf(Not(IsEmpty()), Each(HasSubstr("MPI: "))));
  }
  EXPECT_THAT(reported("MPI_Exscan"), Each(HasSubstr("without this library")));
  EXPECT_THAT(reported("MPI_Scan"), Each(HasSubstr("tutti: "))) << "four ranks beside one that has no library";
}

// The first of the ranks that have the library speaks for those of its host.
TEST_P(Strangers, WithoutTheLibraryLeaveTheOthersOneAlgorithm) {
  const std::string own = library(mpi());
  const std::string variable = "TUTTI_ALGORITHM_SCAN";
  setenv(variable.c_str(), "dissemination", 1);
  run_mixed({{1, "", "1"}, {1, own, "0"}, {2, own, "0", {variable}}});
  EXPECT_THAT(reported("MPI_Scan"), testing::Contains(HasSubstr("tutti: dissemination")).Times(3));
  run_mixed({{1, "", "1"}, {1, own, "0", {variable}}, {2, own, "0"}});
  EXPECT_THAT(reported("MPI_Scan"), Not(testing::Contains(HasSubstr("tutti: dissemination"))));
  unsetenv(variable.c_str());
}

TEST_P(Strangers, MayBeBesideThoseOfTuttiMpi) {
  const std::string groups = program("beside") + " 10 groups plain";
  expect_success(1, groups + " : -n 2 /usr/bin/env -u LD_PRELOAD " + groups);
  expect_success(2, "/usr/bin/env -u LD_PRELOAD " + groups + " : -n 2 " + groups);
}

// Slurm's srun and PRRTE's prterun tell a process no more than PMIx's own variables.
TEST_P(Strangers, MayBeOfALauncherThatKnowsPmixAlone) {
  if (mpi() != "openmpi") GTEST_SKIP() << "PMIx is Open MPI's";
  run_mixed({{3, library(mpi()), "0", {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}}});
  EXPECT_THAT(reported("MPI_Scan"), AllOf(SizeIs(3), Each(HasSubstr("tutti: "))));
}

TEST_P(Strangers, WithTheLibraryOfAnotherBuildAreServedAmongThemselves) {
  const std::string own = library(mpi());
  const std::string other = of_another_build();
  for (const std::vector<Kind>& job : std::vector<std::vector<Kind>>{
           {{2, own, "0"}, {2, other, "1"}}, {{1, own, "0"}, {3, other, "1"}}, {{2, other, "0"}, {1, own, "1"}}}) {
    run_mixed(job);
    EXPECT_THAT(reported("MPI_Exscan"), AllOf(Not(IsEmpty()), Each(HasSubstr("MPI: "))));
    const auto served = reported("MPI_Scan");
    EXPECT_TRUE(std::any_of(served.begin(), served.end(),
                            [](const std::string& line) { return line.find("tutti: ") != std::string::npos; }));
  }
}

TEST_P(Strangers, WithALibraryOfCudaHaveAllOfTheirCommunicatorsLeftToMpi) {
  const std::string own = library(mpi());
  run_mixed({{1, own, "0"}, {1, own + ":" + of_cuda(), "1"}, {2, own, "0"}});
  EXPECT_THAT(reported("MPI_Exscan"), AllOf(SizeIs(4), Each(HasSubstr("MPI: a rank has a library of CUDA"))));
  const auto scans = reported("MPI_Scan");
  EXPECT_EQ(std::count_if(scans.begin(), scans.end(),
                          [](const std::string& line) { return line.find("tutti: ") != std::string::npos; }),
            3);
}

// Communicators that were founded before stay as they are; later ones are not founded.
TEST_P(Strangers, WithALibraryOfCudaMayLoadItLate) {
  const std::string own = library(mpi());
  run_mixed({{2, own, "0"}, {1, own, "1 " + of_cuda()}});
  EXPECT_THAT(reported("MPI_Exscan"), AllOf(SizeIs(3), Each(HasSubstr("MPI: a rank has a library of CUDA"))));
  EXPECT_THAT(reported("MPI_Scan"), testing::Contains(HasSubstr("tutti: ")).Times(2));
}

// MPICH's own launcher cannot start more processes here.
TEST_P(Strangers, MayBeStartedByOthers) {
  if (mpi() == "mpich") GTEST_SKIP() << "MPICH cannot";
  expect_success(2, strangers() + " spawn", settings());
  EXPECT_THAT(reported("MPI_Exscan"), AllOf(SizeIs(4), Each(HasSubstr("ranks of other hosts or jobs"))));
  EXPECT_THAT(reported("MPI_Scan"), AllOf(SizeIs(4), Each(HasSubstr("tutti: "))));
}

TEST_P(Strangers, MayBeStartedByOthersWithoutTheLibrary) {
  if (mpi() == "mpich") GTEST_SKIP() << "MPICH cannot";
  expect_success(2, strangers() + " spawn /usr/bin/env -u LD_PRELOAD " + strangers() + " spawn", settings());
  EXPECT_THAT(reported("MPI_Exscan"), AllOf(SizeIs(2), Each(HasSubstr("ranks of other hosts or jobs"))));
  EXPECT_THAT(reported("MPI_Scan"), AllOf(SizeIs(2), Each(HasSubstr("tutti: "))));
}

// Hosts of scripts/cluster, two ranks each; on the second of them nothing is preloaded.
TEST_P(Strangers, MayBeAHost) {
  if (mpi() != "openmpi") GTEST_SKIP() << "the hosts are Open MPI's";
  const std::string host = "test $TUTTI_NODE = host1 || export LD_PRELOAD=" + library(mpi()) + "; exec " + strangers() +
                           " mixed ${TUTTI_NODE#host}";
  std::ofstream(folder() / "rank") << "#!/bin/sh\n" << host << '\n';
  std::filesystem::permissions(folder() / "rank", std::filesystem::perms::owner_all);
  std::vector<std::string> words = settings();
  const std::string line = "$CLUSTER_MPIRUN -x TUTTI_MPI_CHECK -x TUTTI_MPI_REPORT --map-by ppr:2:node ";
  words.insert(words.end(), {TUTTI_PROJECT_DIR "/scripts/cluster", "--hosts", "3", "bash", "-c",
                             line + (folder() / "rank").string()});
  const Ran ran = run_command("/usr/bin/env", words);
  constexpr int refused = 77;
  if (ran.status == refused) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("as expected")) << ran.err;
  EXPECT_THAT(reported("MPI_Exscan"), AllOf(SizeIs(4), Each(HasSubstr("without this library"))));
  EXPECT_THAT(reported("MPI_Scan"), AllOf(SizeIs(4), Each(HasSubstr("tutti: "))));
}

INSTANTIATE_TEST_SUITE_P(Mpis, Strangers, testing::ValuesIn(launchers_in(TUTTI_LAUNCHERS)),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace tutti::test

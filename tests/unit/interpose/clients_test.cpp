/// @file
/// Programs of MPI in other languages, and those that others have written.

#include <utility>

#include "unit/interpose/unchanged.hpp"

namespace tutti::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST_P(Unchanged, MayBeFortran) {
  for (const char* const module : {"mpi", "mpi_f08"}) {
    const std::string path = program(std::string("from_fortran_") + module);
    if (!is_there(path)) GTEST_SKIP() << "no Fortran compiler";
    expect_success(3, path);
    expect_success(2, path, {"TUTTI_MPI_CHECK=1"});
    const Ran ran = run(2, path, {"TUTTI_MPI_REPORT=1"});
    EXPECT_THAT(ran.err, HasSubstr("tutti: ")) << module;
    EXPECT_THAT(ran.err, MatchesRegex(".*\nMPI_Allreduce +to 16KiB +20 .*")) << module;
  }
}

// Its own functions hear of communicators that go, and what they refuse is refused.
TEST_P(Unchanged, MayFreeCommunicatorsInFortran) {
  for (const char* const module : {"mpi", "mpi_f08"}) {
    const std::string path = program(std::string("freeing_") + module);
    if (!is_there(path)) GTEST_SKIP() << "no Fortran compiler";
    for (const char* const setting : {"TUTTI_MPI_CHECK=0", "TUTTI_MPI_CHECK=1"}) expect_success(3, path, {setting});
  }
}

// Whatever names a compiler gives to MPI's functions, each call is one.
TEST_P(Unchanged, MayHaveFortranOfAnyCompiler) {
  if (!is_there(program("mangled"))) GTEST_SKIP() << "no Fortran compiler";
  const Ran ran = run(3, program("mangled"), {"TUTTI_MPI_REPORT=1", all_served()});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, MatchesRegex(".*\nMPI_Allreduce +to 4B +4 [^\n]*tutti: .*")) << ran.out;
  EXPECT_EQ(times(ran.err, "MPI_Allreduce"), 1) << ran.err;
}

// Files that a program opens for itself alone are found by no search of the whole process.
TEST_P(Unchanged, MayOpenFortran) {
  const std::string opened = program("opened");
  if (!is_there(opened)) GTEST_SKIP() << "no Fortran compiler";
  for (const int ranks : {1, 3}) expect_success(ranks, program("opener") + " " + opened);
}

TEST_P(Unchanged, MayBePython) {
  const Ran python = run_command("/usr/bin/python3", {"-c", "import mpi4py"});
  if (mpi() != "openmpi" || python.status != 0) GTEST_SKIP() << "mpi4py is there for Open MPI, or not at all";
  expect_success(3, std::string("/usr/bin/python3 ") + TUTTI_UNCHANGED_SOURCES + "/from_python.py");
}

// MPI_Init does not bring the ranks together once more if there is a session.
TEST_P(Unchanged, MayHaveMadeACommunicatorOfASessionBefore) {
  for (const int ranks : {2, 3}) expect_success(ranks, program("sessions"));
}

// HDF5 closes the file inside of MPI_Finalize. With the library and without it, the file has the same bytes.
TEST_P(Unchanged, MayBeHdf5) {
  if (!is_there(program("with_hdf5"))) GTEST_SKIP() << "HDF5 for this MPI is not installed";
  const std::filesystem::path folder = own_path("hdf5");
  std::filesystem::create_directories(folder);
  for (const int ranks : {1, 3}) {
    std::vector<std::string> files;
    const auto line = [&](const char* file) {
      files.push_back(folder / file);
      return program("with_hdf5") + " " + files.back();
    };
    const Ran plain = run_plainly(ranks, line("plain"));
    ASSERT_THAT(plain.out, HasSubstr("as expected")) << plain.err;
    expect_success(ranks, line("taken"));
    expect_success(ranks, line("checked"), {"TUTTI_MPI_CHECK=1"});
    for (const std::string& file : files) EXPECT_TRUE(text_of(file) == text_of(files.front())) << file << ' ' << ranks;
  }
  std::filesystem::remove_all(folder);
}

// Programs of others have checks of their own.
TEST_P(Unchanged, MayBeHpcc) {
  const std::string example = "/usr/share/doc/hpcc/examples/_hpccinf.txt";
  if (mpi() != "openmpi" || !is_there("/usr/bin/hpcc")) GTEST_SKIP() << "hpcc is there for Open MPI, or not at all";
  if (!is_there(example)) GTEST_SKIP() << "the example of hpcc is not installed";
  const std::filesystem::path folder = own_path("hpcc");
  std::filesystem::create_directories(folder);
  std::string input = text_of(example);
  for (const auto& [line, by] :
       {std::pair("1000         Ns", "100 Ns"), {"80           NBs", "20 NBs"}, {"2            Ps", "1 Ps"}}) {
    ASSERT_THAT(input, HasSubstr(line));
    input.replace(input.find(line), std::string(line).size(), by);
  }
  std::ofstream(folder / "hpccinf.txt") << input;
  const Ran ran = run(2, "/usr/bin/env -C " + folder.string() + " /usr/bin/hpcc");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const std::string found = text_of(folder / "hpccoutf.txt");
  std::filesystem::remove_all(folder);
  EXPECT_THAT(found, AllOf(HasSubstr("Success=1"), HasSubstr("PTRANS_residual=0"), HasSubstr("End of HPC Challenge"),
                           HasSubstr("PASSED"), Not(HasSubstr("FAILED"))));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tutti::test

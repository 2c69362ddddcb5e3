/// @file
/// Changes of `tutti mpi` to the command that starts an MPI program.

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "launch/mpi_launcher.hpp"

namespace tutti::launch {
namespace {

using Words = std::vector<std::string>;

const MpiLauncher open_mpi{"Open MPI", "libtutti-openmpi.so"};
const MpiLauncher mpich{"MPICH", "libtutti-mpich.so"};
const Words variables{"LD_PRELOAD=tutti.so"};

/// The words between the spaces.
Words words_of(const std::string& line) {
  std::istringstream text(line);
  return {std::istream_iterator<std::string>(text), {}};
}

TEST(MpiWords, TheLaunchersOwnPreloadsComeBehind) {
  const Words changed = open_mpi.with_variables(
      words_of("mpirun --oversubscribe --mca plm_rsh_agent sh -n 2 --map-by slot:PE=1 -x LD_PRELOAD=a.so /bin/sh "
               ": -n 1 -x LD_PRELOAD=b.so /bin/sh"),
      variables);
  EXPECT_EQ(changed, words_of("mpirun -x LD_PRELOAD=tutti.so --oversubscribe --mca plm_rsh_agent sh -n 2 --map-by "
                              "slot:PE=1 -x LD_PRELOAD=tutti.so:a.so /bin/sh "
                              ": -x LD_PRELOAD=tutti.so -n 1 -x LD_PRELOAD=tutti.so:b.so /bin/sh"));
}

TEST(MpiWords, TheProgramsArgumentsStayAsTheyAre) {
  for (const std::string launcher_words : {"mpirun -n 2", "mpirun --oversubscribe", "mpirun"}) {
    for (const std::string program : {"/bin/sh", "sh"}) {
      const Words words = words_of(launcher_words + ' ' + program + " -x LD_PRELOAD=mine.so -genv LD_PRELOAD mine.so");
      for (const MpiLauncher& launcher : {open_mpi, mpich}) {
        const Words changed = launcher.with_variables(words, variables);
        EXPECT_EQ(Words(changed.end() - 6, changed.end()), Words(words.end() - 6, words.end())) << launcher.name;
      }
    }
  }
}

}  // namespace
}  // namespace tutti::launch

/// @file
/// What `tutti mpi` changes in the command that starts an MPI program.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "launch/mpi_launcher.hpp"

namespace tutti::launch {
namespace {

using Words = std::vector<std::string>;

const MpiLauncher open_mpi{"Open MPI", "libtutti-openmpi.so"};
const MpiLauncher mpich{"MPICH", "libtutti-mpich.so"};
const Words variables{"LD_PRELOAD=tutti.so"};

TEST(MpiWords, TheLaunchersOwnPreloadsComeBehind) {
  const Words words{"mpirun",
                    "--oversubscribe",
                    "--mca",
                    "plm_rsh_agent",
                    "sh",
                    "-n",
                    "2",
                    "--map-by",
                    "slot:PE=1",
                    "-x",
                    "LD_PRELOAD=a.so",
                    "/bin/sh",
                    ":",
                    "-n",
                    "1",
                    "-x",
                    "LD_PRELOAD=b.so",
                    "/bin/sh"};
  const Words changed = open_mpi.with_variables(words, variables);
  const Words expected{"mpirun",
                       "-x",
                       "LD_PRELOAD=tutti.so",
                       "--oversubscribe",
                       "--mca",
                       "plm_rsh_agent",
                       "sh",
                       "-n",
                       "2",
                       "--map-by",
                       "slot:PE=1",
                       "-x",
                       "LD_PRELOAD=tutti.so:a.so",
                       "/bin/sh",
                       ":",
                       "-x",
                       "LD_PRELOAD=tutti.so",
                       "-n",
                       "1",
                       "-x",
                       "LD_PRELOAD=tutti.so:b.so",
                       "/bin/sh"};
  EXPECT_EQ(changed, expected);
}

TEST(MpiWords, TheProgramsArgumentsStayAsTheyAre) {
  for (const Words& launchers : {Words{"mpirun", "-n", "2"}, Words{"mpirun", "--oversubscribe"}, Words{"mpirun"}}) {
    for (const std::string program : {"/bin/sh", "sh"}) {
      Words words = launchers;
      words.insert(words.end(), {program, "-x", "LD_PRELOAD=mine.so", "-genv", "LD_PRELOAD", "mine.so"});
      for (const MpiLauncher& launcher : {open_mpi, mpich}) {
        const Words changed = launcher.with_variables(words, variables);
        EXPECT_EQ(Words(changed.end() - 6, changed.end()), Words(words.end() - 6, words.end())) << launcher.name;
      }
    }
  }
}

}  // namespace
}  // namespace tutti::launch

/// @file
/// `tutti mpi`: an unchanged MPI program whose collectives tutti serves.

#include <memory>

#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "base/check.hpp"
#include "launch/mpi_launcher.hpp"

namespace tutti::app {

namespace {

struct MpiRequest : Request {
  launch::Heap heap = launch::Heap::shared;
};

}  // namespace

void add_mpi(Command command, Chosen& chosen) {
  const auto request = std::make_shared<MpiRequest>();
  command.leave_rest("tutti mpi [--heap off] [--] MPIRUN [OPTIONS...] PROGRAM [ARGUMENTS...]");
  add_value(command, *request, "--heap", "on|off",
            "Whether ranks share their heaps, so that peers read their buffers where they lie (on)",
            [r = request.get()](const std::string& text) { r->heap = launch::heap_of(text); });
  command.set_footer(
      "Has MPIRUN, of Open MPI or MPICH, preload the library that takes over collectives: those of ranks on one host\n"
      "and, with Open MPI, on several. Everything else stays MPI's. The exit status is that of MPIRUN.\n"
      "  TUTTI_MPI_REPORT=1   at the end, what was called, how often, how long it took and who served it\n"
      "  TUTTI_MPI_CHECK=1    mismatched calls and hangs end the program, with ranks, arguments and call sites\n"
      "  TUTTI_HEAP=0         as --heap off\n"
      "  TUTTI_MPI=0          everything is MPI's\n"
      "Open MPI hands variables to ranks on other hosts only with -x NAME.\n"
      "Examples:\n  tutti mpi mpirun -n 4 ./program\n  TUTTI_MPI_REPORT=1 tutti mpi mpirun.mpich -n 2 ./program "
      "--steps 100");
  command.when_chosen([request, command, &chosen] {
    chosen = [request, command]() -> Outcome {
      const std::vector<std::string> words = command.rest();
      require(!words.empty() && !words.front().empty(),
              "mpi needs the command that starts the program, such as 'tutti mpi mpirun -n 4 ./program'");
      read_values(*request);
      launch::become_mpi(words, request->heap);
    };
  });
}

}  // namespace tutti::app

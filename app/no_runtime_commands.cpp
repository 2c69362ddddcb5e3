#include "app/commands.hpp"
#include "base/check.hpp"

namespace tutti::app {

void add_runtime_commands(Command& program, Chosen& chosen) {
  for (const char* const name : {"run", "plan", "tune", "bench", "mpi"}) {
    // In no list of commands: it only says why it is not there.
    Command command = program.add_unlisted_command(name);
    command.when_chosen([name, &chosen] {
      chosen = [name]() -> Outcome {
        fail(ErrorCode::unsupported,
             "this tutti was built without its runtime, so that it has no command '{}': build it with "
             "-DTUTTI_BUILD_RUNTIME=ON",
             name);
      };
    });
  }
}

}  // namespace tutti::app

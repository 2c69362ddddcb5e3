#include "app/commands.hpp"
#include "base/check.hpp"

namespace tutti::app {

void add_runtime_commands(CLI::App& app, Chosen& chosen) {
  for (const char* const name : {"run", "bench"}) {
    // In no list of commands: it only says why it is not there.
    CLI::App* const command = app.add_subcommand(name)->group("")->prefix_command();
    command->callback([name, &chosen] {
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

#include "app/command_line/platform.hpp"
#include "app/commands/subcommands.hpp"
#include "base/check.hpp"

namespace tutti::app {
namespace {

// In no list of commands: it only says why it is not there.
void refuse(Command command, Chosen& chosen) {
  command.when_chosen([command, &chosen] {
    chosen = [command]() -> Outcome { fail(ErrorCode::unsupported, "{}", why_no_machine_command(command.name())); };
  });
}

}  // namespace

const bool has_runtime = false;

std::string facts_of_build() { return "Features   no runtime: proofs, prices, simulations and drawings"; }

void add_plan(Command command, Chosen& chosen) { refuse(command, chosen); }
void add_tune(Command command, Chosen& chosen) { refuse(command, chosen); }
void add_bench(Command command, Chosen& chosen) { refuse(command, chosen); }
void add_run(Command command, Chosen& chosen) { refuse(command, chosen); }
void add_mpi(Command command, Chosen& chosen) { refuse(command, chosen); }
void add_preload(Command command, Chosen& chosen) { refuse(command, chosen); }

}  // namespace tutti::app

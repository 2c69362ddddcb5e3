#include "app/commands.hpp"

namespace tutti::app {

void add_runtime_commands(Command& program, Chosen& chosen) {
  add_plan(program, chosen);
  add_tune(program, chosen);
  add_bench(program, chosen);
  add_run(program, chosen);
  add_mpi(program, chosen);
}

}  // namespace tutti::app

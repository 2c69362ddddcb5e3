#include "app/commands.hpp"

namespace tutti::app {

void add_runtime_commands(CLI::App& app, Chosen& chosen) {
  add_bench(app, chosen);
  add_run(app, chosen);
}

}  // namespace tutti::app

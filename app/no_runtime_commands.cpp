#include "app/commands.hpp"

namespace tutti::app {

void add_runtime_commands(CLI::App& /*app*/, Chosen& /*chosen*/) {}

}  // namespace tutti::app

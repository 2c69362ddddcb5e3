// The platform of the command inside a page: no terminal, no threads, no settings of a user.

#include "app/command_line/platform.hpp"
#include "base/check.hpp"

namespace tutti::app {

bool takes_user_settings() { return false; }

std::string scratch_folder() {
  fail(ErrorCode::unsupported, "PDF and PNG are written by the command on a machine; take FILE.svg here");
}

std::string why_no_machine_command(const std::string& name) {
  return "'" + name + "' runs on a machine, and not inside a page: run tutti " + name + " in a terminal";
}

}  // namespace tutti::app

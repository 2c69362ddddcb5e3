#include "app/command_line/platform.hpp"
#include "base/check.hpp"

namespace tutti::app {

bool takes_user_settings() { return true; }

std::string scratch_folder() {
  fail(ErrorCode::invalid_argument, "this build makes no folders of its own; write FILE.svg");
}

std::string why_no_machine_command(const std::string& name) {
  return "this tutti was built without its runtime, so that it has no command '" + name +
         "': build it with -DTUTTI_BUILD_RUNTIME=ON";
}

}  // namespace tutti::app

/// @file
/// Messages and programs that the command line names.
#pragma once

#include "app/options/request.hpp"
#include "user_programs/user_program.hpp"

namespace tutti::app {

/// The request's own program, with --bytes or 1024 B for messages without a size, over the ranks of --ranks or
/// --topology; a program may be a procedure's name (procedures.hpp) instead of a file.
UserProgram user_program(const Request& request);

}  // namespace tutti::app

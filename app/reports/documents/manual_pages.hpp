/// @file
/// Manual pages of the command, written from the table of commands and options.
#pragma once

#include <string>

#include "app/command_line/command_description.hpp"

namespace tutti::app {

/// Returns the page tutti(1), in the macros of man(7).
std::string manual_page(const CommandDescription& program, const std::string& version);
/// Returns the page tutti-COMMAND(1).
std::string manual_page(const CommandDescription& program, const CommandDescription& command,
                        const std::string& version);

}  // namespace tutti::app

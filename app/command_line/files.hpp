/// @file
/// Files that the command reads, and those that it writes: whole, or not at all.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tutti::app {

/// Throws `Error(invalid_argument)` unless the name ends as one of `endings` (".svg"), and its folder exists. To be
/// called before the work whose result the file is to hold.
void check_output_file(const std::string& name, std::initializer_list<std::string_view> endings);
void check_output_file(const std::string& name, std::span<const std::string_view> endings);

/// Writes the file beside its place and moves it there, so that no half file is ever seen under the name; straight into
/// what is no regular file, and into the standard output where the name stands for it, as /dev/stdout does. A link
/// stays one: what it leads to is written. Permissions stay as they were. Throws `Error(invalid_argument)` naming the
/// file where that fails; nothing is left of it then.
void write_file(const std::string& name, std::string_view text);

/// Reads a file whole. Throws `Error(invalid_argument)` naming it where that fails, or where it is over 256 MiB.
std::string read_file(const std::string& name);

}  // namespace tutti::app

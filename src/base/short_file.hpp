/// @file
/// Files that somebody has written by hand, or a program of tutti.
#pragma once

#include <string>

namespace tutti {

/// The text of a file of at most 1 MiB. Throws `Error(invalid_argument)`, which begins with the file's name, where it is
/// longer or cannot be read.
std::string short_file(const std::string& file);

}  // namespace tutti

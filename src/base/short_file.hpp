/// @file
/// Files that somebody has written by hand, or a program of tutti, read and written as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti {

/// The text of a file of at most so many bytes; /dev/null stands for an empty one. Throws `Error(invalid_argument)`,
/// which begins with the file's name, where it is longer, cannot be read, or is a pipe or a device: of those nobody knows
/// whether they end.
std::string short_file(const std::string& file, std::int64_t most = std::int64_t{1} << 20);

/// Whether the text is written to the file as a whole. If it is not, errno says why, where the system does: streams
/// forget it where a part of the text has found room.
bool put_in_file(const std::string& file, std::string_view text);

}  // namespace tutti

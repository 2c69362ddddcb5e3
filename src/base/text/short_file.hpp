/// @file
/// Files that somebody has written by hand, or a program of tutti, read and written as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace tutti {

/// Most bytes that short_file() reads: profiles, rules and tables are shorter, so that a longer file is something else.
inline constexpr std::int64_t most_bytes_of_short_file = std::int64_t{1} << 20;

/// The text of a file of at most so many bytes; /dev/null stands for an empty one. Throws `Error(invalid_argument)`,
/// which begins with the file's name, where it is longer, cannot be read, or is a pipe or a device: of those nobody
/// knows whether they end.
std::string short_file(const std::string& file, std::int64_t most = most_bytes_of_short_file);

/// Whether the text is written to the file as a whole. If it is not, errno says why, where the system does: streams
/// forget it where a part of the text has found room.
bool put_in_file(const std::string& file, std::string_view text);

/// Returns the file to which the links of a name lead; the links stay links when that file is replaced. The name itself
/// if it is no link.
std::string end_of_links(const std::string& name);

/// Gives the file that is to replace another one its permissions, where that is there.
void keep_permissions(const std::string& of, const std::string& successor);

/// Makes the folder where the file is to lie, and those above it, where they are not there; says why they cannot be
/// made.
std::error_code make_folder_for(const std::string& file);

}  // namespace tutti

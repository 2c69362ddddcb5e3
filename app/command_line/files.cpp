#include "app/command_line/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>

#include "app/command_line/platform.hpp"
#include "base/check.hpp"
#include "base/text/short_file.hpp"

namespace tutti::app {
namespace {

namespace fs = std::filesystem;

std::string in_words(std::span<const std::string_view> endings) {
  std::string words;
  for (std::size_t k = 0; k < endings.size(); ++k)
    words += fmt::format("{}{}", k == 0 ? "" : k + 1 == endings.size() ? " or " : ", ", endings[k]);
  return words;
}

// Returns a name that differs from program to program: two that write one file at once leave what one of them has
// written.
std::string name_beside(const std::string& name) { return fmt::format("{}.{:08x}.part", name, std::random_device()()); }

// Writes all of it or nothing, with the permissions of what was there. If it is not written, errno says why.
bool replace_file(const std::string& name, std::string_view text) {
  const std::string beside = name_beside(name);
  if (put_in_file(beside, text)) {
    keep_permissions(name, beside);
    if (std::rename(beside.c_str(), name.c_str()) == 0) return true;
  }
  const int why = errno;
  std::remove(beside.c_str());
  errno = why;
  return false;
}

// A pipe, a device and the standard output by another name are written where they are.
bool write_all(const std::string& name, std::string_view text) {
  if (is_standard_output(name)) return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  std::error_code unknown;
  const fs::file_status there = fs::status(name, unknown);
  const bool special = fs::exists(there) && !fs::is_regular_file(there);
  return special ? put_in_file(name, text) : replace_file(end_of_links(name), text);
}

}  // namespace

void check_output_file(const std::string& name, std::initializer_list<std::string_view> endings) {
  check_output_file(name, std::span(endings.begin(), endings.size()));
}

void check_output_file(const std::string& name, std::span<const std::string_view> endings) {
  require(std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); }),
          "the file '{}' should end with {}", name, in_words(endings));
  const fs::path folder = fs::path(name).parent_path();
  std::error_code unknown;
  require(folder.empty() || fs::is_directory(folder, unknown),
          "the file '{}' cannot be written, because there is no folder '{}'; make it first", name, folder.string());
}

void write_file(const std::string& name, std::string_view text) {
  errno = 0;
  if (write_all(name, text)) return;
  const int why = errno;
  fail(ErrorCode::invalid_argument, "the file '{}' cannot be written{}{}; name another", name, why == 0 ? "" : ": ",
       why == 0 ? "" : std::strerror(why));
}

std::string read_file(const std::string& name) {
  constexpr std::streamoff most = std::streamoff{256} << 20;
  std::error_code unknown;
  require(!std::filesystem::is_directory(name, unknown), "'{}' is a folder; name a file", name);
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  require(file.good(), "the file '{}' cannot be read: {}", name, std::generic_category().message(errno));
  const std::streamoff size = file.tellg();
  require(size >= 0 && size <= most, "the file '{}' is not a regular file of at most 256 MiB", name);
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0).read(text.data(), static_cast<std::streamsize>(size));
  require(file.good() || size == 0, "the file '{}' cannot be read", name);
  return text;
}

}  // namespace tutti::app

#include "app/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "app/surroundings.hpp"
#include "base/check.hpp"
#include "base/short_file.hpp"

namespace tutti::app {
namespace {

namespace fs = std::filesystem;

std::string in_words(std::initializer_list<std::string_view> endings) {
  std::string words;
  for (const std::string_view* ending = endings.begin(); ending != endings.end(); ++ending)
    words += fmt::format("{}{}", words.empty() ? "" : ending + 1 == endings.end() ? " or " : ", ", *ending);
  return words;
}

// Of each program another one: two that write the same file at once leave what one of them has written.
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

}  // namespace tutti::app

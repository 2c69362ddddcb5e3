#include "app/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "base/check.hpp"
#include "base/short_file.hpp"

namespace tutti::app {
namespace {

std::string in_words(std::initializer_list<std::string_view> endings) {
  std::string words;
  for (const std::string_view* ending = endings.begin(); ending != endings.end(); ++ending)
    words += fmt::format("{}{}", words.empty() ? "" : ending + 1 == endings.end() ? " or " : ", ", *ending);
  return words;
}

// Of each program another one: two that write the same file at once leave what one of them has written.
std::string name_beside(const std::string& name) { return fmt::format("{}.{:08x}.part", name, std::random_device()()); }

}  // namespace

void check_output_file(const std::string& name, std::initializer_list<std::string_view> endings) {
  require(std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); }),
          "the file '{}' should end with {}", name, in_words(endings));
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  std::error_code unknown;
  require(folder.empty() || std::filesystem::is_directory(folder, unknown),
          "the file '{}' cannot be written, because there is no folder '{}'; make it first", name, folder.string());
}

void write_file(const std::string& name, std::string_view text) {
  std::error_code unknown;
  const auto there = std::filesystem::status(name, unknown);
  const bool special = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
  const std::string beside = special ? name : name_beside(name);
  if (put_in_file(beside, text) && (special || std::rename(beside.c_str(), name.c_str()) == 0)) return;
  const int why = errno;
  if (!special) std::remove(beside.c_str());
  fail(ErrorCode::invalid_argument, "the file '{}' cannot be written{}{}; name another", name, why == 0 ? "" : ": ",
       why == 0 ? "" : std::strerror(why));
}

}  // namespace tutti::app

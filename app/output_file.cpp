#include "app/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/check.hpp"

namespace tutti::app {
namespace {

std::string in_words(std::initializer_list<std::string_view> endings) {
  std::string words;
  for (const std::string_view* ending = endings.begin(); ending != endings.end(); ++ending)
    words += fmt::format("{}{}", words.empty() ? "" : ending + 1 == endings.end() ? " or " : ", ", *ending);
  return words;
}

bool put(const std::string& name, std::string_view text) {
  std::ofstream file(name, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return file.good();
}

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
  const std::string beside = special ? name : name + ".part";
  if (put(beside, text) && (special || std::rename(beside.c_str(), name.c_str()) == 0)) return;
  if (!special) std::remove(beside.c_str());
  fail(ErrorCode::invalid_argument, "the file '{}' cannot be written", name);
}

}  // namespace tutti::app

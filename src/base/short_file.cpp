#include "base/short_file.hpp"

#include <filesystem>
#include <fstream>

#include "base/check.hpp"

namespace tutti {

std::string short_file(const std::string& file) {
  constexpr std::streamoff most = std::streamoff{1} << 20;
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  std::error_code none;
  require(std::filesystem::exists(file, none), "{}: there is no such file", file);
  require(!std::filesystem::is_directory(file, none), "{}: it is a folder, not a file", file);
  const std::streamoff size = stream.good() ? std::streamoff{stream.tellg()} : -1;
  require(size >= 0 && size <= most, "{}: it cannot be read as a file of at most 1 MiB", file);
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.seekg(0).read(text.data(), size);
  require(stream.good() || size == 0, "{}: it cannot be read", file);
  return text;
}

}  // namespace tutti

#include "base/text/short_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti {

std::string short_file(const std::string& file, std::int64_t most) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_status status = fs::status(file, none);
  require(fs::exists(status), "{}: there is no such file", file);
  require(!fs::is_directory(status), "{}: it is a folder, not a file", file);
  if (fs::canonical(file, none) == "/dev/null") return {};
  // Whoever opens a pipe waits for its other end, and devices may go on for ever.
  require(fs::is_regular_file(status), "{}: it is a pipe, a socket or a device; name a regular file", file);
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream.good() ? std::streamoff{stream.tellg()} : -1;
  require(size >= 0 && size <= most, "{}: it cannot be read as a file of at most {}", file, text_of(Bytes{most}));
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.seekg(0).read(text.data(), static_cast<std::streamsize>(size));
  require(stream.good() || size == 0, "{}: it cannot be read", file);
  return text;
}

bool put_in_file(const std::string& file, std::string_view text) {
  errno = 0;
  std::FILE* const stream = std::fopen(file.c_str(), "wb");
  if (stream == nullptr) return false;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const int why = errno;
  const bool is_closed = std::fclose(stream) == 0;  // fclose() writes the rest
  if (!is_written) errno = why;
  return is_written && is_closed;
}

std::string end_of_links(const std::string& name) {
  namespace fs = std::filesystem;
  constexpr int most_links = 40;  // the system follows as many
  std::error_code error;
  fs::path end = name;
  for (int link = 0; link < most_links && fs::is_symlink(end, error); ++link) {
    const fs::path next = fs::read_symlink(end, error);
    if (error) break;
    end = end.parent_path() / next;  // an absolute one stands for itself
  }
  return end.string();
}

void keep_permissions(const std::string& of, const std::string& successor) {
  std::error_code none;
  const std::filesystem::file_status before = std::filesystem::status(of, none);
  if (std::filesystem::exists(before)) std::filesystem::permissions(successor, before.permissions(), none);
}

std::error_code make_folder_for(const std::string& file) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  return error;
}

}  // namespace tutti

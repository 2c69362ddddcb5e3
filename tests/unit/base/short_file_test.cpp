/// @file
/// Files are read whole, and refused by name where they are too long or cannot be read.

#include "base/text/short_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tutti/error.hpp"

namespace tutti {
namespace {

std::string refusal_of(const std::string& file) {
  try {
    short_file(file);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ShortFile, IsReadWhole) {
  const std::string file = testing::TempDir() + "/short-file-" + std::to_string(getpid());
  for (const std::size_t size : {0, 1, 1000, 1 << 20}) {
    std::string text(size, 'a');
    if (size > 2) text[size / 2] = '\0';
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_EQ(short_file(file), text) << size;
  }
  std::ofstream(file, std::ios::binary) << std::string((1 << 20) + 1, 'a');
  EXPECT_THAT(refusal_of(file), testing::StartsWith(file + ": it cannot be read as a file of at most 1MiB"));
  std::filesystem::remove(file);
  EXPECT_EQ(refusal_of(file), file + ": there is no such file");
  EXPECT_EQ(refusal_of("/"), "/: it is a folder, not a file");
}

// Nobody may ever write the other end of a pipe, and /dev/zero has none.
TEST(ShortFile, IsNoPipeAndNoDevice) {
  const std::string pipe = testing::TempDir() + "/short-pipe-" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {pipe, std::string("/dev/zero"), std::string("/dev/full")})
    EXPECT_EQ(refusal_of(file), file + ": it is a pipe, a socket or a device; name a regular file");
  std::filesystem::remove(pipe);
  EXPECT_EQ(short_file("/dev/null"), "");
}

}  // namespace
}  // namespace tutti

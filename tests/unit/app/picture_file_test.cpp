/// @file
/// Formats of pictures: every command that draws writes the same ones, and refuses another in the same words.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/command.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

// A folder of the test's own, gone afterwards.
class PictureFile : public testing::Test {
 protected:
  PictureFile() : folder(fs::temp_directory_path() / ("tutti-picture-" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
  }
  ~PictureFile() override { fs::remove_all(folder); }

  fs::path folder;
};

struct Drawing {
  const char* words;   // the last one takes the file's name
  const char* others;  // endings of what is no picture, as the refusal names them
};

constexpr Drawing drawings[] = {
    {"price broadcast --ranks 4 --bytes 8..64 --plot", ""},
    {"topology ring:4 -o", ".json, "},
    {"gallery ring-overwritten -o", ""},
    {"gallery send-before-receive -o", ""},
    {"simulate broadcast --ranks 4 --bytes 8 --timeline", ".json, "},
    {"simulate messages 0-2:64 --topology linear:3 --packets", ""},
    {"plan broadcast --ranks 4 --bytes 8..64 --plot", ""},
    {"draw broadcast --ranks 4 -o", ".html, "},
    {"draw broadcast --ranks 4 --timeline -o", ".html, .json, "},
    {"draw shift --ranks 4 --distance 1..3 --style book -o", ".html, "},
};

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(PictureFile, HasEveryFormat) {
  const bool converts = run_command("/bin/sh", {"-c", "command -v rsvg-convert"}).status == 0;
  for (const Drawing& drawing : drawings) {
    SCOPED_TRACE(drawing.words);
    const auto drawn = [&](const std::string& name) {
      const std::string file = (folder / name).string();
      const Ran ran = run_command(TUTTI_COMMAND, words_of(std::string(drawing.words) + " " + file));
      EXPECT_EQ(ran.status, 0) << ran.err;
      return content_of(file);
    };
    EXPECT_THAT(drawn("x.svg"), testing::HasSubstr("<svg "));
    EXPECT_THAT(drawn("x.tex"), testing::HasSubstr("\\end{tikzpicture}"));
    if (!converts) continue;
    EXPECT_THAT(drawn("x.png"), testing::StartsWith("\x89PNG"));
    EXPECT_THAT(drawn("x.pdf"), testing::StartsWith("%PDF"));
  }
}

TEST_F(PictureFile, OfAnotherFormatIsRefusedInTheSameWords) {
  for (const Drawing& drawing : drawings) {
    const std::string file = (folder / "x.gif").string();
    const Ran ran = run_command(TUTTI_COMMAND, words_of(std::string(drawing.words) + " " + file));
    EXPECT_EQ(ran.status, 2) << drawing.words;
    EXPECT_EQ(ran.err,
              "tutti: the file '" + file + "' should end with .svg, " + drawing.others + ".pdf, .png or .tex\n");
  }
}

}  // namespace
}  // namespace tutti::test

/// @file
/// Programs that must not compile, and the sentence by which the compiler says why: refused/*.cpp, each with its
/// sentence in the first line. All are compiled as one program, each in a namespace of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "support/command.hpp"

namespace tutti {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(TUTTI_REFUSED_DIR)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Returns the compiler's complaints, by the program whose line it names as the cause.
std::map<std::string, std::string> complaints() {
  const fs::path all = fs::path(::testing::TempDir()) / "tutti_refused_all.cpp";
  {
    std::ofstream file(all);
    file << "#include <array>\n#include <list>\n#include <string>\n#include <vector>\n#include \"tutti/tutti.hpp\"\n";
    for (const fs::path& path : programs())
      file << "namespace " << path.stem().string() << " {\n#include " << path << "\n}\n";
  }
  // Build systems have it so by default: more types than the standard's are integers then.
  const test::Ran ran = test::run_command(
      TUTTI_COMPILER, {"-std=gnu++20", "-fsyntax-only", "-fmax-errors=0", "-I", TUTTI_INCLUDE_DIR, all.string()});
  std::map<std::string, std::string> by_program;
  std::istringstream lines(ran.err);
  std::string program;
  const std::regex place("refused/([a-z_]+)\\.cpp:[0-9]+:[0-9]+:");
  for (std::string line; std::getline(lines, line);) {
    // The compiler tells where a template is needed first, then what is wrong in it.
    std::smatch found;
    if (std::regex_search(line, found, place)) program = found[1];
    if (line.find("error:") != std::string::npos) by_program[program] += line + "\n";
  }
  return by_program;
}

TEST(Refused, EachWrongCallIsToldInASentenceThatHelps) {
  const auto told = complaints();
  int count = 0;
  for (const fs::path& path : programs()) {
    std::ifstream file(path);
    std::string first;
    std::getline(file, first);
    const std::string mark = "// refused: ";
    ASSERT_EQ(first.rfind(mark, 0), 0U) << path << " has no sentence";
    const auto found = told.find(path.stem().string());
    ASSERT_NE(found, told.end()) << path << " compiles";
    EXPECT_NE(found->second.find("static assertion failed: " + first.substr(mark.size())), std::string::npos)
        << path << " is refused with\n"
        << found->second;
    ++count;
  }
  EXPECT_GE(count, 15);
}

}  // namespace
}  // namespace tutti

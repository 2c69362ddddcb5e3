/// @file
/// Completions and manual pages: shells complete every command, its options and the names of the library's tables, and
/// man prints every page.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "algorithms/catalogue.hpp"
#include "app/commands/answer.hpp"
#include "app/commands/subcommands.hpp"
#include "app/reports/documents/completions.hpp"
#include "schedule/model/collective_names.hpp"
#include "support/command.hpp"
#include "tutti/error.hpp"

namespace tutti::app {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Not;

// Folder of this process, which goes with it.
const fs::path& own_folder() {
  struct Folder {
    fs::path path = fs::path(testing::TempDir()) / fmt::format("tutti_completions_{}", getpid());
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
  };
  static const Folder folder;
  return folder.path;
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = (own_folder() / name).string();
  std::ofstream(path) << text;
  return path;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line.substr(0, line.find('\t')));
  return found;
}

// Words that bash completes the last of these words to.
std::vector<std::string> by_bash(const std::string& words) {
  static const std::string script = written("tutti.bash", answer({"completions", "bash"}, "").text);
  const std::string ask = "source " + script + "; COMP_WORDS=(" + words +
                          "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tutti; printf '%s\\n' \"${COMPREPLY[@]}\"";
  return lines_of(test::run_command("/usr/bin/env", {"bash", "--norc", "-uc", ask}).out);
}

TEST(Completions, OfBashAreTheTables) {
  const std::vector<std::string> commands = by_bash("tutti ''");
  for (const Subcommand& each : subcommands()) {
    EXPECT_THAT(commands, Contains(each.name));
    std::vector<std::string> options;
    for (const OptionDescription& option : options_of(each.name)) options.push_back(option.name);
    const std::vector<std::string> offered = by_bash(std::string("tutti ") + each.name + " --");
    for (const std::string& option : options) EXPECT_THAT(offered, Contains(option)) << each.name;
  }
  for (const Collective collective : all_collectives()) {
    const std::string name(name_of(collective));
    EXPECT_THAT(by_bash("tutti verify " + name.substr(0, 2)), Contains(name));
    EXPECT_EQ(by_bash("tutti verify " + name + " --algorithm ''"), algorithm_words(name));
  }
}

TEST(Completions, OfBashGoByTheOptionBefore) {
  EXPECT_EQ(by_bash("tutti run --heap ''"), (std::vector<std::string>{"on", "off"}));
  EXPECT_EQ(by_bash("tutti completions z"), std::vector<std::string>{"zsh"});
  EXPECT_EQ(by_bash("tutti help prel"), std::vector<std::string>{"preload"});
  EXPECT_THAT(by_bash("tutti price all-reduce --topology tor"), Contains("torus:"));
  EXPECT_THAT(by_bash("tutti price all-reduce --topology = tor"), Contains("torus:"));
  EXPECT_THAT(by_bash("tutti price all-reduce --ranks ''"), Not(Contains("broadcast")));
  const std::string file = written("completed.json", "{}");
  EXPECT_THAT(by_bash("tutti simulate --topology " + file.substr(0, file.size() - 2)), Contains(file));
}

bool is_installed(const std::string& program) {
  return test::run_command("/bin/sh", {"-c", "command -v " + program}).status == 0;
}

// Words of a program that tutti starts are files and commands.
TEST(Completions, OfBashLeaveAProgramItsFiles) {
  const std::string file = written("program_input.txt", "");
  EXPECT_THAT(by_bash("tutti run -n 4 cat " + file.substr(0, file.size() - 2)), Contains(file));
  EXPECT_THAT(by_bash("tutti run bas"), Contains("bash"));
}

TEST(Completions, OfFishAreTheTables) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script = written("tutti.fish", answer({"completions", "fish"}, "").text);
  const auto by_fish = [&](const std::string& line) {
    return lines_of(test::run_command("/usr/bin/env", {"fish", "--no-config", "-c",
                                                       "source " + script + "; complete -C '" + line + "'"})
                        .out);
  };
  for (const Subcommand& each : subcommands()) EXPECT_THAT(by_fish("tutti "), Contains(each.name));
  EXPECT_THAT(by_fish("tutti verify all-reduce --algorithm rin"), Contains("ring"));
  EXPECT_THAT(by_fish("tutti verify broadcast --algorithm "), Not(Contains("rabenseifner")));
  EXPECT_THAT(by_fish("tutti draw --sty"), Contains("--style"));
  EXPECT_THAT(by_fish("tutti draw --style b"), Contains("book"));
}

TEST(Completions, OfZshAreAScript) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const std::string script = written("_tutti", answer({"completions", "zsh"}, "").text);
  const test::Ran ran = test::run_command("/usr/bin/env", {"zsh", "-fn", script});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
}

TEST(Completions, OfNoOtherShell) {
  EXPECT_THROW(answer({"completions"}, ""), Error);
  EXPECT_THROW(answer({"completions", "tcsh"}, ""), Error);
}

TEST(Manual, HasAPageForEachCommandThatManPrints) {
  const fs::path folder = own_folder() / "pages";
  EXPECT_THROW(answer({"manual", "--output", folder.string()}, ""), Error);
  fs::create_directories(folder);
  answer({"manual", "--output", folder.string()}, "");
  const bool has_mandoc = is_installed("mandoc");
  std::size_t pages = 0;
  for (const auto& page : fs::directory_iterator(folder)) {
    ++pages;
    if (!has_mandoc) continue;
    const test::Ran ran =
        test::run_command("/usr/bin/env", {"mandoc", "-T", "lint", "-W", "error", page.path().string()});
    EXPECT_EQ(ran.status, 0) << ran.out;
  }
  EXPECT_EQ(pages, subcommands().size() + 1);
  const std::string page = answer({"manual", "draw"}, "").text;
  for (const OptionDescription& option : options_of("draw")) {
    std::string name = option.name;
    for (std::size_t at = name.find('-'); at != name.npos; at = name.find('-', at + 2)) name.insert(at, "\\");
    EXPECT_THAT(page, testing::HasSubstr("\\fB" + name + "\\fR"));
  }
  EXPECT_THROW(answer({"manual", "drwa"}, ""), Error);
}

}  // namespace
}  // namespace tutti::app

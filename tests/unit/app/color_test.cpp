/// @file
/// Bold and colors of the command: on terminals, unless these or their user want none.

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "support/command_json.hpp"

namespace tutti::test {
namespace {

constexpr const char* bold = "\033[1m";
constexpr const char* green = "\033[32m";

/// Returns the output of the command on a terminal, in an environment with these variables.
std::string on_terminal(const std::string& line, const std::vector<std::pair<const char*, const char*>>& variables) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    for (const auto& [name, value] : variables) setenv(name, value, 1);
    std::vector<std::string> words = words_of(line);
    words.insert(words.begin(), TUTTI_COMMAND);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  EXPECT_GT(process, 0);
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t n = 1; n > 0;) {
    n = read(terminal, piece.data(), piece.size());  // fails where the command has ended
    if (n > 0) text.append(piece.data(), static_cast<std::size_t>(n));
  }
  int status = 0;
  waitpid(process, &status, 0);
  close(terminal);
  EXPECT_EQ(status, 0) << text;
  return text;
}

TEST(Color, IsOnTerminalsThatWantIt) {
  const std::string table = "list broadcast";
  const std::string outcome = "verify broadcast --algorithm binomial --ranks 4";
  EXPECT_NE(on_terminal(table, {{"TERM", "xterm"}, {"NO_COLOR", ""}}).find(bold), std::string::npos);
  EXPECT_NE(on_terminal(outcome, {{"TERM", "xterm"}, {"NO_COLOR", ""}}).find(green), std::string::npos);
  for (const std::string& line : {table, outcome}) {
    for (const auto& refusal : {std::pair("NO_COLOR", "1"), std::pair("TERM", "dumb")}) {
      const std::string plain = on_terminal(line, {{"TERM", "xterm"}, refusal});
      EXPECT_EQ(plain.find(bold), std::string::npos) << refusal.first << ' ' << plain;
      EXPECT_EQ(plain.find(green), std::string::npos) << refusal.first << ' ' << plain;
    }
    EXPECT_EQ(tutti(line).out.find('\033'), std::string::npos);
  }
}

}  // namespace
}  // namespace tutti::test

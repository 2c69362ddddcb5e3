#include "support/command.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>

extern char** environ;  // NOLINT: POSIX names it so

namespace tutti::test {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// A file without a name, so that a program which prints much never waits for its reader.
File temporary() {
  File file(std::tmpfile(), &std::fclose);
  if (!file) throw std::runtime_error("cannot make a temporary file");
  return file;
}

std::string contents_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> piece{};
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), file)) text.append(piece.data(), n);
  return text;
}

pid_t start(const std::string& program, const std::vector<std::string>& arguments, std::FILE* out, std::FILE* err) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + program);
  return child;
}

}  // namespace

Ran run_command(const std::string& program, const std::vector<std::string>& arguments) {
  const File out = temporary();
  const File err = temporary();
  const pid_t child = start(program, arguments, out.get(), err.get());
  int status = 0;
  waitpid(child, &status, 0);
  return {contents_of(out.get()), contents_of(err.get()), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace tutti::test

#include "support/command.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <stdexcept>

extern char** environ;  // NOLINT: POSIX names it so

namespace tutti::test {
namespace {

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
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Whoever starts the tests may ignore signals, as shells do for what runs in the background.
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + program);
  return child;
}

}  // namespace

// A file without a name, so that a program which prints much never waits for its reader.
Running::File Running::temporary() {
  File file(std::tmpfile(), &std::fclose);
  if (!file) throw std::runtime_error("cannot make a temporary file");
  return file;
}

Running::Running(const std::string& program, const std::vector<std::string>& arguments)
    : out_(temporary()), err_(temporary()), process_(start(program, arguments, out_.get(), err_.get())) {}

// Not by the stream, whose position is the program's as well.
std::string Running::printed(std::FILE* file) {
  std::string text(std::size_t{1} << 16, '\0');
  const ssize_t got = pread(fileno(file), text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

Ran Running::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  return {contents_of(out_.get()), contents_of(err_.get()), WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

Ran run_command(const std::string& program, const std::vector<std::string>& arguments) {
  return Running(program, arguments).wait();
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace tutti::test

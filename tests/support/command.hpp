/// @file
/// Runs a program and keeps what it says.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace tutti::test {

/// Output of a program, and its exit status; -1 if a signal ended it, and then that signal.
struct Ran {
  std::string out;
  std::string err;
  int status = -1;
  int signal = 0;
};

/// A program that runs, in a process group of its own.
class Running {
 public:
  /// No shell between. Throws `std::runtime_error` where the program cannot be started.
  Running(const std::string& program, const std::vector<std::string>& arguments);

  pid_t process() const { return process_; }
  /// Returns its output so far, to standard output and to standard error.
  std::string output() const { return printed(out_.get()); }
  std::string errors() const { return printed(err_.get()); }
  /// Returns when the program has ended. To be called once.
  Ran wait();

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  static File temporary();
  static std::string printed(std::FILE* file);

  File out_;
  File err_;
  pid_t process_ = 0;
};

/// Runs `program` to its end.
Ran run_command(const std::string& program, const std::vector<std::string>& arguments);

/// The words of a line, cut at blanks.
std::vector<std::string> words_of(const std::string& line);

}  // namespace tutti::test

/// @file
/// Command line of the examples, and the end of a program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace examples {

/// The options of a program, each with its default as it is when added.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  void add_number(const char* name, int& value, int least, int most, const char* help);
  void add_number(const char* name, std::int64_t& value, int least, int most, const char* help);
  void add_text(const char* name, std::string& value, const char* help);
  void add_flag(const char* name, bool& value, const char* help);
  /// Adds --ranks.
  void add_ranks(int& ranks);

 private:
  CLI::App& app_;
};

struct Example {
  const char* name;
  const char* purpose;  ///< for --help
  std::function<void(Options&)> add_options;
  std::function<int()> program;  ///< called when the options are read; gives the exit status
};

/// Reads the command line and runs the program. Returns what that returned, which is 0 if what it checks holds and 1 if
/// not; 2 for bad usage or input, and 1 for any other exception, each with one line on the standard error output.
int run(const Example& example, int argc, char** argv);

}  // namespace examples

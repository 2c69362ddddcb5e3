#include "app/commands/answer.hpp"

#include <new>

#include "app/commands/subcommands.hpp"
#include "base/check.hpp"
#include "base/text/one_line.hpp"

namespace tutti::app {
namespace {

/// The program with all of its subcommands. `chosen` is set while the words are read.
class CommandTree {
 public:
  explicit CommandTree(const std::string& version)
      : line("tutti", "tutti: collective communication that is proved, priced, simulated and run",
             [version] { return version + '\n' + facts_of_build(); }) {
    Command program = line.program();
    add_subcommands(program, chosen);
    program.set_footer(
        "Examples:\n  tutti list\n  tutti explain all-reduce --algorithm ring\n  tutti verify --ranks 1..16\n"
        "  tutti run -n 4 ./program\nEach command has its own --help, which 'tutti help COMMAND' prints, too.");
  }

  CommandLine line;
  Chosen chosen;
};

}  // namespace

Outcome answer(const std::vector<std::string>& words, const std::string& version) {
  CommandTree program(version);
  if (const std::optional<std::string> help = program.line.read(words)) return {*help};
  return program.chosen ? program.chosen() : Outcome{program.line.read({"--help"}).value_or("")};
}

std::vector<OptionDescription> options_of(const std::string& command) {
  CommandTree program("");
  return program.line.program().options_of(command);
}

CommandDescription described_program() {
  CommandTree program("");
  return program.line.program().description();
}

std::string error_line(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "there is not enough memory for that; take fewer ranks or shorter messages";
  return shortened(one_line(error.what()));
}

}  // namespace tutti::app

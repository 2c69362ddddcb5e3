/// @file
/// `tutti completions`: what shells complete, printed from the table of commands.

#include <memory>
#include <string>

#include "app/commands/answer.hpp"
#include "app/commands/subcommands.hpp"
#include "app/reports/documents/completions.hpp"
#include "base/check.hpp"

namespace tutti::app {
namespace {

std::string completion_for(const std::string& shell) {
  const CommandDescription program = described_program();
  if (shell == "bash") return bash_completion(program);
  if (shell == "zsh") return zsh_completion(program);
  if (shell == "fish") return fish_completion(program);
  fail(ErrorCode::invalid_argument, "completions are for 'bash', 'zsh' or 'fish', not for '{}'", shell);
}

}  // namespace

void add_completions(Command command, Chosen& chosen) {
  const auto shell = std::make_shared<std::string>();
  command.add_text("SHELL", "bash|zsh|fish", "Whose completions to print",
                   [shell](const std::string& text) { *shell = text; });
  command.set_footer(
      "Examples:\n  tutti completions bash > ~/.local/share/bash-completion/completions/tutti\n"
      "  tutti completions zsh > ~/.zsh/completions/_tutti\n"
      "  tutti completions fish > ~/.config/fish/completions/tutti.fish");
  command.when_chosen([shell, &chosen] {
    chosen = [shell]() -> Outcome {
      require(!shell->empty(), "completions needs a shell: tutti completions bash");
      return {completion_for(*shell)};
    };
  });
}

}  // namespace tutti::app

/// @file
/// `tutti preload`: any program, with the heap that ranks share.

#include "app/commands/subcommands.hpp"
#include "base/check.hpp"
#include "launch/preloads.hpp"

namespace tutti::app {

void add_preload(Command command, Chosen& chosen) {
  command.leave_rest("tutti preload [--] PROGRAM [ARGUMENTS...]");
  command.set_footer(
      "Starts a program whose ranks come together by themselves, and has them and all that they start share their\n"
      "heaps, as `tutti run` does: peers read their buffers where they lie. The exit status is the program's.\n"
      "  TUTTI_HEAP=0               preloads nothing\n"
      "  TUTTI_HEAP_LIBRARY=FILE    preloads that library\n"
      "Examples:\n  tutti preload torchrun --nproc_per_node 4 train.py\n  tutti preload python start.py");
  command.when_chosen([command, &chosen] {
    chosen = [command]() -> Outcome {
      const std::vector<std::string> words = command.rest();
      require(!words.empty() && !words.front().empty(),
              "preload needs a program, such as 'tutti preload python start.py'");
      launch::become_sharing_heap(words);
    };
  });
}

}  // namespace tutti::app

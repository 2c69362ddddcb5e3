/// @file
/// `tutti manual`: pages for man, printed from the table of commands.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line/files.hpp"
#include "app/commands/answer.hpp"
#include "app/commands/subcommands.hpp"
#include "app/reports/documents/completions.hpp"
#include "app/reports/documents/manual_pages.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "tutti/version.h"

namespace tutti::app {
namespace {

struct ManualRequest {
  std::string command;
  std::string folder;
};

constexpr const char* version = "tutti " TUTTI_VERSION;

std::string page_for(const CommandDescription& program, const std::string& name) {
  if (name.empty()) return manual_page(program, version);
  for (const CommandDescription& command : program.commands) {
    if (command.name == name) return manual_page(program, command, version);
  }
  const std::vector<std::string> names = command_words(program);
  const std::vector<std::string_view> views(names.begin(), names.end());
  fail(ErrorCode::invalid_argument, "there is no command '{}'; {}", name, nearest_in_words(name, views));
}

Outcome write_pages(const CommandDescription& program, const std::string& folder) {
  std::error_code unknown;
  require(std::filesystem::is_directory(folder, unknown), "there is no folder '{}'; make it first", folder);
  write_file(folder + "/tutti.1", page_for(program, ""));
  for (const CommandDescription& command : program.commands)
    write_file(fmt::format("{}/tutti-{}.1", folder, command.name), page_for(program, command.name));
  return {fmt::format("Wrote {} pages into {}.\n", program.commands.size() + 1, folder)};
}

}  // namespace

void add_manual(Command command, Chosen& chosen) {
  const auto request = std::make_shared<ManualRequest>();
  command.add_text("COMMAND", "", "A command of tutti; without it the page of tutti itself",
                   [request](const std::string& text) { request->command = text; });
  command.add_text("--output", "FOLDER", "Write all pages there, as tutti.1, tutti-list.1, …",
                   [request](const std::string& text) { request->folder = text; });
  command.exclude("--output", "COMMAND");
  command.set_footer("Examples:\n  tutti manual plan | man -l -\n  tutti manual --output .");
  command.when_chosen([request, &chosen] {
    chosen = [request]() -> Outcome {
      const CommandDescription program = described_program();
      if (!request->folder.empty()) return write_pages(program, request->folder);
      return {page_for(program, request->command)};
    };
  });
}

}  // namespace tutti::app

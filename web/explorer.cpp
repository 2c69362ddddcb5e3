/// @file
/// Entry of the core in a browser: the `tutti` command as a function of JSON, without a runtime.
///
/// Takes the words behind the program's name as an array of strings. Returns an object: the exit status, the text that
/// the command would print, its remarks for standard error, and the error's sentence where there is one. Files that
/// words name lie in emscripten's file system, in memory, where the page puts and finds them.

#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line/outcome.hpp"
#include "app/commands/answer.hpp"
#include "tutti/version.h"

namespace tutti::web {
namespace {

nlohmann::json answered(std::string_view words) {
  try {
    app::Outcome outcome =
        app::answer(nlohmann::json::parse(words).get<std::vector<std::string>>(), "tutti " TUTTI_VERSION);
    std::string text = app::text_with_notes(outcome);
    if (outcome.rest) outcome.rest([&](std::string_view part) { text += part; });
    return {{"status", outcome.status}, {"text", text}, {"remarks", outcome.remarks}};
  } catch (const std::exception& error) {
    return {{"status", app::bad_usage}, {"error", app::error_line(error)}};
  }
}

}  // namespace
}  // namespace tutti::web

/// Returns the answer as JSON, which the page copies before the next call.
extern "C" const char* tutti_explorer_answer(const char* words) {
  static std::string answer;
  answer = tutti::web::answered(words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return answer.c_str();
}

#include "app/command_line/outcome.hpp"

#include <fmt/format.h>

#include "app/command_line/terminal.hpp"
#include "app/reports/descriptions.hpp"
#include "base/system/tell_user.hpp"
#include "base/text/one_line.hpp"

namespace tutti::app {

Outcome with_notes(Outcome outcome, const std::vector<std::string>& notes) {
  outcome.notes.insert(outcome.notes.end(), notes.begin(), notes.end());
  return outcome;
}

void tell_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) tell_user("tutti: {}\n", one_line(note));
}

std::string text_with_notes(const Outcome& outcome) {
  if (outcome.notes.empty() || outcome.text.empty()) return outcome.text;
  if (outcome.text.front() == '{') {
    Json fields = Json::parse(outcome.text, nullptr, false);
    if (fields.is_object()) {
      fields["notes"] = outcome.notes;
      return fields.dump(2) + '\n';
    }
  }
  if (outcome.text.front() == '[' || outcome.text.front() == '{') {
    tell_notes(outcome.notes);
    return outcome.text;
  }
  std::string text = outcome.text;
  for (const std::string& note : outcome.notes) text += screen_text("Note: " + one_line(note));
  return text;
}

}  // namespace tutti::app

#include "app/reports/documents/manual_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace tutti::app {
namespace {

// Returns the letter's number at this place of UTF-8, and leaves `at` on its last byte.
unsigned code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t place) { return static_cast<unsigned>(static_cast<unsigned char>(text[place])); };
  const unsigned first = byte(at);
  unsigned code = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07;
  while (at + 1 < text.size() && (byte(at + 1) & 0xC0) == 0x80) code = code << 6 | (byte(++at) & 0x3F);
  return code;
}

// Returns the text as roff prints it letter by letter: minus signs stay minus signs, no line begins a request, and
// letters beyond ASCII go by number, whatever encoding roff expects.
std::string roff(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c & 0x80) != 0) {
      result += fmt::format("\\[u{:04X}]", code_point(text, at));
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string heading(const std::string& title, const std::string& purpose, const std::string& version) {
  return fmt::format(".\\\" Printed by 'tutti manual'.\n.TH {} 1 \"\" \"{}\" \"tutti\"\n.SH NAME\n{} \\- {}\n",
                     roff(in_capitals(title)), version, roff(title), roff(purpose));
}

std::string options_in(const CommandDescription& command, bool arguments) {
  std::string text;
  for (const OptionEntry& entry : command.options) {
    if (entry.is_argument != arguments) continue;
    std::vector<std::string> names;
    for (const std::string& name : entry.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
    text += fmt::format(".TP\n{}{}{}\n{}\n", fmt::join(names, ", "),
                        entry.type.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(entry.type)),
                        entry.repeats ? " ..." : "", roff(entry.help));
  }
  return text.empty() ? text : (arguments ? ".SH ARGUMENTS\n" : ".SH OPTIONS\n") + text;
}

std::string conditions_in(const CommandDescription& command) {
  std::string text;
  for (const std::string& sentence : command.conditions) text += (text.empty() ? "" : ".PP\n") + roff(sentence) + '\n';
  return text.empty() ? text : ".SH CONDITIONS\n" + text;
}

// Returns what the help says behind the options: lines with blanks before them as they are, and the rest as paragraphs.
std::string footer_in(const CommandDescription& command) {
  std::istringstream lines(command.footer);
  std::string text;
  bool literal = false;
  const auto set_literal = [&](bool to) {
    if (to != literal) text += to ? ".RS 4\n.nf\n" : ".fi\n.RE\n";
    literal = to;
  };
  for (std::string line; std::getline(lines, line);) {
    set_literal(line.starts_with("  "));
    if (line == "Examples:") {
      text += ".SH EXAMPLES\n";
    } else if (literal) {
      text += roff(line.substr(2)) + '\n';
    } else {
      if (text.empty()) text += ".SH NOTES\n";
      text += roff(line) + '\n';
    }
  }
  set_literal(false);
  return text;
}

constexpr std::string_view exit_status = R"(.SH EXIT STATUS
.TP
\fB0\fR
The command did what was asked.
.TP
\fB1\fR
What was asked about is false: a proof failed, a row disagrees, a guideline is broken.
.TP
\fB2\fR
Bad usage or input, after one line on standard error.
)";

constexpr std::string_view files = R"(.SH FILES
.TP
\fI$XDG_CONFIG_HOME/tutti/config.toml\fR
The user's defaults; see \fBtutti\-config\fR(1).
)";

}  // namespace

std::string manual_page(const CommandDescription& program, const std::string& version) {
  const std::string prefix = program.name + ": ";
  const std::string purpose = program.purpose.substr(program.purpose.starts_with(prefix) ? prefix.size() : 0);
  std::string text = heading("tutti", purpose, version);
  text += fmt::format(".SH SYNOPSIS\n\\fBtutti\\fR {}\n.SH COMMANDS\n", roff(program.usage));
  for (const CommandDescription& command : program.commands)
    text += fmt::format(".TP\n\\fBtutti\\-{}\\fR(1)\n{}\n", roff(command.name), roff(command.purpose));
  text += options_in(program, false);
  return text + footer_in(program) + std::string(exit_status) + std::string(files);
}

std::string manual_page(const CommandDescription& program, const CommandDescription& command,
                        const std::string& version) {
  std::string text = heading("tutti-" + command.name, command.purpose, version);
  text += fmt::format(".SH SYNOPSIS\n\\fBtutti {}\\fR {}\n", roff(command.name), roff(command.usage));
  text += options_in(command, true) + options_in(command, false) + conditions_in(command) + footer_in(command);
  if (command.leaves_rest) {
    text += ".SH EXIT STATUS\nThat of the program that it runs.\n";
  } else {
    text += exit_status;
  }
  std::vector<std::string> others{"\\fBtutti\\fR(1)"};
  for (const CommandDescription& other : program.commands) {
    if (other.name != command.name) others.push_back(fmt::format("\\fBtutti\\-{}\\fR(1)", roff(other.name)));
  }
  return text + fmt::format(".SH SEE ALSO\n{}\n", fmt::join(others, ",\n"));
}

}  // namespace tutti::app

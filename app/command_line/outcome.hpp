/// @file
/// Outcome of a subcommand, with notes on what was assumed of the input.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::app {

/// The exit status of a command that was called wrongly.
inline constexpr int bad_usage = 2;

/// Takes the parts of a text, one after the other.
using Sink = std::function<void(std::string_view part)>;

/// Outcome of a subcommand: its text, and the exit status: 0, or 1 if the thing asked about is false; for `run` that of
/// the program. Bad input is not an outcome: it throws `Error`.
struct Outcome {
  std::string text;
  int status = 0;
  std::vector<std::string> notes = {};    ///< sentences on what was assumed of the input
  std::vector<std::string> remarks = {};  ///< sentences on a file that was written, for standard error
  /// Writes what follows the text and may be too long to be held; or nothing does.
  std::function<void(const Sink& write)> rest = {};
};

/// Work of the subcommand that the command line names.
using Chosen = std::function<Outcome()>;

/// Returns the outcome with these notes behind its own.
Outcome with_notes(Outcome outcome, const std::vector<std::string>& notes);

/// Writes the notes to standard error, where the text is a file of another program's.
void tell_notes(const std::vector<std::string>& notes);

/// Returns the outcome's text and its notes: a line each behind the text, or the field "notes" of a JSON object. Notes
/// beside JSON that is no object go to standard error, so that the JSON stays one. An outcome without text has no
/// notes: another rank speaks.
std::string text_with_notes(const Outcome& outcome);

}  // namespace tutti::app

/// @file
/// Messages and programs of one's own: what ranks send and receive, written by the user instead of taken from the
/// catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/schedule.hpp"
#include "simulate/simulate.hpp"
#include "verify/verify.hpp"

namespace tutti {

/// Values that ranks print one after another: `what` is the same for all of them, and empty texts are of ranks that
/// print fewer.
struct PrintedRow {
  std::string what;
  std::vector<std::string> values;  ///< by rank
};

/// Visit of a rank to a line of its text.
struct LineVisit {
  int line = 0;      ///< from 1
  std::string what;  ///< "i = 1", "partner 3"; of messages "2 m to 3"
};

/// Trace of a program's text: what its ranks print and end with, and which lines their steps come from.
struct ProgramTrace {
  std::vector<std::string> text;               ///< its lines
  std::vector<std::vector<int>> lines;         ///< by rank and step, from 0: the line of the text, from 1; 0 for none
  std::vector<std::vector<LineVisit>> visits;  ///< by rank
  std::vector<PrintedRow> printed;
  std::string outcome_name;           ///< variable that holds the result; empty where there is none
  std::vector<std::string> outcome;   ///< its values at the end, by rank
  std::optional<ProofFailure> fault;  ///< fault at which the run itself stopped
  std::string needs;                  ///< ranks that it is written for: "a power of two of ranks"
  bool fits = true;                   ///< whether there are so many
};

/// Program of each rank, an element being a byte. Data that messages and programs send is the sender's own: its input
/// buffer. Schedules of this kind stand beside those of algorithms, and have the buffers of an all-gather whose blocks
/// are as long as the longest message: what is received first from a rank lies in its block, anything later in scratch.
struct UserProgram {
  std::string title;  ///< "2 messages over 8 ranks"
  Schedule schedule;
  std::optional<Schedule> computing = {};  ///< schedule with what ranks compute, to be timed; empty where they do not
  std::vector<Release> releases;           ///< messages that begin late
  std::vector<std::string> texts;  ///< by rank, its own text: "send 1 4KiB; wait; receive 1"; empty for messages
  bool solves_problem = false;     ///< whether it is to do what its collective asks
  std::vector<std::string> notes;  ///< sentences on how its file was read
  ProgramTrace trace = {};         ///< empty but for a program's text

  const Schedule& timed() const { return computing ? *computing : schedule; }
};

/// Messages in words, all under way at once: "1-6" goes from rank 1 to rank 6, "4-7@2us:64KiB" begins after 2 us and
/// has 64 KiB; without a size `bytes`. Throws `Error` for what is none, and where a rank is not below `ranks`.
UserProgram program_of_messages(const std::vector<std::string>& words, int ranks, std::int64_t bytes);

/// Request of a command for a program that it runs.
struct ProgramRequest {
  int ranks = 0;           ///< 0: as the text says
  std::int64_t bytes = 1;  ///< size of a block, and of a message that names none
  std::optional<int> root = {};
  bool patch = false;  ///< more processes than ranks where the program needs as many
};

/// A program in words (docs/guide/programs.md), a line for some ranks or for all:
///
///     ranks 4                               how many there are; the command line may say it, too
///     0: send 1 4KiB; wait; receive 1       a size stands behind the peer; a receive has that of its send
///     2..3: send +1; receive -1             peers from the rank itself on, around the end
///     for i := 0 to d - 1 do                variables, conditions, loops; messages that carry variables
///
/// Throws `Error` naming `name`, line and column for what cannot be read. What goes wrong while it runs is the
/// program's failure.
UserProgram program_of_text(std::string_view text, const std::string& name, const ProgramRequest& request);

/// Whether the text promises to work over so many ranks.
bool promises(std::string_view text, const std::string& name, int ranks);

/// A schedule's file, its elements being bytes: JSON (schedule_file.hpp), or where the name ends in ".xml" one of MSCCL
/// (msccl.hpp), which leaves open how long messages are: `bytes` long, or a byte a chunk where that is empty. Throws
/// `Error` where bytes are given for JSON, which says it itself.
UserProgram program_of_schedule(std::string_view text, const std::string& name, std::optional<std::int64_t> bytes = {});

/// Why the program cannot be run to its end or, where it solves a problem, does not solve it; nothing otherwise.
std::optional<ProofFailure> failure_of(const UserProgram& program);

/// Whether all that the failure says is that ranks combine in different orders, so that their bits may differ: the
/// schedule ends, and computes what its collective asks.
bool is_of_bits_alone(const ProofFailure& failure);
/// Returns a note on that, for a schedule's file.
std::string note_on_bits(const ProofFailure& failure, const std::string& file);

}  // namespace tutti

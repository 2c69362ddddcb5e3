/// @file
/// Messages and programs of one's own: what ranks send and receive, written by the user instead of taken from the
/// catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.hpp"
#include "schedule/schedule.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// What each rank does, an element being a byte. What messages and programs send is the sender's own: its input buffer.
/// Schedules of this kind stand beside those of algorithms, and have the buffers of an all-gather whose blocks are as
/// long as the longest message: what is received first from a rank lies in its block, anything later in scratch.
struct OwnProgram {
  std::string title;  ///< "2 messages over 8 ranks"
  Schedule schedule;
  std::vector<Release> releases;   ///< messages that begin late
  std::vector<std::string> texts;  ///< by rank, its own text: "send 1 4KiB; wait; receive 1"; empty for messages
  bool solves_problem = false;     ///< a schedule's file: it is to do what its collective asks
};

/// Messages in words, all under way at once: "1-6" goes from rank 1 to rank 6, "4-7@2us:64KiB" begins after 2 us and
/// has 64 KiB; without a size `bytes`. Throws `Error` for what is none, and where a rank is not below `ranks`.
OwnProgram program_of_messages(const std::vector<std::string>& words, int ranks, std::int64_t bytes);

/// A program in words, a line for some ranks:
///
///     ranks 4                               how many there are; the command line may say it, too
///     0: send 1 4KiB; wait; receive 1       a size stands behind the peer; a receive has that of its send
///     1: receive 0; wait; send 0 4KiB       # the rest of the line is a comment
///     2..3: send +1; receive -1             peers from the rank itself on, around the end
///     even: …    odd: …    all: …    0,2..4: …
///
/// Operations between two waits are in flight together. Several lines for a rank follow one another. `ranks` is 0 where
/// the command line does not say how many there are: then it is what the text says, or one more than the highest rank
/// in it. Throws `Error` naming `name` and the line for what cannot be read.
OwnProgram program_of_text(std::string_view text, const std::string& name, int ranks, std::int64_t bytes);

/// A schedule's file, its elements being bytes: JSON (schedule_file.hpp), or where the name ends in ".xml" one of MSCCL
/// (msccl.hpp), which leaves open how long messages are: `bytes` long, or a byte a chunk where that is empty. Throws
/// `Error` where bytes are given for JSON, which says it itself.
OwnProgram program_of_schedule(std::string_view text, const std::string& name, std::optional<std::int64_t> bytes = {});

/// The request's own program, with --bytes or 1024 B for messages without a size, over the ranks of --ranks or
/// --topology; a program may be a procedure's name (procedures.hpp) instead of a file.
OwnProgram own_program(const Request& request);

}  // namespace tutti::app

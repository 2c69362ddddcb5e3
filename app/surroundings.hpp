/// @file
/// What the commands ask of the system that they run on. A build without the runtime asks nothing of it: no threads, no
/// terminals, no POSIX.
#pragma once

#include <functional>
#include <string>

namespace tutti::app {

/// Whether somebody reads along, so that colours and a line that changes are of use.
bool output_is_terminal();
bool errors_are_terminal();
/// Whether that file is what the standard output goes to, as /dev/stdout is.
bool is_standard_output(const std::string& file);
/// How many letters a line of the terminal has that the output goes to; 0 where it goes elsewhere, or nobody knows.
int output_columns();

/// How many threads can run at once.
int usable_processors();

/// Runs `work` in `threads` threads at once, which share it among themselves, and returns when all are done. `watch`,
/// if there is one, is called every now and then meanwhile. Without threads the caller works, and `watch` is called at
/// the end alone.
void run_in_threads(int threads, const std::function<void()>& work, const std::function<void()>& watch);

}  // namespace tutti::app

/// @file
/// Questions of the commands to the system that they run on. A build without the runtime asks nothing of it: no
/// threads, no terminals, no POSIX.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tutti::app {

/// Whether somebody reads along, so that colours and a line that changes are of use.
bool output_is_terminal();
bool errors_are_terminal();
/// Whether that file is what the standard output goes to, as /dev/stdout is.
bool is_standard_output(const std::string& file);
/// Returns the width in letters of the terminal that the output goes to; 0 if it goes elsewhere, or nobody knows.
int output_columns();

/// Whether the defaults of the user's config.toml hold. They are the command's: a program that calls these functions
/// gets one answer for everybody.
bool takes_user_settings();

/// Runs another program, with these words, and returns its exit status (128 and more after a signal); nothing where no
/// program of that name is found. Its output is not shown.
std::optional<int> run_program(const std::vector<std::string>& words);
/// Makes a folder of the caller's own for files that nobody else needs. Throws `Error` where that fails.
std::string scratch_folder();

/// Returns why there is no command of that name, which runs or measures something on this machine, and where it is.
/// Asked of platforms without these commands alone.
std::string why_no_machine_command(const std::string& name);

/// Returns how many threads can run at once.
int usable_processors();

/// Runs `work` in `threads` threads at once, which share it among themselves, and returns when all are done. `watch`,
/// if there is one, is called every now and then meanwhile. Without threads the caller works, and `watch` is called at
/// the end alone.
void run_in_threads(int threads, const std::function<void()>& work, const std::function<void()>& watch);

}  // namespace tutti::app

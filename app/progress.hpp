/// @file
/// How far long work has come, on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tutti::app {

/// Called now and then with how much is done.
using Progress = std::function<void(std::size_t done)>;

/// Draws one line on standard error that overwrites itself, such as "proving [####----] 3 of 6"; empty where standard
/// error is no terminal.
Progress progress_bar(const std::string& verb, std::size_t total);

/// The same of the messages of a simulation, for its options.
std::function<void(std::int64_t passed, std::int64_t all)> simulation_bar(const std::string& verb);

/// Removes the line.
void clear_progress_bar();

}  // namespace tutti::app

/// @file
/// Runs a function in a child process, where it may change what belongs to the process.
#pragma once

#include <functional>
#include <string>

namespace tutti::test {

/// Returns the result of `function` in a child; for an exception its text. Throws `std::runtime_error` if the child
/// dies.
std::string in_child(const std::function<std::string()>& function);

/// Gives this process a /dev/shm of its own, of `bytes` bytes. False where the system does not allow it.
bool has_own_shared_memory(std::size_t bytes);

}  // namespace tutti::test

/// @file
/// Names of functions in processes of this machine.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace tutti::runtime {

/// "relax", "std::sort<int*>": the function that holds that address of the process, by the symbols of the file that is
/// mapped there; empty where the system does not tell, or the file has none for it.
std::string function_name(pid_t process, std::uint64_t address);

}  // namespace tutti::runtime

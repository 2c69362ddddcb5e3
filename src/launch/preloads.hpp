/// @file
/// Libraries that are loaded into programs before their own.
#pragma once

#include <string>
#include <vector>

namespace tutti::launch {

/// Whether ranks share their heaps, so that peers read their buffers where they lie.
enum class Heap { shared, own };

/// `--heap on` or `--heap off`. Throws `Error(invalid_argument)` for another word.
Heap heap_of(const std::string& word);

/// The variables, as "NAME=value", that have a program load these before its own libraries: the shared heap's library,
/// if it is wanted, there, and not forbidden by TUTTI_HEAP=0, then that library, then what LD_PRELOAD names already.
/// None where that is nothing. Throws `Error(invalid_argument)` where TUTTI_HEAP_LIBRARY names a file that is not there.
std::vector<std::string> preloading(Heap heap, const std::string& library);

/// Becomes the program of these words, as a shell would start it. Returns only by throwing
/// `Error(invalid_argument)`, where it cannot be started.
[[noreturn]] void become(const std::vector<std::string>& command);

/// Becomes the program with the shared heap's library before its own. Throws `Error(invalid_argument)` as become() and
/// preloading() do, and `Error(unsupported)` where that library is not there.
[[noreturn]] void become_sharing_heap(const std::vector<std::string>& command);

}  // namespace tutti::launch

/// @file
/// A thread, or the sentence that says why there is none.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "base/check.hpp"

namespace tutti {

/// A thread that calls `work`: a std::thread, or a std::jthread. Throws `Error(unsupported)` where the system has none
/// to give.
template <typename Thread = std::thread, typename Work>
Thread start_thread(Work&& work) {
  try {
    return Thread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    fail(ErrorCode::unsupported,
         "no thread to be had ({}): run fewer ranks or raise the limits of processes and of memory (ulimit -u, -v)",
         error.code().message());
  }
}

}  // namespace tutti

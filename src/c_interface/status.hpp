/// @file
/// Outcome of a function of the C interface: exceptions end here.
#pragma once

#include <new>
#include <string_view>

#include "tutti/c_types.h"
#include "tutti/error.hpp"

namespace tutti::c_interface {

/// Failure of a function of the program's, which tutti has called.
class CallbackFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Keeps the sentence for tutti_last_error() on this thread; returns the status.
tutti_status failed(tutti_status status, std::string_view sentence) noexcept;
/// Keeps the exception in flight as a sentence; returns its status.
tutti_status failed_by_exception() noexcept;
/// Throws the exception that a status stands for, with this thread's last sentence.
[[noreturn]] void throw_status(tutti_status status, std::string_view function);

/// Calls the body; returns how it ended.
template <typename Body>
tutti_status guarded(const Body& body) noexcept {
  try {
    body();
    return TUTTI_OK;
  } catch (...) {
    return failed_by_exception();
  }
}

/// Throws `Error(invalid_argument)` where a pointer that `function` needs is NULL.
void require_pointer(const void* pointer, std::string_view function, std::string_view name);

}  // namespace tutti::c_interface

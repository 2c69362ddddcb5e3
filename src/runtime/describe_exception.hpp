/// @file
/// What an exception says.
#pragma once

#include <exception>
#include <string>

namespace tutti::runtime {

inline std::string text_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace tutti::runtime

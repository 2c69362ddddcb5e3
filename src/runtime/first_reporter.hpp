/// @file
/// First reporter: the one of several processes with the same finding that tells it. Also exceptions in words.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace tutti::runtime {

/// Whether no process that this one's parent has started tells the same text already: the first to ask does, until it
/// ends. True also where the system does not say.
bool is_first_reporter(std::string_view text);

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

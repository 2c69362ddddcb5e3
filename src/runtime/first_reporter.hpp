/// @file
/// First reporter: the one of several processes with the same finding that tells it. Also exceptions in words.
#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>

namespace tutti::runtime {

/// Whether no process that this one's parent has started tells the same text already: the first to ask does, until it
/// ends. True also where the system does not say.
bool is_first_reporter(std::string_view text);

/// Waits until so many processes of this one's parent, those included that wait, have asked is_first_reporter() of the
/// text and not ended, or until the time is over.
void await_reporters(std::string_view text, int processes, std::chrono::milliseconds at_most);

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

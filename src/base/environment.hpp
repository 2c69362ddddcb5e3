/// @file
/// Variables of the environment.
#pragma once

#include <cstdlib>

namespace tutti {

/// The variable's value; null where it is not set.
///
/// A program that has more rights than who starts it (setuid, setgid, file capabilities) is told of no variable: its
/// starter could otherwise have it load a library or write a file. All reading of the environment goes through here.
inline const char* environment_variable(const char* name) {
#ifdef __GLIBC__
  return secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

}  // namespace tutti

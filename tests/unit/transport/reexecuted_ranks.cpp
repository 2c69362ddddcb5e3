/// @file
/// A rank that tells how it began: `reexecuted_ranks WORDS…` prints a line for its static object, one with its words
/// and the variable NAMED, and one for the heap that it has, and ends with exit status 3. It has tutti in itself, or,
/// where TUTTI_LIBRARY is defined, loads that library when main() has begun.

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#ifndef TUTTI_LIBRARY
#include "tutti/tutti.hpp"
#endif

namespace {

// A line is one write, so that those of ranks do not mix.
void say(const std::string& line) { dprintf(STDOUT_FILENO, "%s\n", line.c_str()); }

struct Object {
  Object() { say("object"); }
};
const Object object;

bool has_begun() {
#ifdef TUTTI_LIBRARY
  return dlopen(TUTTI_LIBRARY, RTLD_NOW | RTLD_GLOBAL) != nullptr;
#else
  return tutti::world().size() == 2;
#endif
}

}  // namespace

int main(int count, char** words) {
  std::string line = "main";
  for (int k = 1; k < count; ++k) line += std::string(" [") + words[k] + "]";
  const char* const variable = std::getenv("NAMED");
  say(line + " NAMED=" + (variable == nullptr ? "" : variable));
  if (!has_begun()) return 4;
  say(dlsym(RTLD_DEFAULT, "tutti_heap_arena") != nullptr ? "shared heap" : "own heap");
  return 3;
}

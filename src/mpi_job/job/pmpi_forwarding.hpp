/// @file
/// Forwarding of calls to the next library behind this one.
#pragma once

#include <dlfcn.h>

#include <vector>

namespace tutti::interpose {

/// Returns the symbols of that name in the files of this process, but for this library. A file that was opened for its
/// opener alone (RTLD_LOCAL) has names that a search of the whole process does not find.
std::vector<void*> symbols_of_all_files(const char* name);

/// Returns the symbol of that name behind this library, also if MPI was opened for its opener alone; null: nothing.
void* symbol_behind(const char* name);

/// The function of that name that would have been called without this library: a profiling library's, or MPI's.
template <typename Function>
class NextFunction {
 public:
  /// `of_mpi` is MPI's own, whose arguments are words of the same number.
  template <typename OfMpi>
  NextFunction(const char* name, OfMpi of_mpi) {
    void* const found = dlsym(RTLD_NEXT, name);
    function_ = reinterpret_cast<Function>(found != nullptr ? found : reinterpret_cast<void*>(of_mpi));
  }
  /// For a function that MPI has under no other name: it is only called by a program that has it.
  explicit NextFunction(const char* name) : function_(reinterpret_cast<Function>(symbol_behind(name))) {}

  template <typename... Arguments>
  auto operator()(Arguments... arguments) const {
    return function_(arguments...);
  }

 private:
  Function function_;
};

/// Whether the MPI that the program calls is the one that this library was built for. Where it is not, a process that
/// is to tell says so in a line.
bool is_right_mpi(bool tells);

/// Whether another library comes between this one and MPI for that function of MPI's: a profiling library, which wants
/// to see the calls.
bool has_tool_behind(const char* name);

}  // namespace tutti::interpose

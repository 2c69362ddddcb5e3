#include "interpose/mpi/next.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <string_view>

#include "interpose/mpi/job.hpp"

namespace tutti::interpose {

// Both MPIs may be in one process where a library for the wrong one is preloaded. Their own functions of one name are
// then two, and the program's comes first.
bool is_right_mpi(bool tells) {
  static const Next<decltype(&PMPI_Get_library_version)> version("MPI_Get_library_version", PMPI_Get_library_version);
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 4096] = {};
  int length = 0;
  version(text, &length);
  const std::string_view found(text);
  if (found.find(TUTTI_MPI_WORDS) != std::string_view::npos) return true;
  if (!tells) return false;
  say(
      fmt::format("this library is for {}, the program uses {}: preload the other one (tutti mpi finds it); it steps "
                  "aside",
                  TUTTI_MPI_WORDS, found.substr(0, found.find('\n'))));
  return false;
}

// MPI itself has both names of a function in one library. One of ours for another MPI only passes calls on.
bool has_tool_behind(const char* name) {
  void* const next = dlsym(RTLD_NEXT, name);
  void* const of_mpi = dlsym(RTLD_NEXT, fmt::format("P{}", name).c_str());
  Dl_info behind = {};
  Dl_info mpi = {};
  if (next == nullptr || of_mpi == nullptr || dladdr(next, &behind) == 0 || dladdr(of_mpi, &mpi) == 0) return false;
  return behind.dli_fbase != mpi.dli_fbase &&
         std::string_view(behind.dli_fname).find("libtutti-") == std::string_view::npos;
}

}  // namespace tutti::interpose

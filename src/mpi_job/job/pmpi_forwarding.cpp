#include "mpi_job/job/pmpi_forwarding.hpp"

#include <fmt/format.h>
#include <link.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "mpi_job/job/mpi_job.hpp"

namespace tutti::interpose {
namespace {

int add_name(dl_phdr_info* file, std::size_t, void* names) {
  // The program itself has none: where it ends, the search of the whole process begins.
  if (*file->dlpi_name != '\0') static_cast<std::vector<std::string>*>(names)->emplace_back(file->dlpi_name);
  return 0;
}

const void* file_of(const void* address) {
  Dl_info info = {};
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

}  // namespace

std::vector<void*> symbols_of_all_files(const char* name) {
  std::vector<std::string> files;
  dl_iterate_phdr(add_name, &files);
  std::vector<void*> found;
  for (const std::string& file : files) {
    void* const opened = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (opened == nullptr) continue;
    void* const symbol = dlsym(opened, name);
    const bool is_new = symbol != nullptr && std::find(found.begin(), found.end(), symbol) == found.end();
    if (is_new && file_of(symbol) != file_of(reinterpret_cast<const void*>(&add_name))) found.push_back(symbol);
    dlclose(opened);
  }
  return found;
}

void* symbol_behind(const char* name) {
  if (void* const next = dlsym(RTLD_NEXT, name); next != nullptr) return next;
  const std::vector<void*> all = symbols_of_all_files(name);
  return all.empty() ? nullptr : all.front();
}

// Both MPIs may be in one process where a library for the wrong one is preloaded. Their own functions of one name are
// then two, and the program's comes first.
bool is_right_mpi(bool tells) {
  static const NextFunction<decltype(&PMPI_Get_library_version)> version("MPI_Get_library_version",
                                                                         PMPI_Get_library_version);
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

#include "transport/mpi/reexecution.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/system/environment.hpp"
#include "transport/command_words.hpp"
#include "transport/library_places.hpp"
#include "transport/mpi/mpi_start.hpp"

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;

/// Returns the loader's record of the file that it gave this handle for, which is closed; null for none.
link_map* object_of(void* file) {
  link_map* object = nullptr;
  if (file == nullptr) return nullptr;
  if (dlinfo(file, RTLD_DI_LINKMAP, &object) != 0) object = nullptr;
  dlclose(file);
  return object;
}

/// The names of the libraries that the program's own file asks for.
std::vector<const char*> needed_by_program() {
  std::vector<const char*> needed;
  const link_map* const program = object_of(dlopen(nullptr, RTLD_LAZY));
  if (program == nullptr) return needed;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = program->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  for (const ElfW(Dyn)* entry = program->l_ld; entry->d_tag != DT_NULL && names != nullptr; ++entry) {
    if (entry->d_tag == DT_NEEDED) needed.push_back(names + entry->d_un.d_val);
  }
  return needed;
}

/// Whether main() has not begun: this code is the program's, or of a library that the program's file asks for.
bool comes_with_the_program() {
  const fs::path own = own_library();
  if (own.empty()) return true;
  const std::vector<const char*> needed = needed_by_program();
  return std::any_of(needed.begin(), needed.end(), [&](const char* name) {
    std::error_code none;
    const link_map* const library = object_of(dlopen(name, RTLD_LAZY | RTLD_NOLOAD));
    return library != nullptr && fs::equivalent(library->l_name, own, none);
  });
}

bool is_c_library_heap() {
  Dl_info malloc_place{};
  Dl_info c_library{};
  void* const malloc_now = dlsym(RTLD_DEFAULT, "malloc");
  void* const of_c = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  return malloc_now != nullptr && of_c != nullptr && dladdr(malloc_now, &malloc_place) != 0 &&
         dladdr(of_c, &c_library) != 0 && malloc_place.dli_fbase == c_library.dli_fbase;
}

/// Whether the process would be another one afterwards, or its memory is somebody else's.
bool is_watched() {
  const bool is_run_by_loader = getauxval(AT_BASE) == 0;  // /proc/self/exe is the loader then, not the program
  const bool is_in_valgrind = text_in_environment("LD_PRELOAD").find("vgpreload") != std::string::npos;
  return is_run_by_loader || is_in_valgrind || !is_c_library_heap();
}

/// The heap's library; empty where the program is to stay as it is.
std::string library_to_preload() {
  const std::optional<MpiStart> start = mpi_start();
  if (!start || start->ranks_here == 1) return {};
  // Ranks of `tutti run` have what they are to have.
  if (environment_variable("TUTTI_SEGMENT") != nullptr || text_in_environment("TUTTI_SHARED_MEMORY") == "0") return {};
  if (!comes_with_the_program() || is_watched()) return {};
  const std::string library = heap_library(Sought::on_run_path_too);
  // A library that is preloaded already, and could not be, is not tried again.
  const bool is_tried = text_in_environment("LD_PRELOAD").find(library) != std::string::npos;
  return library.empty() || is_tried ? std::string() : library;
}

void reexecute() {
  const std::string library = library_to_preload();
  if (library.empty()) return;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const std::vector<std::string> command = own_command();
  if (error || command.empty()) return;
  const std::vector<std::string> variables = environment_with({"LD_PRELOAD=" + preload_list({library})});
  // The program goes on as it was if this does not succeed.
  execve(program.c_str(), pointers_to(command).data(), pointers_to(variables).data());
}

/// Before the program's own objects, whose order begins after these numbers.
[[gnu::constructor(101)]] void before_main() {
  try {
    reexecute();
  } catch (...) {
    return;  // The program goes on as it was.
  }
}

}  // namespace

void link_reexecution() noexcept {}

}  // namespace tutti::runtime

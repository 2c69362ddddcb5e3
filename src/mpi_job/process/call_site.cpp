#include "mpi_job/process/call_site.hpp"

#include <backtrace.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

namespace tutti::interpose {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::string readable(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return plain ? plain.get() : name;
}

/// Returns the file of the process that holds an address.
const void* holder_of(std::uintptr_t address, Dl_info& info) {
  return dladdr(reinterpret_cast<const void*>(address), &info) != 0 ? info.dli_fbase : nullptr;
}

void ignore(void*, const char*, int) {}

backtrace_state* state() {
  static backtrace_state* const only = backtrace_create_state(nullptr, 1, ignore, nullptr);
  return only;
}

int note(void* frames, std::uintptr_t address) {
  auto& all = *static_cast<CallFrames*>(frames);
  if (all.count == CallFrames::most) return 1;
  all.addresses[all.count++] = address;
  return 0;
}

struct FrameWalk {
  std::vector<std::string> found;
  const void* own = nullptr;  // the file that holds this library
  int left_out = 0;           // frames that come next and are left out
  bool is_outside = false;
};

/// The program's own memory, to which calls of malloc and free come.
bool is_of_heap(const Dl_info& info) {
  return info.dli_fname != nullptr && file_name(info.dli_fname) == "libtutti-heap.so";
}

bool is_of_mpi(std::string_view function) {
  return function.starts_with("MPI_") || function.starts_with("PMPI_") || function.starts_with("mpi_");
}

std::string place_of(std::uintptr_t address, const Dl_info& info) {
  const std::string_view file = file_name(info.dli_fname == nullptr ? "?" : info.dli_fname);
  if (info.dli_sname != nullptr) return fmt::format("{} ({})", readable(info.dli_sname), file);
  return fmt::format("{}+{:#x}", file, address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
}

// One call of a function that was inlined comes as well; 0 goes on, anything else ends the walk.
int step(void* state, std::uintptr_t address, const char* file, int line, const char* function) {
  auto& walk = *static_cast<FrameWalk*>(state);
  Dl_info info{};
  const bool is_own = holder_of(address, info) == walk.own;
  if ((is_own && !walk.is_outside) || is_of_heap(info)) return 0;
  walk.is_outside = true;
  if (walk.left_out-- > 0) return 0;
  walk.found.push_back(function != nullptr && file != nullptr
                           ? fmt::format("{} ({}:{})", readable(function), file_name(file), line)
                           : place_of(address, info));
  const bool is_main = function != nullptr && std::string_view(function) == "main";
  return is_main || walk.found.size() == CallFrames::most ? 1 : 0;
}

}  // namespace

void prepare_call_sites() { static_cast<void>(state()); }

CallFrames CallFrames::here() noexcept {
  CallFrames frames;
  backtrace_simple(state(), 0, note, ignore, &frames);
  return frames;
}

std::string call_site(const CallFrames& frames, int most) {
  FrameWalk walk;
  Dl_info info{};
  walk.own = holder_of(reinterpret_cast<std::uintptr_t>(&state), info);
  walk.left_out = frames.is_of_handler ? 1 : 0;
  for (std::size_t k = 0; k < frames.count; ++k) {
    if (backtrace_pcinfo(state(), frames.addresses[k], step, ignore, &walk) != 0) break;
  }
  // Below MPI's function lies what it is made of.
  const auto mpi = std::find_if(walk.found.rbegin(), walk.found.rend(), is_of_mpi);
  if (mpi != walk.found.rend()) walk.found.erase(walk.found.begin(), mpi.base() - 1);
  if (walk.found.size() > static_cast<std::size_t>(most)) walk.found.resize(static_cast<std::size_t>(most));
  return fmt::format("{}", fmt::join(walk.found, ", "));
}

}  // namespace tutti::interpose

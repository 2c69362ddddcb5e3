#include "launch/preloads.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/check.hpp"
#include "base/environment.hpp"

namespace tutti::launch {
namespace {

namespace fs = std::filesystem;

bool is_forbidden() {
  const char* const setting = environment_variable("TUTTI_HEAP");
  return setting != nullptr && std::string_view(setting) == "0";
}

/// The words with a colon between them.
std::string joined(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : ":") + second;
}

std::string variable(const char* name) {
  const char* const value = environment_variable(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Heap heap_of(const std::string& word) {
  require(word == "on" || word == "off", "--heap is 'on', so that ranks share their heaps, or 'off', not '{}'", word);
  return word == "on" ? Heap::shared : Heap::own;
}

std::vector<std::string> library_folders() {
  std::error_code none;
  const fs::path own = fs::read_symlink("/proc/self/exe", none).parent_path();
  return {(own / "lib").string(), (own / TUTTI_LIBRARIES_FROM_PROGRAM).lexically_normal().string()};
}

std::string library_beside(const std::string& name) {
  std::error_code none;
  for (const fs::path folder : library_folders()) {
    const fs::path path = (folder / name).lexically_normal();
    if (fs::exists(path, none)) return path;
  }
  return {};
}

namespace {

/// TUTTI_HEAP_LIBRARY names it for programs that launch ranks from elsewhere.
std::string heap_library() {
  const std::string named = variable("TUTTI_HEAP_LIBRARY");
  return named.empty() ? library_beside("libtutti-heap.so") : named;
}

}  // namespace

std::vector<std::string> preloading(Heap heap, const std::string& library) {
  const std::string shared = heap == Heap::shared && !is_forbidden() ? heap_library() : "";
  const std::string list = joined(joined(shared, library), variable("LD_PRELOAD"));
  if (list.empty()) return {};
  std::vector<std::string> variables{"LD_PRELOAD=" + list};
  // The address sanitizer refuses to run behind any library, but the shared heap leaves all memory to it.
  if (!shared.empty()) {
    variables.push_back("ASAN_OPTIONS=" + joined(variable("ASAN_OPTIONS"), "verify_asan_link_order=0"));
  }
  return variables;
}

}  // namespace tutti::launch

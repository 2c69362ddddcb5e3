#include "launch/preloads.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "transport/command_words.hpp"
#include "transport/library_places.hpp"

namespace tutti::launch {
namespace {

void check_named_heap() {
  const std::string named = text_in_environment("TUTTI_HEAP_LIBRARY");
  std::error_code none;
  require(named.empty() || std::filesystem::exists(named, none),
          "TUTTI_HEAP_LIBRARY={}: there is no such file; name libtutti-heap.so, or leave the variable out", named);
}

}  // namespace

Heap heap_of(const std::string& word) {
  require(word == "on" || word == "off", "--heap is 'on', so that ranks share their heaps, or 'off', not '{}'", word);
  return word == "on" ? Heap::shared : Heap::own;
}

std::vector<std::string> preloading(Heap heap, const std::string& library) {
  if (heap == Heap::shared && text_in_environment("TUTTI_HEAP") != "0") check_named_heap();
  const std::string shared = heap == Heap::shared ? runtime::heap_library(runtime::Sought::beside) : "";
  const std::string list = runtime::preload_list({shared, library});
  std::vector<std::string> variables;
  if (!list.empty()) variables.push_back("LD_PRELOAD=" + list);
  // The address sanitizer refuses to run behind any library, but the shared heap leaves all memory to it.
  if (!shared.empty()) {
    const std::string options = text_in_environment("ASAN_OPTIONS");
    variables.push_back("ASAN_OPTIONS=" + options + (options.empty() ? "" : ":") + "verify_asan_link_order=0");
  }
  return variables;
}

void become(const std::vector<std::string>& command) {
  execvp(command.front().c_str(), runtime::pointers_to(command).data());
  fail(ErrorCode::invalid_argument, "{} cannot be started ({})", command.front(),
       std::generic_category().message(errno));
}

void become_sharing_heap(const std::vector<std::string>& command) {
  if (text_in_environment("TUTTI_HEAP") == "0") become(command);
  const std::vector<std::string> variables = preloading(Heap::shared, "");
  if (runtime::heap_library(runtime::Sought::beside).empty())
    fail(ErrorCode::unsupported,
         "the library of the shared heap, libtutti-heap.so, is not beside tutti, or its path has a space or a colon: "
         "name it in TUTTI_HEAP_LIBRARY");
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  become(command);
}

}  // namespace tutti::launch

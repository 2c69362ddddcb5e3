#include "transport/library_places.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <new>
#include <system_error>

#include "base/system/environment.hpp"

namespace tutti::runtime {
namespace {

namespace fs = std::filesystem;

/// Returns the loader's record of the file that holds this code; null if it has none.
link_map* own_object() {
  Dl_info place{};
  link_map* object = nullptr;
  const bool found = dladdr1(reinterpret_cast<const void*>(&own_object), &place, reinterpret_cast<void**>(&object),
                             RTLD_DL_LINKMAP) != 0;
  return found ? object : nullptr;
}

/// The folders where dlopen() looks when the file that holds this code calls it.
std::vector<fs::path> search_path() {
  const fs::path library = own_library();
  void* const own = dlopen(library.empty() ? nullptr : library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  std::vector<fs::path> folders;
  Dl_serinfo size{};
  if (own != nullptr && dlinfo(own, RTLD_DI_SERINFOSIZE, &size) == 0) {
    std::vector<std::byte> memory(size.dls_size);
    auto* const list = new (memory.data()) Dl_serinfo;
    list->dls_size = size.dls_size;
    list->dls_cnt = size.dls_cnt;
    if (dlinfo(own, RTLD_DI_SERINFO, list) == 0) {
      for (unsigned index = 0; index < list->dls_cnt; ++index) folders.emplace_back(list->dls_serpath[index].dls_name);
    }
  }
  if (own != nullptr) dlclose(own);
  return folders;
}

/// Returns that library in the folder above the plugins' one, to which the run path leads.
std::string library_on_run_path(const std::string& name) {
  std::error_code none;
  for (const fs::path& plugins : search_path()) {
    const fs::path path = plugins.parent_path() / name;
    if (plugins.is_absolute() && plugins.filename() == "tutti" && fs::exists(path, none)) return path;
  }
  return {};
}

}  // namespace

fs::path own_library() {
  std::error_code none;
  const link_map* const object = own_object();
  if (object == nullptr) return {};
  return *object->l_name == '\0' ? fs::path() : fs::canonical(object->l_name, none);  // the program has no name there
}

fs::path own_folder() {
  std::error_code none;
  const fs::path library = own_library();
  return (library.empty() ? fs::read_symlink("/proc/self/exe", none) : library).parent_path();
}

std::vector<std::string> library_folders() {
  const fs::path own = own_folder();
  if (own.empty()) return {};
  std::vector<std::string> folders{own / "lib", (own / TUTTI_LIBRARIES_FROM_PROGRAM).lexically_normal()};
  if (!own_library().empty()) folders.push_back(own);
  return folders;
}

std::string library_beside(const std::string& name) {
  std::error_code none;
  for (const fs::path folder : library_folders()) {
    if (const fs::path path = folder / name; fs::exists(path, none)) return path;
  }
  return {};
}

std::string heap_library(Sought where) {
  if (text_in_environment("TUTTI_HEAP") == "0") return {};
  const std::string name = "libtutti-heap.so";
  std::string path = text_in_environment("TUTTI_HEAP_LIBRARY");
  if (path.empty()) path = library_beside(name);
  if (path.empty() && where == Sought::on_run_path_too) path = library_on_run_path(name);
  std::error_code none;
  return can_be_preloaded(path) && fs::exists(path, none) ? path : std::string();
}

bool can_be_preloaded(std::string_view path) { return path.find_first_of(" :") == std::string_view::npos; }

std::string preload_list(const std::vector<std::string>& libraries) {
  std::string list;
  const auto add = [&](const std::string& word) {
    if (!word.empty()) list += (list.empty() ? "" : ":") + word;
  };
  for (const std::string& library : libraries) add(library);
  add(text_in_environment("LD_PRELOAD"));
  return list;
}

}  // namespace tutti::runtime

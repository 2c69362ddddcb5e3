#include "mpi_job/process/library_build.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

using Header = ElfW(Phdr);

/// A part of a file, as it lies in memory.
std::string_view part(const dl_phdr_info& file, const Header& header) {
  return {reinterpret_cast<const char*>(file.dlpi_addr + header.p_vaddr), header.p_memsz};
}

bool holds(const dl_phdr_info& file, const char* address) {
  for (int k = 0; k < file.dlpi_phnum; ++k) {
    const std::string_view bytes = part(file, file.dlpi_phdr[k]);
    if (file.dlpi_phdr[k].p_type == PT_LOAD && address >= bytes.data() && address < bytes.data() + bytes.size())
      return true;
  }
  return false;
}

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

/// Notes follow one another: a head, a name and what is noted, each padded to whole words of 4 bytes.
std::string_view build_in(std::string_view notes) {
  constexpr std::string_view name("GNU", 4);
  ElfW(Nhdr) head;
  while (notes.size() >= sizeof(head)) {
    std::memcpy(&head, notes.data(), sizeof(head));
    notes.remove_prefix(sizeof(head));
    const std::size_t begin = padded(head.n_namesz);
    if (begin + head.n_descsz > notes.size()) break;
    if (head.n_type == NT_GNU_BUILD_ID && notes.substr(0, head.n_namesz) == name)
      return notes.substr(begin, head.n_descsz);
    notes.remove_prefix(std::min(begin + padded(head.n_descsz), notes.size()));
  }
  return {};
}

int find_build(dl_phdr_info* file, std::size_t, void* found) {
  if (!holds(*file, reinterpret_cast<const char*>(&find_build))) return 0;
  for (int k = 0; k < file->dlpi_phnum; ++k) {
    if (file->dlpi_phdr[k].p_type != PT_NOTE) continue;
    if (const std::string_view build = build_in(part(*file, file->dlpi_phdr[k])); !build.empty())
      *static_cast<std::string*>(found) = build;
  }
  return 1;
}

}  // namespace

std::string build_of_this_library() {
  std::string build;
  dl_iterate_phdr(find_build, &build);
  return build;
}

std::string build_and_checks_of_this_rank() { return build_of_this_library() + (is_checked() ? " checked" : ""); }

}  // namespace tutti::interpose

#include "transport/processes/function_name.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tutti::runtime {
namespace {

/// A place in a file.
struct Mapped {
  std::string path;
  std::uint64_t offset = 0;
};

/// Returns the mapping at that address of the process.
std::optional<Mapped> mapped_at(pid_t process, std::uint64_t address) {
  std::ifstream file(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(file, line);) {
    unsigned long long first = 0;
    unsigned long long last = 0;
    unsigned long long offset = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %*s %llx %*s %*s %n", &first, &last, &offset, &path) < 3) continue;
    if (address < first || address >= last) continue;
    if (path == 0 || static_cast<std::size_t>(path) >= line.size() || line[static_cast<std::size_t>(path)] != '/')
      return std::nullopt;
    return Mapped{line.substr(static_cast<std::size_t>(path)), address - first + offset};
  }
  return std::nullopt;
}

/// A file that is read in parts: it may be cut short meanwhile, and hold anything.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    if (file_ >= 0) close(file_);
  }

  bool is_open() const { return file_ >= 0; }

  /// The symbol of the function that holds what lies at `offset`; empty where there is none.
  std::string symbol_at(std::uint64_t offset) const {
    const auto header = items<Elf64_Ehdr>(0, 1);
    const bool is_known = !header.empty() && std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) == 0 &&
                          header[0].e_ident[EI_CLASS] == ELFCLASS64;
    if (!is_known) return {};
    const auto address = address_of(header[0], offset);
    if (!address) return {};
    const auto sections = items<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
    for (const Elf64_Word kind : {SHT_SYMTAB, SHT_DYNSYM}) {
      for (const Elf64_Shdr& section : sections) {
        if (section.sh_type != kind || section.sh_link >= sections.size()) continue;
        const std::string name = symbol_in(section, sections[section.sh_link], *address);
        if (!name.empty()) return name;
      }
    }
    return {};
  }

 private:
  /// More than any file has of them; empty where they are not there.
  static constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

  template <typename Item>
  std::vector<Item> items(std::uint64_t offset, std::uint64_t count) const {
    if (count > most_bytes / sizeof(Item)) return {};
    std::vector<Item> all(count);
    const std::uint64_t bytes = count * sizeof(Item);
    const bool is_read = pread(file_, all.data(), bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
    return is_read ? all : std::vector<Item>();
  }

  /// Returns the address at which the file says that this part of it is mapped.
  std::optional<std::uint64_t> address_of(const Elf64_Ehdr& header, std::uint64_t offset) const {
    for (const Elf64_Phdr& part : items<Elf64_Phdr>(header.e_phoff, header.e_phnum)) {
      if (part.p_type == PT_LOAD && offset >= part.p_offset && offset - part.p_offset < part.p_filesz)
        return offset - part.p_offset + part.p_vaddr;
    }
    return std::nullopt;
  }

  std::string symbol_in(const Elf64_Shdr& table, const Elf64_Shdr& names, std::uint64_t address) const {
    for (const Elf64_Sym& each : items<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym))) {
      const bool is_it = ELF64_ST_TYPE(each.st_info) == STT_FUNC && each.st_shndx != SHN_UNDEF &&
                         address >= each.st_value && address - each.st_value < each.st_size;
      if (is_it && each.st_name < names.sh_size) return text_at(names.sh_offset + each.st_name);
    }
    return {};
  }

  std::string text_at(std::uint64_t offset) const {
    char text[512] = {};
    const ssize_t got = pread(file_, text, sizeof(text) - 1, static_cast<off_t>(offset));
    return got > 0 ? std::string(text) : std::string();
  }

  int file_;
};

/// Without its arguments: up to the first parenthesis that is neither a name's nor within a template's arguments.
std::string without_arguments(const std::string& name) {
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const std::string_view rest = std::string_view(name).substr(at);
    if (rest.starts_with("(anonymous namespace)"))
      at += std::string_view("(anonymous namespace)").size() - 1;
    else if (rest.starts_with("operator()"))
      at += std::string_view("operator()").size() - 1;
    else if (rest.front() == '<')
      ++depth;
    else if (rest.front() == '>')
      --depth;
    else if (rest.front() == '(' && depth == 0)
      return name.substr(0, at);
  }
  return name;
}

/// A name as the program's source has it, and not too long.
std::string readable(const std::string& symbol) {
  constexpr std::size_t most = 80;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                     std::free);
  const std::string name = plain ? without_arguments(plain.get()) : symbol.substr(0, symbol.find('@'));
  return name.size() <= most ? name : name.substr(0, most) + "…";
}

}  // namespace

std::string function_name(pid_t process, std::uint64_t address) {
  const auto mapped = mapped_at(process, address);
  if (!mapped) return {};
  // The path as the process sees it, which may have a root of its own.
  for (const std::string& path : {fmt::format("/proc/{}/root{}", process, mapped->path), mapped->path}) {
    const ElfFile file(path);
    if (!file.is_open()) continue;
    const std::string symbol = file.symbol_at(mapped->offset);
    return symbol.empty() ? symbol : readable(symbol);
  }
  return {};
}

}  // namespace tutti::runtime

#include "runtime/node.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "base/environment.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::runtime {
namespace {

std::string name_of_node() {
  if (const char* const named = environment_variable("TUTTI_NODE"); named != nullptr && *named != '\0') return named;
  std::string name;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  if (std::getline(file, name) && !name.empty()) return name;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return host.data();
}

}  // namespace

std::uint64_t node_identity() { return detail::hash_of(name_of_node()); }

}  // namespace tutti::runtime

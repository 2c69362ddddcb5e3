#include "base/system/environment.hpp"

#include <fstream>

namespace tutti {

std::string name_of_host() {
  std::string name;
  std::ifstream file("/proc/sys/kernel/hostname");
  std::getline(file, name);
  return name;
}

}  // namespace tutti

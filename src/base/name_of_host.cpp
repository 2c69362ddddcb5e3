#include "base/name_of_host.hpp"

#include <unistd.h>

#include <climits>

namespace tutti {

std::string name_of_host() {
  char name[HOST_NAME_MAX + 1] = {};
  gethostname(name, HOST_NAME_MAX);
  return name;
}

}  // namespace tutti

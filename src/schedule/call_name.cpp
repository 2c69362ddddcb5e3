#include "schedule/call_name.hpp"

#include <algorithm>

#include "schedule/problem.hpp"

namespace tutti {

std::string call_name(Collective collective, bool by_counts) {
  std::string name(name_of(collective));
  std::replace(name.begin(), name.end(), '-', '_');
  return by_counts ? name + "_v" : name;
}

}  // namespace tutti

#include "schedule/algorithm_variable.hpp"

#include <cctype>

#include "schedule/problem.hpp"

namespace tutti {

std::string algorithm_variable(Collective collective) {
  std::string variable = "TUTTI_ALGORITHM_";
  for (const char c : name_of(collective)) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

}  // namespace tutti

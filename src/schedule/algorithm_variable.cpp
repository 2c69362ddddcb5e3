#include "schedule/algorithm_variable.hpp"

#include <cctype>

#include "schedule/problem.hpp"

namespace tutti {

std::string algorithm_variable(Collective collective) { return algorithm_variable(name_of(collective)); }

std::string algorithm_variable(std::string_view collective) {
  std::string variable = "TUTTI_ALGORITHM_";
  for (const char c : collective) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

}  // namespace tutti

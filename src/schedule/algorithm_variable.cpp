#include "schedule/algorithm_variable.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/environment.hpp"
#include "base/nearest_name.hpp"
#include "schedule/problem.hpp"

namespace tutti {
namespace {

constexpr std::string_view beginning = "TUTTI_ALGORITHM_";

/// Functions of MPI have forms of a collective with names of their own: ALL_TO_ALL_V, REDUCE_SCATTER_BLOCK.
bool is_known(std::string_view name, const std::vector<std::string>& known) {
  return std::any_of(known.begin(), known.end(), [&](const std::string& each) {
    if (!name.starts_with(each)) return false;
    const std::string_view form = name.substr(each.size());
    return form.empty() || form == "_V" || form == "_BLOCK";
  });
}

}  // namespace

std::string algorithm_variable(Collective collective) { return algorithm_variable(name_of(collective)); }

std::string algorithm_variable(std::string_view collective) {
  std::string variable(beginning);
  for (const char c : collective) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

std::string misnamed_algorithm_variables() {
  std::vector<std::string> known;
  for (const Collective collective : all_collectives()) known.push_back(algorithm_variable(collective));
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string words;
  for (char* const* setting = environ; setting != nullptr && *setting != nullptr; ++setting) {
    const std::string_view text = *setting;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with(beginning) || is_known(name, known) || environment_variable(name.c_str()) == nullptr)
      continue;
    words += (words.empty() ? "" : "; ") + name + " names no collective; " + nearest_in_words(name, names);
  }
  return words;
}

}  // namespace tutti

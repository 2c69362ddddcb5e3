#include "runtime/misnamed_variables.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/environment.hpp"
#include "base/nearest_name.hpp"
#include "schedule/algorithm_variable.hpp"
#include "schedule/problem.hpp"

namespace tutti::runtime {
namespace {

/// Functions of MPI have forms of a collective with names of their own: ALL_TO_ALL_V, REDUCE_SCATTER_BLOCK.
bool is_known(std::string_view name, const std::vector<std::string>& known) {
  return std::any_of(known.begin(), known.end(), [&](const std::string& each) {
    if (!name.starts_with(each)) return false;
    const std::string_view form = name.substr(each.size());
    return form.empty() || form == "_V" || form == "_BLOCK";
  });
}

}  // namespace

std::string misnamed_algorithm_variables() {
  const std::string beginning = algorithm_variable("");
  std::vector<std::string> known;
  for (const Collective collective : all_collectives()) known.push_back(algorithm_variable(collective));
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string words;
  for (char* const* setting = environ; setting != nullptr && *setting != nullptr; ++setting) {
    const std::string_view text = *setting;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with(beginning) || is_known(name, known)) continue;
    if (environment_variable(name.c_str()) == nullptr) continue;  // a program with more rights heeds none
    words += (words.empty() ? "" : "; ") + name + " names no collective; " + nearest_in_words(name, names);
  }
  return words;
}

}  // namespace tutti::runtime

#include "predict/surroundings.hpp"

#include <fmt/format.h>

#include "base/units.hpp"

namespace tutti {

std::string text_of(const Surroundings& surroundings) {
  std::string words = fmt::format("{} on {}", name_of(surroundings.inside), counted(surroundings.cores, "core"));
  if (surroundings.nodes > 1) {
    words += fmt::format(" of {} nodes, {} between them{}", surroundings.nodes, name_of(surroundings.between),
                         surroundings.is_link_measured ? ", as measured when the ranks met" : "");
  }
  return words;
}

}  // namespace tutti

#include "predict/place.hpp"

#include <fmt/format.h>

#include "base/units.hpp"

namespace tutti {

std::string text_of(const Place& place) {
  std::string words = fmt::format("{} on {}", name_of(place.inside), counted(place.cores, "core"));
  if (place.nodes > 1) {
    words += fmt::format(" of {} nodes, {} between them{}", place.nodes, name_of(place.between),
                         place.is_link_measured ? ", as measured when the ranks met" : "");
  }
  return words;
}

}  // namespace tutti

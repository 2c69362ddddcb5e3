#include "simulate/simulation.hpp"

#include <array>

namespace tutti {

std::string_view name_of(Engine engine) { return engine == Engine::rounds ? "rounds" : "flows"; }

std::string_view name_of(Routing routing) {
  switch (routing) {
    case Routing::own:
      return "own";
    case Routing::minimal_adaptive:
      return "minimal-adaptive";
    case Routing::ecmp:
      return "ecmp";
    case Routing::valiant:
      return "valiant";
    case Routing::adaptive:
      return "adaptive";
  }
  return "?";
}

std::span<const Routing> all_routings() {
  static constexpr std::array all{Routing::own, Routing::ecmp, Routing::minimal_adaptive, Routing::valiant,
                                  Routing::adaptive};
  return all;
}

}  // namespace tutti

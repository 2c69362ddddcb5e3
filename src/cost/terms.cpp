#include "cost/terms.hpp"

namespace tutti {

Terms message_terms(Switching switching, int links, double elements, double packet) {
  switch (switching) {
    case Switching::store_and_forward:
      return messages(1, packet > 0 ? elements + (links - 1) * packet : links * elements);
    case Switching::cut_through:
      return {.starts = 1, .elements = elements, .hops = static_cast<double>(links)};
    case Switching::alpha_beta:
      break;
  }
  return messages(1, elements);
}

}  // namespace tutti

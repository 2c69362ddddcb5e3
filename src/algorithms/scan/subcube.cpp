#include "algorithms/scan/subcube.hpp"

#include "base/integers.hpp"

namespace tutti::algorithms {

Traffic subcube_scan_traffic(int ranks, std::int64_t count) {
  std::int64_t messages = 0;
  for (int bit = 1; bit < ranks; bit *= 2) messages += count_with_bit(ranks, bit) + count_with_bit(ranks - bit, bit);
  return {.rounds = ceil_log2(ranks), .messages = messages, .elements = messages * count};
}

}  // namespace tutti::algorithms

#include "agreement/signature.hpp"

#include "tutti/detail/datatype.hpp"

namespace tutti::runtime {

void Signature::seal() {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto mix = [&](std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  };
  mix(static_cast<std::uint64_t>(purpose) | static_cast<std::uint64_t>(collective) << 8 |
      static_cast<std::uint64_t>(by_counts) << 16 | static_cast<std::uint64_t>(commutative) << 17 |
      static_cast<std::uint64_t>(named_by == NamedBy::environment) << 18 | static_cast<std::uint64_t>(planning) << 19);
  mix(static_cast<std::uint64_t>(root) << 32 ^ static_cast<std::uint32_t>(distance));
  mix(static_cast<std::uint64_t>(count));
  mix(counts);
  mix(parameters);
  mix(type);
  mix(op);
  mix(detail::hash_of(algorithm));
  digest = hash;
}

Signature meeting(Purpose purpose, std::int64_t color, std::int64_t key) {
  Signature signature{.purpose = purpose, .color = color, .key = key};
  signature.seal();
  return signature;
}

}  // namespace tutti::runtime

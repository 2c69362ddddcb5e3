#include "agreement/signature.hpp"

#include "base/digest.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::runtime {

void Signature::seal() {
  std::uint64_t hash = digest_of_nothing;
  const auto mix = [&](std::uint64_t value) { hash = mixed(hash, value); };
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

std::uint64_t balance_of(int rank, std::span<const std::int64_t> sends, std::span<const std::int64_t> receives) {
  const auto word = [](std::uint64_t from, std::uint64_t to, std::int64_t count) {
    return mixed(mixed(digest_of_nothing, from << 32 | to), static_cast<std::uint64_t>(count)) * 0xbf58476d1ce4e5b9U;
  };
  const auto me = static_cast<std::uint64_t>(rank);
  std::uint64_t balance = 0;
  for (std::size_t peer = 0; peer < sends.size(); ++peer) balance += word(me, peer, sends[peer]);
  for (std::size_t peer = 0; peer < receives.size(); ++peer) balance -= word(peer, me, receives[peer]);
  return balance;
}

Signature meeting(Purpose purpose, std::int64_t color, std::int64_t key) {
  Signature signature{.purpose = purpose, .color = color, .key = key};
  signature.seal();
  return signature;
}

Signature named_meeting(std::string_view name) {
  Signature signature{.purpose = Purpose::named, .op = detail::hash_of(name), .op_name = name, .color = -1};
  signature.seal();
  return signature;
}

}  // namespace tutti::runtime

#include "simulate/ways.hpp"

#include <initializer_list>

namespace tutti {
namespace {

// Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014 (SplitMix64).
std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

std::uint64_t hash_of(std::initializer_list<std::uint64_t> words) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = mixed(hash ^ word);
  return hash;
}

std::uint64_t bits(int number) { return static_cast<std::uint64_t>(number); }

}  // namespace

bool leaves_shortest(Routing routing) { return routing == Routing::valiant || routing == Routing::adaptive; }
bool looks_at_load(Routing routing) { return routing == Routing::minimal_adaptive || routing == Routing::adaptive; }

void Ways::append_hashed(int from, int to, std::vector<LinkId>& path) {
  for (int at = from; at != to; at = topology_.link(path.back()).to) {
    choices_.clear();
    topology_.choices(at, to, choices_);
    path.push_back(choices_[hash_of({seed_, bits(from), bits(to), bits(at)}) % choices_.size()]);
  }
}

void Ways::append_detour(int from, int to, std::uint64_t message, std::vector<LinkId>& path) const {
  const auto ranks = static_cast<std::uint64_t>(topology_.ranks());
  const auto over = static_cast<int>(hash_of({seed_, message}) % ranks);
  topology_.route(from, over, path);
  if (over == from || over == to) {
    if (over == from) topology_.route(from, to, path);
    return;
  }
  const std::size_t there = path.size();
  topology_.route(over, to, path);
  const int before = topology_.link(path[there - 1]).from;
  if (before < topology_.ranks() || topology_.link(path[there]).to != before) return;
  path.erase(path.begin() + static_cast<std::ptrdiff_t>(there) - 1,
             path.begin() + static_cast<std::ptrdiff_t>(there) + 1);
}

void Ways::append(Routing routing, int from, int to, std::uint64_t message, std::vector<LinkId>& path) {
  if (routing == Routing::ecmp) return append_hashed(from, to, path);
  if (routing == Routing::valiant) return append_detour(from, to, message, path);
  topology_.route(from, to, path);
}

std::vector<std::pair<int, int>> random_pairs(const Background& background, int ranks) {
  std::vector<std::pair<int, int>> pairs;
  const auto p = static_cast<std::uint64_t>(ranks);
  for (int k = 0; k < background.messages; ++k) {
    const auto from = static_cast<int>(hash_of({background.seed, bits(k), 0}) % p);
    const auto distance = static_cast<int>(hash_of({background.seed, bits(k), 1}) % (p - 1));
    pairs.emplace_back(from, (from + 1 + distance) % ranks);
  }
  return pairs;
}

}  // namespace tutti

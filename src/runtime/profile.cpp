#include "runtime/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/one_line.hpp"
#include "predict/stored_profile.hpp"

namespace tutti::runtime {
namespace {

constexpr MachineCosts Profile::*transports[] = {&Profile::threads, &Profile::processes, &Profile::mpi};

/// A profile as bytes: what transports decide by themselves every rank knows.
struct Words {
  std::array<std::array<double, 10>, 3> costs = {};
  std::array<char, 256> origin = {};  ///< ends with a zero; empty: nothing was proposed
};
static_assert(sizeof(Words) <= sizeof(Proposal));

}  // namespace

Proposal propose_profile() {
  const FoundProfile found = find_profile();
  if (!found.complaint.empty()) fmt::print(stderr, "tutti: {}\n", one_line(found.complaint));
  Words words;
  for (std::size_t t = 0; t < words.costs.size(); ++t) {
    const MachineCosts& costs = found.profile.*transports[t];
    for (std::size_t k = 0; k < cost_fields().size(); ++k) words.costs[t][k] = costs.*cost_fields()[k].value;
  }
  const std::string_view origin = std::string_view(found.profile.origin).substr(0, words.origin.size() - 1);
  std::copy(origin.begin(), origin.end(), words.origin.begin());
  Proposal proposal;
  std::memcpy(proposal.bytes.data(), &words, sizeof(words));
  return proposal;
}

Profile agreed_profile(const World& world) {
  Words words;
  std::memcpy(&words, world.agreed().bytes.data(), sizeof(words));
  Profile profile;
  words.origin.back() = '\0';
  if (words.origin.front() == '\0') return profile;
  for (std::size_t t = 0; t < words.costs.size(); ++t) {
    MachineCosts& costs = profile.*transports[t];
    for (std::size_t k = 0; k < cost_fields().size(); ++k) costs.*cost_fields()[k].value = words.costs[t][k];
  }
  profile.origin = words.origin.data();
  return profile;
}

}  // namespace tutti::runtime

#include "predict/peer_turns.hpp"

namespace tutti {

std::optional<PeerTurns> turns_of(const Choice& choice, const Problem& problem) {
  const Algorithm& algorithm = *choice.algorithm;
  if (!has_equal_blocks(problem)) return std::nullopt;
  if (algorithm.alike_on) return PeerTurns(algorithm.alike_on(choice.parameters, problem.ranks));
  if (!algorithm.alike || !Turns::fit(*algorithm.alike, problem.ranks)) return std::nullopt;
  return PeerTurns(Turns(*algorithm.alike, problem.ranks));
}

}  // namespace tutti

#include "calls/algorithm_trial.hpp"

#include <fmt/format.h>

#include "plan/wisdom.hpp"

namespace tutti::runtime {
namespace {

bool is_exact(detail::Primitive primitive) {
  using enum detail::Primitive;
  switch (primitive) {
    case half:
    case brain:
    case single:
    case twice:
    case complex_single:
    case complex_twice:
    case none:
      return false;
    default:
      return true;
  }
}

bool only_selects(const detail::Operator& op) { return op.name == "minimum" || op.name == "maximum"; }

}  // namespace

bool rounds(const untyped::Call& call, int ranks) {
  if (!reduces(call.collective)) return false;
  if (call.op.state != nullptr) return true;
  return ranks > 2 && !is_exact(call.type.primitive) && !only_selects(call.op);
}

std::vector<std::uint64_t> AlgorithmTrials::key_of(const PreparedCall& call, Planning planning) {
  const Problem& problem = call.problem;
  std::vector<std::uint64_t> key{static_cast<std::uint64_t>(problem.collective),
                                 static_cast<std::uint64_t>(problem.count),
                                 static_cast<std::uint64_t>(problem.root),
                                 static_cast<std::uint64_t>(problem.distance),
                                 static_cast<std::uint64_t>(problem.commutative),
                                 static_cast<std::uint64_t>(planning),
                                 call.type.identity,
                                 call.type.size,
                                 call.signature.op,
                                 static_cast<std::uint64_t>(call.request.parameters.segments),
                                 static_cast<std::uint64_t>(call.request.parameters.radix)};
  const Shape& grid = call.request.parameters.grid;
  for (int k = 0; k < grid.dimensions(); ++k) key.push_back(static_cast<std::uint64_t>(grid.extent(k)));
  return key;
}

std::string AlgorithmTrials::words_of(const PreparedCall& call, const std::string& place) {
  Problem alike = call.problem;
  alike.in_place = false;
  return tutti::words_of({alike, call.type.size, call.request.parameters, place},
                         elements_in_words(alike.collective, call.type.name, call.signature.op_name));
}

std::string found_earlier(const Choice& winner) {
  return fmt::format("{} was found to be the fastest in an earlier run on this machine.", winner.algorithm->name);
}

void keep_winner(AlgorithmTrial& algorithm_trial, bool is_keeper) {
  const Trial& trial = algorithm_trial.trial;
  const std::size_t winner = *trial.winner();
  const Choice& choice = trial.contenders()[winner];
  if (trial.is_remembered()) {
    algorithm_trial.told = found_earlier(choice);
    return;
  }
  algorithm_trial.told = fmt::format("Measured on the program's own buffers, in rows of calls, on the slowest rank: {}",
                                     verdict_in_words(trial));
  if (!is_keeper) return;
  const KeptWisdom kept = remember(algorithm_trial.call, choice, trial.seconds(winner));
  if (!kept.complaint.empty()) {
    algorithm_trial.told += fmt::format(" Later runs will not know it: {}.", kept.complaint);
  } else if (!kept.file.empty()) {
    algorithm_trial.told += fmt::format(" Later runs find it in {}.", kept.file);
  }
}

}  // namespace tutti::runtime

/// @file
/// Winners of trials, kept in this machine's profile for later runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/choice.hpp"

namespace tutti {

/// Which of the choices was found to be the fastest for the call by that name, in an earlier run on this machine;
/// nothing where none is known. Reads own_profile_file(). Never throws for what is in a file.
std::optional<std::size_t> recall(const std::string& call, const std::vector<Choice>& choices);

/// The winner of an earlier trial. The call is known by the digest of its words alone.
struct KnownWinner {
  std::uint64_t call = 0;
  Choice choice;
};

/// Winners that all ranks of a run know alike.
struct KnownWinners {
  /// More are not told to all ranks.
  static constexpr std::size_t most = 160;

  std::vector<KnownWinner> list;

  /// Who has won for the call by that name, if the algorithm is one of those that choices of the problem look at; null
  /// where nobody is known.
  const Choice* find(const std::string& call, const Problem& problem, const Layout& layout) const;
};

/// The latest winners that own_profile_file() knows, of algorithms that the catalogue has. Never throws for what is in
/// a file.
KnownWinners known_winners();

/// A profile in which a winner was kept, or why it was not, one line.
struct Kept {
  std::string file;
  std::string complaint;
};

/// Keeps the winner in own_profile_file(): what others have kept there in the meantime stays, and an earlier winner for
/// the call is replaced. The file is replaced as a whole, under a lock. Neither is set where there is no file to keep
/// it in, as with TUTTI_PROFILE=built-in. Never throws.
Kept remember(const std::string& call, const Choice& winner, double seconds);

}  // namespace tutti

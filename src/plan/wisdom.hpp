/// @file
/// Winners of trials, kept in this machine's profile for later runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/model/choice.hpp"

namespace tutti {

/// A call that trials are made of, as far as a prediction knows it.
struct TriedCall {
  Problem problem;
  std::int64_t element_size = 1;
  Parameters parameters = {};  ///< parameters that the call asks for
  std::string place;           ///< text_of(PlacementKey)
};

/// Returns the words for a call's elements: the name of a type and, for a reduction, of its operator, "double, sum";
/// without a name they are left out.
std::string elements_in_words(Collective collective, std::string_view type, std::string_view op);

/// The words by which the winner of the call is kept, on one line. `elements` are elements_in_words().
std::string words_of(const TriedCall& call, std::string_view elements);

/// A winner that was kept for calls of some elements.
struct KeptWinner {
  std::string elements;  ///< elements_in_words()
  Choice choice;
  double seconds = 0;  ///< seconds of one call
};

/// Returns the winners in known_winners() for calls like this one, whatever their elements of up to 64 bytes, that have
/// as many bytes as the call: the latest first, for each kind of elements one. Those that do not fit the problem are
/// left out.
std::vector<KeptWinner> kept_winners(const TriedCall& call, const Layout& layout);

/// Returns the choice that was found to be the fastest for the call by that name, in an earlier run on this machine;
/// nothing if none is known. Reads own_profile_file(). Never throws for the contents of a file.
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

  /// Returns the winner for the call by that name, if the algorithm is one of those that choices of the problem look
  /// at; null if nobody is known.
  const Choice* find(const std::string& call, const Problem& problem, const Layout& layout) const;
};

/// The latest winners that own_profile_file() knows, of algorithms that the catalogue has. Never throws for what is in
/// a file.
KnownWinners known_winners();

/// A profile in which a winner was kept, or why it was not, one line.
struct KeptWisdom {
  std::string file;
  std::string complaint;
};

/// Keeps the winner in own_profile_file(): what others have kept there in the meantime stays, and an earlier winner for
/// the call is replaced. The file is replaced as a whole, under a lock. Neither is set where there is no file to keep
/// it in, as with TUTTI_PROFILE=built-in. Never throws.
KeptWisdom remember(const std::string& call, const Choice& winner, double seconds);

}  // namespace tutti

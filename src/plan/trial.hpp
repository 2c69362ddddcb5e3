/// @file
/// Trials: choose an algorithm by a stopwatch. Several make the first calls of a shape, and the fastest is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/ranking.hpp"
#include "schedule/model/planning.hpp"

namespace tutti {

/// Choices that calls of one shape are made by.
struct Contenders {
  std::vector<Choice> all;  ///< the one predicted to be fastest first
  std::size_t tried = 0;    ///< so many of the first are timed
  int rounds = 0;           ///< each of them in so many rows of calls
};

/// Returns the choices that fit the problem and may well be the fastest: algorithms that are predicted to take at most
/// three times as long as the fastest, the first eight, of which `measure` times the first four, and `patient` all of
/// them, in five rows of calls each. Algorithms that cut messages into segments are among them with fewer and with more
/// segments, if the parameters leave these open. A pure function, equal on every rank. Cost: those of ranking_of().
Contenders contenders_for(const Problem& problem, const Parameters& parameters, std::int64_t element_size,
                          const CostModel& model, Planning planning);

/// One rank's book on the calls by which contenders are timed.
///
/// Each call of the shape takes a ticket; all ranks make the same calls in the same order, so that a ticket is the same
/// call on every rank. The first call opens the trial: the ranks hear whether rank 0 knows the winner from earlier
/// runs. Where it does not, a row of calls is made by one contender, then one by the next, round by round: programs
/// call in rows, in which a rank may be in the next call while another is in the one before. The call after them
/// settles the trial: the ranks tell one another what each row has taken them, and the slowest rank's time counts. A
/// contender's figure is the middle one of its rows, the first left out. The least wins, if it is less than nine tenths
/// of that of the one which was predicted to be fastest; otherwise that one does. All ranks come to the same winner.
class Trial {
 public:
  static constexpr int calls_of_a_row = 4;  ///< so many calls follow one another by one contender
  static constexpr int most_rows = 40;
  /// Counts that ranks tell one another, by row, in nanoseconds; the largest of all ranks' counts.
  using Words = std::array<std::int64_t, most_rows>;
  /// Work of a call before it runs.
  enum class Prelude : std::uint8_t {
    nothing,
    hear,      ///< all ranks tell one another words(): see hear()
    assemble,  ///< all ranks meet in a barrier, so that no row's time has a wait for a rank that comes late
  };

  explicit Trial(Contenders contenders);

  const std::vector<Choice>& contenders() const { return contenders_.all; }
  /// Returns how many calls are timed.
  int calls() const { return static_cast<int>(contenders_.tried) * contenders_.rounds * calls_of_a_row; }
  std::int64_t take_ticket() { return next_++; }
  /// Whether the call may go on: those before it that it depends on have ended on this rank.
  bool may_begin(std::int64_t ticket) const;
  Prelude prelude(std::int64_t ticket) const;
  /// Returns the counts that this rank tells. `known` is the winner of earlier runs, which rank 0 alone says.
  Words words(std::int64_t ticket, std::optional<std::size_t> known) const;
  /// The largest of all ranks' words.
  void hear(std::int64_t ticket, std::span<const std::int64_t> words);
  /// By whom the call is made, once it has heard what it has to.
  std::size_t contender(std::int64_t ticket) const;
  /// Whether the call is to be timed.
  bool is_timed(std::int64_t ticket) const { return !winner_ && ticket < calls(); }
  void took(std::int64_t ticket, std::int64_t nanoseconds);

  std::optional<std::size_t> winner() const { return winner_; }
  /// Whether the winner was known, and nothing was timed.
  bool is_remembered() const { return winner_ && timed_ == 0; }
  /// Returns the seconds of a contender on the slowest rank, for a call of its middle row; 0: it was not timed.
  double seconds(std::size_t contender) const { return seconds_[contender]; }

 private:
  std::size_t contender_of_row(std::size_t number) const { return number % contenders_.tried; }

  Contenders contenders_;
  std::int64_t next_ = 0;
  bool opened_ = false;
  int timed_ = 0;
  Words times_ = {};
  std::vector<double> seconds_;
  std::optional<std::size_t> winner_;
};

/// "ring took 12us, direct took 14us. ring is kept.": those that were timed, as Trial::seconds(), and the winner;
/// where another took less, why it is none. The trial has a winner.
std::string verdict_in_words(const Trial& trial);

}  // namespace tutti

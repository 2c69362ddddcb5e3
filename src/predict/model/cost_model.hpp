/// @file
/// Cost model: predicts the time of a call by an algorithm. The planner chooses by it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "schedule/model/choice.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {

/// Whether one price is lower than another by more than rounding. Prices of algorithms that do the same come out of
/// different sums, and those of a row of sizes would otherwise be lower now for the one and now for the other.
inline constexpr double rounding_of_prices = 1e-9;
inline bool is_cheaper(double seconds, double than) { return seconds < than * (1 - rounding_of_prices); }

/// The limit that is_cheaper() than all prices which are not cheaper than this one.
inline double just_below(double seconds) { return seconds * (1 - 2.5 * rounding_of_prices); }

/// The limit of a price that is wanted whatever it is.
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Predicts times from what all ranks know alike, so that all of them come to the same numbers. Thread-safe.
class CostModel {
 public:
  CostModel() = default;
  CostModel(const CostModel&) = delete;
  CostModel& operator=(const CostModel&) = delete;
  virtual ~CostModel() = default;

  /// Returns the seconds of one call in a row of equal calls. Needs a well-formed problem that meets the algorithm's
  /// needs; `element_size` in bytes.
  virtual double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const = 0;
  /// Returns seconds(), or infinity if `limit` is_cheaper() than that, which may be found with less work: for callers
  /// that price many choices, with one context.
  virtual double seconds_within(RecordingContext& context, double limit, const Choice& choice, const Problem& problem,
                                std::int64_t element_size) const {
    static_cast<void>(context);
    static_cast<void>(limit);
    return seconds(choice, problem, element_size);
  }
  /// Returns the seconds of one call by itself, which begins when all ranks are there and ends when the last has ended:
  /// more than seconds() if ranks of a row of calls run ahead of one another.
  virtual double seconds_once(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
    return seconds(choice, problem, element_size);
  }
  /// Not more than seconds(), without recording anything: what is already too much needs no closer look.
  virtual double at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
    static_cast<void>(choice);
    static_cast<void>(problem);
    static_cast<void>(element_size);
    return 0;
  }
  /// Returns a lower bound in seconds of a call of the problem by any algorithm, for the costs of messages here; 0:
  /// nothing is known.
  virtual double bound(const Problem& problem, std::int64_t element_size) const {
    static_cast<void>(problem);
    static_cast<void>(element_size);
    return 0;
  }
  /// Describes the machine and the origin of the constants: "threads on 2 cores, built-in costs".
  virtual std::string describe() const { return "costs of an unknown origin"; }
  /// Returns the places of the ranks whose calls it prices.
  virtual const Layout& layout() const {
    static const Layout one_node;
    return one_node;
  }
  /// Whether ranks of one node talk over a network of links, where algorithms made for several nodes may win as well.
  virtual bool is_of_a_network() const { return false; }
  /// The longest message of one node's ranks that may be short: it spares its sender and its reader that they meet. 0
  /// where none does.
  virtual std::int64_t short_bytes() const { return 0; }
  /// The choice with those of its open parameters that the model itself knows the best values of, such as segments.
  virtual Choice completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
    static_cast<void>(problem);
    static_cast<void>(element_size);
    return choice;
  }
  /// The problem with as much of it as the model looks at: it costs the same, and may be asked about with less work.
  virtual Problem essence(const Problem& problem) const { return problem; }
};

}  // namespace tutti

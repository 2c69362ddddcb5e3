/// @file
/// Rules by which an administrator names algorithms.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "plan/choice.hpp"

namespace tutti {

/// Whole numbers, both ends included.
struct Interval {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  bool holds(std::int64_t value) const { return least <= value && value <= most; }
  bool holds(const Interval& other) const { return least <= other.least && other.most <= most; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Algorithm for calls of some sizes.
struct Rule {
  const Algorithm* algorithm = nullptr;
  Parameters parameters = {};
  Interval bytes = {};           ///< m, by the collective's own convention
  Interval ranks = {};           ///< ranks of the communicator
  Interval ranks_per_node = {};  ///< on the node that has most of them
  int line = 0;                  ///< in the file

  friend bool operator==(const Rule&, const Rule&) = default;
};

/// Rules in the order of their file.
///
///     # collective [what it holds for] -> algorithm [parameters]
///     all-reduce bytes ..4KiB ranks 2..16 -> recursive-doubling
///     broadcast bytes 1MiB.. ranks-per-node 8 -> chain segments 32
///     broadcast -> mesh grid 4x4
struct Rules {
  /// More are not told to all ranks.
  static constexpr std::size_t most = 64;
  /// Nor is a larger radix.
  static constexpr int most_radix = 0xffff;

  std::string file;  ///< file that they are from
  std::vector<Rule> list;

  friend bool operator==(const Rules&, const Rules&) = default;
};

/// Reads that. Throws `Error(invalid_argument)`, one line that begins with `file` and the number of the line, for what
/// is no rule, for names that do not exist, and for a rule that an earlier one leaves no call.
Rules parse_rules(std::string_view text, const std::string& file);

/// Rules that this process has been given.
struct FoundRules {
  Rules rules;
  std::string complaint;  ///< why a file that is there does not hold, one line; empty: there is none, or it holds
};

/// The first that is there: what TUTTI_RULES names ("none" for no rules at all), $XDG_CONFIG_HOME/tutti/rules or
/// $HOME/.config/tutti/rules, and `administrator`. A file with a mistake holds in no part. Never throws for what is in
/// a file.
FoundRules find_rules(const std::string& administrator = "/etc/tutti/rules");

/// The first rule that holds for the problem and whose algorithm fits it, over ranks that are where `layout` says; null
/// where there is none. Where each rank knows its own counts alone (Problem::known_to), rules for some bytes do not
/// hold. O(rules), and a layout's nodes.
const Rule* rule_for(const Rules& rules, const Problem& problem, std::int64_t element_size, const Layout& layout);

/// The rules that hold for the problem and stand before the one that rule_for() returns, because their algorithms do
/// not fit it: a sentence on each says why, "line 1 of /etc/tutti/rules holds for this call, but swing needs a power of
/// two ranks."
std::vector<std::string> passed_over(const Rules& rules, const Problem& problem, std::int64_t element_size,
                                     const Layout& layout);

/// "line 3 of /etc/tutti/rules".
std::string origin_of(const Rule& rule, const Rules& rules);

/// A choice, and who has named its algorithm: "the call", a variable of the environment, "line 3 of /etc/tutti/rules";
/// empty where the model chose.
struct Decision {
  Choice choice;
  std::string by = {};
};

/// Returns the choice that a rule names, with those of its parameters that `parameters` leaves open, or else the one of
/// choose().
Decision decide(const Problem& problem, const Parameters& parameters, std::int64_t element_size, const CostModel& model,
                const Rules& rules);

/// Returns the wished choice; if neither request nor environment names an algorithm, the one of decide(). Throws
/// `Error` for names and parameters that do not fit.
Decision decide(const Problem& problem, const ChoiceRequest& request, std::int64_t element_size, const CostModel& model,
                const Rules& rules);

}  // namespace tutti

/// @file
/// Symbolic time: a time as a formula of the machine's costs and of the size of a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/symbolic/rational.hpp"
#include "cost/terms.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// The sum starts · ts + (sizes · m + bytes) · tw + hops · th + (combined · m + operations) · tc + rearranged · m · tr +
/// seconds.
struct SymbolicTime {
  Rational starts = {};
  Rational sizes = {};       ///< multiples of m that cross links, one after the other
  Rational bytes = {};       ///< bytes that do so whatever m is
  Rational hops = {};        ///< links that headers cross
  Rational combined = {};    ///< multiples of m that are combined
  Rational operations = {};  ///< further operations, a tc each
  Rational rearranged = {};  ///< multiples of m that ranks sort in their own memory
  double seconds = 0;        ///< time that depends on no symbol, such as a late beginning

  friend bool operator==(const SymbolicTime&, const SymbolicTime&) = default;
};

/// Names of the symbols in print.
struct SymbolNames {
  std::string ts = "ts";
  std::string tw = "tw";
  std::string m = "m";
};

/// Returns the time in seconds for messages of m bytes.
double seconds(const SymbolicTime& time, const Machine& machine, double m);

/// Returns the terms of a closed form for a problem whose m is `elements`, all of them fractions of m; nothing where
/// they are no fractions of small denominators.
std::optional<SymbolicTime> symbolic(const Terms& terms, double elements);

/// "3 (ts + tw m)", "ts + 2 tw m + 5 th", "ts + tw (m + 6)"; "0" for nothing.
std::string text_of(const SymbolicTime& time, const SymbolNames& names = {});

/// Returns where the first is at least as great as the second: "m >= 3/2 ts/tw", or where more than two terms differ
/// "2 ts + th <= 3 tw m"; "always" and "never".
std::string where_not_below(const SymbolicTime& first, const SymbolicTime& second, const SymbolNames& names = {});

/// Returns the time where one term outweighs the others: "~ 3 ts where m ≪ 3/7 ts/tw; ~ 7 tw m where m ≫ 3/7 ts/tw".
/// Empty where one term stands alone.
std::string simplified(const SymbolicTime& time, const SymbolNames& names = {});

/// Returns a formula of the house with these names for its ts, tw and m.
std::string renamed(std::string_view formula, const SymbolNames& names);

}  // namespace tutti

/// @file
/// Linear programs: the least of a sum over quantities that keep some equations and limits.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace tutti::synthesize {

/// Minimizes the sum of cost times quantity over quantities of at least 0, solved by CLP of COIN-OR. It is the one
/// class that knows the solver.
class LinearProgram {
 public:
  /// Adds a row: the sum of its quantities times their factors lies in [least, most]. Returns its number.
  int add_row(double least, double most);
  /// Adds a quantity with its factors in rows that exist already, each named once. Returns its number.
  int add_quantity(double cost, std::span<const std::pair<int, double>> factors);

  int quantities() const { return static_cast<int>(costs_.size()); }

  /// The quantities of a least sum. Throws `Error(internal)` where the solver finds none.
  std::vector<double> solve() const;

 private:
  std::vector<double> least_;
  std::vector<double> most_;
  std::vector<double> costs_;
  std::vector<int> starts_{0};  // by quantity: its first factor
  std::vector<int> rows_;
  std::vector<double> factors_;
};

}  // namespace tutti::synthesize

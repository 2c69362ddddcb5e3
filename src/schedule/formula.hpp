/// @file
/// What depends on a problem and, for some algorithms, on their parameters.
#pragma once

#include <concepts>

#include "schedule/parameters.hpp"
#include "schedule/problem.hpp"

namespace tutti {

/// A function of what is asked, f(problem), or of question and answer, f(problem, parameters): each is written with as
/// much as it looks at. Made from functions and from lambdas that capture nothing.
template <typename Result>
class Formula {
  using OfProblem = Result (*)(const Problem& problem);
  using OfBoth = Result (*)(const Problem& problem, const Parameters& parameters);

 public:
  constexpr Formula() = default;
  template <std::convertible_to<OfProblem> Function>
  constexpr Formula(Function function) : of_problem_(function) {}  // NOLINT: a formula is a function
  template <std::convertible_to<OfBoth> Function>
  constexpr Formula(Function function) : of_both_(function) {}  // NOLINT

  Result operator()(const Problem& problem, const Parameters& parameters = {}) const {
    return of_both_ != nullptr ? of_both_(problem, parameters) : of_problem_(problem);
  }
  /// Whether there is a function.
  explicit operator bool() const { return of_both_ != nullptr || of_problem_ != nullptr; }

 private:
  OfProblem of_problem_ = nullptr;
  OfBoth of_both_ = nullptr;
};

}  // namespace tutti

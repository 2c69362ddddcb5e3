/// @file
/// What depends on a problem and, for some algorithms, on their parameters or on where the ranks are.
#pragma once

#include <concepts>

#include "schedule/layout.hpp"
#include "schedule/parameters.hpp"
#include "schedule/problem.hpp"

namespace tutti {

/// A function of what is asked, f(problem), of question and answer, f(problem, parameters), or of where the ranks are,
/// too, f(problem, parameters, layout): each is written with as much as it looks at. Made from functions and from
/// lambdas that capture nothing.
template <typename Result>
class Formula {
  using OfProblem = Result (*)(const Problem& problem);
  using OfBoth = Result (*)(const Problem& problem, const Parameters& parameters);
  using OfAll = Result (*)(const Problem& problem, const Parameters& parameters, const Layout& layout);

 public:
  constexpr Formula() = default;
  template <std::convertible_to<OfProblem> Function>
  constexpr Formula(Function function) : of_problem_(function) {}  // NOLINT: a formula is a function
  template <std::convertible_to<OfBoth> Function>
  constexpr Formula(Function function) : of_both_(function) {}  // NOLINT
  template <std::convertible_to<OfAll> Function>
  constexpr Formula(Function function) : of_all_(function) {}  // NOLINT

  Result operator()(const Problem& problem, const Parameters& parameters = {}, const Layout& layout = {}) const {
    if (of_all_ != nullptr) return of_all_(problem, parameters, layout);
    return of_both_ != nullptr ? of_both_(problem, parameters) : of_problem_(problem);
  }
  /// Whether it is one of where the ranks are, too.
  bool looks_at_layout() const { return of_all_ != nullptr; }
  /// Whether there is a function.
  explicit operator bool() const { return of_all_ != nullptr || of_both_ != nullptr || of_problem_ != nullptr; }

 private:
  OfProblem of_problem_ = nullptr;
  OfBoth of_both_ = nullptr;
  OfAll of_all_ = nullptr;
};

}  // namespace tutti

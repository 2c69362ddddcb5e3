/// @file
/// Value of a block: a number, or a sum of what ranks hold at the start.
#pragma once

#include <map>
#include <string>

namespace tutti::language {

/// Sum of numbers and of named values with factors: 12, "a + b", "(a + b + c + d)/4". Products, minima and maxima of
/// named values are named by their text.
class Term {
 public:
  Term() = default;
  explicit Term(double number) : constant_(number) {}
  /// A number where the text is one.
  static Term of(const std::string& text);

  bool is_number() const { return factors_.empty(); }
  double number() const { return constant_; }
  std::string text() const;
  /// "a + b", or "sum of 4" where it has more than two parts.
  std::string short_text() const;

  Term plus(const Term& other) const;
  Term divided_by(double number) const;
  Term times(const Term& other) const;
  Term least(const Term& other) const { return extreme(other, "min"); }
  Term greatest(const Term& other) const { return extreme(other, "max"); }

 private:
  static Term named(const std::string& text);
  Term extreme(const Term& other, const std::string& name) const;
  std::string sum_text() const;

  // Orders "x2" before "x10".
  struct ShorterFirst {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
  };

  double constant_ = 0;
  std::map<std::string, double, ShorterFirst> factors_;
  double divisor_ = 1;
};

}  // namespace tutti::language

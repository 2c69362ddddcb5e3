#include "user_programs/language/term.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/real_number.hpp"

namespace tutti::language {

Term Term::named(const std::string& text) {
  Term term;
  term.factors_[text] = 1;
  return term;
}

Term Term::of(const std::string& text) {
  double number = 0;
  const auto [end, error] = read_real(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Term(number) : named(text);
}

std::string Term::sum_text() const {
  std::string text;
  for (const auto& [name, factor] : factors_)
    text += (text.empty() ? "" : " + ") + (factor == 1 ? name : fmt::format("{:g} {}", factor, name));
  if (constant_ != 0) text += fmt::format(" + {:g}", constant_);
  return text;
}

std::string Term::text() const {
  if (is_number()) return fmt::format("{:g}", constant_ / divisor_);
  if (divisor_ == 1) return sum_text();
  const bool one = factors_.size() == 1 && constant_ == 0;
  return fmt::format("{}/{:g}", one ? sum_text() : '(' + sum_text() + ')', divisor_);
}

std::string Term::short_text() const {
  return factors_.size() <= 2 ? text() : fmt::format("sum of {}", factors_.size());
}

// Needs one divisor in both, or numbers.
Term Term::plus(const Term& other) const {
  Term sum = *this;
  sum.constant_ += other.constant_ / other.divisor_ * divisor_;
  for (const auto& [name, factor] : other.factors_) sum.factors_[name] += factor / other.divisor_ * divisor_;
  return sum;
}

Term Term::divided_by(double number) const {
  if (is_number()) return Term(constant_ / divisor_ / number);
  Term quotient = *this;
  quotient.divisor_ *= number;
  return quotient;
}

Term Term::times(const Term& other) const {
  if (is_number() && other.is_number()) return Term(number() * other.number());
  const auto factor = [](const Term& term) {
    return term.factors_.size() + (term.constant_ != 0 ? 1 : 0) > 1 ? '(' + term.text() + ')' : term.text();
  };
  return named(factor(*this) + ' ' + factor(other));
}

Term Term::extreme(const Term& other, const std::string& name) const {
  if (is_number() && other.is_number())
    return Term(name == "min" ? std::min(number(), other.number()) : std::max(number(), other.number()));
  const auto inner = [&](const Term& term) {
    const std::string text = term.text();
    return text.starts_with(name + '(') ? text.substr(name.size() + 1, text.size() - name.size() - 2) : text;
  };
  return named(fmt::format("{}({}, {})", name, inner(*this), inner(other)));
}

}  // namespace tutti::language

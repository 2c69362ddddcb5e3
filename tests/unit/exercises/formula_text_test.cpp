/// @file
/// Formulas as text: their notation is that of the closed forms.

#include "exercises/formula_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cost/closed_form.hpp"
#include "tutti/error.hpp"

namespace tutti::exercises {
namespace {

const SymbolValues some{{"ts", 3}, {"tw", 0.5}, {"m", 10}, {"p", 16}, {"d", 4}};

double value(std::string_view text) { return formula_value(text, some); }

std::string fault(std::string_view text) {
  try {
    formula_value(text, some);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FormulaText, HasTheNotationOfTheTextbooks) {
  EXPECT_DOUBLE_EQ(value("2 + 3*4^2/6 - 1"), 9);
  EXPECT_DOUBLE_EQ(value("tw m p/2 (p - 1)"), 0.5 * 10 * 16 / 2 * 15);
  EXPECT_DOUBLE_EQ(value("ts d + tw m (p - 1)"), 3 * 4 + 0.5 * 10 * 15);
  EXPECT_DOUBLE_EQ(value("ceil(log2 p)(ts + m tw)"), 4 * 8);
  EXPECT_DOUBLE_EQ(value("2^d - 2^3"), 8);
  EXPECT_DOUBLE_EQ(value("-p + 2(p)"), 16);
  EXPECT_DOUBLE_EQ(value("√p + p² − 1"), 4 + 256 - 1);
  EXPECT_DOUBLE_EQ(value("⌈m/4⌉ + ⌊m/4⌋ + min(m, p) + max(1, 2, 3)"), 3 + 2 + 10 + 3);
  EXPECT_DOUBLE_EQ(value("log p log(p)"), 16);
  EXPECT_DOUBLE_EQ(value("T(p) = t_s + T_W"), 3.5);
  EXPECT_DOUBLE_EQ(value("alpha + b"), 3.5);
  EXPECT_DOUBLE_EQ(value("1.5e3"), 1500);
  EXPECT_DOUBLE_EQ(value("ceil(log2(8))"), 3);
}

TEST(FormulaText, SaysWhereItIsNone) {
  EXPECT_THAT(fault("ts + * m"), testing::HasSubstr("from '* m' on: a number, a symbol or '('"));
  EXPECT_THAT(fault("(ts + m"), testing::HasSubstr("as it ends: ')'"));
  EXPECT_THAT(fault("ts ) m"), testing::HasSubstr("an operator, a factor or the end"));
  EXPECT_THAT(fault("ts + k"), testing::HasSubstr("no symbol 'k' here; use d, m, p, ts, tw"));
  EXPECT_THAT(fault("sqrt(1, 2)"), testing::HasSubstr("one argument"));
  EXPECT_THAT(fault(""), testing::HasSubstr("as it ends"));
  EXPECT_THAT(fault(std::string(100000, '(')), testing::HasSubstr("nested more than 100 deep"));
  EXPECT_THAT(fault(std::string(100000, '-')), testing::HasSubstr("nested more than 100 deep"));
}

// Forms that have words in them, or symbols of their own, are left out.
TEST(FormulaText, ReadsTheClosedForms) {
  int read = 0;
  for (const ClosedForm& form : closed_forms()) {
    Problem problem{.collective = form.algorithm->collective, .ranks = 16, .count = 160};
    if (problem.collective == Collective::shift) problem.distance = 5;
    if (unmet_condition(form, problem) || form.formula.find(", ") != std::string_view::npos) continue;
    const Machine machine{.ts = 3, .tw = 0.5, .th = 0.25, .tc = 0.125};
    const SymbolValues values{{"ts", 3}, {"tw", 0.5}, {"th", 0.25}, {"tc", 0.125}, {"m", 160}, {"p", 16}, {"d", 4}};
    double found = 0;
    try {
      found = formula_value(form.formula, values);
    } catch (const Error&) {
      continue;
    }
    const double right = seconds(terms_of(form, problem), 1, machine);
    const double without_sums = seconds(terms_of(form, problem), 1, {.ts = 3, .tw = 0.5, .th = 0.25, .tc = 0});
    const bool names_sums = form.formula.find("tc") != std::string_view::npos;
    EXPECT_NEAR(found, names_sums ? right : without_sums, 1e-9 * right)
        << form.algorithm->name << " on " << form.topology << ": " << form.formula;
    ++read;
  }
  EXPECT_GT(read, 30);
}

}  // namespace
}  // namespace tutti::exercises

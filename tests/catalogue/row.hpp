#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/forms_support.hpp"

/// Tests of catalogue rows: each names its row, its numbers come from the catalogue and are met to 12 digits.
namespace liaison::test {

/// "x = 1, y = 2/3": exact values of symbols.
class Point {
 public:
  Point(Desk& desk, std::string_view text);
  /// The value to 20 certified digits, rounded to double.
  double operator()(Expr e) const;
  /// The form with all symbols that have a value replaced by it.
  Form operator()(const Form& a) const;

 private:
  std::map<std::string, Rational> values_;
  Desk& desk_;
};

/// Near to 12 significant digits of the expected number.
::testing::AssertionResult is_near(double value, double expected);

}  // namespace liaison::test

#define CATALOGUE_ROW(id)    \
  SCOPED_TRACE("row " id);   \
  RecordProperty("row", id); \
  RecordProperty("source", "catalogue")

#define EXPECT_NUMBER(value, expected) EXPECT_TRUE(::liaison::test::is_near(value, expected))

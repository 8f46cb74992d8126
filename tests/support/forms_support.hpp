#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/forms/calculus.hpp"
#include "liaison/forms/pullback.hpp"

/// Short ways to write forms and fields in tests, and assertions that show the verdict.
namespace liaison::test {

/// A pool with its algebra; names that are not declared are parameters.
class Desk {
 public:
  Pool pool;
  Algebra algebra{pool};

  Expr operator()(std::string_view text) { return parse(pool, text); }
  std::vector<Expr> list(std::initializer_list<std::string_view> texts);
  /// "x y z": the coordinate coframe dx, dy, dz.
  CoframePtr coordinates(std::string_view names);
  CoframePtr rotation(std::string_view names, Axes axes);
  CoframePtr product_of(std::vector<CoframePtr> factors) { return product(algebra, factors); }
  /// "x*y: dx dy; z: dy dz" is x*y dx^dy + z dy^dz; "f" alone is a function.
  Form form(const CoframePtr& coframe, std::string_view text);
  VectorField field(const CoframePtr& coframe, std::initializer_list<std::string_view> components);
};

/// Words of a text, separated by blanks.
std::vector<std::string> words(std::string_view text);

::testing::AssertionResult is_proved(const Verdict& verdict);
::testing::AssertionResult is_refuted_with_witness(const Verdict& verdict);

}  // namespace liaison::test

#define EXPECT_PROVED(verdict) EXPECT_TRUE(::liaison::test::is_proved(verdict))
#define EXPECT_REFUTED(verdict) EXPECT_TRUE(::liaison::test::is_refuted_with_witness(verdict))

/// The code, the message and the hint of the error that the statement must throw, word for word.
#define EXPECT_LIAISON_ERROR(statement, expected_code, message, expected_hint) \
  do {                                                                         \
    try {                                                                      \
      statement;                                                               \
      ADD_FAILURE() << "no error was thrown";                                  \
    } catch (const ::liaison::Error& error) {                                  \
      EXPECT_EQ(error.code(), expected_code);                                  \
      EXPECT_STREQ(error.what(), message);                                     \
      EXPECT_EQ(error.hint(), expected_hint);                                  \
    }                                                                          \
  } while (false)

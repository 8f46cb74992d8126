#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "liaison/mechanics/motion.hpp"
#include "liaison/model/language.hpp"

namespace liaison::test {

/// A model read and derived, with its algebra.
struct Derived {
  std::unique_ptr<System> system;
  std::shared_ptr<const System> extended;  ///< with its drives as directions; null without any
  std::unique_ptr<Algebra> algebra;
  std::unique_ptr<Motion> motion;

  Expr operator()(std::string_view text) const;  ///< an expression in the symbols of the system
  Expr factor(std::string_view name) const;
  Expr acceleration(std::string_view velocity) const;  ///< of the velocity parameter of that name, "x'"
  Expr omega(std::string_view first, std::string_view second) const;  ///< the coefficient of that product
  ::testing::AssertionResult equal(Expr e, std::string_view text) const;
};
Derived derive(const std::string& text);
Derived derive_file(const std::string& path_in_models);

}  // namespace liaison::test

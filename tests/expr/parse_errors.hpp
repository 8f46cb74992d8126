#pragma once

#include <gtest/gtest.h>

#include <string>

#include "liaison/expr/parse.hpp"

namespace liaison {

/// The rendered diagnostics of a text, word for word.
class ParseErrors : public ::testing::Test {
 protected:
  ParseErrors() {
    pool.function("f", 1);
    pool.function("g", 2);
    for (const std::string name : {"x", "y", "theta"}) {
      pool.symbol(name, SymbolKind::coordinate);
      pool.symbol(name + "'", SymbolKind::velocity);
    }
  }
  std::string errors(const std::string& text, const ParseOptions& options = {}) {
    const Source source("model.lia", text);
    return render(parse_expression(pool, source, options).diagnostics, source);
  }

  Pool pool;
};

}  // namespace liaison

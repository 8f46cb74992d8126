#include "model_support.hpp"

#include <fstream>
#include <sstream>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"

namespace liaison::test {

System read_system(const std::string& text) {
  const Source source("model", text);
  ParsedModel model = parse_model(source);
  EXPECT_TRUE(model.ok()) << render(model.diagnostics, source);
  return std::move(model.system);
}

std::string read_errors(const std::string& text) {
  const Source source("model", text);
  return render(parse_model(source).diagnostics, source);
}

Expr in(const System& system, std::string_view text) {
  const Source source("expected", std::string(text));
  const ParsedExpression parsed = parse_expression(*system.pool, source);
  EXPECT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics, source);
  return parsed.value;
}

::testing::AssertionResult same(const System& system, Expr e, std::string_view text) {
  const Expr expected = in(system, text);
  if (e.empty() || expected.empty())
    return ::testing::AssertionFailure() << "nothing to compare with " << text;
  Algebra algebra(*system.pool);
  const Verdict verdict = algebra.are_equal(e, expected);
  if (verdict.holds()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << to_infix(e) << "\n  is not " << text << "\n  " << describe(verdict);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace liaison::test

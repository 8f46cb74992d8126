#include "mechanics_support.hpp"

#include <fstream>
#include <sstream>

#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/model/extended_system.hpp"

namespace liaison::test {

Derived derive(const std::string& text) {
  const Source source("test.lia", text);
  ParsedModel parsed = parse_model(source);
  if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
  Derived result;
  result.system = std::make_unique<System>(std::move(parsed.system));
  result.extended = extended_system(source, *result.system);
  result.algebra = std::make_unique<Algebra>(*result.system->pool);
  result.motion = std::make_unique<Motion>(derive_motion(*result.algebra, *result.system));
  return result;
}

Derived derive_file(const std::string& path_in_models) {
  std::ifstream file(std::string(LIAISON_SOURCE_DIR) + "/models/" + path_in_models);
  std::ostringstream text;
  text << file.rdbuf();
  return derive(text.str());
}

Expr Derived::operator()(std::string_view text) const {
  return parse(*system->pool, text);
}

Expr Derived::factor(std::string_view name) const {
  for (std::size_t h = 0; h < motion->factors.size(); ++h) {
    if (motion->constraints[h].name == name) return motion->factors[h];
  }
  throw std::runtime_error("no factor " + std::string(name));
}

Expr Derived::acceleration(std::string_view velocity) const {
  for (std::size_t a = 0; a < motion->acceleration.size(); ++a) {
    if (motion->space.parameters[a].symbol().name == velocity) return motion->acceleration[a];
  }
  throw std::runtime_error("no acceleration of " + std::string(velocity));
}

Expr Derived::omega(std::string_view first, std::string_view second) const {
  return motion->omega.omega.coefficient({first, second});
}

::testing::AssertionResult Derived::equal(Expr e, std::string_view text) const {
  const Verdict verdict = algebra->are_equal(e, (*this)(text));
  if (verdict.is_proved()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << to_infix(e) << " is not " << text << ": " << describe(verdict);
}

}  // namespace liaison::test

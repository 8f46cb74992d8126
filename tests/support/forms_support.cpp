#include "support/forms_support.hpp"

#include <sstream>

namespace liaison::test {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// c * theta^a ^ theta^b ... in the order written.
Form term(Desk& desk, const CoframePtr& coframe, const std::string& text) {
  const auto colon = text.find(':');
  Form result = Form::function(coframe, desk(text.substr(0, colon)));
  if (colon == std::string::npos) return result;
  for (const std::string& name : words(text.substr(colon + 1)))
    result = wedge(result, Form::basis(coframe, name));
  return result;
}

}  // namespace

std::vector<std::string> words(std::string_view text) {
  std::stringstream stream{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

std::vector<Expr> Desk::list(std::initializer_list<std::string_view> texts) {
  std::vector<Expr> result;
  for (std::string_view text : texts) result.push_back((*this)(text));
  return result;
}

CoframePtr Desk::coordinates(std::string_view names) {
  std::vector<Expr> symbols;
  for (const std::string& name : words(names)) symbols.push_back(pool.symbol(name));
  return Coframe::coordinates(pool, symbols);
}

CoframePtr Desk::rotation(std::string_view names, Axes axes) {
  return rotation_coframe(algebra, words(names), axes);
}

Form Desk::form(const CoframePtr& coframe, std::string_view text) {
  const std::vector<std::string> parts = split(text, ';');
  Form result = term(*this, coframe, parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) result = result + term(*this, coframe, parts[i]);
  return result;
}

VectorField Desk::field(const CoframePtr& coframe, std::initializer_list<std::string_view> components) {
  return VectorField(coframe, list(components));
}

::testing::AssertionResult is_proved(const Verdict& verdict) {
  if (verdict.is_proved()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << describe(verdict);
}

::testing::AssertionResult is_refuted_with_witness(const Verdict& verdict) {
  if (verdict.is_refuted() && !(verdict.witness.left.to_string() == verdict.witness.right.to_string()))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << describe(verdict);
}

}  // namespace liaison::test

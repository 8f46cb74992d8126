#include "form_at_a_point.hpp"

namespace liaison::test {

namespace {

CoframePtr state_space(Desk& desk, std::size_t n) {
  std::string names;
  for (const char* letter : {"q", "v"})
    for (std::size_t i = 1; i <= n; ++i) names += letter + std::to_string(i) + " ";
  return desk.coordinates(names + "t");
}

}  // namespace

FormAtAPoint::FormAtAPoint(std::size_t size, std::uint64_t seed, Mass kind)
    : n(size), space(state_space(desk, size)), omega(space, 2), random_(seed) {
  for (std::size_t i = 0; i < n; ++i) velocity.push_back(number());
  // M = L^T L is regular for a triangular L with ones on the diagonal; a zero there makes it singular.
  Matrix l(desk.pool, n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j)
      l(i, j) = i < j ? number() : desk.pool.number(kind == Mass::singular && i == 0 ? 0 : 1);
  const Matrix mass = transpose(l) * l;
  for (std::size_t i = 0; i < n; ++i) {
    omega = omega + number() * wedge(basis("q", i), dt());
    for (std::size_t j = 0; j < n; ++j) {
      const Form contact_form = basis("q", j) - velocity[j] * dt();
      omega = omega + mass(i, j) * wedge(basis("v", i), contact_form);
      if (i < j) omega = omega + number() * wedge(basis("q", i), contact_form);
    }
  }
}

Form FormAtAPoint::basis(const std::string& letter, std::size_t i) const {
  return Form::basis(space, "d" + letter + std::to_string(i + 1));
}

Expr FormAtAPoint::factor() {
  for (;;) {
    const Expr value = number();
    if (!value.is_zero()) return value;
  }
}

Form FormAtAPoint::any_form() {
  Form sum(space, 1);
  for (std::size_t i = 0; i < space->dimension(); ++i) sum = sum + number() * Form::basis(space, i);
  return sum;
}

Form FormAtAPoint::contact(const std::vector<Expr>& l) const {
  Form sum(space, 1);
  for (std::size_t i = 0; i < n; ++i) sum = sum + l[i] * (basis("q", i) - velocity[i] * dt());
  return sum;
}

}  // namespace liaison::test

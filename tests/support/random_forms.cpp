#include "support/random_forms.hpp"

namespace liaison::test {

namespace {

CoframePtr coordinates(Pool& pool, std::initializer_list<const char*> names) {
  std::vector<Expr> symbols;
  for (const char* name : names) symbols.push_back(pool.symbol(name));
  return Coframe::coordinates(pool, symbols);
}

std::vector<Expr> symbols_of(const Coframe& coframe) {
  std::vector<Expr> symbols{coframe.pool().symbol("m")};
  for (const ScalarCoordinate& x : coframe.scalar_coordinates()) symbols.push_back(x.symbol);
  return symbols;
}

}  // namespace

std::vector<NamedCoframe> law_coframes(Algebra& algebra) {
  Pool& pool = algebra.pool();
  const std::vector<std::string> rotation{"w1", "w2", "w3"};
  const std::vector<std::string> moving{"e1", "e2", "e3"};
  const CoframePtr space = coordinates(pool, {"x", "y", "z"});
  const std::vector<CoframePtr> factors{coordinates(pool, {"x", "y"}),
                                        rotation_coframe(algebra, rotation, Axes::space),
                                        coordinates(pool, {"t"})};
  return {{"R^3", space},
          {"R^4", coordinates(pool, {"x", "y", "z", "t"})},
          {"R^5", coordinates(pool, {"x", "y", "z", "u", "t"})},
          {"SO(3) in body axes", rotation_coframe(algebra, rotation, Axes::body)},
          {"SO(3) in space axes", rotation_coframe(algebra, rotation, Axes::space)},
          {"R^2 x SO(3) x time", product(algebra, factors)},
          {"a moving frame of R^3", moving_frame(algebra, space, moving, random_frame_matrix(7, space))}};
}

RandomForms::RandomForms(std::uint64_t seed, const CoframePtr& coframe)
    : coframe_(coframe), symbols_(symbols_of(*coframe)), random_(seed) {}

Expr RandomForms::function() {
  Pool& pool = coframe_->pool();
  const auto symbol = [&] { return symbols_[below(symbols_.size())]; };
  Expr sum = pool.number(random_.number());
  for (std::uint64_t i = 0, n = 1 + below(2); i < n; ++i) {
    Expr term = pool.number(random_.number());
    term = term * symbol();
    const std::uint64_t kind = below(4);
    if (kind == 0) term = term * symbol();
    if (kind == 1) term = term * sin(symbol());
    if (kind == 2) {
      const Expr angle = symbol();  // one draw a statement: the order of operands is the compiler's
      term = term * cos(angle + Rational(2) * symbol());
    }
    sum = sum + term;
  }
  return sum;
}

Form RandomForms::form(std::size_t degree) {
  if (degree == 0) return Form::function(coframe_, function());
  Form result(coframe_, degree);
  const std::uint64_t count = 2 + below(2);
  for (std::uint64_t i = 0; i < count; ++i) {
    Form term = Form::function(coframe_, function());
    for (std::size_t k = 0; k < degree; ++k)
      term = wedge(term, Form::basis(coframe_, below(coframe_->dimension())));
    result = result + term;
  }
  // A repeated basis form makes a product vanish: one product of different forms is always there.
  std::vector<Form::Term> sure{{IndexSet(), function() + coframe_->pool().symbol("m")}};
  const std::size_t start = below(coframe_->dimension());
  for (std::size_t k = 0; k < degree && degree <= coframe_->dimension(); ++k)
    sure[0].first.set((start + k) % coframe_->dimension());
  return degree > coframe_->dimension() ? result : result + Form(coframe_, degree, std::move(sure));
}

VectorField RandomForms::field() {
  std::vector<Expr> components;
  for (std::size_t i = 0; i < coframe_->dimension(); ++i)
    components.push_back(below(4) == 0 ? coframe_->pool().number(0) : function());
  return VectorField(coframe_, std::move(components));
}

SmoothMap random_map(std::uint64_t seed, Algebra& algebra, const CoframePtr& source,
                     const CoframePtr& target) {
  RandomForms random(seed, source);
  const auto symbol = [&] { return source->scalar_coordinates()[random.below(source->dimension())].symbol; };
  std::vector<std::pair<Expr, Expr>> coordinates;
  for (const ScalarCoordinate& x : target->scalar_coordinates()) {
    const Rational slope(1 + static_cast<long>(random.below(2)));
    const Expr linear = slope * symbol(), first = symbol(), second = symbol();
    coordinates.emplace_back(x.symbol, random.below(2) == 0 ? linear + first * second : linear);
  }
  return SmoothMap(algebra, source, target, std::move(coordinates));
}

Matrix random_frame_matrix(std::uint64_t seed, const CoframePtr& coframe) {
  RandomForms random(seed, coframe);
  Pool& pool = coframe->pool();
  Matrix matrix(pool, coframe->dimension(), coframe->dimension());
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    matrix(i, i) = pool.number(i % 2 == 0 ? 1 : 2);
    if (i == 0) continue;
    // The entry depends on another coordinate than that of its column: the frame is not closed.
    const auto& coordinates = coframe->scalar_coordinates();
    const std::size_t column = random.below(i);
    const std::size_t other =
        coordinates.size() < 2 ? 0 : (column + 1 + random.below(coordinates.size() - 1)) % coordinates.size();
    const Expr symbol = coordinates.empty() ? pool.symbol("m") : coordinates[other].symbol;
    matrix(i, column) = random.below(3) == 0 ? sin(symbol) : symbol * pool.symbol("m") + Rational(1);
  }
  return matrix;
}

}  // namespace liaison::test

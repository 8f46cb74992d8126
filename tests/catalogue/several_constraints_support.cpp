#include "several_constraints_support.hpp"

#include <fmt/format.h>

#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "liaison/forms/calculus.hpp"
#include "liaison/model/language.hpp"

namespace liaison::test {

namespace {

constexpr std::size_t p = 2;
using Integers = std::vector<long>;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  long between(long low, long high) {
    return low + static_cast<long>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  Integers list(std::size_t count) {
    Integers result(count);
    for (long& value : result) value = between(-3, 3);
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

/// Symmetric and diagonally dominant: positive definite.
std::vector<Integers> random_mass(Draw& draw, std::size_t n) {
  std::vector<Integers> mass(n, Integers(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) mass[i][j] = mass[j][i] = draw.between(-1, 1);
    mass[i][i] = draw.between(static_cast<long>(n), static_cast<long>(n) + 3);
  }
  return mass;
}

/// Relation h is solvable for the velocity h: its coefficients begin with a unit matrix.
std::vector<Integers> random_gradients(Draw& draw, std::size_t n) {
  std::vector<Integers> gradients;
  for (std::size_t h = 0; h < p; ++h) {
    gradients.push_back(draw.list(n));
    for (std::size_t k = 0; k < p; ++k) gradients[h][k] = k == h;
  }
  return gradients;
}

/// M w with a velocity w that both relations leave free, and a unit vector that is independent of it.
std::vector<Integers> tangent_directions(Draw& draw, const std::vector<Integers>& mass,
                                         const std::vector<Integers>& gradients) {
  const std::size_t n = mass.size();
  Integers w(n), first(n), second(n);
  for (std::size_t j = p; j < n; ++j) {
    w[j] = draw.between(1, 3);
    for (std::size_t h = 0; h < p; ++h) w[h] -= gradients[h][j] * w[j];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) first[i] += mass[i][j] * w[j];
  }
  bool only_the_first = true;
  for (std::size_t i = 1; i < n; ++i) only_the_first &= first[i] == 0;
  second[only_the_first ? 1 : 0] = 1;
  return {first, second};
}

std::vector<Integers> unrelated_directions(Draw& draw, std::size_t n) {
  std::vector<Integers> directions;
  for (std::size_t h = 0; h < p; ++h) {
    directions.push_back(draw.list(n));
    for (std::size_t k = 0; k < p; ++k) directions[h][n - 1 - k] = k == h;
  }
  return directions;
}

std::string sum(const Integers& coefficients, const char* term) {
  std::string result = "0";
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    result += fmt::format(" + ({})*{}", coefficients[i], fmt::format(fmt::runtime(term), i + 1));
  }
  return result;
}

std::string kinetic_energy(const std::vector<Integers>& mass) {
  std::string result = "(q1^2/3)*q2'^2/2";
  for (std::size_t i = 0; i < mass.size(); ++i) {
    for (std::size_t j = 0; j < mass.size(); ++j) {
      result += fmt::format(" + ({})/2*q{}'*q{}'", mass[i][j], i + 1, j + 1);
    }
  }
  return result;
}

}  // namespace

DerivedModel::DerivedModel(const std::string& text) {
  const Source source("test.lia", text);
  ParsedModel parsed = parse_model(source);
  if (!parsed.ok()) throw std::runtime_error(render(parsed.diagnostics, source));
  system = std::make_unique<System>(std::move(parsed.system));
  algebra = std::make_unique<Algebra>(*system->pool);
  motion = std::make_unique<Motion>(derive_motion(*algebra, *system));
}

DerivedModel DerivedModel::file(const std::string& path_in_models) {
  std::ifstream file(std::string(LIAISON_SOURCE_DIR) + "/models/" + path_in_models);
  std::ostringstream text;
  text << file.rdbuf();
  return DerivedModel(text.str());
}

Expr DerivedModel::operator()(std::string_view text) const {
  return parse(*system->pool, text);
}

Expr DerivedModel::acceleration(std::string_view velocity) const {
  for (std::size_t a = 0; a < motion->acceleration.size(); ++a) {
    if (motion->space.parameters[a].symbol().name == velocity) return motion->acceleration[a];
  }
  throw std::runtime_error("no acceleration of " + std::string(velocity));
}

RandomSystem::RandomSystem(std::uint64_t seed, std::size_t n, Directions directions,
                           const Generators& generators) {
  Draw draw(seed);
  const bool tangent = directions == Directions::first_is_tangent;
  const std::vector<Integers> mass = random_mass(draw, n), gradients = random_gradients(draw, n);
  const std::vector<Integers> along =
      tangent ? tangent_directions(draw, mass, gradients) : unrelated_directions(draw, n);
  text_ = "coord q1";
  for (std::size_t i = 2; i <= n; ++i) text_ += fmt::format(", q{}", i);
  // A field that is tangent everywhere needs a constant mass matrix and constant gradients.
  const std::string energy = kinetic_energy(mass);
  text_ += "\nkinetic " + (tangent ? energy.substr(energy.find('+') + 1) : energy) + "\n";
  for (std::size_t i = 1; i <= n; ++i) {
    text_ +=
        fmt::format("force q{} = {} + ({}) + t\n", i, sum(draw.list(n), "q{}"), sum(draw.list(n), "q{}'"));
  }
  std::array<std::string, p> relations;
  for (std::size_t h = 0; h < p; ++h) {
    relations[h] = fmt::format("{} + ({})*t + q{}", sum(gradients[h], "q{}'"), draw.between(-3, 3), h + 1);
    if (!tangent) relations[h] += fmt::format(" + q{}*q{}'", h + 1, n);
  }
  for (std::size_t h = 0; h < p; ++h) {
    text_ += fmt::format("constraint a{}: ({})*({}) + ({})*({}) = 0  along {}\n", h + 1, generators[h][0],
                         relations[0], generators[h][1], relations[1], sum(along[h], "dq{}"));
  }
  derived_ = std::make_unique<DerivedModel>(text_);

  state_.emplace((*derived_)("t"), number(draw.between(1, 4)) / number(3));
  Substitution free = state_;
  for (std::size_t i = 1; i <= n; ++i) {
    free.emplace((*derived_)(fmt::format("q{}", i)), number(draw.between(1, 7)) / number(5));
    if (i > p) free.emplace((*derived_)(fmt::format("q{}'", i)), number(draw.between(-7, 7)) / number(4));
  }
  state_ = free;
  // The relations are solvable for q1', q2', whatever the generators.
  for (std::size_t h = 0; h < p; ++h) {
    const Expr velocity = (*derived_)(fmt::format("q{}'", h + 1));
    Substitution others = free;
    others.emplace(velocity, number(0));
    state_[velocity] = algebra().canonical(-substitute((*derived_)(relations[h]), others)).value;
  }
}

Form RandomSystem::direction(std::size_t h) const {
  Form l(motion().space.coframe, 1);
  for (std::size_t i = 0; i < motion().space.size(); ++i) {
    l = l + motion().constraints[h].direction[i] * basis(motion().space.configuration_form(i));
  }
  return l;
}

Expr RandomSystem::power(std::size_t h) const {
  Expr result = number(0);
  for (std::size_t i = 0; i < motion().space.size(); ++i) {
    result += motion().constraints[h].direction[i] * motion().space.velocities[i];
  }
  return result;
}

Form RandomSystem::relation_differential(std::size_t h) const {
  return at_state(d(motion().space.coframe, motion().constraints[h].relation));
}

Expr RandomSystem::at_state(Expr e) const {
  return algebra().canonical(substitute(e, state_)).value;
}

Form RandomSystem::at_state(const Form& a) const {
  std::vector<Form::Term> terms;
  for (const auto& [indices, coefficient] : a.terms()) terms.emplace_back(indices, at_state(coefficient));
  return Form(a.coframe(), a.degree(), std::move(terms));
}

VectorField RandomSystem::at_state(const VectorField& x) const {
  std::vector<Expr> components;
  for (Expr component : x.components()) components.push_back(at_state(component));
  return VectorField(x.coframe(), std::move(components));
}

}  // namespace liaison::test

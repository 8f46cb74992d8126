#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "builder.hpp"
#include "liaison/expr/traverse.hpp"
#include "text.hpp"

namespace liaison {

namespace {

constexpr long not_polynomial = std::numeric_limits<long>::max() / 4;

/// The degree of a polynomial in the velocities as it is written, or `not_polynomial`.
long velocity_degree(Expr root) {
  std::unordered_map<Expr, long> degrees;
  for (Expr e : postorder(root)) {
    long degree = 0;
    for (Expr arg : e.args()) degree = std::max(degree, degrees.at(arg));
    if (e.is(Op::symbol)) {
      degree = e.symbol().kind == SymbolKind::velocity ? 1 : 0;
    } else if (e.is(Op::mul)) {
      degree = 0;
      for (Expr arg : e.args()) degree = std::min(not_polynomial, degree + degrees.at(arg));
    } else if (e.is(Op::pow)) {
      const auto exponent = e.arg(1).number().to_long();
      const bool whole = exponent && *exponent > 0 && *exponent < not_polynomial;
      if (degree > 0)
        degree = whole && degree < not_polynomial / *exponent ? degree * *exponent : not_polynomial;
    } else if (!e.is(Op::add) && degree > 0) {
      degree = not_polynomial;
    }
    degrees.emplace(e, degree);
  }
  return degrees.at(root);
}

}  // namespace

/// Obvious cases of a singular mass matrix; the mechanics decides the others.
void Builder::check_kinetic() {
  const Span place = has_kinetic_ ? kinetic_span_ : title_.value_or(system_.directions.front().span);
  if (!has_kinetic_) {
    reports_.add("L0415", place, "the model has no kinetic energy",
                 "give one with `kinetic m/2*x'^2`, or declare particles or bodies");
    return;
  }
  const std::vector<Expr> symbols = symbols_in(system_.kinetic);
  const std::unordered_set<Expr> in_energy(symbols.begin(), symbols.end());
  const bool in_parameters =
      std::any_of(system_.chart.parameters.begin(), system_.chart.parameters.end(), [&](Expr parameter) {
        return !direction_of_velocity_.contains(parameter) && in_energy.contains(parameter);
      });
  if (!in_parameters && velocity_degree(system_.kinetic) > 2) {
    Diagnostic& diagnostic =
        reports_.add("L0417", place, "the kinetic energy is not quadratic in the velocities");
    diagnostic.hint = "write it as a sum of products of two velocities: `m/2*x'^2`";
    return;
  }
  for (std::size_t i = 0; i < system_.directions.size(); ++i) {
    const Direction& direction = system_.directions[i];
    bool moved = in_energy.contains(direction.velocity);
    if (in_parameters && !moved) {
      for (Expr symbol : symbols_in(system_.chart.velocities[i])) moved = moved || in_energy.contains(symbol);
    }
    if (moved) continue;
    const std::string velocity = direction.velocity.symbol().name;
    const std::string name = direction.coordinate.empty() ? velocity : direction.coordinate.symbol().name;
    Diagnostic& diagnostic = reports_.add(
        "L0416", direction.span, fmt::format("the kinetic energy does not depend on `{}`", velocity),
        fmt::format("add its inertia to `kinetic`, or use `{}` as a parameter if it does not move", name));
    diagnostic.label = fmt::format("no acceleration of `{}` follows: the mass matrix is singular", name);
  }
}

/// Energies of bodies, and what else no single statement says.
void Builder::add_dimensions() {
  if (!has_units_) return;
  for (const Particle& particle : system_.particles) {
    obligations_.energy(particle.mass, particle.span, "a mass", {}, base_dimension(-2, 0, 2));
  }
  for (const Body& body : system_.bodies) {
    obligations_.energy(body.inertia[0], body.span, "a moment of inertia", {}, base_dimension(0, 0, 2));
  }
}

/// An output is a column of a run, beside those that every run of the model has.
void Builder::check_output_names() {
  std::map<std::string, std::string> columns{
      {system_.time.symbol().name, "the time"}, {"T", "the kinetic energy"}, {"V", "the potential energy"}};
  const auto add = [&](Expr symbol, const char* what) {
    if (!symbol.empty()) columns.emplace(symbol.symbol().name, what);
  };
  for (const Direction& direction : system_.directions) {
    add(direction.coordinate, "a coordinate");
    add(direction.velocity, "a velocity");
  }
  for (Expr parameter : system_.chart.parameters) add(parameter, "a velocity parameter");
  for (const Output& output : system_.outputs) {
    const auto column = columns.find(output.name);
    if (column == columns.end()) continue;
    reports_.add("L0407", outputs_.at(output.name),
                 fmt::format("the output `{}` has the name of {}, which is a column of every run",
                             excerpt(output.name), column->second),
                 "choose another name");
  }
}

}  // namespace liaison

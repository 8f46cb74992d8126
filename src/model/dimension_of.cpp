#include "liaison/model/dimension_of.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "dimensions.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"

namespace liaison {

namespace {

using Known = std::optional<Dimension>;

class DimensionReader {
 public:
  explicit DimensionReader(const System& system, const ToldDimensions& told = {})
      : system_(system), told_(told) {
    const Dimension second = base_dimension(0, 0, 1);
    known_.emplace(system.time, second);
    for (const Parameter& parameter : system.parameters)
      known_.emplace(parameter.symbol, parameter.unit ? Known(parameter.unit->dimension) : Known());
    for (const Direction& direction : system.directions) {
      const Known of = direction.coordinate.empty() ? Known(Dimension{})
                       : direction.unit             ? Known(direction.unit->dimension)
                                                    : Known();
      if (!direction.coordinate.empty()) known_.emplace(direction.coordinate, of);
      known_.emplace(direction.velocity, of ? Known(*of / second) : Known());
    }
    for (const Rotation& rotation : system.rotations)
      for (Expr e : rotation.quaternion) known_.emplace(e, Dimension{});
    for (const Query& query : system.queries)
      if (query.kind == QueryKind::kinetic || query.kind == QueryKind::potential)
        known_.emplace(query.symbol, base_dimension(2, 1, -2));
  }

  Known read(Expr root) {
    for (Expr e : postorder(root))
      if (!known_.contains(e)) known_.emplace(e, compute(e));
    return known_.at(root);
  }

  /// By the power of the factor, or by what its relation keeps.
  Known of_factor(const std::string& name) {
    if (!asked_.insert(name).second) return {};  // a power that holds its own factor
    if (const auto told = told_.factors.find(name); told != told_.factors.end()) return told->second;
    const auto of = [&](const Constraint& one) {
      const Expr moving = moved_by_factor(one);
      const Known moved = moving.empty() ? Known() : read(moving);
      return moved ? Known(dimension_of_factor(one, *moved)) : Known();
    };
    for (const Constraint& one : system_.constraints)
      if (one.name == name) return of(one);
    for (const Unilateral& one : system_.unilaterals)
      if (one.name == name) return of(one);
    return {};
  }

 private:
  static constexpr std::string_view lambda = "lambda_";

  Known of_symbol(Expr e) {
    const std::string& name = e.symbol().name;
    if (e.symbol().kind == SymbolKind::multiplier) return of_factor(name.substr(lambda.size()));
    if (!name.ends_with('\'')) return {};
    const Expr base = system_.pool->find_symbol(name.substr(0, name.size() - 1));
    if (base.empty()) return {};
    const Known of = known_.contains(base) ? known_.at(base) : of_symbol(base);
    return of ? Known(*of / base_dimension(0, 0, 1)) : Known();
  }

  /// That of the arguments if it is one; a zero has every unit.
  Known common(Expr e) {
    Known result;
    for (Expr arg : e.args()) {
      if (arg.is_zero()) continue;
      const Known& of = known_.at(arg);
      if (!of || (result && !(*result == *of))) return {};
      result = of;
    }
    return result;
  }

  Known compute(Expr e) {
    switch (e.op()) {
      case Op::symbol: return of_symbol(e);
      case Op::add:
      case Op::min:
      case Op::max: return common(e);
      case Op::mul: {
        Dimension product;
        for (Expr factor : e.args()) {
          if (!known_.at(factor)) return {};
          product = product * *known_.at(factor);
        }
        return product;
      }
      case Op::pow: {
        const Known& base = known_.at(e.arg(0));
        return base ? Known(power(*base, e.arg(1).number())) : Known();
      }
      case Op::abs: return known_.at(e.arg(0));
      case Op::apply: {
        const Known& of = known_.at(e.arg(0));
        return is_integral(e) && of ? Known(*of * base_dimension(0, 0, 1)) : Known();
      }
      default: return Dimension{};  // numbers, angles, signs and functions of plain numbers
    }
  }

  const System& system_;
  const ToldDimensions& told_;
  std::unordered_map<Expr, Known> known_;
  std::set<std::string> asked_;
};

/// "N (kg·m/s²)" as "N".
std::string short_name(const Known& dimension) {
  if (!dimension || dimension->is_none()) return {};
  const std::string text = describe(*dimension);
  return text.substr(0, text.find(" ("));
}

}  // namespace

std::optional<Dimension> dimension_of(const System& system, Expr value) {
  return DimensionReader(system).read(value);
}

namespace {

/// A moment and an energy have one dimension; what is made of energies is one.
std::string named(const System& system, Expr value, const Known& dimension) {
  const auto is_energy = [&](Expr symbol) {
    return std::any_of(system.queries.begin(), system.queries.end(), [&](const Query& query) {
      return query.symbol == symbol &&
             (query.kind == QueryKind::kinetic || query.kind == QueryKind::potential);
    });
  };
  const std::vector<Expr> symbols = symbols_in(value);
  if (dimension && *dimension == base_dimension(2, 1, -2) &&
      std::any_of(symbols.begin(), symbols.end(), is_energy))
    return "J";
  return short_name(dimension);
}

}  // namespace

std::string unit_of_value(const System& system, Expr value) {
  return named(system, value, dimension_of(system, value));
}

std::string unit_of_output(const System& system, const Output& output, const ToldDimensions& told) {
  const auto known = told.outputs.find(output.name);
  return named(
      system, output.value,
      known != told.outputs.end() ? known->second : DimensionReader(system, told).read(output.value));
}

std::string unit_of_factor(const System& system, const std::string& constraint, const ToldDimensions& told) {
  return short_name(DimensionReader(system, told).of_factor(constraint));
}

bool has_units(const System& system) {
  return std::any_of(system.directions.begin(), system.directions.end(),
                     [](const Direction& direction) { return direction.unit.has_value(); }) ||
         std::any_of(system.parameters.begin(), system.parameters.end(),
                     [](const Parameter& parameter) { return parameter.unit.has_value(); });
}

}  // namespace liaison

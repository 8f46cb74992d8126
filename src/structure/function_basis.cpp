#include "function_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "function_table.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

void add_once(std::vector<Expr>& list, Expr e) {
  if (std::find(list.begin(), list.end(), e) == list.end()) list.push_back(e);
}

/// T, V, the forces and the velocities on the admissible states.
std::vector<Expr> sources(Algebra& algebra, const StateFlow& flow) {
  const Motion& motion = *flow.motion;
  std::vector<Expr> result;
  const auto add = [&](Expr e) { result.push_back(algebra.readable(flow.restricted(e))); };
  add(motion.space.in_parameters(motion.space.system->kinetic));
  add(motion.space.system->potential);
  for (Expr force : motion.omega.forces) add(force);
  for (std::size_t i = 0; i < motion.space.size(); ++i) result.push_back(flow.field.component(i));
  if (flow.has_levels) {
    for (std::size_t h = 0; h < motion.relation_count; ++h)
      if (!motion.constraints[h].level.empty()) result.push_back(motion.constraints[h].level);
  }
  return result;
}

/// Generators from one node of the sources: what is not a sum, product or whole power of others.
void read_node(const FunctionTable& table, Expr node, std::vector<Expr>& generators) {
  if (!table.depends_on_state(table.place_of(node))) return;
  if (node.is(Op::pow)) {
    const Rational& exponent = node.arg(1).number();
    if (!exponent.is_integer()) {
      add_once(generators, pow(node.arg(0), Rational(1, 2)));
      if (exponent.sign() < 0) add_once(generators, pow(node.arg(0), Rational(-1, 2)));
    } else if (exponent.sign() < 0) {
      add_once(generators, pow(node.arg(0), Rational(-1)));
    }
  } else if (!node.is(Op::symbol) && !node.is(Op::add) && !node.is(Op::mul) && !node.is(Op::sin) &&
             !node.is(Op::cos)) {
    add_once(generators, node);
  }
}

bool mentions(Expr e, const std::vector<Expr>& symbols);

/// Of the matrix of a rotation.
bool is_entry(const StateFlow& flow, Expr e) {
  return std::any_of(flow.quaternions.begin(), flow.quaternions.end(), [&](const auto& quaternion) {
    const auto entries = rotation_matrix(quaternion);
    return std::find(entries.begin(), entries.end(), e) != entries.end();
  });
}

/// "x, y, cos(theta), the entries of a rotation": those of a matrix are sums of squares, and not written out.
std::string names_of(const std::vector<Expr>& generators) {
  std::vector<std::string> names;
  bool has_matrix = false;
  for (Expr generator : generators) {
    if (generator.is(Op::add)) {
      has_matrix = true;
    } else {
      names.push_back(to_infix(generator));
    }
  }
  if (has_matrix) names.push_back("the entries of the matrix of a rotation");
  return fmt::format("{}", fmt::join(names, ", "));
}

/// A term without the factors that are free of the state.
Expr state_factor(const StateFlow& flow, Expr term) {
  if (!term.is(Op::mul)) return mentions(term, flow.state()) ? term : term.pool().number(1);
  std::vector<Expr> factors;
  for (Expr factor : term.args()) {
    if (mentions(factor, flow.state())) factors.push_back(factor);
  }
  return term.pool().mul(factors);
}

/// The degree in the first of the names, where nothing else but parameters is left.
std::optional<unsigned> degree_as_written(Expr e, const std::vector<Expr>& names, std::size_t first) {
  for (Expr symbol : symbols_in(e)) {
    const SymbolKind kind = symbol.symbol().kind;
    if (kind != SymbolKind::parameter && kind != SymbolKind::auxiliary) return std::nullopt;
  }
  const auto monomials = polynomial_coefficients(e, names, 10'000);
  if (!monomials) return std::nullopt;
  unsigned degree = 0;
  for (const Monomial& monomial : *monomials) {
    unsigned sum = 0;
    for (std::size_t k = 0; k < first; ++k) sum += monomial.exponents[k];
    degree = std::max(degree, sum);
  }
  return degree;
}

/// The same where entries of rotations are written out, as a number in front of one is multiplied into its
/// sum: what is even in a quaternion of length one is a polynomial of half its degree in the entries.
std::optional<unsigned> degree_in_entries(Expr e, const std::vector<Expr>& generators,
                                          std::vector<Expr> names) {
  std::vector<std::vector<Expr>> quaternions;  // nine entries each
  std::size_t entries = 0;
  for (Expr generator : generators) {
    if (!generator.is(Op::add)) continue;
    std::vector<Expr> parts = symbols_in(generator);
    std::sort(parts.begin(), parts.end(), [](Expr a, Expr b) { return a.symbol().name < b.symbol().name; });
    ++entries;
    if (std::find(quaternions.begin(), quaternions.end(), parts) == quaternions.end())
      quaternions.push_back(std::move(parts));
  }
  if (quaternions.empty() || entries != 9 * quaternions.size()) return std::nullopt;
  const std::size_t functions = generators.size(), first = names.size();
  for (const auto& quaternion : quaternions) {
    if (quaternion.size() != 4) return std::nullopt;
    names.insert(names.end(), quaternion.begin(), quaternion.end());
  }
  const auto monomials = polynomial_coefficients(e, names, 10'000);
  if (!monomials) return std::nullopt;
  unsigned degree = 0;
  for (const Monomial& monomial : *monomials) {
    for (Expr symbol : symbols_in(monomial.coefficient)) {
      if (symbol.symbol().kind != SymbolKind::parameter) return std::nullopt;
    }
    unsigned sum = 0;
    for (std::size_t k = 0; k < functions; ++k) sum += monomial.exponents[k];
    for (std::size_t k = first; k < names.size(); k += 4) {
      unsigned parts = 0;
      for (std::size_t i = k; i < k + 4; ++i) parts += monomial.exponents[i];
      if (parts % 2 != 0) return std::nullopt;
      sum += parts / 2;
    }
    degree = std::max(degree, sum);
  }
  return degree;
}

bool mentions(Expr e, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return depends_on(e, symbol); });
}

}  // namespace

std::vector<Expr> function_generators(Algebra& algebra, const StateFlow& flow) {
  const std::vector<Expr> from = sources(algebra, flow);
  const FunctionTable table(algebra, from, flow.state());
  std::vector<Expr> result;
  if (!table.refusal().empty()) return result;
  const auto is_in_functions = [&](Expr symbol) {
    const auto in = [&](const FunctionTable::Atom& atom) { return depends_on(atom.unit, symbol); };
    return std::any_of(table.angles().begin(), table.angles().end(), in) ||
           std::any_of(table.exponents().begin(), table.exponents().end(), in);
  };
  std::unordered_set<Expr> outside;  // symbols that stand in sums, products and powers
  for (Expr node : table.nodes()) {
    if (!node.is(Op::add) && !node.is(Op::mul) && !node.is(Op::pow)) continue;
    for (Expr arg : node.args()) {
      if (arg.is(Op::symbol)) outside.insert(arg);
    }
  }
  for (Expr e : from) {
    if (e.is(Op::symbol)) outside.insert(e);
  }
  for (Expr position : flow.positions) {
    if (!is_in_functions(position) || outside.contains(position)) add_once(result, position);
  }
  for (const FunctionTable::Atom& atom : table.angles()) {
    if (!atom.depends_on_state || mentions(atom.unit, flow.velocities)) continue;
    add_once(result, cos(atom.unit));
    add_once(result, sin(atom.unit));
  }
  for (const auto& quaternion : flow.quaternions) {
    for (Expr entry : rotation_matrix(quaternion)) add_once(result, entry);
  }
  for (Expr node : table.nodes()) {
    if (!mentions(node, flow.velocities)) read_node(table, node, result);
  }
  if (!flow.is_autonomous(algebra) && outside.contains(flow.time)) add_once(result, flow.time);
  return result;
}

std::vector<Expr> energy_coefficients(Algebra& algebra, const StateFlow& flow) {
  const Motion& motion = *flow.motion;
  std::vector<Expr> result;
  std::vector<Expr> energies{motion.space.in_parameters(motion.space.system->kinetic),
                             motion.space.system->potential};
  energies.insert(energies.end(), motion.omega.momenta.begin(), motion.omega.momenta.end());
  for (Expr e : energies) {
    const auto monomials = polynomial_coefficients(flow.restricted(e), flow.velocities, 1000);
    if (!monomials) continue;
    for (const Monomial& monomial : *monomials) {
      const Expr coefficient = algebra.readable(monomial.coefficient);
      const bool is_sum = coefficient.is(Op::add);
      for (Expr term : is_sum ? coefficient.args() : std::span(&coefficient, 1)) {
        if (const Expr factor = state_factor(flow, term); !factor.is_number()) add_once(result, factor);
      }
    }
  }
  return result;
}

std::optional<unsigned> degree_in(Algebra& algebra, Expr e, const std::vector<Expr>& generators,
                                  const std::vector<Expr>& velocities) {
  Substitution symbols;
  std::vector<Expr> names;
  const auto rename = [&](Expr symbol) {
    names.push_back(algebra.pool().symbol("#g" + std::to_string(names.size()), SymbolKind::auxiliary));
    symbols.emplace(symbol, names.back());
  };
  for (Expr generator : generators) rename(generator);
  for (Expr velocity : velocities) rename(velocity);
  const Expr whole = algebra.canonical(e).value;
  for (Expr form : {e, whole}) {
    if (const auto degree = degree_as_written(substitute(form, symbols), names, generators.size()))
      return degree;
  }
  return degree_in_entries(substitute(whole, symbols), generators, names);
}

std::optional<std::size_t> independent_products(const FunctionBasis& basis, const StateFlow& flow,
                                                unsigned degree) {
  std::vector<Expr> left = basis.generators;
  std::size_t rotations = 0, coordinates = 0;
  for (const auto& quaternion : flow.quaternions) {
    std::size_t entries = 0;
    for (Expr entry : rotation_matrix(quaternion)) entries += std::erase(left, entry);
    if (entries == 0) continue;
    if (entries != 9) return std::nullopt;
    ++rotations;
  }
  for (Expr position : flow.positions) coordinates += std::erase(left, position);
  if (!left.empty() || basis.functions.size() != count_exponents(basis.generators.size(), basis.degree))
    return std::nullopt;
  std::vector<std::size_t> of_degree(degree + 1);  // how many are new with each degree
  for (unsigned k = 0; k <= degree; ++k)
    of_degree[k] = coordinates == 0
                       ? (k == 0 ? 1 : 0)
                       : count_exponents(coordinates, k) - (k == 0 ? 0 : count_exponents(coordinates, k - 1));
  for (std::size_t rotation = 0; rotation < rotations; ++rotation) {
    std::vector<std::size_t> with(degree + 1);
    for (unsigned k = 0; k <= degree; ++k) {
      for (unsigned l = 0; l + k <= degree; ++l)
        with[k + l] += of_degree[k] * (2 * std::size_t{l} + 1) * (2 * std::size_t{l} + 1);
    }
    of_degree = std::move(with);
  }
  std::size_t sum = 0;
  for (const std::size_t count : of_degree) sum += count;
  return sum;
}

std::optional<std::vector<unsigned>> degrees_by_velocity(Algebra& algebra, const StateFlow& flow, Expr e,
                                                         const std::vector<Expr>& generators) {
  std::vector<Expr> names;
  std::copy_if(generators.begin(), generators.end(), std::back_inserter(names),
               [](Expr generator) { return generator.is(Op::symbol); });
  const std::size_t first = names.size();
  for (const auto& quaternion : flow.quaternions)
    names.insert(names.end(), quaternion.begin(), quaternion.end());
  const std::size_t last = names.size();
  // Other generators count one as they are written; entries of a rotation are polynomials in its quaternion.
  Substitution symbols;
  for (Expr generator : generators) {
    if (generator.is(Op::symbol) || is_entry(flow, generator)) continue;
    names.push_back(algebra.pool().symbol("#g" + std::to_string(names.size()), SymbolKind::auxiliary));
    symbols.emplace(generator, names.back());
  }
  const std::size_t velocity = names.size();
  names.insert(names.end(), flow.velocities.begin(), flow.velocities.end());
  const auto monomials =
      polynomial_coefficients(substitute(algebra.canonical(e).value, symbols), names, 10'000);
  if (!monomials) return std::nullopt;
  std::vector<unsigned> result;
  for (const Monomial& monomial : *monomials) {
    if (mentions(monomial.coefficient, flow.state())) return std::nullopt;
    unsigned degree = 0, velocities = 0;
    for (std::size_t k = 0; k < first; ++k) degree += monomial.exponents[k];
    for (std::size_t k = first; k < last; k += 4) {
      unsigned parts = 0;
      for (std::size_t i = k; i < k + 4; ++i) parts += monomial.exponents[i];
      if (parts % 2 != 0) return std::nullopt;
      degree += parts / 2;
    }
    for (std::size_t k = last; k < velocity; ++k) degree += monomial.exponents[k];
    for (std::size_t k = velocity; k < names.size(); ++k) velocities += monomial.exponents[k];
    if (result.size() <= velocities) result.resize(velocities + 1);
    result[velocities] = std::max(result[velocities], degree);
  }
  return result;
}

bool has_products_of(const FunctionBasis& basis, const StateFlow& flow) {
  const auto is_generator = [&](Expr e) {
    return std::find(basis.generators.begin(), basis.generators.end(), e) != basis.generators.end();
  };
  for (const auto& quaternion : flow.quaternions) {
    for (Expr entry : rotation_matrix(quaternion)) {
      if (!is_generator(entry)) return false;
    }
  }
  return true;
}

std::size_t count_exponents(std::size_t count, unsigned degree) {
  std::size_t result = 1;
  for (unsigned k = 1; k <= degree; ++k) {
    if (result > 1'000'000'000 / (count + k)) return 1'000'000'000;
    result = result * (count + k) / k;
  }
  return result;
}

std::vector<std::vector<unsigned>> exponents_up_to(std::size_t count, unsigned degree) {
  std::vector<std::vector<unsigned>> result{std::vector<unsigned>(count, 0)};
  std::size_t first = 0;
  for (unsigned k = 0; k < degree; ++k) {
    const std::size_t last = result.size();
    for (std::size_t i = first; i < last; ++i) {
      // Each monomial once: factors are added in order.
      std::size_t from = count;
      while (from > 0 && result[i][from - 1] == 0) --from;
      for (std::size_t v = from == 0 ? 0 : from - 1; v < count; ++v) {
        std::vector<unsigned> next = result[i];
        ++next[v];
        result.push_back(std::move(next));
      }
    }
    first = last;
  }
  return result;
}

FunctionBasis make_function_basis(Algebra& algebra, std::vector<Expr> generators,
                                  const std::vector<Expr>& further, unsigned max_degree,
                                  std::size_t max_functions) {
  FunctionBasis basis;
  basis.generators = std::move(generators);
  while (basis.degree < max_degree &&
         count_exponents(basis.generators.size(), basis.degree + 1) <= max_functions)
    ++basis.degree;
  basis.functions.push_back(algebra.pool().number(1));
  basis.degrees.push_back(0);
  for (const auto& exponents : exponents_up_to(basis.generators.size(), basis.degree)) {
    std::vector<Expr> factors{algebra.pool().number(1)};
    bool is_reduced = true;
    unsigned degree = 0;
    for (std::size_t k = 0; k < exponents.size(); ++k) {
      if (exponents[k] == 0) continue;
      degree += exponents[k];
      is_reduced =
          is_reduced && (exponents[k] == 1 || !basis.generators[k].is(Op::sin));  // sin^2 = 1 - cos^2
      factors.push_back(pow(basis.generators[k], Rational(static_cast<long>(exponents[k]))));
    }
    if (is_reduced) add_once(basis.functions, algebra.pool().mul(factors));
    basis.degrees.resize(basis.functions.size(), degree);
  }
  bool has_further = false;
  for (Expr e : further) {
    const auto degree = degree_in(algebra, e, basis.generators);
    if (degree && *degree <= basis.degree) continue;  // the products have it already
    add_once(basis.functions, e);
    has_further = true;
  }
  basis.degrees.resize(basis.functions.size(), 0);
  basis.described =
      basis.degree == 0 || basis.generators.empty()
          ? "constants"
          : fmt::format("products of at most {} of {}", basis.degree, names_of(basis.generators));
  if (has_further) basis.described += ", and the terms of the energies and momenta";
  return basis;
}

FunctionBasis make_graded_basis(Algebra& algebra, const std::vector<Expr>& generators,
                                const std::vector<Expr>& further, unsigned max_degree, std::size_t velocities,
                                unsigned degree, std::optional<unsigned> potential_degree,
                                std::size_t max_columns) {
  const auto flat = [&](unsigned most) {
    return make_function_basis(algebra, generators, further, most,
                               std::max<std::size_t>(1, max_columns / count_exponents(velocities, degree)));
  };
  FunctionBasis even = flat(max_degree);
  const unsigned wanted = std::min(max_degree, potential_degree.value_or(0) * degree / 2);
  if (wanted <= even.degree || count_exponents(generators.size(), wanted) > max_columns) return even;
  FunctionBasis graded =
      make_function_basis(algebra, generators, further, wanted, count_exponents(generators.size(), wanted));
  const auto of_degree = [&](unsigned k) {
    return count_exponents(velocities, k) - (k == 0 ? 0 : count_exponents(velocities, k - 1));
  };
  for (const unsigned least : {even.degree, 0U}) {
    graded.most.clear();
    std::size_t columns = 0;
    for (unsigned k = 0; k <= degree; ++k) {
      graded.most.push_back(std::max(least, std::min(wanted, *potential_degree * (degree - k) / 2)));
      for (const unsigned d : graded.degrees) columns += d <= graded.most.back() ? of_degree(k) : 0;
    }
    if (columns > max_columns) continue;
    graded.described += fmt::format(" (at most {} of them beside the degrees 0 to {} in the velocities)",
                                    fmt::join(graded.most, ", "), degree);
    return graded;
  }
  return even;
}

}  // namespace liaison

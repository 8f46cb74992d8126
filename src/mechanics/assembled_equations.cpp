#include "liaison/mechanics/assembled_equations.hpp"

#include <algorithm>
#include <unordered_map>

#include "constraint_power.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/kinematics.hpp"

namespace liaison {

namespace {

/// Components that are not spelled zero, by place.
using SparseRow = std::vector<std::pair<std::size_t, Expr>>;

void append_row(SparseMatrix& matrix, const SparseRow& row) {
  for (const auto& [column, value] : row) matrix.entries.push_back({matrix.rows, column, value});
  ++matrix.rows;
}

SparseRow sparse_row(std::span<const Expr> dense) {
  SparseRow row;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    if (!dense[i].is_zero()) row.emplace_back(i, dense[i]);
  }
  return row;
}

bool same_entries(const SparseMatrix& a, const SparseMatrix& b) {
  return std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](const SparseEntry& x, const SparseEntry& y) {
                      return x.row == y.row && x.column == y.column && x.value == y.value;
                    });
}

bool is_ideal(const AssembledEquations& equations) {
  const System& system = *equations.system;
  if (!system.chart.parameters.empty() || !system.reactions.empty()) return false;
  return same_entries(equations.directions, equations.gradients) ||
         std::all_of(system.constraints.begin(), system.constraints.end(),
                     [](const Constraint& c) { return c.power_kind == PowerKind::ideal; });
}

bool mentions_factors(const SparseMatrix& directions) {
  std::vector<Expr> values;
  for (const SparseEntry& entry : directions.entries) values.push_back(entry.value);
  const std::vector<Expr> symbols = symbols_in(values);
  return std::any_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::multiplier; });
}

/// The derivative of an expression on the motion, accelerations apart.
struct Differential {
  SparseRow by_velocity;
  Expr drift;  ///< by positions times their rates, and by the time
};

/// Where the velocity parameters are the velocities: sums over what stands in each expression, never over all
/// directions.
class LagrangeAssembly {
 public:
  explicit LagrangeAssembly(const System& system) : system_(system), pool_(*system.pool) {
    result_.system = &system;
    for (const Direction& direction : system.directions) {
      direction_of_velocity_.emplace(direction.velocity, result_.parameters.size());
      result_.parameters.push_back(direction.velocity);
      if (direction.rotation) continue;
      add_position(direction.coordinate, direction.velocity);
    }
    for (const Rotation& rotation : system.rotations) {
      const auto rates = quaternion_rates(system, rotation);
      for (std::size_t k = 0; k < 4; ++k) add_position(rotation.quaternion[k], rates[k]);
    }
  }

  AssembledEquations run() {
    result_.kinetic = system_.kinetic;
    result_.potential = system_.potential;
    assemble_free_system();
    const std::size_t n = result_.parameters.size();
    result_.directions.columns = result_.gradients.columns = n;
    for (const Constraint& constraint : system_.constraints) add_constraint(constraint);
    for (const Reaction& reaction : system_.reactions) {
      add_force(reaction.name, reaction.factor, row_of_power(reaction.name, reaction.power));
    }
    result_.relation_count = system_.constraints.size();
    result_.implicit = mentions_factors(result_.directions);
    result_.ideal = is_ideal(result_);
    return std::move(result_);
  }

 private:
  void add_position(Expr symbol, Expr rate) {
    rate_.emplace(symbol, rate);
    result_.positions.push_back(symbol);
    result_.position_rates.push_back(rate);
  }

  /// d/dt(dT/dv^i) - dT/dtheta^i = Q_i - dV/dtheta^i (row G1.II-Lagrange); on a rotation d/dt of the momentum
  /// is taken in the turning axes (row G1.II-structure).
  void assemble_free_system() {
    std::vector<Expr> symbols = result_.parameters;
    symbols.insert(symbols.end(), result_.positions.begin(), result_.positions.end());
    const std::vector<Expr> partials = gradient(system_.kinetic, symbols);
    const std::size_t n = result_.parameters.size();
    const std::span<const Expr> momenta = std::span(partials).first(n);
    const std::vector<Expr> inertia = along_directions(std::span(partials).subspan(n)),
                            weight = along_directions(gradient(system_.potential, result_.positions));
    std::vector<std::vector<Expr>> load(n);
    std::vector<SparseEntry> upper;
    for (std::size_t i = 0; i < n; ++i) {
      const Differential dp = differential(momenta[i]);
      for (const auto& [a, value] : dp.by_velocity) {
        if (a >= i) upper.push_back({i, a, value});
      }
      load[i] = {system_.forces[i], inertia[i], -weight[i], -dp.drift};
    }
    add_turning(momenta, load);
    set_symmetric_mass(std::move(upper));
    for (const auto& terms : load) result_.load.push_back(pool_.add(terms));
  }

  /// d w1 = s w2^w3, s = -1 in body axes and +1 in space axes: p_1 d w1 gives s p_1 w3 on w2 and -s p_1 w2 on
  /// w3.
  void add_turning(std::span<const Expr> momenta, std::vector<std::vector<Expr>>& load) const {
    for (const Rotation& rotation : system_.rotations) {
      const Rational sign(rotation.axes == Axes::body ? -1 : 1);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t first = rotation.first_direction, one = first + axis, two = first + (axis + 1) % 3,
                          three = first + (axis + 2) % 3;
        load[two].push_back(sign * momenta[one] * result_.parameters[three]);
        load[three].push_back(-(sign * momenta[one] * result_.parameters[two]));
      }
    }
  }

  /// d2T/dv dv is symmetric: one expression for both halves.
  void set_symmetric_mass(std::vector<SparseEntry> upper) {
    const std::size_t n = result_.parameters.size();
    std::vector<SparseEntry>& entries = result_.mass.entries;
    result_.mass.rows = result_.mass.columns = n;
    entries.reserve(2 * upper.size());
    for (const SparseEntry& entry : upper) {
      if (entry.row != entry.column) entries.push_back({entry.column, entry.row, entry.value});
    }
    entries.insert(entries.end(), upper.begin(), upper.end());
    std::sort(entries.begin(), entries.end(), [](const SparseEntry& a, const SparseEntry& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
  }

  /// From derivatives by the positions to those along the fields dual to the configuration forms.
  std::vector<Expr> along_directions(std::span<const Expr> by_position) const {
    std::vector<Expr> result(result_.parameters.size(), pool_.number(0));
    std::size_t position = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!system_.directions[i].rotation) result[i] = by_position[position++];
    }
    for (const Rotation& rotation : system_.rotations) {
      for (std::size_t i = rotation.first_direction; i < rotation.first_direction + 3; ++i) {
        std::vector<Expr> terms;
        for (std::size_t k = position; k < position + 4; ++k) {
          if (by_position[k].is_zero()) continue;
          terms.push_back(by_position[k] * derivative(result_.position_rates[k], result_.parameters[i]));
        }
        result[i] = pool_.add(terms);
      }
      position += 4;
    }
    return result;
  }

  Differential differential(Expr e) const {
    std::vector<Expr> symbols;
    for (Expr symbol : symbols_in(e)) {
      if (symbol == system_.time || rate_.contains(symbol) || direction_of_velocity_.contains(symbol))
        symbols.push_back(symbol);
    }
    const std::vector<Expr> partials = gradient(e, symbols);
    Differential result;
    std::vector<Expr> drift;
    for (std::size_t j = 0; j < symbols.size(); ++j) {
      if (partials[j].is_zero()) continue;
      if (const auto velocity = direction_of_velocity_.find(symbols[j]);
          velocity != direction_of_velocity_.end()) {
        result.by_velocity.emplace_back(velocity->second, partials[j]);
      } else {
        drift.push_back(symbols[j] == system_.time ? partials[j] : partials[j] * rate_.at(symbols[j]));
      }
    }
    result.drift = pool_.add(drift);
    sort_by_place(result.by_velocity);
    return result;
  }

  static void sort_by_place(SparseRow& row) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  void add_constraint(const Constraint& constraint) {
    const Expr relation =
        constraint.holonomic ? differential(constraint.relation).drift : constraint.relation;
    const Differential da = differential(relation);
    result_.relations.push_back(relation);
    result_.levels.push_back(constraint.holonomic ? constraint.relation : Expr());
    append_row(result_.gradients, da.by_velocity);
    result_.bias.push_back(da.drift);
    switch (constraint.power_kind) {
      case PowerKind::ideal: add_force(constraint.name, constraint.factor, da.by_velocity); break;
      case PowerKind::along:
        add_force(constraint.name, constraint.factor, sparse_row(constraint.direction));
        break;
      case PowerKind::given:
      case PowerKind::actuated:
        add_force(constraint.name, constraint.factor, row_of_power(constraint.name, constraint.power));
        break;
    }
  }

  /// l_i of a power lambda*l_i v^i (row G2.VI-ThI).
  SparseRow row_of_power(const std::string& name, Expr power) const {
    std::vector<Expr> velocities;
    for (Expr symbol : symbols_in(power)) {
      if (direction_of_velocity_.contains(symbol)) velocities.push_back(symbol);
    }
    const auto components = power_gradient(power, velocities);
    if (!components) refuse_power(name, power);
    SparseRow row;
    for (std::size_t j = 0; j < velocities.size(); ++j) {
      if ((*components)[j].is_zero()) continue;
      row.emplace_back(direction_of_velocity_.at(velocities[j]), (*components)[j]);
    }
    sort_by_place(row);
    return row;
  }

  void add_force(const std::string& name, Expr factor, const SparseRow& direction) {
    result_.names.push_back(name);
    result_.factors.push_back(factor);
    append_row(result_.directions, direction);
  }

  const System& system_;
  Pool& pool_;
  AssembledEquations result_;
  std::unordered_map<Expr, std::size_t> direction_of_velocity_;
  std::unordered_map<Expr, Expr> rate_;  ///< of each position
};

AssembledEquations convert(const StateSpace& space, const FreeSystem& free,
                           const std::vector<ConstraintField>& constraints) {
  const System& system = *space.system;
  AssembledEquations result;
  result.system = &system;
  result.parameters = space.parameters;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (system.directions[i].rotation) continue;
    result.positions.push_back(system.directions[i].coordinate);
    result.position_rates.push_back(space.velocities[i]);
  }
  for (const Rotation& rotation : system.rotations) {
    const auto rates = quaternion_rates(system, rotation);
    for (std::size_t k = 0; k < 4; ++k) {
      result.positions.push_back(rotation.quaternion[k]);
      result.position_rates.push_back(space.in_parameters(rates[k]));
    }
  }
  result.mass.columns = result.directions.columns = result.gradients.columns = space.size();
  for (std::size_t i = 0; i < space.size(); ++i) {
    append_row(result.mass, sparse_row(std::span(free.mass.entries).subspan(i * space.size(), space.size())));
  }
  result.load = free.load;
  for (const ConstraintField& constraint : constraints) {
    result.names.push_back(constraint.name);
    result.factors.push_back(constraint.factor);
    append_row(result.directions, sparse_row(constraint.direction));
    if (constraint.relation.empty()) continue;
    result.relations.push_back(constraint.relation);
    result.levels.push_back(constraint.level);
    append_row(result.gradients, sparse_row(constraint.gradient));
    result.bias.push_back(constraint.bias);
  }
  result.relation_count = result.relations.size();
  result.kinetic = space.in_parameters(system.kinetic);
  result.potential = space.in_parameters(system.potential);
  result.implicit = mentions_factors(result.directions);
  result.ideal = is_ideal(result);
  return result;
}

}  // namespace

AssembledEquations assemble_equations(Algebra& algebra, const System& system) {
  if (system.chart.parameters.empty()) return LagrangeAssembly(system).run();
  const StateSpace space = make_state_space(algebra, system);
  const OmegaForm omega = derive_omega(algebra, space);
  return convert(space, derive_free_system(space, omega.omega), derive_constraint_fields(algebra, space));
}

AssembledEquations assembled(const Motion& motion) {
  return convert(motion.space, motion.free, motion.constraints);
}

}  // namespace liaison

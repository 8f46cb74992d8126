#include "liaison/mechanics/motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "contract.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "lost_places.hpp"

namespace liaison {

namespace {

void add_conditions(Conditions& to, const Conditions& from) {
  for (Expr condition : from) {
    if (std::find(to.begin(), to.end(), condition) == to.end()) to.push_back(condition);
  }
}

/// mass * x = right in closed form; false where the mass matrix is singular.
bool solve_with_mass(Algebra& algebra, Motion& motion, const std::vector<Expr>& right, std::vector<Expr>& x) {
  const SolveResult solution = solve(algebra, motion.free.mass, right);
  if (solution.status != SolveStatus::unique) return false;
  motion.grade = weaker(motion.grade, solution.grade);
  x = solution.x;
  for (Expr& component : x) component = algebra.readable(component);
  add_conditions(motion.conditions, solution.conditions);
  add_conditions(motion.mass_conditions, solution.conditions);
  return true;
}

/// r^{hk} = i(e^h)da^k and i(E)da^k (rows G2.IV-lambda, G3.II-compat).
void derive_r_and_drive(Algebra& algebra, Motion& motion) {
  Pool& pool = algebra.pool();
  motion.r = Matrix(pool, motion.constraints.size(), motion.relation_count);
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    const ConstraintField& relation = motion.constraints[k];
    for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
      motion.r(h, k) = algebra.readable(contract(pool, motion.fields[h], relation.gradient));
    }
    motion.drive.push_back(
        algebra.readable(contract(pool, motion.free_acceleration, relation.gradient) + relation.bias));
  }
  if (motion.r.rows == motion.r.columns) {
    const DeterminantResult found = determinant(algebra, motion.r);
    motion.determinant = algebra.readable(found.value);
    motion.grade = weaker(motion.grade, found.grade);
  }
}

bool mentions_factors(const Motion& motion, std::span<const Expr> es) {
  for (Expr e : es) {
    for (const ConstraintField& constraint : motion.constraints) {
      if (depends_on(e, constraint.factor)) return true;
    }
  }
  return false;
}

bool vanishes_on(Algebra& algebra, const Substitution& branch, const Conditions& conditions) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](Expr condition) { return algebra.is_zero(substitute(condition, branch)).holds(); });
}

/// r^T lambda = -drive for general states; where that divides by what vanishes on the constraint manifold,
/// for states on it, by its `branch`.
SolveResult solve_on_manifold(Algebra& algebra, const Motion& motion, Substitution& branch) {
  Matrix system = transpose(motion.r);
  std::vector<Expr> right;
  for (Expr drive : motion.drive) right.push_back(-drive);
  SolveResult solution = solve(algebra, system, right);
  if (solution.conditions.empty()) return solution;
  const Manifold manifold = solve_manifold(algebra, motion, false);
  if (manifold.branches.size() != 1 || !vanishes_on(algebra, manifold.branches.front(), solution.conditions))
    return solution;
  branch = manifold.branches.front();
  system.entries = substitute(system.entries, branch);
  solution = solve(algebra, system, substitute(right, branch));
  add_conditions(solution.conditions, manifold.conditions);
  return solution;
}

/// sum_h lambda_h r^{hk} + i(E)da^k = 0.
void solve_factors(Algebra& algebra, Motion& motion, Substitution& branch) {
  if (mentions_factors(motion, motion.r.entries)) {
    motion.status = FactorStatus::implicit;
    return;
  }
  const SolveResult solution = solve_on_manifold(algebra, motion, branch);
  motion.grade = weaker(motion.grade, solution.grade);
  if (solution.status == SolveStatus::inconsistent) {
    motion.status = FactorStatus::incompatible;
    motion.certificate = solution.certificate;
    return;
  }
  motion.status =
      solution.status == SolveStatus::unique ? FactorStatus::determined : FactorStatus::undetermined;
  motion.free_factors = solution.kernel;
  motion.factors = solution.x;
  // Each kernel vector belongs to one free unknown: an open factor keeps its symbol.
  for (std::size_t j = 0; j < solution.free_unknowns.size(); ++j) {
    const std::size_t open = solution.free_unknowns[j];
    const std::vector<Expr>& direction = solution.kernel[j];
    for (std::size_t h = 0; h < motion.factors.size(); ++h) {
      motion.factors[h] += motion.constraints[open].factor * direction[h] / direction[open];
    }
  }
  for (Expr& factor : motion.factors) factor = algebra.readable(factor);
  add_conditions(motion.conditions, solution.conditions);
}

/// E + sum lambda_h e^h; on the branch of the manifold for which the factors were solved, if it is one: what
/// is open there need not move anything (y = 0 beside x*y = 0).
void assemble_acceleration(Algebra& algebra, Motion& motion, const Substitution& branch) {
  Substitution factor_values;
  for (std::size_t h = 0; h < motion.factors.size(); ++h) {
    factor_values.emplace(motion.constraints[h].factor, motion.factors[h]);
  }
  for (std::size_t a = 0; a < motion.space.size(); ++a) {
    std::vector<Expr> terms{motion.free_acceleration[a]};
    for (std::size_t h = 0; h < motion.factors.size(); ++h) {
      terms.push_back(motion.factors[h] * substitute(motion.fields[h][a], factor_values));
    }
    motion.acceleration.push_back(algebra.readable(substitute(algebra.pool().add(terms), branch)));
  }
}

void solve_in_closed_form(Algebra& algebra, Motion& motion) {
  if (!solve_with_mass(algebra, motion, motion.free.load, motion.free_acceleration)) {
    motion.status = FactorStatus::singular_mass;
    motion.open_reason = "the mass matrix is singular: there are no fields";
    return;
  }
  for (const ConstraintField& constraint : motion.constraints) {
    motion.fields.emplace_back();
    // sqrt(cos(x) - 1) vanishes wherever it has a value, and the gradient divides by it
    if (!solve_with_mass(algebra, motion, constraint.direction, motion.fields.back()))
      throw Error(ErrorCode::division_by_zero, "a constraint has no gradient at any state", "");
  }
  motion.closed_form = true;
  if (motion.constraints.empty()) {
    motion.status = FactorStatus::none;
    motion.acceleration = motion.free_acceleration;
    return;
  }
  derive_r_and_drive(algebra, motion);
  Substitution branch;
  solve_factors(algebra, motion, branch);
  const bool known = motion.status == FactorStatus::determined || motion.status == FactorStatus::undetermined;
  if (known) assemble_acceleration(algebra, motion, branch);
}

/// Things that are joined pair by pair, and the sets that this makes of them.
class Blocks {
 public:
  explicit Blocks(std::size_t n) : root_(n) {
    for (std::size_t i = 0; i < n; ++i) root_[i] = i;
  }
  void join(std::size_t i, std::size_t j) { root_[find(i)] = find(j); }
  /// The most of the things from `first` on that are in one set.
  std::size_t largest(std::size_t first = 0) const {
    std::vector<std::size_t> size(root_.size());
    for (std::size_t i = first; i < root_.size(); ++i) ++size[find(i)];
    return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
  }

 private:
  std::size_t find(std::size_t i) const {
    while (root_[i] != i) i = root_[i];
    return i;
  }
  std::vector<std::size_t> root_;
};

/// Directions that move each other through the mass matrix.
std::size_t largest_block(const Matrix& mass) {
  Blocks blocks(mass.rows);
  for (std::size_t i = 0; i < mass.rows; ++i) {
    for (std::size_t j = 0; j < mass.columns; ++j) {
      if (!mass(i, j).is_zero()) blocks.join(i, j);
    }
  }
  return blocks.largest();
}

/// A constraint that an earlier one says and pushes as well makes no solution longer.
bool repeats_an_earlier_one(const Motion& motion, std::size_t h) {
  const ConstraintField& one = motion.constraints[h];
  return std::any_of(motion.constraints.begin(), motion.constraints.begin() + static_cast<std::ptrdiff_t>(h),
                     [&](const ConstraintField& other) {
                       return one.gradient == other.gradient && one.direction == other.direction;
                     });
}

/// Constraints that act on each other through the directions that they share.
std::size_t most_coupled(const Motion& motion) {
  const std::size_t n = motion.space.size();
  Blocks blocks(n + motion.constraints.size());
  std::vector<bool> repeats;
  for (std::size_t h = 0; h < motion.constraints.size(); ++h)
    repeats.push_back(repeats_an_earlier_one(motion, h));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!motion.free.mass(i, j).is_zero()) blocks.join(i, j);
    }
    for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
      if (repeats[h]) continue;
      const ConstraintField& constraint = motion.constraints[h];
      const bool acts = !constraint.direction[i].is_zero() ||
                        (!constraint.gradient.empty() && !constraint.gradient[i].is_zero());
      if (acts) blocks.join(i, n + h);
    }
  }
  return blocks.largest(n);
}

/// Why no closed forms are tried; empty: they are.
std::string too_large(const Motion& motion, const MotionOptions& options) {
  const std::pair<std::size_t, std::size_t> sizes[] = {{motion.constraints.size(), options.max_constraints},
                                                       {motion.space.size(), options.max_directions},
                                                       {largest_block(motion.free.mass), options.max_block},
                                                       {most_coupled(motion), options.max_coupled}};
  constexpr const char* what[] = {"constraints", "directions",
                                  "directions that move each other through the kinetic energy",
                                  "constraints that act on each other"};
  for (std::size_t k = 0; k < std::size(sizes); ++k) {
    const auto& [size, most] = sizes[k];
    if (size > most)
      return fmt::format("the system has {} {}: closed forms are made for at most {}", size, what[k], most);
  }
  return {};
}

/// Closed forms that take longer are no use to a reader, and claims are decided without them.
constexpr std::uint64_t operations_for_closed_forms = 6'000'000'000;

void forget_closed_form(Motion& motion) {
  motion.closed_form = false;
  for (auto* list : {&motion.free_acceleration, &motion.drive, &motion.factors, &motion.acceleration})
    list->clear();
  motion.fields.clear();
  motion.free_factors.clear();
  motion.conditions.clear();
  motion.mass_conditions.clear();
  motion.status = FactorStatus::not_solved;
}

}  // namespace

Motion derive_motion(Algebra& algebra, const System& system, const MotionOptions& options) {
  StateSpace space = make_state_space(algebra, system);
  OmegaForm omega = derive_omega(algebra, space);
  FreeSystem free = derive_free_system(space, omega.omega);
  std::vector<ConstraintField> constraints = derive_constraint_fields(algebra, space);
  Motion motion{.space = std::move(space),
                .omega = std::move(omega),
                .free = std::move(free),
                .constraints = std::move(constraints),
                .relation_count = system.constraints.size(),
                .free_acceleration = {},
                .fields = {},
                .r = Matrix(algebra.pool(), 0, 0),
                .determinant = algebra.pool().number(1),
                .drive = {},
                .factors = {},
                .free_factors = {},
                .certificate = {},
                .acceleration = {},
                .conditions = {},
                .mass_conditions = {},
                .open_reason = {}};
  motion.lost_to_states = lost_to_derivatives(algebra, motion, false);
  motion.lost_to_motions = lost_to_derivatives(algebra, motion, true);
  motion.status = FactorStatus::not_solved;
  motion.open_reason = too_large(motion, options);
  if (!motion.open_reason.empty()) return motion;
  const BudgetScope budget(algebra, operations_for_closed_forms);
  try {
    solve_in_closed_form(algebra, motion);
    if (budget.is_exhausted()) {  // what came out may depend on what was left
      forget_closed_form(motion);
      motion.open_reason = "closed forms take too many operations";
    }
  } catch (const Error& error) {
    // sqrt(lambda(c)) in a power, where lambda(c) is -1: the equations without closed forms tell the rest
    const bool has_no_value =
        error.code() == ErrorCode::undefined_constant || error.code() == ErrorCode::division_by_zero;
    if (error.code() != ErrorCode::limit_reached && !has_no_value) throw;
    forget_closed_form(motion);
    motion.open_reason = std::string("there are no closed forms: ") + error.what();
  }
  return motion;
}

}  // namespace liaison

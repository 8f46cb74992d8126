#include "equation_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr int tries_with_given_parameters = 8;
constexpr double weight_of_parameters = 1e-3;
constexpr double weight_of_a_row = 1.0 / 8;  // what is in few equations is solved for first, often exactly

/// Factors at which a product vanishes; the bases of powers.
std::vector<Expr> vanishing_parts(Expr equation) {
  std::vector<Expr> result;
  const auto add = [&](Expr factor) {
    const auto [base, exponent] = split_power(factor);
    const bool positive = base.is(Op::symbol) && base.symbol().positive;
    if (!factor.is_number() && exponent.sign() > 0 && !positive && !base.is(Op::exp)) result.push_back(base);
  };
  if (equation.is(Op::mul)) {
    for (Expr factor : equation.args()) add(factor);
  } else {
    add(equation);
  }
  if (result.empty()) result.push_back(equation);
  return result;
}

bool is_given_kind(Expr symbol) {
  const SymbolKind kind = symbol.symbol().kind;
  return kind == SymbolKind::parameter || kind == SymbolKind::time;
}

}  // namespace

EquationSolver::EquationSolver(Algebra& algebra, const Slots& slots, std::vector<Expr> equations,
                               std::size_t own_rows)
    : slots_(slots), equations_(std::move(equations)), proof_(algebra, slots, own_rows) {
  std::unordered_map<Expr, Slot> slot_of;
  for (Slot i = 0; i < slots.size(); ++i) slot_of.emplace(slots[i].symbol, i);
  for (Expr equation : equations_) {
    std::vector<std::size_t>& parts = parts_of_row_.emplace_back();
    for (Expr part : vanishing_parts(equation)) {
      parts.push_back(parts_.size());
      parts_.push_back(part);
      std::vector<Slot>& own = slots_of_part_.emplace_back();
      for (Expr symbol : symbols_in(part)) own.push_back(slot_of.at(symbol));
      std::sort(own.begin(), own.end());
      exact_parts_.emplace_back(std::span(&part, 1), slots.symbols());
    }
  }
  numeric_ = NumericRows(parts_, slots.symbols());
  for (const auto& slot : slots.all()) positive_.push_back(slot.is_positive() ? 1 : 0);
  find_fixed();
  find_columns();
}

void EquationSolver::find_fixed() {
  fixed_.assign(slots_.size(), 0);
  for (const auto& own : slots_of_part_) {
    for (Slot slot : own) fixed_[slot] = slots_[slot].is_function() ? 1 : 0;
  }
  for (Slot i = slots_.size(); i-- > 0;) {  // users come after their arguments
    if (fixed_[i] == 0 || !slots_[i].is_function()) continue;
    const std::vector<Expr> arguments = symbols_in(slots_[i].arguments);
    for (Slot k = 0; k < i; ++k) {
      if (std::find(arguments.begin(), arguments.end(), slots_[k].symbol) != arguments.end()) fixed_[k] = 1;
    }
  }
}

/// Parameters and the time are solved for where nothing else is in an equation, or where the rest does not
/// do.
void EquationSolver::find_columns() {
  std::vector<char> first(slots_.size(), 0), all(slots_.size(), 0);
  for (const auto& own : slots_of_part_) {
    const bool given = std::all_of(own.begin(), own.end(), [&](Slot slot) {
      return fixed_[slot] != 0 || is_given_kind(slots_[slot].symbol);
    });
    for (Slot slot : own) {
      if (fixed_[slot] != 0) continue;
      all[slot] = 1;
      if (given || !is_given_kind(slots_[slot].symbol)) first[slot] = 1;
    }
  }
  for (Slot i = 0; i < slots_.size(); ++i) {
    if (first[i] != 0) first_columns_.push_back(i);
    if (all[i] != 0) all_columns_.push_back(i);
    const auto rows = std::count_if(slots_of_part_.begin(), slots_of_part_.end(), [&](const auto& own) {
      return std::binary_search(own.begin(), own.end(), i);
    });
    const double kind = is_given_kind(slots_[i].symbol) ? weight_of_parameters : 1;
    weights_.push_back(kind * std::pow(weight_of_a_row, std::min(rows, 4L)));
  }
}

/// On the wanted side, and on no wrong side that the numerical solution is not on.
bool EquationSolver::Attempt::is_well_placed(std::span<const double> at) const {
  const std::vector<int> signs = sides.signs(at), before = sides.signs(x);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const int wrong = -sides[i].needed_sign;
    const bool is_out = signs[i] == 2 || (signs[i] == 0 ? sides[i].zero_is_out : signs[i] == wrong);
    if (is_out && signs[i] != before[i]) return false;
  }
  return sides.is_reached(signs, start.wish);
}

/// What has a value before anything is solved: symbols, and the unknown functions in the equations.
std::vector<std::optional<Rational>> EquationSolver::values_before(const Attempt& attempt) const {
  std::vector<std::optional<Rational>> result;
  for (Slot i = 0; i < slots_.size(); ++i) {
    const bool later = slots_[i].is_function() && fixed_[i] == 0;
    result.push_back(later ? std::nullopt : std::optional(attempt.start.place.exact[i]));
  }
  return result;
}

/// Functions that must be positive or negative and are not: a further row puts each at a random distance.
bool EquationSolver::add_needed_sides(Attempt& attempt, NumericSystem& system, Random& random) {
  const std::vector<int> signs = attempt.sides.signs(attempt.x);
  bool added = false;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const int needed = attempt.sides[i].needed_sign;
    if (needed == 0 || signs[i] != -needed) continue;
    system.add(numeric_sides_, i, needed * (0.1 + 3 * random_unit(random)));
    added = true;
  }
  return added;
}

bool EquationSolver::find_numbers(Attempt& attempt, Random& random) {
  constexpr std::array distances{1.0, 0.1, 10.0, 0.01, 100.0, 1e-4};
  constexpr int rounds = 3;
  if (sides_prepared_ != attempt.sides.size()) {
    std::vector<Expr> es;
    for (std::size_t i = 0; i < attempt.sides.size(); ++i) es.push_back(attempt.sides[i].e);
    numeric_sides_ = NumericRows(es, slots_.symbols());
    sides_prepared_ = es.size();
  }
  NumericSystem system;
  for (std::size_t part : attempt.active) system.add(numeric_, part);
  if (const auto& wish = attempt.start.wish; wish.target != SideSearch::none) {
    const auto number = static_cast<std::size_t>(attempt.start.number);
    const double distance = distances[number % distances.size()] * (0.5 + random_unit(random));
    system.add(numeric_sides_, wish.target, wish.sides[wish.target] * distance);
  }
  for (int round = 0; round < rounds; ++round) {
    if (!solve_numerically(system, attempt.x, attempt.columns, positive_)) return false;
    if (!add_needed_sides(attempt, system, random)) return true;
  }
  return false;
}

std::optional<Candidate> EquationSolver::solve(const Start& start, SideSearch& sides, Random& random,
                                               std::string& failure) {
  const bool first = first_columns_serve_ || start.number < tries_with_given_parameters;
  Attempt attempt{start, sides, {}, first ? first_columns_ : all_columns_, start.place.values};
  for (const auto& parts : parts_of_row_) attempt.active.push_back(parts[random() % parts.size()]);
  if (!find_numbers(attempt, random)) {
    failure = attempt.columns.empty() ? "the equations hold unknown functions of all that could be solved for"
                                      : "no solution of the equations was found";
    return std::nullopt;
  }
  auto result = certify(attempt);
  if (!result) failure = "a numerical solution of the equations could not be certified";
  if (result && first) first_columns_serve_ = true;
  return result;
}

/// All that is solved for at short numbers, and every equation exactly zero there: this certifies singular
/// points, too.
std::optional<Candidate> EquationSolver::exact_point_nearby(const Attempt& attempt) const {
  for (double width : {1e-2, 1e-4, 1e-7}) {
    Candidate candidate;
    candidate.exact = values_before(attempt);
    std::vector<double> x = attempt.x;
    for (Slot slot : attempt.columns) {
      candidate.exact[slot] = snapped(attempt.x[slot], width);
      x[slot] = candidate.exact[slot]->to_double();
    }
    const bool zero = std::all_of(attempt.active.begin(), attempt.active.end(), [&](std::size_t part) {
      const auto value = exact_parts_[part].evaluate_exact(candidate.exact).front();
      return value && value->is_zero();
    });
    note_zeros(attempt, candidate);
    if (zero && attempt.is_well_placed(x)) return candidate;
  }
  return std::nullopt;
}

void EquationSolver::note_zeros(const Attempt& attempt, Candidate& candidate) const {
  candidate.equations = equations_;
  candidate.zeros = equations_;
  for (std::size_t part : attempt.active) candidate.zeros.push_back(parts_[part]);
}

std::optional<Candidate> EquationSolver::certify(const Attempt& attempt) {
  if (auto exact = exact_point_nearby(attempt)) return exact;
  NumericSystem all;
  for (std::size_t part : attempt.active) all.add(numeric_, part);
  NumericRows::Values values;
  if (!all.evaluate(attempt.x, values)) return std::nullopt;
  DenseMatrix jacobian(attempt.active.size(), attempt.columns.size());
  std::vector<double> weights;
  for (std::size_t j = 0; j < attempt.columns.size(); ++j) {
    for (std::size_t i = 0; i < attempt.active.size(); ++i)
      jacobian(i, j) = values.jacobian(i, attempt.columns[j]);
    weights.push_back(weights_[attempt.columns[j]]);
  }
  std::vector<Slot> solved;
  NumericSystem chosen;
  for (const auto& [row, column] : pivots(jacobian, weights, 1e-7)) {
    solved.push_back(attempt.columns[column]);
    chosen.add(numeric_, attempt.active[row]);
  }
  for (double width : {0.1, 1e-2, 1e-4, 1e-8, 1e-14}) {
    std::vector<std::optional<Rational>> exact = values_before(attempt);
    std::vector<double> x = attempt.x;
    for (Slot slot : attempt.columns) {
      exact[slot] = short_near(x[slot], width);
      x[slot] = exact[slot]->to_double();
    }
    for (Slot slot : solved) {
      exact[slot].reset();
      x[slot] = attempt.x[slot];
    }
    if (!solve_numerically(chosen, x, solved, positive_) || !attempt.is_well_placed(x)) continue;
    if (auto found = complete(attempt, std::move(exact), x)) return found;
  }
  return std::nullopt;
}

/// A rational zero of one part in its only unknown: where it is linear, or at a short number nearby.
std::optional<Rational> EquationSolver::exact_zero(std::size_t part, Slot unknown, double near,
                                                   std::vector<std::optional<Rational>> exact) const {
  const auto at = [&](const Rational& value) {
    exact[unknown] = value;
    return exact_parts_[part].evaluate_exact(exact).front();
  };
  const auto is_zero = [&](const Rational& value) {
    const auto found = at(value);
    return found && found->is_zero();
  };
  const auto zero = at(0), one = at(1);
  if (zero && one && *zero != *one) {
    const Rational value = *zero / (*zero - *one);
    if (std::abs(value.to_double() - near) <= 1e-6 * std::max(1.0, std::abs(near)) && is_zero(value))
      return value;
  }
  const Rational nearby = snapped(near, 1e-9);
  return is_zero(nearby) ? std::optional(nearby) : std::nullopt;
}

/// Takes parts that hold, or that give a number for their only unknown, from `pending`; false where one does
/// not hold.
bool EquationSolver::solve_exactly(std::vector<std::optional<Rational>>& exact,
                                   std::vector<std::size_t>& pending, const std::vector<std::size_t>& active,
                                   const std::vector<double>& x) const {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < pending.size(); ++k) {
      const std::size_t part = active[pending[k]];
      std::vector<Slot> unknown;
      for (Slot slot : slots_of_part_[part]) {
        if (!exact[slot]) unknown.push_back(slot);
      }
      if (unknown.size() > 1) continue;
      if (unknown.size() == 1) {
        const auto value = exact_zero(part, unknown[0], x[unknown[0]], exact);
        if (!value || (positive_[unknown[0]] != 0 && value->sign() <= 0)) continue;
        exact[unknown[0]] = value;
      } else {
        const auto value = exact_parts_[part].evaluate_exact(exact).front();
        if (value && !value->is_zero()) return false;
        if (!value) continue;
      }
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
      again = true;
      break;
    }
  }
  return true;
}

std::optional<Candidate> EquationSolver::complete(const Attempt& attempt,
                                                  std::vector<std::optional<Rational>> exact,
                                                  const std::vector<double>& x) {
  std::vector<std::size_t> pending(attempt.active.size());
  std::iota(pending.begin(), pending.end(), 0);
  if (!solve_exactly(exact, pending, attempt.active, x)) return std::nullopt;
  Candidate candidate;
  candidate.exact = std::move(exact);
  if (!enclose(candidate, pending, attempt, x)) return std::nullopt;
  note_zeros(attempt, candidate);
  return candidate;
}

const SquareSystem& EquationSolver::square_system(const std::vector<std::size_t>& parts,
                                                  const std::vector<Slot>& unknowns) {
  std::vector<std::size_t> key = parts;
  key.insert(key.end(), unknowns.begin(), unknowns.end());
  const auto known = systems_.find(key);
  if (known != systems_.end()) return known->second;
  std::vector<Expr> rows, symbols;
  for (std::size_t part : parts) rows.push_back(parts_[part]);
  for (Slot slot : unknowns) symbols.push_back(slots_[slot].symbol);
  return systems_.emplace(std::move(key), make_square_system(rows, symbols)).first->second;
}

/// A box for what has no exact value, from as many rows; a proof for each row that is left.
bool EquationSolver::enclose(Candidate& candidate, const std::vector<std::size_t>& pending,
                             const Attempt& attempt, const std::vector<double>& x) {
  std::vector<Slot> unknowns;
  for (Slot slot : attempt.columns) {
    if (!candidate.exact[slot]) unknowns.push_back(slot);
  }
  NumericRows::Values values;
  numeric_.evaluate(x, values);
  DenseMatrix jacobian(pending.size(), unknowns.size());
  for (std::size_t i = 0; i < pending.size(); ++i) {
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
      jacobian(i, j) = values.jacobian(attempt.active[pending[i]], unknowns[j]);
      if (!std::isfinite(jacobian(i, j))) return false;
    }
  }
  auto found = pivots(jacobian, std::vector<double>(unknowns.size(), 1), 1e-10);
  if (found.size() != unknowns.size()) return false;
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::size_t> parts;
  for (const auto& [i, j] : found) {
    candidate.rows.push_back(pending[i]);
    parts.push_back(attempt.active[pending[i]]);
  }
  if (!unknowns.empty()) {
    candidate.system = square_system(parts, unknowns);
    BallPoint given;
    const long bits = bits_of_a_box;
    for (Slot i = 0; i < slots_.size(); ++i) {
      if (candidate.exact[i]) given.emplace(slots_[i].symbol, Ball(*candidate.exact[i], bits));
    }
    std::vector<Ball> start;
    for (Slot slot : unknowns) start.emplace_back(Rational::from_double(x[slot]), bits);
    auto box = certified_box(candidate.system, given, start, bits);
    if (!box) return false;
    for (std::size_t j = 0; j < unknowns.size(); ++j) candidate.boxes.emplace(unknowns[j], (*box)[j]);
  }
  std::vector<RowProof::Known> known;
  const auto describe = [&](std::size_t row) {
    const std::size_t part = attempt.active[row];
    return RowProof::Known{row, parts_[part], values.jacobian.row(part)};
  };
  for (std::size_t row = 0; row < attempt.active.size(); ++row) {
    const bool is_left = std::find(pending.begin(), pending.end(), row) != pending.end();
    const bool is_used = std::find(candidate.rows.begin(), candidate.rows.end(), row) != candidate.rows.end();
    if (!is_left || is_used) known.push_back(describe(row));
  }
  for (std::size_t row : pending) {
    if (std::find(candidate.rows.begin(), candidate.rows.end(), row) != candidate.rows.end()) continue;
    if (!proof_.holds(describe(row), known, candidate)) return false;
    known.push_back(describe(row));
  }
  return true;
}

}  // namespace liaison

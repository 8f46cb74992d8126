#include "point_certifier.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "liaison/expr/substitute.hpp"

namespace liaison {

namespace {

bool contains(std::span<const std::size_t> all, std::size_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

double largest_entry(std::span<const double> row) {
  double result = 0;
  for (double entry : row) result = std::max(result, std::abs(entry));
  return result;
}

/// Rows whose gradient is rounding alone, next to the others: sin(x) - 1 where cos(x) = 0 is another row.
std::vector<char> lost_rows(const DenseMatrix& jacobian) {
  constexpr double rounding = 1e-6;
  double largest = 0;
  for (std::size_t i = 0; i < jacobian.rows(); ++i)
    largest = std::max(largest, largest_entry(jacobian.row(i)));
  std::vector<char> result(jacobian.rows(), 0);
  for (std::size_t i = 0; i < jacobian.rows(); ++i)
    result[i] = largest_entry(jacobian.row(i)) < rounding * largest ? 1 : 0;
  return result;
}

/// True if there were some.
bool drop_lost_rows(DenseMatrix& jacobian) {
  const std::vector<char> lost = lost_rows(jacobian);
  for (std::size_t i = 0; i < lost.size(); ++i) {
    for (std::size_t j = 0; lost[i] != 0 && j < jacobian.columns(); ++j) jacobian(i, j) = 0;
  }
  return std::find(lost.begin(), lost.end(), 1) != lost.end();
}

}  // namespace

bool NumericPoint::is_well_placed(std::span<const double> at) const {
  const std::vector<int> signs = sides.signs(at), before = sides.signs(x);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const int wrong = -sides[i].needed_sign;
    const bool is_out = signs[i] == 2 || (signs[i] == 0 ? sides[i].zero_is_out : signs[i] == wrong);
    if (is_out && signs[i] != before[i]) return false;
  }
  return sides.is_reached(signs, wish);
}

/// What has a value before anything is solved: symbols, and the unknown functions in the equations.
PointCertifier::Values PointCertifier::values_before(const NumericPoint& point) const {
  Values result;
  for (Slot i = 0; i < slots_.size(); ++i) {
    const bool later = slots_[i].is_function() && parts_.fixed[i] == 0;
    result.push_back(later ? std::nullopt : std::optional(point.start.exact[i]));
  }
  return result;
}

void PointCertifier::note_zeros(const NumericPoint& point, Candidate& candidate) const {
  candidate.equations = parts_.equations;
  candidate.zeros = parts_.equations;
  for (std::size_t part : point.active) candidate.zeros.push_back(parts_.parts[part]);
}

/// At a candidate whose values are exact.
bool PointCertifier::vanishes(std::size_t part, const Candidate& candidate) {
  const auto value = parts_.exact[part].evaluate_exact(candidate.exact).front();
  return value ? value->is_zero() : proof_.is_zero_at(parts_.parts[part], candidate);
}

/// All that is solved for at short numbers, and every equation exactly zero there: this certifies singular
/// points, too.
std::optional<Candidate> PointCertifier::exact_point_nearby(const NumericPoint& point) {
  for (double width : {1e-2, 1e-4, 1e-7}) {
    Candidate candidate;
    candidate.exact = values_before(point);
    std::vector<double> x = point.x;
    for (Slot slot : point.columns) {
      candidate.exact[slot] = snapped(point.x[slot], width);
      x[slot] = candidate.exact[slot]->to_double();
    }
    if (!point.is_well_placed(x)) continue;
    const bool zero = std::all_of(point.active.begin(), point.active.end(),
                                  [&](std::size_t part) { return vanishes(part, candidate); });
    if (!zero) continue;
    note_zeros(point, candidate);
    return candidate;
  }
  return std::nullopt;
}

std::optional<PointCertifier::Pivots> PointCertifier::choose_pivots(const NumericPoint& point,
                                                                    bool drops_rows) const {
  NumericSystem all;
  for (std::size_t part : point.active) all.add(parts_.numeric, part);
  NumericRows::Values values;
  if (!all.evaluate(point.x, values)) return std::nullopt;
  DenseMatrix jacobian(point.active.size(), point.columns.size());
  std::vector<double> weights;
  for (std::size_t j = 0; j < point.columns.size(); ++j) {
    for (std::size_t i = 0; i < point.active.size(); ++i)
      jacobian(i, j) = values.jacobian(i, point.columns[j]);
    weights.push_back(parts_.weights[point.columns[j]]);
  }
  if (drops_rows && !drop_lost_rows(jacobian)) return std::nullopt;
  Pivots result;
  for (const auto& [row, column] : pivots(jacobian, weights, 1e-7)) {
    result.solved.push_back(point.columns[column]);
    result.rows.add(parts_.numeric, point.active[row]);
  }
  return result;
}

/// The free symbols at short numbers if the others can follow, at longer ones if they cannot.
std::optional<Candidate> PointCertifier::certify(const NumericPoint& point) {
  if (auto exact = exact_point_nearby(point)) return exact;
  if (auto found = certify_with_pivots(point, false)) return found;
  return certify_with_pivots(point, true);
}

std::optional<Candidate> PointCertifier::certify_with_pivots(const NumericPoint& point, bool drops_rows) {
  const auto chosen = choose_pivots(point, drops_rows);
  if (!chosen) return std::nullopt;
  for (double width : {0.1, 1e-2, 1e-4, 1e-8, 1e-14}) {
    Values exact = values_before(point);
    std::vector<double> x = point.x;
    for (Slot slot : point.columns) {
      exact[slot].reset();
      if (contains(chosen->solved, slot)) continue;
      exact[slot] = short_near(x[slot], width);
      x[slot] = exact[slot]->to_double();
    }
    if (!solve_numerically(chosen->rows, x, chosen->solved, parts_.positive)) continue;
    if (!point.is_well_placed(x)) continue;
    if (auto found = complete(point, std::move(exact), std::move(x), drops_rows)) return found;
  }
  return std::nullopt;
}

/// A rational zero of one part in its only unknown: where it is linear, or at a short number nearby.
std::optional<Rational> PointCertifier::exact_zero(std::size_t part, Slot unknown, double near,
                                                   Values exact) const {
  const auto at = [&](const Rational& value) {
    exact[unknown] = value;
    return parts_.exact[part].evaluate_exact(exact).front();
  };
  const auto is_zero = [&](const Rational& value) {
    const auto found = at(value);
    return found && found->is_zero();
  };
  const auto zero = at(0), one = at(1);
  if (zero && one && *zero != *one) {
    const Rational value = *zero / (*zero - *one);
    const bool is_near = std::abs(value.to_double() - near) <= 1e-6 * std::max(1.0, std::abs(near));
    // a linear part has no other zero, however far the numbers were that others had before they were exact
    const auto is_on_the_line = [&](const Rational& place) {
      const auto found = at(place);
      return found && *found == *zero + place * (*one - *zero);
    };
    if ((is_near || (is_on_the_line(2) && is_on_the_line(-3))) && is_zero(value)) return value;
  }
  const Rational nearby = snapped(near, 1e-9);
  return is_zero(nearby) ? std::optional(nearby) : std::nullopt;
}

/// x''*y is zero where y is, whatever x'' may be.
bool PointCertifier::is_zero_for_all(std::size_t part, const Values& exact) const {
  Substitution numbers;
  for (Slot slot : parts_.slots_of_part[part]) {
    const Expr symbol = slots_[slot].symbol;
    if (exact[slot]) numbers.emplace(symbol, symbol.pool().number(*exact[slot]));
  }
  try {
    return substitute(parts_.parts[part], numbers).is_zero();
  } catch (const Error&) {
    return false;  // it has no value there
  }
}

/// Done: the part is exactly zero, or gave a number for its only unknown.
PointCertifier::Step PointCertifier::solve_part(std::size_t part, Values& exact,
                                                const std::vector<double>& x) const {
  std::vector<Slot> unknown;
  for (Slot slot : parts_.slots_of_part[part]) {
    if (!exact[slot]) unknown.push_back(slot);
  }
  if (unknown.size() > 1) return Step::none;
  if (unknown.empty()) {
    const auto value = parts_.exact[part].evaluate_exact(exact).front();
    return !value ? Step::none : value->is_zero() ? Step::done : Step::contradiction;
  }
  const Slot slot = unknown.front();
  const auto value = exact_zero(part, slot, x[slot], exact);
  if (value && is_zero_for_all(part, exact)) return Step::done;  // it says nothing of the unknown
  if (!value || (parts_.positive[slot] != 0 && value->sign() <= 0)) return Step::none;
  exact[slot] = value;
  return Step::done;
}

/// Takes rows that hold, or that give a number, from `pending`; false where one does not hold.
bool PointCertifier::solve_exactly(const NumericPoint& point, Values& exact, Rest& rest) const {
  for (bool again = true; again;) {
    again = false;
    std::vector<std::size_t> left;
    for (std::size_t row : rest.pending) {
      const Step step = solve_part(point.active[row], exact, rest.x);
      if (step == Step::contradiction) return false;
      if (step == Step::none) left.push_back(row);
      again = again || step == Step::done;
    }
    rest.pending = std::move(left);
  }
  return true;
}

std::optional<Candidate> PointCertifier::complete(const NumericPoint& point, Values exact,
                                                  std::vector<double> x, bool drops_rows) {
  Rest rest{std::vector<std::size_t>(point.active.size()), {}, std::move(x), {}};
  std::iota(rest.pending.begin(), rest.pending.end(), 0);
  if (!solve_exactly(point, exact, rest)) return std::nullopt;
  for (Slot slot : point.columns) {
    if (!exact[slot]) rest.unknowns.push_back(slot);
  }
  parts_.numeric.evaluate(rest.x, rest.values);
  Candidate candidate;
  candidate.exact = std::move(exact);
  if (!choose_rows(point, rest, drops_rows, candidate) || !enclose(point, rest, candidate))
    return std::nullopt;
  if (!prove_others(point, rest, candidate)) return std::nullopt;
  note_zeros(point, candidate);
  return candidate;
}

/// One row for each unknown, in the order of the unknowns.
bool PointCertifier::choose_rows(const NumericPoint& point, const Rest& rest, bool drops_rows,
                                 Candidate& candidate) const {
  DenseMatrix jacobian(rest.pending.size(), rest.unknowns.size());
  for (std::size_t i = 0; i < rest.pending.size(); ++i) {
    for (std::size_t j = 0; j < rest.unknowns.size(); ++j) {
      jacobian(i, j) = rest.values.jacobian(point.active[rest.pending[i]], rest.unknowns[j]);
      if (!std::isfinite(jacobian(i, j))) return false;
    }
  }
  if (drops_rows) drop_lost_rows(jacobian);
  auto found = pivots(jacobian, std::vector<double>(rest.unknowns.size(), 1), 1e-10);
  if (found.size() != rest.unknowns.size()) return false;
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [row, unknown] : found) candidate.rows.push_back(rest.pending[row]);
  return true;
}

const SquareSystem& PointCertifier::square_system(const std::vector<std::size_t>& parts,
                                                  const std::vector<Slot>& unknowns) {
  std::vector<std::size_t> key = parts;
  key.insert(key.end(), unknowns.begin(), unknowns.end());
  const auto known = systems_.find(key);
  if (known != systems_.end()) return known->second;
  std::vector<Expr> rows, symbols;
  for (std::size_t part : parts) rows.push_back(parts_.parts[part]);
  for (Slot slot : unknowns) symbols.push_back(slots_[slot].symbol);
  return systems_.emplace(std::move(key), make_square_system(rows, symbols)).first->second;
}

bool PointCertifier::enclose(const NumericPoint& point, const Rest& rest, Candidate& candidate) {
  if (rest.unknowns.empty()) return true;
  std::vector<std::size_t> parts;
  for (std::size_t row : candidate.rows) parts.push_back(point.active[row]);
  candidate.system = square_system(parts, rest.unknowns);
  const long bits = with_bits_for_parts(candidate.system, bits_of_a_box);
  BallPoint given;
  for (Slot i = 0; i < slots_.size(); ++i) {
    if (candidate.exact[i]) given.emplace(slots_[i].symbol, Ball(*candidate.exact[i], bits));
  }
  std::vector<Ball> start;
  for (Slot slot : rest.unknowns) start.emplace_back(Rational::from_double(rest.x[slot]), bits);
  const auto box = certified_box(candidate.system, given, start, bits);
  for (std::size_t j = 0; box && j < box->size(); ++j) candidate.boxes.emplace(rest.unknowns[j], (*box)[j]);
  return box.has_value();
}

/// The rows that determine nothing hold because the others do.
bool PointCertifier::prove_others(const NumericPoint& point, const Rest& rest, const Candidate& candidate) {
  const auto describe = [&](std::size_t row) {
    const std::size_t part = point.active[row];
    return RowProof::Known{row, parts_.parts[part], rest.values.jacobian.row(part),
                           parts_.of_row[row].size() == 1};
  };
  std::vector<RowProof::Known> known;
  std::vector<std::size_t> open;
  for (std::size_t row = 0; row < point.active.size(); ++row) {
    const bool holds = !contains(rest.pending, row) || contains(candidate.rows, row);
    if (holds) known.push_back(describe(row));
    if (!holds) open.push_back(row);
  }
  for (std::size_t row : open) {
    if (!proof_.holds(describe(row), known, candidate)) return false;
    known.push_back(describe(row));
  }
  return true;
}

}  // namespace liaison

#include "rank_loss.hpp"

#include <flint/fmpz_mpoly.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "algebra/operation_costs.hpp"
#include "algebra/univariate.hpp"

namespace liaison {

namespace {

using Row = DeterminingEquations::Row;
using Block = std::vector<std::vector<Poly>>;

constexpr int further_minors = 4;

class Finder {
 public:
  Finder(const DeterminingEquations& equations, std::vector<bool> positive)
      : equations_(equations),
        ring_(*equations.ring),
        positive_(std::move(positive)),
        one_(ring_, Rational(1)),
        generator_(20'261'119) {}

  /// Every function that does not vanish is a unit.
  std::size_t general_rank() {
    is_general_ = true;
    eliminate_units();
    return pivots_.size();
  }

  RankLoss run() {
    try {
      eliminate_units();
      result_.rank = pivots_.size();
      for (const Block& block : blocks()) ask(block);
      std::erase_if(result_.points, [&](const auto& point) { return is_on_a_curve(point); });
    } catch (const LimitReached& limit) {
      result_.refusal = limit.reason;
    }
    return std::move(result_);
  }

 private:
  // Units: what vanishes for no values that are asked about.

  Poly without_divisors(Poly p) const {
    for (const Poly& divisor : equations_.divisors) {
      Poly quotient(ring_);
      while (!p.is_constant() && fmpz_mpoly_divides(quotient.raw(), p.raw(), divisor.raw(), ring_.raw()) != 0)
        std::swap(p, quotient);
    }
    return p;
  }
  bool is_positive(const Poly& p) const {
    for (std::size_t v = 0; v < ring_.variables(); ++v) {
      if (p.degree(v) > 0 && !positive_[v]) return false;
    }
    for (std::size_t term = 1; term < p.terms(); ++term) {
      if (p.coefficient(term).sign() != p.coefficient(0).sign()) return false;
    }
    return !p.is_zero();
  }
  bool is_unit(const Poly& p) const {
    return !p.is_zero() && (is_general_ || p.is_constant() || is_positive(without_divisors(p)));
  }
  std::vector<Poly> factors_that_vanish(const Poly& p) const {
    std::vector<Poly> result;
    if (p.is_constant()) return result;
    for (PolyFactor& one : factor(p).factors) {
      if (!is_unit(one.base)) result.push_back(std::move(one.base));
    }
    return result;
  }

  // Rows.

  void divide_out(Row& row) const {
    Poly common(ring_);
    for (const auto& [column, entry] : row) {
      common = common.is_zero() ? entry : gcd(common, entry);
      if (common.is_one()) return;
    }
    if (common.is_zero()) return;
    Poly units = one_;
    if (common.is_constant() || is_general_) {
      units = common;
    } else {
      const PolyFactors split = factor(common);
      units = Poly(ring_, split.constant);
      for (const PolyFactor& one : split.factors) {
        if (is_unit(one.base)) units = units * power(one.base, one.exponent);
      }
    }
    if (units.is_one()) return;
    for (auto& [column, entry] : row) entry = exact_quotient(entry, units);
  }

  /// row * u - e * pivot, without the column.
  static void subtract(Row& row, std::size_t column, const Row& pivot) {
    const Poly common = gcd(pivot.at(column), row.at(column));
    const Poly u = exact_quotient(pivot.at(column), common), e = exact_quotient(row.at(column), common);
    if (!u.is_one()) {
      for (auto& [k, entry] : row) entry = entry * u;
    }
    for (const auto& [k, entry] : pivot) {
      const auto [place, is_new] = row.try_emplace(k, entry.ring());
      place->second = place->second - e * entry;
      if (place->second.is_zero()) row.erase(place);
    }
  }

  void reduce(Row& row) const {
    for (const auto& [column, pivot] : pivots_) {
      if (row.contains(column)) subtract(row, column, pivot);
    }
    divide_out(row);
  }

  /// The column of the shortest unit in it.
  std::optional<std::size_t> unit_of(const Row& row) const {
    std::optional<std::size_t> result;
    for (const auto& [column, entry] : row) {
      if (result && row.at(*result).terms() <= entry.terms()) continue;
      if (is_unit(entry)) result = column;
    }
    return result;
  }

  /// Rows that give one unknown by the others; the rest has none of these unknowns.
  void eliminate_units() {
    rest_ = equations_.rows;
    std::stable_sort(rest_.begin(), rest_.end(),
                     [](const Row& a, const Row& b) { return a.size() < b.size(); });
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      std::vector<Row> left;
      for (Row& row : rest_) {
        reduce(row);
        if (row.empty()) continue;
        if (const auto column = unit_of(row)) {
          pivots_.emplace_back(*column, std::move(row));
          is_changed = true;
        } else if (std::find(left.begin(), left.end(), row) == left.end()) {
          left.push_back(std::move(row));
        }
      }
      rest_ = std::move(left);
    }
  }

  /// What no unknown connects.
  std::vector<Block> blocks() const {
    std::vector<std::size_t> group(rest_.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    std::map<std::size_t, std::size_t> first_with;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      for (const auto& [column, entry] : rest_[i]) {
        const auto [place, is_new] = first_with.emplace(column, i);
        const std::size_t mine = group[i], theirs = group[place->second];
        std::replace(group.begin(), group.end(), mine, theirs);
      }
    }
    std::vector<Block> result;
    for (const std::size_t name : std::set<std::size_t>(group.begin(), group.end())) {
      std::map<std::size_t, std::size_t> place;
      for (std::size_t i = 0; i < rest_.size(); ++i) {
        if (group[i] != name) continue;
        for (const auto& [column, entry] : rest_[i]) place.emplace(column, place.size());
      }
      Block block;
      for (std::size_t i = 0; i < rest_.size(); ++i) {
        if (group[i] != name) continue;
        block.emplace_back(place.size(), Poly(ring_));
        for (const auto& [column, entry] : rest_[i]) block.back()[place[column]] = entry;
      }
      result.push_back(std::move(block));
    }
    return result;
  }

  // Minors.

  struct Minor {
    std::size_t rank = 0;
    Poly value;  ///< of that many rows and columns, up to its sign
  };
  /// By Bareiss, with short pivots; all divisions are exact.
  Minor greatest_minor(Block m) const {
    const std::size_t rows = m.size(), columns = m[0].size();
    Minor result{0, one_};
    for (std::size_t k = 0; k < std::min(rows, columns); ++k) {
      std::size_t best_row = rows, best_column = columns;
      for (std::size_t i = k; i < rows; ++i) {
        for (std::size_t j = k; j < columns; ++j) {
          if (m[i][j].is_zero()) continue;
          if (best_row < rows && m[best_row][best_column].terms() <= m[i][j].terms()) continue;
          best_row = i;
          best_column = j;
        }
      }
      if (best_row == rows) break;
      std::swap(m[k], m[best_row]);
      for (auto& row : m) std::swap(row[k], row[best_column]);
      for (std::size_t i = k + 1; i < rows; ++i) {
        for (std::size_t j = k + 1; j < columns; ++j)
          m[i][j] = exact_quotient(m[i][j] * m[k][k] - m[i][k] * m[k][j], result.value);
      }
      result = {k + 1, m[k][k]};
    }
    return result;
  }

  Rational random() { return Rational(static_cast<long>(generator_() % 9) - 4); }

  /// Random combinations of the rows and of the columns, as many as the rank.
  Block mixed(const Block& block, std::size_t rank) {
    const std::size_t columns = block[0].size();
    Block narrow;
    if (columns == rank) {
      narrow = block;
    } else {
      std::vector<std::vector<Rational>> by(columns);
      for (auto& row : by) {
        for (std::size_t j = 0; j < rank; ++j) row.push_back(random());
      }
      for (const auto& row : block) {
        narrow.emplace_back(rank, Poly(ring_));
        for (std::size_t k = 0; k < columns; ++k) {
          for (std::size_t j = 0; j < rank; ++j)
            narrow.back()[j] = narrow.back()[j] + scaled(row[k], by[k][j]);
        }
      }
    }
    Block result;
    for (std::size_t i = 0; i < rank; ++i) {
      result.emplace_back(rank, Poly(ring_));
      for (const auto& row : narrow) {
        const Rational by = random();
        for (std::size_t j = 0; j < rank; ++j) result.back()[j] = result.back()[j] + scaled(row[j], by);
      }
    }
    return result;
  }

  void ask(const Block& block) {
    const Minor first = greatest_minor(block);
    result_.rank += first.rank;
    std::vector<Poly> minors{first.value};
    const bool is_square = block.size() == first.rank && block[0].size() == first.rank;
    for (int k = 0; k < further_minors && !is_square; ++k) {
      Minor other = greatest_minor(mixed(block, first.rank));
      if (other.rank == first.rank) minors.push_back(std::move(other.value));
    }
    Poly common = minors[0];
    for (const Poly& minor : minors) common = gcd(common, minor);
    for (Poly& curve : factors_that_vanish(common)) {
      if (std::find(result_.curves.begin(), result_.curves.end(), curve) == result_.curves.end())
        result_.curves.push_back(std::move(curve));
    }
    for (Poly& minor : minors) minor = exact_quotient(minor, common);
    if (ring_.variables() == 2) find_points(block, first.rank, minors);
  }

  // Points where minors without a common factor vanish together.

  Poly combination(const std::vector<Poly>& minors) {
    Poly result(ring_);
    for (std::size_t k = 1; k < minors.size(); ++k) result = result + scaled(minors[k], random());
    return result;
  }
  /// A polynomial in the first variable that vanishes at the common zeros.
  Poly without_second(const Poly& a, const Poly& b) const {
    if (a.degree(1) == 0 && b.degree(1) == 0) return gcd(a, b);
    charge_resultant(a, b, 1);
    Poly result(ring_);
    if (fmpz_mpoly_resultant(result.raw(), a.raw(), b.raw(), 1, ring_.raw()) == 0)
      throw LimitReached{"a resultant is too large for the exact arithmetic"};
    return result;
  }

  void find_points(const Block& block, std::size_t rank, const std::vector<Poly>& minors) {
    if (std::any_of(minors.begin(), minors.end(), [&](const Poly& minor) { return is_unit(minor); })) return;
    if (minors.size() < 2) throw LimitReached{"too few minors were found"};
    Poly first(ring_);
    for (int k = 0; k < 3; ++k) {
      const Poly other = combination(minors);
      if (other.is_zero()) continue;
      const Poly eliminated = without_second(minors[0], other);
      if (!eliminated.is_zero()) first = first.is_zero() ? eliminated : gcd(first, eliminated);
    }
    if (first.is_zero()) throw LimitReached{"the minors have a common factor that was not found"};
    for (const Poly& condition : factors_that_vanish(first)) {
      const auto value = only_root(condition, 0);
      if (!value) {
        tell_undecided({condition}, 0);
        continue;
      }
      Poly second(ring_);
      for (const Poly& minor : minors) {
        const Poly there = at(minor, 0, *value);
        second = second.is_zero() ? there : gcd(second, there);
      }
      if (second.is_zero()) throw LimitReached{"the minors have a common factor that was not found"};
      for (const Poly& own : factors_that_vanish(second)) {
        if (const auto other = only_root(own, 1)) {
          add_point(block, rank, {*value, *other});
        } else {
          tell_undecided({condition, own}, 1);
        }
      }
    }
  }

  /// Times a whole number.
  Poly at(const Poly& p, std::size_t variable, const Rational& value) const {
    const unsigned long degree = p.degree(variable);
    Poly result(ring_);
    Exponents exponents;
    for (std::size_t term = 0; term < p.terms(); ++term) {
      p.exponents(term, exponents);
      Rational coefficient = p.coefficient(term);
      for (unsigned long k = 0; k < degree; ++k)
        coefficient = coefficient * (k < exponents[variable] ? value.numerator() : value.denominator());
      exponents[variable] = 0;
      result.push_term(coefficient, exponents);
    }
    result.normalise();
    return result;
  }
  Rational value_at(const Poly& p, const std::vector<Rational>& point) const {
    Rational sum(0);
    Exponents exponents;
    for (std::size_t term = 0; term < p.terms(); ++term) {
      p.exponents(term, exponents);
      Rational product = p.coefficient(term);
      for (std::size_t v = 0; v < point.size(); ++v) {
        for (unsigned long k = 0; k < exponents[v]; ++k) product = product * point[v];
      }
      sum = sum + product;
    }
    return sum;
  }

  bool is_allowed(const std::vector<Rational>& point) const {
    for (std::size_t v = 0; v < point.size(); ++v) {
      if (positive_[v] && point[v].sign() <= 0) return false;
    }
    return std::none_of(equations_.divisors.begin(), equations_.divisors.end(),
                        [&](const Poly& divisor) { return value_at(divisor, point).is_zero(); });
  }
  bool is_on_a_curve(const std::vector<Rational>& point) const {
    return std::any_of(result_.curves.begin(), result_.curves.end(),
                       [&](const Poly& curve) { return value_at(curve, point).is_zero(); });
  }

  void add_point(const Block& block, std::size_t rank, const std::vector<Rational>& point) {
    if (!is_allowed(point) ||
        std::find(result_.points.begin(), result_.points.end(), point) != result_.points.end())
      return;
    Block there;
    for (const auto& row : block) {
      std::vector<Rational> values;
      Rational below(1);  // of all values of the row together
      for (const Poly& entry : row) {
        values.push_back(value_at(entry, point));
        below = below * values.back().denominator();
      }
      there.emplace_back();
      for (const Rational& value : values) there.back().emplace_back(ring_, value * below);
    }
    if (greatest_minor(std::move(there)).rank < rank) result_.points.push_back(point);
  }

  /// Where it has real roots.
  void tell_undecided(std::vector<Poly> conditions, std::size_t variable) {
    if (!has_real_root(conditions.back(), variable)) return;
    if (std::find(result_.undecided.begin(), result_.undecided.end(), conditions) == result_.undecided.end())
      result_.undecided.push_back(std::move(conditions));
  }

  const DeterminingEquations& equations_;
  const PolyRing& ring_;
  std::vector<bool> positive_;
  Poly one_;
  std::mt19937_64 generator_;
  bool is_general_ = false;
  std::vector<std::pair<std::size_t, Row>> pivots_;  ///< in the order in which they were found
  std::vector<Row> rest_;
  RankLoss result_;
};

}  // namespace

std::size_t general_rank(const DeterminingEquations& equations) {
  return Finder(equations, {}).general_rank();
}

std::optional<Rational> only_root(const Poly& p, std::size_t variable) {
  if (p.degree(variable) != 1) return std::nullopt;
  Rational slope, rest;
  Exponents exponents;
  for (std::size_t term = 0; term < p.terms(); ++term) {
    p.exponents(term, exponents);
    (exponents[variable] == 1 ? slope : rest) = p.coefficient(term);
  }
  return -rest / slope;
}

bool has_real_root(const Poly& p, std::size_t variable) {
  charge_real_roots(p);
  return Univariate(p, variable).count_real_roots() > 0;
}

Expr expression_of(Pool& pool, const Poly& p, std::span<const Expr> variables) {
  Exponents exponents;
  std::vector<Expr> terms;
  for (std::size_t term = 0; term < p.terms(); ++term) {
    p.exponents(term, exponents);
    std::vector<Expr> factors{pool.number(p.coefficient(term))};
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (exponents[v] > 0) factors.push_back(pow(variables[v], Rational(static_cast<long>(exponents[v]))));
    }
    terms.push_back(pool.mul(factors));
  }
  return pool.add(terms);
}

RankLoss find_rank_loss(const DeterminingEquations& equations, const std::vector<bool>& positive) {
  return Finder(equations, positive).run();
}

}  // namespace liaison

#include "implicit_factors.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

struct Value {
  double value = 0, size = 0;  ///< size: the sum of the sizes of the terms
  bool is_zero() const { return std::abs(value) <= 64 * epsilon * size; }
};
Value at(const std::vector<double>& polynomial, double x) {
  Value result;
  for (std::size_t k = polynomial.size(); k-- > 0;) {
    result.value = result.value * x + polynomial[k];
    result.size = result.size * std::abs(x) + std::abs(polynomial[k]);
  }
  return result;
}

/// Where a function changes its sign between two places at which it does.
template <class Function>
double bisect(const Function& function, double low, double high) {
  const bool is_negative = function(low) < 0;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > std::min(low, high) && middle < std::max(low, high))) return middle;
    ((function(middle) < 0) == is_negative ? low : high) = middle;
  }
}

/// The factors at a state.
class Search {
 public:
  Search(Evaluator& evaluator, double t, const double* y)
      : evaluator_(evaluator),
        equations_(evaluator.equations()),
        t_(t),
        y_(y),
        m_(equations_.relation_count) {
    std::vector<bool> enters(m_);
    for (const SparseEntry& entry : equations_.directions.entries) {
      for (Expr symbol : symbols_in(entry.value)) {
        const auto found = std::find(equations_.factors.begin(), equations_.factors.end(), symbol);
        if (found != equations_.factors.end())
          enters[static_cast<std::size_t>(found - equations_.factors.begin())] = true;
      }
    }
    for (std::size_t h = 0; h < m_; ++h)
      if (enters[h]) implicit_.push_back(h);
  }

  FoundFactors run() {
    FoundFactors result;
    if (implicit_.empty() || evaluator_.factor_count() != m_) return result;
    if (implicit_.size() > 1) {
      search_by_newton(result);
    } else if (const auto polynomial = balance_as_polynomial()) {
      result.all = true;
      for (double root : real_roots(*polynomial)) add(result, root);
    } else {
      scan(result);
    }
    return result;
  }

 private:
  bool couple(const VectorXd& factors) {
    const std::vector<double> given(factors.data(), factors.data() + factors.size());
    if (!evaluator_.couplings(t_, y_, given, couplings_)) return false;
    r_ = Eigen::Map<const MatrixXd>(couplings_.r.data(), index(m_), index(m_));  // one column a force
    drive_ = Eigen::Map<const VectorXd>(couplings_.drive.data(), index(m_));
    return r_.allFinite() && drive_.allFinite();
  }

  /// With one factor given: the determinant of the columns of the others and what is left of the balance. The
  /// others can keep the relations where it is zero.
  std::optional<double> balance(double factor) {
    VectorXd given = VectorXd::Zero(index(m_));
    given(index(implicit_[0])) = factor;
    if (!couple(given)) return {};
    MatrixXd columns = r_;
    columns.col(index(implicit_[0])) = r_.col(index(implicit_[0])) * factor + drive_;
    return determinant(columns);
  }

  /// The coefficients of the balance where the factor enters its own direction alone, by a polynomial.
  std::optional<std::vector<double>> balance_as_polynomial() {
    const std::size_t own = implicit_[0];
    const Expr factor = equations_.factors[own];
    DoublePoint point;
    for (const auto& [symbol, value] : evaluator_.parameter_values()) point[symbol] = value;
    point[evaluator_.time_symbol()] = t_;
    for (std::size_t i = 0; i < evaluator_.size(); ++i) point[evaluator_.symbols()[i]] = y_[i];
    const Index n = index(evaluator_.direction_count());
    std::vector<VectorXd> directions;  // by the power of the factor
    for (const SparseEntry& entry : equations_.directions.entries) {
      const std::vector<Expr> symbols = symbols_in(entry.value);
      const bool enters = std::find(symbols.begin(), symbols.end(), factor) != symbols.end();
      if (entry.row != own) {
        if (enters) return {};
        continue;
      }
      const auto monomials = polynomial_coefficients(entry.value, std::span(&factor, 1));
      if (!monomials) return {};
      for (const Monomial& monomial : *monomials) {
        const DoubleValues value = evaluate(std::span(&monomial.coefficient, 1), point);
        if (value.status != EvaluationStatus::ok) return {};
        while (directions.size() <= monomial.exponents[0]) directions.push_back(VectorXd::Zero(n));
        directions[monomial.exponents[0]](index(entry.column)) = value.values[0];
      }
    }
    Evaluator::Pieces pieces;
    if (!couple(VectorXd::Zero(index(m_))) ||
        !evaluator_.pieces(t_, y_, std::vector<double>(m_, 0.0), pieces))
      return {};
    const DenseLu mass(Eigen::Map<const RowMajor>(pieces.mass.data(), n, n));
    const RowMajor gradients = Eigen::Map<const RowMajor>(pieces.gradients.data(), index(m_), n);
    std::vector<double> result;
    MatrixXd columns = r_;
    columns.col(index(own)) = drive_;
    result.push_back(determinant(columns));
    for (const VectorXd& direction : directions) {
      columns.col(index(own)) = gradients * mass.solve(direction);
      result.push_back(determinant(columns));
    }
    return result;
  }

  /// The other factors to one that is known.
  void add(FoundFactors& result, double factor) {
    VectorXd found = VectorXd::Zero(index(m_));
    found(index(implicit_[0])) = factor;
    if (!couple(found)) return;
    if (m_ > 1) {
      MatrixXd others(index(m_), index(m_) - 1);
      for (std::size_t h = 0, place = 0; h < m_; ++h)
        if (h != implicit_[0]) others.col(index(place++)) = r_.col(index(h));
      const VectorXd rest = drive_ + r_.col(index(implicit_[0])) * factor;
      const VectorXd values = least_squares(others, -rest);
      for (std::size_t h = 0, place = 0; h < m_; ++h)
        if (h != implicit_[0]) found(index(h)) = values(index(place++));
    }
    if (found.allFinite()) result.roots.emplace_back(found.data(), found.data() + found.size());
  }

  /// The size of factors that keep the relations, about.
  double scale() {
    if (!couple(VectorXd::Zero(index(m_)))) return 1;
    const double drive = drive_.cwiseAbs().maxCoeff(), r = r_.cwiseAbs().maxCoeff();
    return drive > 0 && r > 0 ? drive / r : 1;
  }

  void scan(FoundFactors& result) {
    constexpr int decades = 18, places = 24;
    const double size = scale();
    const auto value = [&](double factor) { return balance(factor).value_or(NAN); };
    std::vector<double> grid;
    for (int k = -decades * places; k <= decades * places; ++k)
      grid.push_back(size * std::pow(10.0, static_cast<double>(k) / places));
    std::vector<double> all(grid.rbegin(), grid.rend());
    for (double& place : all) place = -place;
    all.push_back(0);
    all.insert(all.end(), grid.begin(), grid.end());
    double before = NAN;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double now = value(all[i]);
      if (now == 0) {
        add(result, all[i]);
      } else if (before * now < 0) {
        const double root = bisect(value, all[i - 1], all[i]);
        const double left = std::abs(value(root));  // small at a root, large at a pole
        if (left <= std::min(std::abs(before), std::abs(now))) add(result, root);
      }
      before = now;
    }
  }

  void search_by_newton(FoundFactors& result) {
    constexpr int decades = 6;
    const double size = scale();
    std::vector<VectorXd> ways{VectorXd::Ones(index(m_))};
    for (const std::size_t h : implicit_) ways.push_back(VectorXd::Unit(index(m_), index(h)));
    std::vector<VectorXd> starts{VectorXd::Zero(index(m_))};
    for (const VectorXd& way : ways)
      for (int k = -decades; k <= decades; ++k)
        for (const double sign : {-1.0, 1.0}) starts.push_back(way * (sign * size * std::pow(10.0, k)));
    for (const VectorXd& start : starts) {
      const auto root = newton(start, size);
      if (!root) continue;
      const bool known = std::any_of(result.roots.begin(), result.roots.end(), [&](const auto& other) {
        const Eigen::Map<const VectorXd> there(other.data(), index(m_));
        return (there - *root).cwiseAbs().maxCoeff() <=
               1e-6 * std::max(root->cwiseAbs().maxCoeff(), 1e-12 * size);
      });
      if (!known) result.roots.emplace_back(root->data(), root->data() + root->size());
    }
  }

  std::optional<VectorXd> newton(VectorXd factors, double size) {
    constexpr int most_rounds = 60;
    constexpr double part = 1e-7, there = 1e-11;
    for (int round = 0; round < most_rounds; ++round) {
      if (!couple(factors)) return {};
      const VectorXd left = r_ * factors + drive_;
      MatrixXd derivative(index(m_), index(m_));
      const double largest = std::max(factors.cwiseAbs().maxCoeff(), 1e-6 * size);
      for (std::size_t h = 0; h < m_; ++h) {
        VectorXd moved = factors;
        moved(index(h)) += part * largest;
        if (!couple(moved)) return {};
        derivative.col(index(h)) = (r_ * moved + drive_ - left) / (part * largest);
      }
      const VectorXd change = DenseRank(derivative).solve(-left);
      if (!change.allFinite()) return {};
      factors += change;
      if (change.cwiseAbs().maxCoeff() <= there * std::max(factors.cwiseAbs().maxCoeff(), 1e-12 * size)) {
        if (!couple(factors)) return {};
        const VectorXd rest = r_ * factors + drive_;
        const double terms = (r_.cwiseAbs() * factors.cwiseAbs() + drive_.cwiseAbs()).maxCoeff();
        return rest.cwiseAbs().maxCoeff() <= 1e-9 * terms ? std::optional(factors) : std::nullopt;
      }
    }
    return {};
  }

  Evaluator& evaluator_;
  const AssembledEquations& equations_;
  double t_;
  const double* y_;
  std::size_t m_;
  std::vector<std::size_t> implicit_;  ///< factors that enter directions
  Evaluator::Couplings couplings_;
  MatrixXd r_;
  VectorXd drive_;
};

}  // namespace

std::vector<double> real_roots(std::vector<double> coefficients) {
  while (!coefficients.empty() && coefficients.back() == 0) coefficients.pop_back();
  if (coefficients.size() < 2) return {};
  if (coefficients.size() == 2) return {-coefficients[0] / coefficients[1]};
  std::vector<double> derivative;
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    derivative.push_back(static_cast<double>(k) * coefficients[k]);
  double bound = 0;  // Fujiwara: all roots lie within
  const double first = coefficients.back();
  for (std::size_t k = 0; k + 1 < coefficients.size(); ++k) {
    const double power = 1.0 / static_cast<double>(coefficients.size() - 1 - k);
    bound = std::max(bound, std::pow(std::abs(coefficients[k] / first), power));
  }
  std::vector<double> places{-2.1 * bound};
  for (double turn : real_roots(derivative)) places.push_back(turn);
  places.push_back(2.1 * bound);
  std::vector<double> roots;
  const auto value = [&](double x) { return at(coefficients, x).value; };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Value here = at(coefficients, places[i]);
    if (here.is_zero()) {
      if (roots.empty() || roots.back() != places[i]) roots.push_back(places[i]);
      continue;
    }
    if (i == 0) continue;
    const Value before = at(coefficients, places[i - 1]);
    if (!before.is_zero() && before.value * here.value < 0)
      roots.push_back(bisect(value, places[i - 1], places[i]));
  }
  return roots;
}

FoundFactors find_factors(Evaluator& evaluator, double t, const double* y) {
  const std::vector<double> guess = evaluator.factor_guess();
  FoundFactors result = Search(evaluator, t, y).run();
  evaluator.set_factor_guess(guess);
  return result;
}

std::string several_factors(Evaluator& evaluator, double t, const double* y) {
  constexpr std::size_t most_listed = 4;
  if (!evaluator.equations().implicit) return {};
  const FoundFactors found = find_factors(evaluator, t, y);
  if (found.roots.size() == 1) evaluator.set_factor_guess(found.roots[0]);
  if (found.roots.size() < 2) return {};
  std::string list;
  for (std::size_t i = 0; i < std::min(found.roots.size(), most_listed); ++i) {
    std::string one;
    for (std::size_t h = 0; h < found.roots[i].size(); ++h) {
      one += fmt::format("{}lambda({}) = {:.9g}", one.empty() ? "" : ", ", evaluator.equations().names[h],
                         found.roots[i][h]);
    }
    list += (list.empty() ? "" : "; or ") + one;
  }
  if (found.roots.size() > most_listed) list += "; and more";
  return fmt::format(
      "several motions begin here: the factors enter their own directions, and {}{} solutions keep the "
      "relations: {}",
      found.all ? "" : "at least ", found.roots.size(), list);
}

}  // namespace liaison

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
#include "liaison/mechanics/term_sizes.hpp"
#include "mechanics/dense.hpp"
#include "simulate/equations/switches.hpp"

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

double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

bool has_factors(const AssembledEquations& equations, Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return std::find(equations.factors.begin(), equations.factors.end(), symbol) != equations.factors.end();
  });
}

/// The factors at a state.
class Search {
 public:
  Search(Evaluator& evaluator, double t, const double* y, const HeldSides& held)
      : evaluator_(evaluator),
        equations_(evaluator.equations()),
        t_(t),
        y_(y),
        m_(equations_.relation_count),
        held_(held),
        sides_(evaluator.switch_arguments().size()),
        nudges_(sides_.size()) {
    for (const auto& [symbol, value] : evaluator_.parameter_values()) point_[symbol] = value;
    point_[evaluator_.time_symbol()] = t_;
    for (std::size_t i = 0; i < evaluator_.size(); ++i) point_[evaluator_.symbols()[i]] = y_[i];
    const std::vector<Expr> written = evaluator.written_equations();
    std::vector<bool> enters(m_);
    for (std::size_t e = 0; e < equations_.directions.entries.size(); ++e) {
      const Expr entry = written[equations_.mass.entries.size() + e];
      directions_.push_back(switches_.hold(entry));
      for (Expr symbol : symbols_in(entry)) {
        const auto found = std::find(equations_.factors.begin(), equations_.factors.end(), symbol);
        if (found != equations_.factors.end())
          enters[static_cast<std::size_t>(found - equations_.factors.begin())] = true;
      }
    }
    for (std::size_t h = 0; h < m_; ++h)
      if (enters[h]) implicit_.push_back(h);
    take_sides();
  }

  FoundFactors run() {
    FoundFactors result;
    if (implicit_.empty() || evaluator_.factor_count() != m_) return result;
    if (open_.empty()) {
      result.all = search();
      for (const VectorXd& root : candidates_) keep(result, root);
    } else if (open_.size() > most_enumerated) {
      follows_ = true;
      search();
      for (const VectorXd& root : candidates_) keep(result, root);
    } else {
      result.all = true;
      enumerate(0, result);
    }
    if (!open_.empty() && held_.sides.empty()) {
      evaluator_.let_sides_follow();
    } else if (!open_.empty()) {
      evaluator_.hold_sides(held_.sides, held_.nudges);
    }
    return result;
  }

 private:
  static constexpr std::size_t most_enumerated = 4;  ///< arguments, each with three sides
  static constexpr double rounding = 64 * epsilon;
  static constexpr double nothing = std::numeric_limits<double>::min();  ///< a root of zero, found by Newton

  /// The sides of switches that no factor is in, and which ones are open.
  void take_sides() {
    const std::vector<Expr>& arguments = evaluator_.switch_arguments();
    for (std::size_t j = 0; j < switches_.size(); ++j) {
      const Expr argument = switches_.arguments()[j];
      const auto found = std::find(arguments.begin(), arguments.end(), argument);
      places_.push_back(static_cast<std::size_t>(found - arguments.begin()));
      if (has_factors(equations_, argument)) open_.push_back(j);
    }
    if (!held_.sides.empty()) {
      sides_.assign(held_.sides.begin(), held_.sides.end());
      nudges_.assign(held_.nudges.begin(), held_.nudges.end());
    }
    for (std::size_t k = 0; held_.sides.empty() && k < arguments.size(); ++k) {
      if (has_factors(equations_, arguments[k])) continue;
      const DoubleValues value = evaluate(std::span(&arguments[k], 1), point_);
      if (value.status == EvaluationStatus::ok) sides_[k] = sign(value.values[0]);
    }
    for (const std::size_t j : open_) nudges_[places_[j]] = 0;
    for (std::size_t j = 0; j < switches_.size(); ++j) put_side(j, sides_[places_[j]]);
  }

  void put_side(std::size_t j, double side) {
    sides_[places_[j]] = side;
    double inputs[Switches::inputs_each];
    Switches::write(side, nudges_[places_[j]], inputs);
    for (std::size_t i = 0; i < Switches::inputs_each; ++i)
      point_[switches_.symbols()[Switches::inputs_each * j + i]] = inputs[i];
  }

  /// Every choice of sides for the switches from one on.
  void enumerate(std::size_t first, FoundFactors& result) {
    if (first == open_.size()) {
      evaluator_.hold_sides(sides_, nudges_);
      candidates_.clear();
      result.all = search() && result.all;
      for (const VectorXd& root : candidates_) keep(result, root);
      return;
    }
    for (const double side : {1.0, -1.0, 0.0}) {
      put_side(open_[first], side);
      enumerate(first + 1, result);
    }
  }

  void put_factors(const VectorXd& factors) {
    for (std::size_t h = 0; h < m_; ++h) point_[equations_.factors[h]] = factors(index(h));
  }

  /// Of an argument with factors in it, and the size of its terms.
  Value argument(std::size_t j) const {
    const Expr both[] = {switches_.held_arguments()[j], size_of_terms(switches_.held_arguments()[j])};
    const DoubleValues values = evaluate(both, point_);
    if (values.status != EvaluationStatus::ok) return {NAN, NAN};
    return {values.values[0], values.values[1]};
  }

  /// A factor is negative that the domain of the system wants not to be.
  bool is_outside(const VectorXd& root) const {
    const Domain& domain = equations_.system->domain;
    const double noise = 1e-9 * root.cwiseAbs().maxCoeff();
    for (std::size_t h = 0; h < m_; ++h) {
      const Requirement wanted{equations_.factors[h], Bound::nonnegative};
      if (root(index(h)) < -noise && std::find(domain.begin(), domain.end(), wanted) != domain.end())
        return true;
    }
    return false;
  }

  /// Keeps a root whose arguments are on the sides that were held. One at a zero is found on several sides.
  void keep(FoundFactors& result, const VectorXd& root) {
    if (is_outside(root)) return;
    std::vector<double> sides(sides_.size());
    bool at_zero = false;
    put_factors(root);
    for (const std::size_t j : open_) {
      const std::size_t k = places_[j];
      const Value value = argument(j);
      const double noise = held_.noise.empty() ? 0 : held_.noise[k];
      if (follows_) {
        sides[k] = sign(value.value);
      } else if (noise > 0 && std::abs(value.value) <= noise) {
        if (sides_[k] != held_.sides[k]) return;
        at_zero = true;
      } else if (std::abs(value.value) <= std::max(rounding * value.size, nothing)) {
        at_zero = true;
      } else if (sign(value.value) == sides_[k]) {
        sides[k] = sides_[k];
      } else {
        return;
      }
    }
    const auto is_same = [&](const std::vector<double>& other) {
      const Eigen::Map<const VectorXd> there(other.data(), index(m_));
      return (there - root).cwiseAbs().maxCoeff() <= std::max(1e-9 * root.cwiseAbs().maxCoeff(), nothing);
    };
    if (at_zero && std::any_of(result.roots.begin(), result.roots.end(), is_same)) return;
    result.roots.emplace_back(root.data(), root.data() + root.size());
    result.sides.push_back(std::move(sides));
  }

  /// With the sides that are held: candidates_. Whether they are all.
  bool search() {
    if (implicit_.size() > 1) {
      search_by_newton();
      return false;
    }
    const auto polynomial = follows_ ? std::nullopt : balance_as_polynomial();
    if (!polynomial) {
      scan();
      return false;
    }
    for (double root : real_roots(*polynomial)) add(root);
    return std::any_of(polynomial->begin(), polynomial->end(), [](double c) { return c != 0; });
  }

  bool couple(const VectorXd& factors) {
    if (follows_) {
      put_factors(factors);
      for (const std::size_t j : open_) put_side(j, sign(argument(j).value));
      evaluator_.hold_sides(sides_, nudges_);
    }
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

  /// Of every direction that the factor enters its parts by the power of the factor; nothing where it is no
  /// polynomial.
  std::optional<std::vector<std::vector<VectorXd>>> directions_by_power() {
    const Expr factor = equations_.factors[implicit_[0]];
    std::vector<bool> enters(m_);
    for (std::size_t e = 0; e < directions_.size(); ++e) {
      const std::vector<Expr> symbols = symbols_in(directions_[e]);
      const std::size_t row = equations_.directions.entries[e].row;
      enters[row] = enters[row] || std::find(symbols.begin(), symbols.end(), factor) != symbols.end();
    }
    std::vector<std::vector<VectorXd>> result(m_);
    for (std::size_t e = 0; e < directions_.size(); ++e) {
      const SparseEntry& entry = equations_.directions.entries[e];
      if (!enters[entry.row]) continue;
      const auto monomials = polynomial_coefficients(directions_[e], std::span(&factor, 1));
      if (!monomials) return {};
      std::vector<VectorXd>& powers = result[entry.row];
      for (const Monomial& monomial : *monomials) {
        const DoubleValues value = evaluate(std::span(&monomial.coefficient, 1), point_);
        if (value.status != EvaluationStatus::ok) return {};
        while (powers.size() <= monomial.exponents[0])
          powers.push_back(VectorXd::Zero(index(evaluator_.direction_count())));
        powers[monomial.exponents[0]](index(entry.column)) = value.values[0];
      }
    }
    return result;
  }

  /// The coefficients of the balance where the factor enters directions by polynomials: a determinant is
  /// linear in each of its columns.
  std::optional<std::vector<double>> balance_as_polynomial() {
    constexpr std::size_t most_products = 256;
    const Index n = index(evaluator_.direction_count());
    const auto directions = directions_by_power();
    Evaluator::Pieces pieces;
    if (!directions || !couple(VectorXd::Zero(index(m_))) ||
        !evaluator_.pieces(t_, y_, std::vector<double>(m_, 0.0), pieces))
      return {};
    const DenseLu mass(Eigen::Map<const RowMajor>(pieces.mass.data(), n, n));
    const RowMajor gradients = Eigen::Map<const RowMajor>(pieces.gradients.data(), index(m_), n);
    std::vector<Product> products{{r_, 0}};
    for (std::size_t h = 0; h < m_; ++h) {
      std::vector<std::pair<VectorXd, std::size_t>> terms;  // of the column, with their powers
      const std::size_t more = h == implicit_[0] ? 1 : 0;
      if (more == 1) terms.emplace_back(drive_, 0);
      for (std::size_t k = 0; k < (*directions)[h].size(); ++k)
        terms.emplace_back(gradients * mass.solve((*directions)[h][k]), k + more);
      if ((*directions)[h].empty()) {
        if (more == 0) continue;
        terms.emplace_back(r_.col(index(h)), 1);
      }
      std::vector<Product> next;
      for (const Product& product : products) {
        for (const auto& [column, power] : terms) {
          next.push_back({product.columns, product.power + power});
          next.back().columns.col(index(h)) = column;
        }
      }
      if (next.size() > most_products) return {};
      products = std::move(next);
    }
    std::vector<double> result, sizes;
    for (const Product& product : products) {
      result.resize(std::max(result.size(), product.power + 1), 0.0);
      sizes.resize(result.size(), 0.0);
      result[product.power] += determinant(product.columns);
      sizes[product.power] += product.columns.colwise().norm().prod();
    }
    for (std::size_t k = 0; k < result.size(); ++k)  // a highest one that is rounding would have a root
      if (std::abs(result[k]) <= rounding * sizes[k]) result[k] = 0;
    return result;
  }
  struct Product {
    MatrixXd columns;
    std::size_t power;
  };

  /// The other factors to one that is known.
  void add(double factor) {
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
    if (found.allFinite()) candidates_.push_back(found);
  }

  /// The size of factors that keep the relations, about.
  double scale() {
    if (!couple(VectorXd::Zero(index(m_)))) return 1;
    const double drive = drive_.cwiseAbs().maxCoeff(), r = r_.cwiseAbs().maxCoeff();
    return drive > 0 && r > 0 ? drive / r : 1;
  }

  void scan() {
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
    std::vector<double> values;
    for (const double place : all) values.push_back(value(place));
    const auto change = [&](double low, double high, double bound) {
      const double root = bisect(value, low, high);
      if (std::abs(value(root)) <= bound) add(root);  // small at a root, large at a pole
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double before = i > 0 ? values[i - 1] : NAN, now = values[i];
      const double after = i + 1 < all.size() ? values[i + 1] : NAN;
      if (now == 0) {
        add(all[i]);
      } else if (before * now < 0) {
        change(all[i - 1], all[i], std::min(std::abs(before), std::abs(now)));
      }
      const bool turns = before * now > 0 && now * after > 0 && std::abs(now) <= std::abs(before) &&
                         std::abs(now) < std::abs(after);
      if (!turns) continue;
      const double nearest = nearest_to_zero(value, all[i - 1], all[i + 1], sign(now));
      if (value(nearest) * now >= 0) continue;
      change(all[i - 1], nearest, std::abs(before));
      change(nearest, all[i + 1], std::abs(after));
    }
  }

  /// Where a function comes nearest to zero, or beyond it, between two places on one side of it: by the
  /// golden section.
  template <class Function>
  static double nearest_to_zero(const Function& function, double low, double high, double side) {
    constexpr int rounds = 60;
    constexpr double part = 0.3819660112501051;
    for (int round = 0; round < rounds; ++round) {
      const double a = low + part * (high - low), b = high - part * (high - low);
      const double at_a = side * function(a), at_b = side * function(b);
      if (at_a < 0) return a;
      if (at_b < 0) return b;
      (at_a <= at_b ? high : low) = at_a <= at_b ? b : a;
    }
    return low + (high - low) / 2;
  }

  void search_by_newton() {
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
      const bool known = std::any_of(candidates_.begin(), candidates_.end(), [&](const VectorXd& there) {
        return (there - *root).cwiseAbs().maxCoeff() <=
               1e-6 * std::max(root->cwiseAbs().maxCoeff(), 1e-12 * size);
      });
      if (!known) candidates_.push_back(*root);
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
  HeldSides held_;
  DoublePoint point_;
  Switches switches_;                   ///< of the directions
  std::vector<Expr> directions_;        ///< with sides in place of these
  std::vector<std::size_t> places_;     ///< of these among those of the evaluator
  std::vector<std::size_t> open_;       ///< of these that factors are in
  std::vector<double> sides_, nudges_;  ///< of those of the evaluator
  bool follows_ = false;                ///< the open ones follow the factors
  std::vector<std::size_t> implicit_;   ///< factors that enter directions
  std::vector<VectorXd> candidates_;    ///< with the sides that are held
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

FoundFactors find_factors(Evaluator& evaluator, double t, const double* y, const HeldSides& held) {
  const std::vector<double> guess = evaluator.factor_guess();
  FoundFactors result = Search(evaluator, t, y, held).run();
  evaluator.set_factor_guess(guess);
  return result;
}

std::vector<std::size_t> switches_of_factors(const Evaluator& evaluator) {
  std::vector<std::size_t> result;
  const std::vector<Expr>& arguments = evaluator.switch_arguments();
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (has_factors(evaluator.equations(), arguments[k])) result.push_back(k);
  return result;
}

std::string several_in_words(const Evaluator& evaluator, const FoundFactors& found) {
  constexpr std::size_t most_listed = 4;
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

std::string several_factors(Evaluator& evaluator, double t, const double* y, const HeldSides& held) {
  if (!evaluator.equations().implicit) return {};
  const FoundFactors found = find_factors(evaluator, t, y, held);
  if (found.roots.size() == 1) evaluator.set_factor_guess(found.roots[0]);
  return several_in_words(evaluator, found);
}

}  // namespace liaison

#include "kovalevskaya.hpp"

#include <algorithm>
#include <cmath>

#include "expr/raw.hpp"
#include "interval_roots.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "linear_part.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_variables = 8;
constexpr std::size_t max_pieces = 20'000;
constexpr std::size_t max_balances = 12;

class Exponents {
 public:
  Exponents(Algebra& algebra, const StateFlow& flow, const Substitution& values)
      : algebra_(algebra), flow_(flow), values_(values) {}

  std::optional<KovalevskayaExponents> run() {
    if (!read_field() || !find_weights()) return std::nullopt;
    find_balances();
    if (result_.balances.empty()) return std::nullopt;
    return std::move(result_);
  }

 private:
  bool is_interrupted() const { return algebra_.options().is_interrupted(); }

  /// The variables that rates contain, with their rates as polynomials with coefficients that are numbers.
  bool read_field() {
    variables_ = flow_.positions;
    variables_.insert(variables_.end(), flow_.velocities.begin(), flow_.velocities.end());
    for (Expr x : variables_)
      rates_.push_back(algebra_.canonical(substitute(apply(flow_.field, x), values_)).value);
    const auto is_used = [&](Expr x) {
      return std::any_of(rates_.begin(), rates_.end(), [&](Expr rate) { return depends_on(rate, x); });
    };
    for (std::size_t k = 0; k < variables_.size();) {
      if (is_used(variables_[k])) {
        ++k;
        continue;
      }
      const auto place = static_cast<std::ptrdiff_t>(k);
      variables_.erase(variables_.begin() + place);
      rates_.erase(rates_.begin() + place);
      k = 0;
    }
    if (variables_.empty() || variables_.size() > max_variables) return false;
    for (Expr rate : rates_) {
      const auto monomials = polynomial_coefficients(rate, variables_, 1000);
      if (!monomials) return false;
      for (const Monomial& monomial : *monomials) {
        if (!monomial.coefficient.is_number()) return false;
      }
      monomials_.push_back(*monomials);
    }
    return true;
  }

  /// sum m_j w_j = w_i + 1 for each monomial x^m of the rate of x_i: one solution, or nothing is asked.
  bool find_weights() {
    Pool& pool = algebra_.pool();
    const std::size_t n = variables_.size();
    std::vector<Expr> entries, right;
    for (std::size_t i = 0; i < n; ++i) {
      for (const Monomial& monomial : monomials_[i]) {
        for (std::size_t j = 0; j < n; ++j)
          entries.push_back(
              pool.number(Rational(static_cast<long>(monomial.exponents[j]) - (i == j ? 1 : 0))));
        right.push_back(pool.number(1));
      }
    }
    if (right.size() < n) return false;
    const SolveResult solved = solve(algebra_, Matrix(right.size(), n, entries), right);
    if (solved.status != SolveStatus::unique) return false;
    for (std::size_t j = 0; j < n; ++j) {
      if (!solved.x[j].is_number()) return false;
      weights_.push_back(solved.x[j].number());
      result_.weights.emplace_back(variables_[j], weights_.back());
    }
    return true;
  }

  /// All real c with f_i(c) + w_i c_i = 0 in a box; a variable that is the rate of another follows from it.
  void find_balances() {
    const std::size_t n = variables_.size();
    Substitution followed;
    std::vector<Expr> shifted;
    for (std::size_t i = 0; i < n; ++i)
      shifted.push_back(rates_[i] + algebra_.pool().number(weights_[i]) * variables_[i]);
    std::vector<bool> is_solved(n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_used = std::any_of(followed.begin(), followed.end(), [&](const auto& one) {
        return depends_on(one.second, rates_[i]);  // it stays the unknown that the other follows
      });
      if (!rates_[i].is(Op::symbol) || followed.contains(rates_[i]) || followed.contains(variables_[i]) ||
          rates_[i] == variables_[i] || is_used)
        continue;
      followed.emplace(rates_[i], algebra_.pool().number(-weights_[i]) * variables_[i]);
      is_solved[i] = true;
    }
    std::vector<Expr> equations;
    std::vector<SearchInterval> box;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_solved[i]) equations.push_back(algebra_.canonical(substitute(shifted[i], followed)).value);
      if (!followed.contains(variables_[i])) box.push_back({variables_[i], -result_.reach, result_.reach});
    }
    if (equations.size() != box.size() || box.empty()) return;
    const IsolatedRoots roots = isolate_roots(equations, box, max_pieces, [&] { return is_interrupted(); });
    result_.all = roots.all;
    for (const IsolatedRoot& root : roots.roots) {
      if (std::all_of(root.box.begin(), root.box.end(), [](const Ball& b) { return b.contains_zero(); }))
        continue;  // c = 0 is none
      if (result_.balances.size() == max_balances) {
        result_.all = false;
        return;
      }
      BallPoint at;
      for (std::size_t k = 0; k < box.size(); ++k) at.emplace(box[k].unknown, root.value[k]);
      std::vector<Expr> others, texts;
      for (const auto& [symbol, value] : followed) {
        others.push_back(symbol);
        texts.push_back(value);
      }
      const BallValues values = evaluate_balls(texts, at, 192);
      if (values.status != EvaluationStatus::ok) {
        result_.all = false;
        continue;
      }
      for (std::size_t k = 0; k < others.size(); ++k) at.insert_or_assign(others[k], values.values[k]);
      add_balance(at, shifted);
    }
  }

  void add_balance(const BallPoint& at, const std::vector<Expr>& shifted) {
    Equilibrium linear;
    linearise(shifted, variables_, at, linear);
    if (linear.eigenvalues.size() != variables_.size()) {
      result_.all = false;
      return;
    }
    KovalevskayaBalance balance;
    for (Expr x : variables_) balance.point.emplace_back(x, at.at(x));
    for (const Eigenvalue& value : linear.eigenvalues) {
      balance.exponents.emplace_back(value.re, value.im);
      balance.kind = std::max(balance.kind, kind_of_exponent(value.re, value.im));
    }
    result_.balances.push_back(std::move(balance));
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const Substitution& values_;
  std::vector<Expr> variables_, rates_;
  std::vector<std::vector<Monomial>> monomials_;
  std::vector<Rational> weights_;
  KovalevskayaExponents result_;
};

}  // namespace

ExponentKind kind_of_exponent(const Ball& re, const Ball& im) {
  constexpr long most = 1000;
  if (!im.contains_zero()) return ExponentKind::complex;
  if (re.rad() > 1e-12) return ExponentKind::fraction;  // nothing is known against it
  for (long below = 1; below <= most; ++below) {
    const double above = std::round(re.mid() * static_cast<double>(below));
    if (std::abs(above) > 1e15) return ExponentKind::fraction;
    if (arb_contains_fmpq(re.raw(), Rational(static_cast<long>(above), below).raw()) != 0)
      return ExponentKind::fraction;
  }
  return ExponentKind::no_short_fraction;
}

std::optional<KovalevskayaExponents> find_exponents(Algebra& algebra, const StateFlow& flow,
                                                    const Substitution& values) {
  if (flow.has_levels || !flow.quaternions.empty() || !flow.standing.pieces.empty()) return std::nullopt;
  try {
    return Exponents(algebra, flow, values).run();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::limit_reached) throw;
    return std::nullopt;  // the field has no value for these parameters
  }
}

}  // namespace liaison

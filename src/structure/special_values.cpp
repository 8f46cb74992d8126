#include "special_values.hpp"

#include <flint/nmod_mat.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "liaison/expr/print.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_values = 65;  ///< of the parameter, to learn the rows as functions of it
constexpr std::size_t spare_values = 3;  ///< that a rational function must meet besides
constexpr std::size_t most_evaluations = 20'000;
constexpr std::size_t further_rows = 12;
constexpr Residue short_number = 1'000'000;  ///< numerators and denominators of values that are recognised

class Polynomial {
 public:
  explicit Polynomial(Residue prime) { nmod_poly_init(p_, prime); }
  Polynomial(const Polynomial& other) {
    nmod_poly_init(p_, other.p_->mod.n);
    nmod_poly_set(p_, other.p_);
  }
  Polynomial& operator=(const Polynomial& other) {
    nmod_poly_set(p_, other.p_);
    return *this;
  }
  ~Polynomial() { nmod_poly_clear(p_); }
  static Polynomial through(const std::vector<Residue>& x, const std::vector<Residue>& y, Residue prime) {
    Polynomial result(prime);
    nmod_poly_interpolate_nmod_vec(result.p_, x.data(), y.data(), static_cast<slong>(x.size()));
    return result;
  }
  long degree() const { return nmod_poly_degree(p_); }
  Residue at(Residue x) const { return nmod_poly_evaluate_nmod(p_, x); }
  nmod_poly_struct* raw() { return p_; }
  const nmod_poly_struct* raw() const { return p_; }

 private:
  nmod_poly_t p_;
};

/// The denominator of the rational function with these values: the first pair of Euclid's algorithm on their
/// polynomial that is short enough to be told by all but the spare values. Nothing: there is none.
std::optional<Polynomial> denominator_of(const std::vector<Residue>& x, const std::vector<Residue>& y,
                                         Residue prime) {
  const auto most = static_cast<long>(x.size() - spare_values) - 1;
  Polynomial above(prime), rest = Polynomial::through(x, y, prime);
  if (rest.degree() <= most / 2) {
    Polynomial one(prime);
    nmod_poly_one(one.raw());
    return one;
  }
  nmod_poly_product_roots_nmod_vec(above.raw(), x.data(), static_cast<slong>(x.size()));
  Polynomial before(prime), factor(prime), quotient(prime), next(prime);
  nmod_poly_one(factor.raw());
  while (rest.degree() > most / 2) {
    nmod_poly_divrem(quotient.raw(), next.raw(), above.raw(), rest.raw());
    above = rest;
    rest = next;
    nmod_poly_mul(next.raw(), quotient.raw(), factor.raw());
    nmod_poly_sub(next.raw(), before.raw(), next.raw());
    before = factor;
    factor = next;
  }
  if (std::max(rest.degree(), 0L) + factor.degree() > most) return std::nullopt;
  for (const Residue value : x) {
    if (factor.at(value) == 0) return std::nullopt;
  }
  return factor;
}

class ResidueMatrix {
 public:
  ResidueMatrix(std::size_t rows, std::size_t columns, Residue prime) {
    nmod_mat_init(m_, static_cast<slong>(rows), static_cast<slong>(columns), prime);
  }
  ~ResidueMatrix() { nmod_mat_clear(m_); }
  ResidueMatrix(ResidueMatrix&& other) noexcept {
    nmod_mat_init(m_, 0, 0, other.m_->mod.n);
    nmod_mat_swap(m_, other.m_);
  }
  ResidueMatrix& operator=(ResidueMatrix&& other) noexcept {
    nmod_mat_swap(m_, other.m_);
    return *this;
  }
  ResidueMatrix(const ResidueMatrix&) = delete;
  ResidueMatrix& operator=(const ResidueMatrix&) = delete;

  std::size_t rows() const { return static_cast<std::size_t>(m_->r); }
  std::size_t columns() const { return static_cast<std::size_t>(m_->c); }
  Residue prime() const { return m_->mod.n; }
  Residue& operator()(std::size_t i, std::size_t j) { return nmod_mat_entry(m_, i, j); }
  Residue operator()(std::size_t i, std::size_t j) const { return nmod_mat_entry(m_, i, j); }
  std::size_t rank() const { return static_cast<std::size_t>(nmod_mat_rank(m_)); }
  Residue det() const { return nmod_mat_det(m_); }
  ResidueMatrix times(const ResidueMatrix& other) const {
    ResidueMatrix result(rows(), other.columns(), prime());
    nmod_mat_mul(result.m_, m_, other.m_);
    return result;
  }
  void scale_and_add(Residue factor, const ResidueMatrix& other) {
    nmod_mat_scalar_mul(m_, m_, factor);
    nmod_mat_add(m_, m_, other.m_);
  }
  /// Columns that span {c : A c = 0}.
  ResidueMatrix kernel() const {
    ResidueMatrix all(columns(), columns(), prime());
    const auto size = static_cast<std::size_t>(nmod_mat_nullspace(all.m_, m_));
    ResidueMatrix result(columns(), size, prime());
    for (std::size_t i = 0; i < columns(); ++i) {
      for (std::size_t j = 0; j < size; ++j) result(i, j) = all(i, j);
    }
    return result;
  }
  ResidueMatrix transposed() const {
    ResidueMatrix result(columns(), rows(), prime());
    nmod_mat_transpose(result.m_, m_);
    return result;
  }

 private:
  nmod_mat_t m_;
};

/// sum e^k A_k.
class MatrixPolynomial {
 public:
  explicit MatrixPolynomial(std::vector<ResidueMatrix> coefficients) : a_(std::move(coefficients)) {}
  std::size_t degree() const { return a_.size() - 1; }
  const ResidueMatrix& coefficient(std::size_t k) const { return a_[k]; }
  std::size_t rows() const { return a_[0].rows(); }
  std::size_t columns() const { return a_[0].columns(); }

  ResidueMatrix at(Residue e) const {
    ResidueMatrix result(rows(), columns(), a_[0].prime());
    for (std::size_t k = a_.size(); k-- > 0;) result.scale_and_add(e, a_[k]);
    return result;
  }
  /// left A right for each coefficient.
  MatrixPolynomial between(const ResidueMatrix& left, const ResidueMatrix& right) const {
    std::vector<ResidueMatrix> result;
    for (const ResidueMatrix& a : a_) result.push_back(left.times(a).times(right));
    return MatrixPolynomial(std::move(result));
  }

 private:
  std::vector<ResidueMatrix> a_;
};

/// Combinations of the rows that do not contain the parameter are solved first: what is left is small.
MatrixPolynomial reduced(const MatrixPolynomial& all) {
  const std::size_t n = all.rows(), c = all.columns(), d = all.degree();
  const Residue prime = all.coefficient(0).prime();
  ResidueMatrix changing(d * c, n, prime);  // the coefficients beside e, e^2, ..., transposed
  for (std::size_t k = 1; k <= d; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < c; ++j) changing((k - 1) * c + j, i) = all.coefficient(k)(i, j);
    }
  }
  const ResidueMatrix constant = changing.kernel().transposed();  // combinations in which e does not stand
  const ResidueMatrix free = constant.times(all.coefficient(0)).kernel();
  ResidueMatrix same(n, n, prime);
  for (std::size_t i = 0; i < n; ++i) same(i, i) = 1;
  return all.between(same, free);
}

class Finder {
 public:
  Finder(const IntegralAnsatz& ansatz, Expr parameter)
      : ansatz_(ansatz), parameter_(parameter), generator_(20'261'117) {}

  SpecialValues run() {
    const std::optional<MatrixPolynomial> learnt =
        is_rational_in_parameter() ? learn_rows() : std::optional<MatrixPolynomial>();
    if (!learnt) return std::move(result_);
    const MatrixPolynomial& all = *learnt;
    if (all.degree() == 0) return std::move(result_);  // the parameter does not stand in the equations
    const MatrixPolynomial left = reduced(all);
    std::size_t rank = 0;
    for (int k = 0; k < 3 && left.columns() > 0; ++k) rank = std::max(rank, left.at(random()).rank());
    // The kernel of the search has another value of the parameter: both are general ones.
    if (left.columns() - rank != ansatz_.kernel_size()) {
      refuse("the points of the search do not tell the general rank");
      return std::move(result_);
    }
    if (rank == 0) return std::move(result_);
    read_roots(without_poles(common_divisor(left, rank)));
    return std::move(result_);
  }

 private:
  Residue random() { return generator_() % (in_->prime() - 2) + 1; }

  bool is_rational_in_parameter() {
    if (const auto node = ansatz_.irrational_in(parameter_)) {
      result_.refusal = fmt::format("`{}` is not rational in {}", to_infix(*node), to_infix(parameter_));
      return false;
    }
    return true;
  }

  /// The values of the table at the same points for some values of the parameter, and the denominator of each
  /// The rates as polynomials in the parameter, from the values of the table at the same points for some of
  /// its values: as many as tell the degrees, and some more.
  std::optional<MatrixPolynomial> learn_rows() {
    const std::size_t rows = ansatz_.columns() + further_rows;
    for (std::size_t wanted = 9; wanted <= most_values; wanted = 2 * wanted - 1) {
      while (x_.size() < wanted) {
        PointChoices choices = ansatz_.choices();
        const auto value = static_cast<long>(1000 + 7 * x_.size());
        choices.values[parameter_] = Rational(value);
        ModularPoints points(ansatz_.table(), choices, ansatz_.seed());
        if (!in_) in_ = points.field();
        std::vector<std::vector<Residue>> at;
        while (at.size() < rows) {
          if (ansatz_.is_interrupted()) return refused("interrupted");
          auto next = points.next();
          if (!next) return refused("no points were found at which everything has a value");
          at.push_back(std::move(*next));
        }
        x_.push_back(static_cast<Residue>(value));
        values_.push_back(std::move(at));
      }
      if (!find_denominators(rows)) continue;
      if (auto found = matrix()) return found;
    }
    return refused(fmt::format("{} stands in the equations with too high a degree", to_infix(parameter_)));
  }

  std::optional<MatrixPolynomial> refused(std::string reason) {
    refuse(std::move(reason));
    return std::nullopt;
  }
  bool refuse(std::string reason) {
    result_.refusal = std::move(reason);
    return false;
  }

  bool find_denominators(std::size_t rows) {
    denominators_.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      Polynomial denominator(in_->prime());
      nmod_poly_one(denominator.raw());
      for (std::size_t j = 0; j < values_[0][i].size(); ++j) {
        std::vector<Residue> y;
        for (const auto& at : values_) y.push_back(at[i][j]);
        if (std::all_of(y.begin(), y.end(), [&](Residue value) { return value == y[0]; })) continue;
        const auto found = denominator_of(x_, y, in_->prime());
        if (!found) return false;
        Polynomial common(in_->prime());
        nmod_poly_gcd(common.raw(), denominator.raw(), found->raw());
        Polynomial rest(in_->prime());
        nmod_poly_div(rest.raw(), found->raw(), common.raw());
        nmod_poly_mul(denominator.raw(), denominator.raw(), rest.raw());
      }
      denominators_.push_back(std::move(denominator));
    }
    return true;
  }

  /// The rates of the columns, each row times its denominator; nothing where the values do not tell the
  /// degrees.
  std::optional<MatrixPolynomial> matrix() const {
    const std::size_t n = denominators_.size(), c = ansatz_.columns();
    std::vector<ResidueMatrix> at;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      at.emplace_back(n, c, in_->prime());
      for (std::size_t i = 0; i < n; ++i) {
        const std::vector<Residue> rates = ansatz_.rates_at(values_[k][i], *in_);
        const Residue by = denominators_[i].at(x_[k]);
        for (std::size_t j = 0; j < c; ++j) at[k](i, j) = in_->mul(by, rates[j]);
      }
    }
    std::size_t degree = 0;
    std::vector<ResidueMatrix> coefficients;
    for (std::size_t k = 0; k < x_.size(); ++k) coefficients.emplace_back(n, c, in_->prime());
    std::vector<Residue> y(x_.size());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < c; ++j) {
        for (std::size_t k = 0; k < x_.size(); ++k) y[k] = at[k](i, j);
        if (std::all_of(y.begin(), y.end(), [&](Residue value) { return value == y[0]; })) {
          coefficients[0](i, j) = y[0];
          continue;
        }
        const Polynomial entry = Polynomial::through(x_, y, in_->prime());
        if (entry.degree() + static_cast<long>(spare_values) >= static_cast<long>(x_.size()))
          return std::nullopt;
        for (long k = 0; k <= entry.degree(); ++k)
          coefficients[static_cast<std::size_t>(k)](i, j) = nmod_poly_get_coeff_ui(entry.raw(), k);
        degree = std::max(degree, static_cast<std::size_t>(entry.degree()));
      }
    }
    coefficients.erase(coefficients.begin() + static_cast<std::ptrdiff_t>(degree) + 1, coefficients.end());
    return MatrixPolynomial(std::move(coefficients));
  }

  ResidueMatrix random_matrix(std::size_t rows, std::size_t columns) {
    ResidueMatrix result(rows, columns, in_->prime());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) result(i, j) = random();
    }
    return result;
  }

  /// Of two random combinations of the minors of that size.
  Polynomial common_divisor(const MatrixPolynomial& matrix, std::size_t rank) {
    Polynomial result(in_->prime());
    const std::size_t count = rank * matrix.degree() + 1;
    if (count > most_evaluations) {
      refuse("the equations are too large");
      return result;
    }
    for (int pass = 0; pass < 2; ++pass) {
      const MatrixPolynomial square =
          matrix.between(random_matrix(rank, matrix.rows()), random_matrix(matrix.columns(), rank));
      std::vector<Residue> x, y;
      for (std::size_t k = 0; k < count; ++k) {
        if (ansatz_.is_interrupted()) {
          refuse("interrupted");
          return result;
        }
        x.push_back(k + 2);
        y.push_back(square.at(x.back()).det());
      }
      const Polynomial minors = Polynomial::through(x, y, in_->prime());
      nmod_poly_gcd(result.raw(), result.raw(), minors.raw());
    }
    return result;
  }

  /// Without the values for which there is no motion: those at which the rows of all points have a pole.
  Polynomial without_poles(Polynomial polynomial) const {
    Polynomial poles(in_->prime()), common(in_->prime());
    for (const Polynomial& denominator : denominators_)
      nmod_poly_gcd(poles.raw(), poles.raw(), denominator.raw());
    while (polynomial.degree() > 0) {
      nmod_poly_gcd(common.raw(), polynomial.raw(), poles.raw());
      if (common.degree() <= 0) break;
      nmod_poly_div(polynomial.raw(), polynomial.raw(), common.raw());
    }
    return polynomial;
  }

  /// Linear factors whose roots are short numbers; the degree of the rest.
  void read_roots(const Polynomial& polynomial) {
    if (!result_.refusal.empty() || polynomial.degree() <= 0) return;
    nmod_poly_factor_t factors;
    nmod_poly_factor_init(factors);
    nmod_poly_factor(factors, polynomial.raw());
    for (slong k = 0; k < factors->num; ++k) {
      const nmod_poly_struct* factor = factors->p + k;
      const auto degree = static_cast<std::size_t>(nmod_poly_degree(factor));
      std::optional<Rational> value;
      if (degree == 1) {
        const auto below = in_->inverse(nmod_poly_get_coeff_ui(factor, 1));
        value = short_value(in_->mul(in_->prime() - nmod_poly_get_coeff_ui(factor, 0), *below));
      }
      if (value) {
        result_.values.push_back(*value);
      } else {
        result_.others += degree;
      }
    }
    nmod_poly_factor_clear(factors);
    std::sort(result_.values.begin(), result_.values.end());
  }

  /// n/d with n = residue*d modulo the prime, both short.
  std::optional<Rational> short_value(Residue residue) const {
    // Euclid's algorithm: remainders fall, their factors of the residue grow.
    Residue r0 = in_->prime(), r1 = residue % in_->prime();
    long s0 = 0, s1 = 1;
    while (r1 > short_number) {
      const Residue q = r0 / r1;
      const Residue r2 = r0 - q * r1;
      if (q > short_number) return std::nullopt;
      const long s2 = s0 - static_cast<long>(q) * s1;
      if (static_cast<Residue>(std::abs(s2)) > short_number) return std::nullopt;
      r0 = r1, r1 = r2, s0 = s1, s1 = s2;
    }
    return Rational(static_cast<long>(r1), s1);
  }

  const IntegralAnsatz& ansatz_;
  Expr parameter_;
  std::mt19937_64 generator_;
  std::optional<PrimeField> in_;
  std::vector<Residue> x_;                                 ///< values of the parameter
  std::vector<std::vector<std::vector<Residue>>> values_;  ///< of the table: [value][point]
  std::vector<Polynomial> denominators_;                   ///< of each point
  SpecialValues result_;
};

}  // namespace

SpecialValues find_special_values(const IntegralAnsatz& ansatz, Expr parameter) {
  return Finder(ansatz, parameter).run();
}

}  // namespace liaison

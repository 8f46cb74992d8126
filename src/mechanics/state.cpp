#include "liaison/mechanics/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dense.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/mechanics/rounding.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "second_order.hpp"

namespace liaison {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

std::vector<double> to_vector(const VectorXd& v) {
  return {v.data(), v.data() + v.size()};
}

class StateEvaluation {
 public:
  StateEvaluation(Algebra& algebra, const Motion& motion, const DoublePoint& state)
      : algebra_(algebra),
        motion_(motion),
        point_(state),
        n_(motion.space.size()),
        forces_(motion.constraints.size()),
        relations_(motion.relation_count) {}

  StateValues run() {
    for (const ConstraintField& constraint : motion_.constraints) {
      point_[constraint.factor] = 0;
      implicit_ = implicit_ || constraint.depends_on_factor;
    }
    if (!read_energies() || !read_mass() || !read_relations()) return result_;
    if (implicit_) {
      solve_implicit();
    } else {
      if (!read_directions()) return result_;
      solve_linear();
    }
    finish();
    return result_;
  }

 private:
  bool values(std::span<const Expr> es, std::vector<double>& out, const char* what) {
    const DoubleValues found = evaluate(es, point_);
    if (found.status != EvaluationStatus::ok) {
      result_.failure = fmt::format("{} has no value at this state: {}", what, found.reason());
      return false;
    }
    out = found.values;
    return true;
  }

  bool read_energies() {
    const System& system = *motion_.space.system;
    const Expr energies[] = {system.kinetic, system.potential};
    std::vector<double> out;
    if (!values(energies, out, "the energy")) return false;
    result_.kinetic = out[0];
    result_.potential = out[1];
    return true;
  }

  bool read_mass() {
    std::vector<double> mass, load;
    if (!values(motion_.free.mass.entries, mass, "the mass matrix")) return false;
    if (!values(motion_.free.load, load, "the applied force")) return false;
    mass_ =
        Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(mass.data(), index(n_), index(n_));
    VectorXd force = Eigen::Map<const VectorXd>(load.data(), index(n_));
    if (!has_regular_mass()) {
      if (!add_relations(force)) return false;
      if (!has_regular_mass()) {
        result_.failure = "the mass matrix is singular at this state: the accelerations are not determined";
        return false;
      }
      result_.remark =
          "the mass matrix is singular at this state, and the constraints determine the accelerations: r is "
          "taken with the squares of the relations added to the kinetic energy";
    }
    lu_ = DenseLu(mass_);
    free_ = lu_.solve(force);
    result_.free_acceleration = to_vector(free_);
    return true;
  }

  /// Beside the roots of its diagonal: a heavy body beside a light one is not singular.
  bool has_regular_mass() const {
    VectorXd sizes = VectorXd::Ones(index(n_));
    for (Eigen::Index i = 0; i < mass_.rows(); ++i)
      if (mass_(i, i) > 0) sizes(i) = 1 / std::sqrt(mass_(i, i));
    return static_cast<std::size_t>(DenseRank(sizes.asDiagonal() * mass_ * sizes.asDiagonal()).rank()) == n_;
  }

  /// Multiples of A u' + b = 0 added to the equations change no motion: (M + s A^T A) u' = load - s A^T b +
  /// ...
  bool add_relations(VectorXd& force) {
    for (std::size_t k = 0; k < relations_; ++k) {
      const ConstraintField& constraint = motion_.constraints[k];
      std::vector<Expr> parts = constraint.gradient;
      parts.push_back(constraint.bias);
      std::vector<double> out;
      if (!values(parts, out, ("the relation of `" + constraint.name + "`").c_str())) return false;
      const VectorXd row = Eigen::Map<const VectorXd>(out.data(), index(n_));
      const double square = row.squaredNorm(), largest = mass_.cwiseAbs().maxCoeff();
      if (square == 0) continue;
      const double scale = (largest > 0 ? largest : 1) / square;
      mass_ += scale * row * row.transpose();
      force -= scale * out[n_] * row;
    }
    return true;
  }

  double size_here(Expr e) const {
    const Expr size = size_of_terms(e);
    const DoubleValues found = evaluate(std::span(&size, 1), point_);
    return found.status == EvaluationStatus::ok ? found.values[0] : 0;
  }

  bool read_relations() {
    gradients_ = MatrixXd::Zero(index(relations_), index(n_));
    bias_ = terms_ = VectorXd::Zero(index(relations_));
    for (std::size_t k = 0; k < relations_; ++k) {
      const ConstraintField& constraint = motion_.constraints[k];
      std::vector<Expr> parts = constraint.gradient;
      parts.push_back(constraint.bias);
      parts.push_back(constraint.relation);
      parts.push_back(constraint.level.empty() ? motion_.space.pool().number(0) : constraint.level);
      std::vector<double> out;
      if (!values(parts, out, ("the relation of `" + constraint.name + "`").c_str())) return false;
      clear_rounding(constraint.gradient, point_, out);
      for (std::size_t a = 0; a < n_; ++a) gradients_(index(k), index(a)) = out[a];
      bias_(index(k)) = out[n_];
      terms_(index(k)) = size_here(constraint.bias);
      for (std::size_t a = 0; a < n_; ++a)
        terms_(index(k)) += size_here(constraint.gradient[a]) * std::abs(free_(index(a)));
      result_.residual.push_back(out[n_ + 1]);
      result_.level_residual.push_back(out[n_ + 2]);
    }
    drive_ = gradients_ * free_ + bias_;
    result_.drive = to_vector(drive_);
    return true;
  }

  bool read_directions() {
    fields_ = directions_ = MatrixXd::Zero(index(n_), index(forces_));
    for (std::size_t h = 0; h < forces_; ++h) {
      std::vector<double> out;
      const ConstraintField& constraint = motion_.constraints[h];
      if (!values(constraint.direction, out, ("the force of `" + constraint.name + "`").c_str()))
        return false;
      if (!implicit_) clear_rounding(constraint.direction, point_, out);
      directions_.col(index(h)) = Eigen::Map<const VectorXd>(out.data(), index(n_));
      fields_.col(index(h)) = lu_.solve(directions_.col(index(h)));
    }
    r_ = product(gradients_, fields_).transpose();
    return true;
  }

  /// r beside the products that it is made of, |da| |M^-1| |l|: no unit and no mass makes one relation
  /// rounding beside another.
  struct ScaledR {
    VectorXd relations, forces;  ///< by what rows and columns were multiplied
    double rounding = 0;         ///< below this an entry is rounding, since one of M^-1 may be a rounded zero
  };
  ScaledR scales_of_r() const {
    const MatrixXd inverse = lu_.inverse().cwiseAbs();
    const MatrixXd products = product(gradients_.cwiseAbs(), product(inverse, directions_.cwiseAbs()));
    const auto scales = [](const VectorXd& sizes) {
      return VectorXd(sizes.unaryExpr([](double size) {  // powers of two: nothing is rounded by them
        return size > 0 ? std::exp2(-std::round(std::log2(size) / 2)) : 1;
      }));
    };
    ScaledR result{scales(products.rowwise().maxCoeff()), scales(products.colwise().maxCoeff().transpose())};
    VectorXd roots(inverse.rows());
    for (Eigen::Index i = 0; i < inverse.rows(); ++i)
      roots(i) = std::sqrt(inverse(i, i) > 0 ? inverse(i, i) : inverse.row(i).maxCoeff());
    const VectorXd left = result.relations.cwiseProduct(gradients_.cwiseAbs() * roots);
    const VectorXd right = result.forces.cwiseProduct(directions_.cwiseAbs().transpose() * roots);
    const double largest =
        (result.relations.asDiagonal() * products * result.forces.asDiagonal()).eval().maxCoeff();
    result.rounding = std::max(1e-12 * largest, 1e-15 * left.maxCoeff() * right.maxCoeff());
    return result;
  }

  void solve_linear() {
    if (forces_ == 0) {
      add_motion(VectorXd(0));
      return;
    }
    const ScaledR scale = scales_of_r();
    DenseRank lu(scale.relations.asDiagonal() * r_.transpose() * scale.forces.asDiagonal());
    lu.set_threshold(scale.rounding > 0 ? scale.rounding / std::max(lu.largest_pivot(), 1e-300) : 1e-12);
    const VectorXd solution = scale.forces.cwiseProduct(lu.solve(-scale.relations.cwiseProduct(drive_)));
    const bool square = forces_ == relations_;
    result_.compatible = square && lu.is_invertible();
    if (square) result_.determinant = result_.compatible ? determinant(r_) : 0;
    if (result_.compatible) {
      add_motion(solution);
      return;
    }
    if (square && scale_is_zero(lu) && std::abs(drive_(0)) <= 1e-12 * terms_(0)) {
      solve_second_order();
      return;
    }
    if (is_left_over(solution)) {
      result_.remark = "det r = 0 and no factors keep the relations: the constraints are contradictory here";
      return;
    }
    MatrixXd kernel = scale.forces.asDiagonal() * lu.kernel();
    for (Eigen::Index j = 0; j < kernel.cols(); ++j) {  // the largest is one
      Eigen::Index largest = 0;
      kernel.col(j).cwiseAbs().maxCoeff(&largest);
      if (kernel(largest, j) != 0) kernel.col(j) /= kernel(largest, j);
    }
    for (Eigen::Index j = 0; j < kernel.cols(); ++j) result_.open.push_back(to_vector(kernel.col(j)));
    result_.remark =
        "the factors are determined only up to the directions listed; shown are those with the least sum of "
        "squares";
    const MatrixXd basis = orthonormal(kernel);
    add_motion(solution - basis * (basis.transpose() * solution));
  }

  /// A relation changes at a rate that is more than rounding of its terms, and more than follows from a state
  /// that is not quite on the relations.
  bool is_left_over(const VectorXd& factors) const {
    const VectorXd left = (r_.transpose() * factors + drive_).cwiseAbs();
    const VectorXd sizes = r_.transpose().cwiseAbs() * factors.cwiseAbs() + terms_;
    double off = 0;
    for (std::size_t k = 0; k < relations_; ++k)
      off = std::max({off, std::abs(result_.residual[k]), std::abs(result_.level_residual[k])});
    constexpr double rounding = 1e-9, rate_of_an_error = 1e3;
    return ((left - rounding * sizes).array() > rate_of_an_error * off).any();
  }

  bool scale_is_zero(const DenseRank& lu) const { return lu.rank() == 0 && forces_ == 1; }

  /// Of one factor that may be anything.
  void add_open_motion(std::string remark) {
    result_.remark = std::move(remark);
    result_.open.push_back({1.0});
    add_motion(VectorXd::Zero(1));
  }

  /// The second derivative vanishes, too.
  void solve_higher_order() {
    const auto found = higher_derivative(motion_, point_);
    if (found && found->order > 0 && !found->depends) {
      result_.remark = fmt::format(
          "i(e)da and i(E)da vanish together, and derivative {} of the relation is {:.12g} for three "
          "different "
          "courses of the factor (computed to rounding): nothing keeps the relation from here on",
          found->order, found->value);
      return;
    }
    const std::string so_far = "i(e)da and i(E)da vanish together, and so does the second derivative: ";
    add_open_motion(so_far +
                    (!found ? "the relation asks nothing of the accelerations here, what its higher "
                              "derivatives ask is not known, and its factor is not determined"
                     : found->order > 0
                         ? fmt::format("derivative {} of the relation is the first that asks for the "
                                       "factor, which is not looked for there",
                                       found->order)
                         : fmt::format("the relation asks nothing here up to its derivative {}, and "
                                       "its factor is not determined",
                                       highest_derivative)));
  }

  /// On the piece of the state, as a root that is a coordinate on one of its sides.
  bool vanishes_here(const ConstraintField& constraint) const {
    return vanish_on_a_piece(constraint.gradient, {}) &&
           std::all_of(constraint.gradient.begin(), constraint.gradient.end(), [&](Expr entry) {
             const DoubleValues found = evaluate(std::span(&entry, 1), point_);
             return found.status == EvaluationStatus::ok &&
                    std::abs(found.values[0]) <= vanished_beside * size_here(entry);
           });
  }

  /// Row G2.IV-degenerate: i(e)da and i(E)da vanish together; the second derivative decides.
  void solve_second_order() {
    Substitution parameters;
    for (const auto& [symbol, value] : point_) {
      if (symbol.symbol().kind == SymbolKind::parameter && std::isfinite(value))
        parameters.emplace(symbol, algebra_.pool().number(Rational::from_double(value)));
    }
    if (asks_nothing(algebra_, motion_, parameters)) {
      add_open_motion("the relation asks nothing for these parameters: its factor is not determined");
      return;
    }
    if (vanishes_here(motion_.constraints[0])) {
      add_open_motion("the relation asks nothing near this state: its factor is not determined");
      return;
    }
    const auto quadratic = second_order_equation(algebra_, motion_, point_);
    if (!quadratic) {
      add_open_motion(
          "i(e)da and i(E)da vanish together: the relation says nothing of the accelerations here, and its "
          "second derivative, which may, is not known; the factor is not determined");
      return;
    }
    if (quadratic->is_empty()) {
      solve_higher_order();
      return;
    }
    result_.remark = fmt::format(
        "i(e)da and i(E)da vanish together; the second derivative gives {:.12g} λ² + {:.12g} λ + {:.12g} = 0",
        quadratic->c2, quadratic->c1, quadratic->c0);
    for (double root : quadratic->roots()) add_motion(VectorXd::Constant(1, root));
  }

  /// sum_h lambda_h r^{hk}(lambda) + i(E)da^k = 0 by Newton's method from several starts; different roots are
  /// different motions.
  void solve_implicit() {
    if (forces_ != relations_) {
      result_.failure = "factors in a power need as many relations as forces";
      return;
    }
    set_size_of_factors();
    const double size = factor_size_;
    std::vector<VectorXd>& roots = roots_;
    for (double start : {0.0, 1.0, -1.0, 0.3, -0.3, 3.0, -3.0, 10.0, -10.0}) {
      VectorXd lambda = VectorXd::Constant(index(forces_), start * size);
      if (newton(lambda)) add_root(lambda);
    }
    if (forces_ == 1) add_changes_of_sign();
    result_.failure.clear();
    for (const VectorXd& root : roots) {
      set_factors(root);
      if (read_directions()) add_motion(root);
    }
    if (!roots.empty()) {
      set_factors(roots.front());
      read_directions();
      result_.determinant = determinant(r_);
    }
    result_.compatible = roots.size() == 1;
    result_.remark = fmt::format(
        "the factors enter their own directions: Newton's method from nine starts{} found {} solution{}; "
        "there "
        "may be more",
        forces_ == 1 ? " and a search for changes of sign" : "", roots.size(), roots.size() == 1 ? "" : "s");
  }

  void add_root(const VectorXd& lambda) {
    const auto is_same = [&](const VectorXd& root) {
      const double larger = std::max(root.cwiseAbs().maxCoeff(), lambda.cwiseAbs().maxCoeff());
      return (root - lambda).cwiseAbs().maxCoeff() < 1e-7 * larger + 1e-12 * factor_size_;
    };
    if (std::none_of(roots_.begin(), roots_.end(), is_same)) roots_.push_back(lambda);
  }

  /// Of one factor: where the balance changes its sign between places that are evenly spread over twenty
  /// times the size of the factor, and over nine decades on both sides of it.
  void add_changes_of_sign() {
    constexpr int even = 1000, decades = 9, each = 24;
    std::vector<double> places{0};
    for (int k = 1; k <= even; ++k) places.push_back(20.0 * k / even);
    for (int k = -decades * each; k <= decades * each; ++k)
      places.push_back(std::pow(10.0, static_cast<double>(k) / each));
    for (std::size_t k = places.size(); k-- > 1;) places.push_back(-places[k]);
    std::sort(places.begin(), places.end());
    const auto value = [&](double at) {
      set_factors(VectorXd::Constant(1, at * factor_size_));
      return read_directions() ? r_(0, 0) * at * factor_size_ + drive_(0) : std::nan("");
    };
    double before = std::nan("");
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double now = value(places[k]);
      if (now == 0) {
        add_root(VectorXd::Constant(1, places[k] * factor_size_));
      } else if (std::isfinite(before) && std::isfinite(now) && before != 0 &&
                 std::signbit(before) != std::signbit(now)) {
        double low = places[k - 1], high = places[k];
        for (int halving = 0; halving < 60; ++halving) {
          const double middle = low + (high - low) / 2;
          (std::signbit(value(middle)) == std::signbit(before) ? low : high) = middle;
        }
        const double left = std::abs(value(high)), terms = std::abs(r_(0, 0) * high * factor_size_);
        if (left <= 1e-10 * (terms + std::abs(drive_(0))))
          add_root(VectorXd::Constant(1, high * factor_size_));
      }
      before = now;
    }
  }

  /// What the factors would be if their directions did not depend on them: drive over r, with r at zero.
  void set_size_of_factors() {
    set_factors(VectorXd::Zero(index(forces_)));
    const double drive = drive_.cwiseAbs().maxCoeff();
    const double r = read_directions() && r_.size() > 0 ? r_.cwiseAbs().maxCoeff() : 0;
    factor_size_ = drive > 0 && r > 0
                       ? drive / r
                       : std::max(1.0, mass_.cwiseAbs().maxCoeff() * (free_.cwiseAbs().maxCoeff() + 1));
  }

  /// Newton's step for the equation with the roots that are known divided out: it goes to another one.
  void leave_known_roots(const VectorXd& lambda, VectorXd& step) const {
    if (forces_ != 1) return;
    double sum = 0;
    for (const VectorXd& root : roots_) {
      if (lambda(0) != root(0)) sum += 1 / (lambda(0) - root(0));
    }
    step(0) /= 1 + step(0) * sum;
  }

  void set_factors(const VectorXd& lambda) {
    for (std::size_t h = 0; h < forces_; ++h) point_[motion_.constraints[h].factor] = lambda(index(h));
  }

  bool newton(VectorXd& lambda) {
    const auto balance = [&](const VectorXd& at, VectorXd& out) {
      set_factors(at);
      if (!read_directions()) return false;
      out = r_.transpose() * at + drive_;
      return out.allFinite();
    };
    VectorXd value;
    for (int step = 0; step < 50; ++step) {
      if (!balance(lambda, value)) return false;
      if (value.cwiseAbs().maxCoeff() <= 1e-13 * drive_.cwiseAbs().maxCoeff()) return true;
      MatrixXd slope(index(forces_), index(forces_));
      for (std::size_t h = 0; h < forces_; ++h) {
        const double change = 1e-7 * std::max(factor_size_, std::abs(lambda(index(h))));
        VectorXd shifted = lambda, at_shifted;
        shifted(index(h)) += change;
        if (!balance(shifted, at_shifted)) return false;
        slope.col(index(h)) = (at_shifted - value) / change;
      }
      VectorXd step_taken = DenseRank(slope).solve(-value);
      leave_known_roots(lambda, step_taken);
      if (!step_taken.allFinite()) return false;
      lambda += step_taken;
      if (step_taken.cwiseAbs().maxCoeff() < 1e-15 * std::max(factor_size_, lambda.cwiseAbs().maxCoeff()))
        break;
    }
    if (!balance(lambda, value)) return false;
    const VectorXd terms = r_.transpose().cwiseAbs() * lambda.cwiseAbs() + drive_.cwiseAbs();
    return value.cwiseAbs().maxCoeff() <= 1e-10 * terms.maxCoeff();
  }

  void add_motion(const VectorXd& lambda) {
    VectorXd acceleration = free_;
    if (forces_ > 0) acceleration += fields_ * lambda;
    result_.motions.push_back({to_vector(lambda), to_vector(acceleration)});
  }

  void finish() {
    for (Eigen::Index h = 0; h < fields_.cols(); ++h) result_.fields.push_back(to_vector(fields_.col(h)));
    for (Eigen::Index h = 0; h < r_.rows(); ++h) result_.r.push_back(to_vector(r_.row(h)));
  }

  Algebra& algebra_;
  const Motion& motion_;
  DoublePoint point_;
  std::size_t n_, forces_, relations_;
  bool implicit_ = false;
  MatrixXd mass_, gradients_, directions_, fields_, r_;
  DenseLu lu_;
  VectorXd free_, bias_, drive_, terms_;
  double factor_size_ = 1;       ///< implicit: how large the factors are
  std::vector<VectorXd> roots_;  ///< implicit: the factors found
  StateValues result_;
};

}  // namespace

StateValues evaluate_state(Algebra& algebra, const Motion& motion, const DoublePoint& state) {
  return StateEvaluation(algebra, motion, state).run();
}

}  // namespace liaison

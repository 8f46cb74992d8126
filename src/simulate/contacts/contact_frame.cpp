#include "contact_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/unilateral/gap_corners.hpp"
#include "mechanics/dense.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

/// A sum smaller than this part of its terms is zero: states are known to about so many digits.
constexpr double zero_beside = 1e-9;
/// Relative error of what is computed from a state.
const Rational noise_of_doubles = power(Rational(10), -11);

}  // namespace

int SizedNumber::sign() const {
  if (std::abs(value) <= zero_beside * size) return 0;
  return value > 0 ? 1 : -1;
}

ContactFrame::ContactFrame(Algebra& algebra, const ContactModes& modes, const DoublePoint& parameters,
                           Engine engine, ParameterUse use)
    : modes_(modes), equations_(assemble_equations(algebra, modes.closed())) {
  evaluator_ = std::make_unique<Evaluator>(equations_, parameters,
                                           EvaluatorOptions{engine, Assembly::factorised, use});
  std::vector<Expr> sized, plain;
  const std::size_t bilateral = modes.bilateral_count();
  Pool& pool = *modes.closed().pool;
  for (std::size_t c = 0; c < modes.size(); ++c) {
    const ContactLaw& law = modes.laws()[c];
    Places& places = at_.emplace_back();
    const auto add = [&](Expr e) {
      sized.push_back(e);
      return sized.size() - 1;
    };
    places.gap = add(law.held.relation);
    // The rate of a speed is an acceleration: what is at rest is at rest.
    places.rate =
        add(law.held.holonomic ? equations_.relations[bilateral + modes.rows()[c].normal] : pool.number(0));
    for (const Resistance& resistance : law.resistances) {
      std::vector<std::size_t>& slips = places.slips.emplace_back();
      for (const Expr component : resistance.velocity) slips.push_back(add(component));
    }
    for (const GapCorner& corner : gap_corners(modes.closed(), law.held)) {
      if (corner.rate.empty()) continue;  // a speed that bends with the velocities
      Places::Corner& place = places.corners.emplace_back(Places::Corner{corner.argument,
                                                                         corner.of_time,
                                                                         add(corner.argument),
                                                                         add(corner.rate),
                                                                         add(corner.rate_above),
                                                                         add(corner.rate_below),
                                                                         {}});
      for (const Expr component : corner.bend) place.bend.push_back(add(component));
    }
  }
  sized_ = sized.size();
  for (std::size_t c = 0; c < modes.size(); ++c) {
    const auto add = [&](Expr e) {
      plain.push_back(e);
      return 2 * sized_ + plain.size() - 1;
    };
    for (const Resistance& resistance : modes.laws()[c].resistances) {
      at_[c].slipping.push_back(add(resistance.slipping));
      at_[c].sticking.push_back(add(resistance.sticking));
    }
    at_[c].restitution = add(modes.unilateral(c).restitution.value_or(pool.number(0)));
  }
  for (const Expr force : equations_.load) plain.push_back(size_of_terms(force));  // the last ones
  std::vector<Expr> all = sized;
  for (const Expr e : sized) all.push_back(size_of_terms(e));
  all.insert(all.end(), plain.begin(), plain.end());
  values_.assign(all.size(), 0.0);
  quantities_ = Quantities(algebra, equations_, parameters, all, engine);
  none_.assign(std::max(equations_.parameters.size(), equations_.factors.size()), 0.0);
}

ContactFrame::~ContactFrame() = default;

void ContactFrame::set_parameters(const DoublePoint& parameters) {
  evaluator_->set_parameters(parameters);
  quantities_.set_parameters(parameters);
  solved_ = false;
}

bool ContactFrame::take(double t, const double* y, std::span<const double> factors) {
  failure_.clear();
  t_ = t;
  y_.assign(y, y + evaluator_->size());
  solved_ = false;
  if (factors.empty()) factors = {none_.data(), equations_.factors.size()};
  if (quantities_.evaluate(t, y, none_.data(), factors, values_.data())) return true;
  failure_ = "a gap, a slip or a coefficient of a contact has no value";
  return false;
}

SizedNumber ContactFrame::slip(std::size_t contact, std::size_t resistance, std::size_t component) const {
  return measured(at_[contact].slips[resistance][component]);
}

double ContactFrame::speed(std::size_t contact, std::size_t resistance) const {
  double squares = 0;
  for (const std::size_t place : at_[contact].slips[resistance]) squares += values_[place] * values_[place];
  return std::sqrt(squares);
}

bool ContactFrame::moves(std::size_t contact, std::size_t resistance) const {
  const std::vector<std::size_t>& places = at_[contact].slips[resistance];
  return std::any_of(places.begin(), places.end(),
                     [&](std::size_t place) { return measured(place).sign() != 0; });
}

double ContactFrame::slipping(std::size_t contact, std::size_t resistance) const {
  return values_[at_[contact].slipping[resistance]];
}

double ContactFrame::sticking(std::size_t contact, std::size_t resistance) const {
  return values_[at_[contact].sticking[resistance]];
}

/// M du/dt = load + D^T f with the bilateral relations kept: what every response needs, and that of no force.
struct ContactFrame::Factors {
  Eigen::MatrixXd gradients, kept, among;
  DenseLu mass, bilateral;
  bool independent = true;  ///< the bilateral relations

  Eigen::VectorXd forces(const Eigen::VectorXd& rest) const {
    return independent ? bilateral.solve(rest) : least_squares(among, rest);
  }
};

bool ContactFrame::factorise() {
  if (solved_) return true;
  const std::vector<double> no_factors(evaluator_->factor_count(), 0.0);
  if (!evaluator_->pieces(t_, y_.data(), no_factors, pieces_)) {
    failure_ = "the equations of motion have no value";
    return false;
  }
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(evaluator_->direction_count());
  const auto relations = static_cast<Eigen::Index>(evaluator_->relation_count());
  const auto bilateral = static_cast<Eigen::Index>(modes_.bilateral_count());
  const Eigen::MatrixXd mass = Eigen::Map<const Matrix>(pieces_.mass.data(), n, n);
  factors_ = std::make_unique<Factors>();
  Factors& factors = *factors_;
  const Eigen::MatrixXd directions = Eigen::Map<const Matrix>(pieces_.directions.data(), bilateral, n);
  factors.gradients = Eigen::Map<const Matrix>(pieces_.gradients.data(), relations, n);
  if (!is_regular(mass)) {
    failure_ = "the mass matrix is singular";
    return false;
  }
  factors.mass.compute(mass);
  factors.kept.resize(n, bilateral);
  for (Eigen::Index b = 0; b < bilateral; ++b)
    factors.kept.col(b) = factors.mass.solve(Eigen::VectorXd(directions.row(b).transpose()));
  if (bilateral > 0) {
    factors.among = product(factors.gradients.topRows(bilateral), factors.kept);
    factors.independent = is_regular(factors.among);
    if (factors.independent) factors.bilateral.compute(factors.among);
    met_dependent_ = met_dependent_ || !factors.independent;
  }
  responses_.assign(static_cast<std::size_t>(relations - bilateral), std::nullopt);
  force_units_.clear();
  solved_ = true;
  free_ = response_of(pieces_.load, &pieces_.bias);
  return true;
}

/// `bias`: of the relations, which a force alone does not have.
ContactFrame::Response ContactFrame::response_of(std::span<const double> force,
                                                 const std::vector<double>* bias) const {
  const Factors& factors = *factors_;
  const auto bilateral = static_cast<Eigen::Index>(modes_.bilateral_count());
  const Eigen::Index others = factors.gradients.rows() - bilateral;
  const Eigen::Index n = factors.gradients.cols();
  Eigen::VectorXd field =
      factors.mass.solve(Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(force.data(), n)));
  Response response;
  if (bilateral > 0) {
    Eigen::VectorXd rest = -(factors.gradients.topRows(bilateral) * field);
    if (bias != nullptr) rest -= Eigen::Map<const Eigen::VectorXd>(bias->data(), bilateral);
    const Eigen::VectorXd forces = factors.forces(rest);
    field += factors.kept * forces;
    response.factors.assign(forces.data(), forces.data() + bilateral);
  }
  Eigen::VectorXd rates = factors.gradients.bottomRows(others) * field;
  if (bias != nullptr) rates += Eigen::Map<const Eigen::VectorXd>(bias->data() + bilateral, others);
  response.fields.assign(field.data(), field.data() + field.size());
  response.rates.assign(rates.data(), rates.data() + rates.size());
  return response;
}

/// The square of the length of a relation in the metric of the mass. The mass is dp/du, by velocity
/// parameters u of which a chart may choose others than the velocities: then gradients are by u and
/// directions by the velocities, and one with the other is the length.
double ContactFrame::square_of(const std::vector<double>& rows, std::size_t place) const {
  const std::size_t n = evaluator_->direction_count();
  const auto row = [&](const std::vector<double>& of) {
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(of.data() + place * n, static_cast<Eigen::Index>(n)));
  };
  if (equations_.system->chart.parameters.empty()) return row(rows).dot(factors_->mass.solve(row(rows)));
  return std::abs(row(pieces_.gradients).dot(factors_->mass.solve(row(pieces_.directions))));
}

bool ContactFrame::measure() {
  if (!factorise()) return false;
  if (!force_units_.empty()) return true;
  const auto lengths = [&](const std::vector<double>& rows) {
    std::vector<double> result;
    for (std::size_t place = 0; place < evaluator_->relation_count(); ++place) {
      const double square = square_of(rows, place);
      result.push_back(square > 0 && std::isfinite(square) ? std::sqrt(square) : 1);
    }
    return result;
  };
  force_units_ = lengths(pieces_.directions);
  rate_units_ = lengths(pieces_.gradients);
  return true;
}

const std::vector<double>& ContactFrame::force_units() {
  if (!measure()) force_units_.clear();
  return force_units_;
}

const std::vector<double>& ContactFrame::rate_units() {
  if (!measure()) rate_units_.clear();
  return rate_units_;
}

double ContactFrame::force_of(std::span<const double> factors) {
  if (!measure()) return 0;
  const std::size_t n = evaluator_->direction_count();
  const Eigen::VectorXd load =
      Eigen::Map<const Eigen::VectorXd>(pieces_.load.data(), static_cast<Eigen::Index>(n));
  double largest = std::sqrt(std::max(0.0, load.dot(factors_->mass.solve(load))));
  // A load that cancels, as where a spring balances a weight, is known to the rounding of its terms.
  double square = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const double size = values_[values_.size() - n + a], mass = std::abs(pieces_.mass[a * n + a]);
    if (mass > 0) square += size * size / mass;
  }
  if (std::isfinite(square)) largest = std::max(largest, std::sqrt(square));
  for (std::size_t h = 0; h < std::min(factors.size(), force_units_.size()); ++h)
    largest = std::max(largest, std::abs(factors[h]) * force_units_[h]);
  return largest;
}

double ContactFrame::rate_size(std::size_t row, double force) {
  if (!measure()) return 0;
  const std::size_t place = modes_.bilateral_count() + row;
  return rate_units_[place] * force + std::abs(pieces_.bias[place]);
}

double ContactFrame::speed_size(std::size_t row) {
  if (!measure()) return 0;
  const std::size_t n = evaluator_->direction_count();
  const double* velocity = y_.data() + (y_.size() - n);
  double square = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) square += velocity[i] * pieces_.mass[i * n + k] * velocity[k];
  return rate_units_[modes_.bilateral_count() + row] * std::sqrt(std::max(0.0, square));
}

std::optional<double> ContactFrame::steepness(std::size_t contact) {
  if (!factorise()) return {};
  const std::size_t place = modes_.bilateral_count() + modes_.rows()[contact].normal;
  return std::sqrt(std::max(0.0, square_of(pieces_.gradients, place)));
}

bool ContactFrame::is_kept_by(std::size_t contact, const std::vector<std::size_t>& rows) {
  return are_kept_by({modes_.rows()[contact].normal}, rows);
}

bool ContactFrame::are_kept_by(const std::vector<std::size_t>& own, const std::vector<std::size_t>& rows) {
  if (!measure()) return false;
  const std::size_t bilateral = modes_.bilateral_count(), n = evaluator_->direction_count();
  // Velocities by their masses, relations by their lengths: then units decide nothing.
  const auto row = [&](std::size_t place) {
    Eigen::VectorXd gradient = factors_->gradients.row(static_cast<Eigen::Index>(place)).transpose();
    for (std::size_t a = 0; a < n; ++a) {
      const double mass = std::abs(pieces_.mass[a * n + a]);
      if (mass > 0) gradient[static_cast<Eigen::Index>(a)] /= std::sqrt(mass);
    }
    const double length = gradient.norm();
    return length > 0 ? Eigen::VectorXd(gradient / length) : gradient;
  };
  Eigen::MatrixXd kept(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(bilateral + rows.size()));
  for (std::size_t b = 0; b < bilateral; ++b) kept.col(static_cast<Eigen::Index>(b)) = row(b);
  for (std::size_t i = 0; i < rows.size(); ++i)
    kept.col(static_cast<Eigen::Index>(bilateral + i)) = row(bilateral + rows[i]);
  return std::all_of(own.begin(), own.end(), [&](std::size_t one) {
    const Eigen::VectorXd gradient = row(bilateral + one);
    if (kept.cols() == 0) return gradient.isZero();
    return (gradient - kept * least_squares(kept, gradient)).norm() <= zero_beside;
  });
}

const ContactFrame::Response& ContactFrame::response(std::size_t row) {
  if (!responses_[row]) {
    const std::size_t n = evaluator_->direction_count(), place = modes_.bilateral_count() + row;
    responses_[row] = response_of(std::span(pieces_.directions).subspan(place * n, n), nullptr);
  }
  return *responses_[row];
}

std::vector<std::size_t> ContactFrame::rows_of(const std::vector<std::size_t>& contacts) const {
  std::vector<std::size_t> rows;
  for (const std::size_t c : contacts) {
    rows.push_back(modes_.rows()[c].normal);
    for (const auto& resisted : modes_.rows()[c].resisted)
      rows.insert(rows.end(), resisted.begin(), resisted.end());
  }
  return rows;
}

bool ContactFrame::have_sense(const std::vector<std::size_t>& contacts) {
  for (const std::size_t c : contacts) {
    if (modes_.depends_on_factors(c)) {
      failure_ = fmt::format(
          "the friction of `{}` depends on factors, and such a law says nothing of impulses", modes_.name(c));
      return false;
    }
    const auto is_negative = [&](const char* what, double value) {
      if (value >= 0) return false;
      failure_ =
          fmt::format("the coefficient of {} of `{}` is negative: {:.6g}", what, modes_.name(c), value);
      return true;
    };
    if (is_negative("restitution", restitution(c))) return false;
    for (std::size_t k = 0; k < at_[c].slipping.size(); ++k) {
      if (is_negative("friction", slipping(c, k)) || is_negative("sticking", sticking(c, k))) return false;
    }
  }
  return true;
}

std::optional<ContactFrame::Problem> ContactFrame::problem(const std::vector<std::size_t>& contacts,
                                                           const Moving& moving) {
  if (!measure() || !have_sense(contacts)) return {};
  // Rows as weighted sums of those of the closed system, and what they are measured by.
  std::vector<double> force_unit, rate_unit;
  const auto add_units = [&](const std::vector<std::size_t>& places) {
    double force = 0, rate = 0;
    for (const std::size_t place : places) {
      force = std::max(force, force_units_[modes_.bilateral_count() + place]);
      rate = std::max(rate, rate_units_[modes_.bilateral_count() + place]);
    }
    force_unit.push_back(force);
    rate_unit.push_back(rate);
  };
  std::vector<std::vector<std::pair<std::size_t, double>>> rows;
  Problem result;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::size_t c = contacts[i];
    const ContactModes::Rows& own = modes_.rows()[c];
    ContactRows& added = result.contacts.emplace_back();
    added.normal = rows.size();
    rows.push_back({{own.normal, 1.0}});
    add_units({own.normal});
    const double normal_unit = force_unit.back();
    for (std::size_t k = 0; k < own.resisted.size(); ++k) {
      // Components of one velocity have one measure: the limit of their force is a disc.
      const std::size_t count = moving[c][k] ? 1 : own.resisted[k].size();
      for (std::size_t component = 0; component < count; ++component) add_units(own.resisted[k]);
      const Rational ratio =
          Rational::from_double(std::ldexp(1.0, std::ilogb(force_unit.back()) - std::ilogb(normal_unit)));
      ResistedRow row{.slipping = ratio * Rational::from_double(slipping(c, k)),
                      .sticking = ratio * Rational::from_double(sticking(c, k))};
      if (!moving[c][k] && sticking(c, k) < slipping(c, k)) {
        failure_ = fmt::format(
            "the coefficients of friction of `{}` are {:.6g} where it slips and {:.6g} where it sticks: the "
            "one "
            "of sticking is never smaller",
            modes_.name(c), slipping(c, k), sticking(c, k));
        return {};
      }
      if (!moving[c][k]) {
        for (const std::size_t place : own.resisted[k]) {
          row.row = rows.size();
          rows.push_back({{place, 1.0}});
          added.resisted.push_back(row);
          row.second = true;
        }
        continue;
      }
      row.row = rows.size();
      row.direction = 1;
      std::vector<std::pair<std::size_t, double>> along;
      const double length = speed(c, k);
      for (std::size_t component = 0; component < own.resisted[k].size(); ++component)
        along.emplace_back(own.resisted[k][component], slip(c, k, component).value / length);
      if (own.resisted[k].size() == 1) {
        row.direction = along[0].second > 0 ? 1 : -1;
        along[0].second = 1;
      }
      rows.push_back(std::move(along));
      added.resisted.push_back(row);
    }
  }
  // Powers of two round nothing.
  for (auto* units : {&force_unit, &rate_unit}) {
    for (double& unit : *units) unit = std::ldexp(1.0, std::ilogb(unit));
  }
  ContactNumbers& numbers = result.numbers;
  numbers.noise = noise_of_doubles;
  const auto exact = [](const std::vector<double>& values) {
    std::vector<Rational> converted;
    for (const double value : values) converted.push_back(Rational::from_double(value));
    return converted;
  };
  const auto total = [&](std::size_t h, auto part) {
    std::vector<double> sum;
    for (const auto& [place, weight] : rows[h]) {
      const std::vector<double>& values = response(place).*part;
      sum.resize(values.size());
      for (std::size_t a = 0; a < values.size(); ++a) sum[a] += weight * values[a] / force_unit[h];
    }
    return sum;
  };
  // Rates of the rows are products of their gradients and the accelerations, without rounding: rows are as
  // many times dependent as they are more than the accelerations.
  const std::size_t n = evaluator_->direction_count();
  std::vector<std::vector<Rational>> gradients;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<double> sum(n);
    for (const auto& [place, weight] : rows[k]) {
      const double* gradient = pieces_.gradients.data() + (modes_.bilateral_count() + place) * n;
      for (std::size_t a = 0; a < n; ++a) sum[a] += weight * gradient[a] / rate_unit[k];
    }
    gradients.push_back(exact(sum));
  }
  const auto rates_of = [&](const std::vector<Rational>& field) {
    std::vector<Rational> rates;
    for (const auto& gradient : gradients) {
      Rational& sum = rates.emplace_back();
      for (std::size_t a = 0; a < n; ++a) {
        if (!gradient[a].is_zero() && !field[a].is_zero()) sum += gradient[a] * field[a];
      }
    }
    return rates;
  };
  // What is rounding beside the others is zero.
  const auto clean = [](std::vector<Rational>& values, double largest) {
    for (Rational& value : values) {
      if (std::abs(value.to_double()) <= 1e-14 * largest) value = Rational(0);
    }
  };
  const auto largest_in = [](const std::vector<Rational>& values, double so_far) {
    for (const Rational& value : values) so_far = std::max(so_far, std::abs(value.to_double()));
    return so_far;
  };
  double largest = 0;
  for (std::size_t h = 0; h < rows.size(); ++h) {
    numbers.fields.push_back(exact(total(h, &Response::fields)));
    numbers.bilateral_response.push_back(exact(total(h, &Response::factors)));
    numbers.r.push_back(rates_of(numbers.fields.back()));
    largest = largest_in(numbers.r.back(), largest);
  }
  for (std::vector<Rational>& row : numbers.r) clean(row, largest);
  const Response& free = free_;
  numbers.drive = rates_of(exact(free.fields));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double bias = 0;
    for (const auto& [place, weight] : rows[k])
      bias += weight * pieces_.bias[modes_.bilateral_count() + place] / rate_unit[k];
    numbers.drive[k] += Rational::from_double(bias);
  }
  // A drive that is alone is measured by what cancels in it, not by itself.
  double driven = largest_in(numbers.drive, 0);
  const double load = force_of({});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double rate = 0;
    for (const auto& [place, weight] : rows[k])
      rate += std::abs(weight) * rate_units_[modes_.bilateral_count() + place] / rate_unit[k];
    driven = std::max(driven, rate * load);
  }
  clean(numbers.drive, driven);
  numbers.free_acceleration = exact(free.fields);
  numbers.bilateral_factors = exact(free.factors);
  return result;
}

std::optional<ImpactProblem> ContactFrame::impact(const std::vector<std::size_t>& contacts) {
  if (!factorise() || !have_sense(contacts)) return {};
  const std::vector<std::size_t> rows = rows_of(contacts);
  ImpactProblem problem;
  for (const std::size_t h : rows) {
    for (const std::size_t k : rows) problem.r.push_back(response(h).rates[k]);
  }
  std::size_t next = 0;
  for (const std::size_t c : contacts) {
    ImpactContact& added = problem.contacts.emplace_back();
    added.normal = next++;
    added.restitution = restitution(c);
    added.name = modes_.laws()[c].held.name;
    const SizedNumber approach = modes_.laws()[c].held.holonomic ? rate(c) : gap(c);
    problem.velocity.push_back(approach.sign() == 0 ? 0 : approach.value);
    for (std::size_t k = 0; k < at_[c].slips.size(); ++k) {
      ImpactResistance& resistance = added.resisted.emplace_back();
      resistance.slipping = slipping(c, k);
      resistance.sticking = sticking(c, k);
      for (std::size_t component = 0; component < at_[c].slips[k].size(); ++component) {
        resistance.rows.push_back(next++);
        const SizedNumber number = slip(c, k, component);
        problem.velocity.push_back(number.sign() == 0 ? 0 : number.value);
      }
    }
  }
  return problem;
}

std::optional<std::vector<double>> ContactFrame::drives(const std::vector<std::size_t>& contacts) {
  if (!factorise()) return {};
  std::vector<double> result;
  for (const std::size_t row : rows_of(contacts)) result.push_back(free_.rates[row]);
  return result;
}

std::optional<ManyContacts> ContactFrame::step(const std::vector<std::size_t>& contacts,
                                               std::span<const double> velocities) {
  if (!factorise() || !have_sense(contacts)) return {};
  ManyContacts problem;
  problem.free.assign(velocities.begin(), velocities.end());
  const std::size_t n = evaluator_->direction_count(), bilateral = modes_.bilateral_count();
  const double* own = y_.data() + evaluator_->position_count();
  for (const std::size_t h : rows_of(contacts)) {
    const double* gradient = pieces_.gradients.data() + (bilateral + h) * n;
    double rest = pieces_.relations[bilateral + h];  // what does not depend on the velocities
    for (std::size_t a = 0; a < n; ++a) {
      problem.rows.add(a, gradient[a]);
      problem.responses.add(a, response(h).fields[a]);
      rest -= gradient[a] * own[a];
    }
    problem.rows.end_row();
    problem.responses.end_row();
    problem.bias.push_back(rest);
  }
  std::size_t next = 0;
  for (const std::size_t c : contacts) {
    ManyContacts::Contact& added = problem.contacts.emplace_back();
    added.normal = next++;
    added.restitution = restitution(c);
    for (std::size_t k = 0; k < at_[c].slips.size(); ++k) {
      added.resisted.push_back({next, at_[c].slips[k].size(), slipping(c, k), sticking(c, k)});
      next += at_[c].slips[k].size();
    }
    // The slip, which the law names last, is solved with the normal impulse.
    const bool slips = added.resisted.size() > modes_.unilateral(c).turning.size();
    if (slips) std::rotate(added.resisted.rbegin(), added.resisted.rbegin() + 1, added.resisted.rend());
  }
  return problem;
}

void ContactFrame::add_factors(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses,
                               double* factors) {
  const std::vector<std::size_t> rows = rows_of(contacts);
  const std::size_t bilateral = modes_.bilateral_count();
  for (std::size_t h = 0; h < rows.size(); ++h) {
    factors[bilateral + rows[h]] += impulses[h];
    const std::vector<double>& others = response(rows[h]).factors;
    for (std::size_t b = 0; b < others.size(); ++b) factors[b] += impulses[h] * others[b];
  }
}

void ContactFrame::add_impulses(const std::vector<std::size_t>& contacts, const std::vector<double>& impulses,
                                double* y) {
  const std::vector<std::size_t> rows = rows_of(contacts);
  double* velocities = y + evaluator_->position_count();
  for (std::size_t h = 0; h < rows.size(); ++h) {
    const std::vector<double>& field = response(rows[h]).fields;
    for (std::size_t a = 0; a < field.size(); ++a) velocities[a] += impulses[h] * field[a];
  }
}

}  // namespace liaison

#include "certified_quantities.hpp"

#include <algorithm>

#include "enclosure.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/state.hpp"
#include "liaison/model/kinematics.hpp"
#include "second_order.hpp"

namespace liaison {

namespace {

constexpr long bits_before_algebra = 512;  ///< a matrix that looks singular so long is looked at exactly

/// Components of fields and their products: they need no closed form.
bool is_field_query(QueryKind kind) {
  switch (kind) {
    case QueryKind::r:
    case QueryKind::det_r:
    case QueryKind::drive:
    case QueryKind::free:
    case QueryKind::direction: return true;
    default: return false;
  }
}

std::vector<Expr> motion_symbols(const Motion& motion) {
  std::vector<Expr> result;
  for (Expr parameter : motion.space.parameters) result.push_back(acceleration_symbol(parameter));
  for (const ConstraintField& constraint : motion.constraints) result.push_back(constraint.factor);
  return result;
}

/// mass du/dt - sum_h lambda_h l^h - load and da^k/du du/dt + bias^k, in the accelerations and the factors.
std::vector<Expr> motion_equations(const Motion& motion) {
  std::vector<Expr> result;
  const std::size_t n = motion.space.size();
  std::vector<Expr> rates;
  for (Expr parameter : motion.space.parameters) rates.push_back(acceleration_symbol(parameter));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms{-motion.free.load[i]};
    for (std::size_t a = 0; a < n; ++a) terms.push_back(motion.free.mass(i, a) * rates[a]);
    for (const ConstraintField& constraint : motion.constraints)
      terms.push_back(-(constraint.factor * constraint.direction[i]));
    result.push_back(motion.space.pool().add(terms));
  }
  for (std::size_t k = 0; k < motion.relation_count; ++k) {
    std::vector<Expr> terms{motion.constraints[k].bias};
    for (std::size_t a = 0; a < n; ++a) terms.push_back(motion.constraints[k].gradient[a] * rates[a]);
    result.push_back(motion.space.pool().add(terms));
  }
  return result;
}

std::size_t index_of(const Motion& motion, const std::string& constraint) {
  for (std::size_t h = 0; h < motion.constraints.size(); ++h) {
    if (motion.constraints[h].name == constraint) return h;
  }
  return motion.constraints.size();
}

/// No motion changes them.
Substitution parameters_among(const Substitution& values) {
  Substitution result;
  for (const auto& [symbol, value] : values) {
    if (symbol.symbol().kind == SymbolKind::parameter) result.emplace(symbol, value);
  }
  return result;
}

std::optional<std::size_t> index_of_acceleration(const Motion& motion, const std::string& name) {
  for (std::size_t a = 0; a < motion.space.size(); ++a) {
    if (acceleration_symbol(motion.space.parameters[a]).symbol().name == name) return a;
  }
  return std::nullopt;
}

}  // namespace

CertifiedQuantities::CertifiedQuantities(Algebra& algebra, DerivedQuantities& quantities,
                                         const CertifiedState& state, std::span<const Expr> asked)
    : algebra_(algebra), quantities_(quantities), motion_(quantities.motion()), state_(state) {
  const std::vector<Expr> solved_for = motion_symbols(motion_);
  for (Expr e : asked) {
    const Expr whole = rewritten(e);
    if (!failure_.empty()) return;
    for (Expr symbol : solved_for) needs_motion_ = needs_motion_ || depends_on(whole, symbol);
    for (const Query& query : motion_.space.system->queries) {
      if (!depends_on(whole, query.symbol)) continue;
      queries_.push_back(&query);
      needs_fields_ = true;
    }
  }
  if (needs_motion_ || (needs_fields_ && liaison::is_implicit(motion_))) find_motions();
}

/// e on the state, the accelerations of the velocity parameters, the factors and the queries about fields.
Expr CertifiedQuantities::rewritten(Expr e) {
  const System& system = *motion_.space.system;
  Substitution known;
  for (const Query& query : system.queries) {
    if (is_field_query(query.kind) || !depends_on(e, query.symbol)) continue;
    const auto expression = quantities_.query_expression(query);
    if (!expression) {
      failure_ = quantities_.reason();
      return e;
    }
    known.emplace(query.symbol, *expression);
  }
  for (Expr parameter : system.intrinsic.parameters) {
    const Expr rate = acceleration_symbol(parameter);
    if (!depends_on(e, rate)) continue;
    const auto expression = quantities_.in_state_variables(rate);
    if (!expression) {
      failure_ = quantities_.reason();
      return e;
    }
    known.emplace(rate, *expression);
  }
  const std::vector<Expr> solved_for = motion_symbols(motion_);
  for (std::size_t i = 0; i < motion_.space.size(); ++i) {  // x'' where the parameters are others
    const Expr rate = acceleration_symbol(system.directions[i].velocity);
    if (std::find(solved_for.begin(), solved_for.end(), rate) != solved_for.end()) continue;
    known.emplace(rate, time_derivative(system, motion_.space.velocities[i]));
  }
  return substitute(e, known);
}

void CertifiedQuantities::find_motions() {
  if (liaison::is_implicit(motion_)) {
    find_roots();
    return;
  }
  const bool square = motion_.constraints.size() == motion_.relation_count;
  for (long bits = least_state_bits; square && bits <= bits_before_algebra; bits *= 2) {
    if (find_regular(bits)) return;
    if (!failure_.empty()) return;
  }
  solve_exactly();
  if (!exact_.empty() || !failure_.empty()) return;
  for (long bits = 2 * bits_before_algebra; square && bits <= most_state_bits; bits *= 2) {
    if (find_regular(bits) || !failure_.empty()) return;
  }
  failure_ = "it is not decided whether det r is zero at this state";
}

bool CertifiedQuantities::find_regular(long bits) {
  const auto found = state_.at(bits);
  if (!found) return false;
  const MotionBalls balls = motion_at(*found, bits);
  if (balls.status == MotionBalls::Status::no_value) failure_ = balls.reason;
  return balls.status == MotionBalls::Status::ok && balls.regular;
}

void CertifiedQuantities::solve_exactly() {
  const auto values = exact_values(algebra_, state_);
  if (!values) return;
  exact_state_ = *values;
  ExactMotion exact = solve_exact_motion(algebra_, motion_, exact_state_);
  switch (exact.status) {
    case ExactMotion::Status::open:
      if (motion_.constraints.size() != 1 || motion_.relation_count != 1 ||
          asks_nothing(algebra_, motion_, parameters_among(exact_state_))) {
        exact_.push_back(std::move(exact));
        break;
      }
      exact_ = solve_second_order(algebra_, motion_, exact_state_);
      if (exact_.empty())
        failure_ = "i(e)da and i(E)da vanish together, and the second derivative gives no factor";
      break;
    case ExactMotion::Status::impossible:
      failure_ = "det r = 0 and no factors keep the relations: the constraints are contradictory here";
      break;
    default: break;
  }
}

/// Newton's method in double finds candidates; those that Krawczyk's test certifies are motions.
void CertifiedQuantities::find_roots() {
  const StateValues found = evaluate_state(algebra_, motion_, state_.approximate);
  if (!found.failure.empty() || found.motions.empty()) {
    failure_ = found.failure.empty() ? found.remark : found.failure;
    return;
  }
  std::vector<Expr> equations = state_.enclosure->equations(), unknowns = state_.enclosure->unknowns();
  Substitution velocities(state_.velocities.begin(), state_.velocities.end());
  for (Expr equation : motion_equations(motion_))
    equations.push_back(substitute(substitute(equation, state_.exact()), velocities));
  const std::vector<Expr> solved_for = motion_symbols(motion_);
  unknowns.insert(unknowns.end(), solved_for.begin(), solved_for.end());
  for (const StateMotion& motion : found.motions) {
    DoublePoint start = state_.approximate;
    for (std::size_t a = 0; a < motion.acceleration.size(); ++a)
      start[solved_for[a]] = motion.acceleration[a];
    for (std::size_t h = 0; h < motion.factors.size(); ++h)
      start[motion_.constraints[h].factor] = motion.factors[h];
    const auto root = std::make_shared<Enclosure>(equations, unknowns, state_.exact());
    if (root->certify(start)) {
      roots_.push_back(root);
    } else {
      failure_ = "a root of the equations of the factors is not certified";
      return;
    }
  }
  has_every_root_ = count_roots();
}

/// lambda r(lambda) + i(E)da of one factor is a polynomial of as many degrees as there are different roots.
bool CertifiedQuantities::count_roots() const {
  if (motion_.constraints.size() != 1 || motion_.relation_count != 1 || !motion_.closed_form) return false;
  const Expr factor = motion_.constraints[0].factor;
  const auto terms =
      polynomial_coefficients(factor * motion_.r(0, 0) + motion_.drive[0], std::span(&factor, 1));
  if (!terms || terms->empty() || terms->front().exponents[0] != roots_.size()) return false;
  std::vector<Ball> values;
  for (const auto& root : roots_) {
    const auto point = root->at(least_state_bits);
    if (!point) return false;
    for (const Ball& other : values) {
      if (overlaps(other, point->at(factor))) return false;
    }
    values.push_back(point->at(factor));
  }
  return true;
}

bool CertifiedQuantities::is_determined(Expr e) {
  if (exact_.empty() || exact_[0].open.empty()) return true;
  const Expr whole = substitute(substitute(rewritten(e), exact_[0].values), exact_state_);
  return std::all_of(exact_[0].open.begin(), exact_[0].open.end(), [&](Expr symbol) {
    const Expr slope = derivative(whole, symbol);
    return slope.is_zero() || algebra_.is_zero(slope).is_proved();
  });
}

std::optional<BallPoint> CertifiedQuantities::point(std::size_t motion, long bits) const {
  if (roots_.empty()) return state_.at(bits);
  auto result = roots_[motion]->at(bits);
  if (!result) return result;
  for (const auto& [symbol, value] : state_.velocities) {
    BallValues found = evaluate_balls(std::span(&value, 1), *result, bits);
    if (found.status != EvaluationStatus::ok) return std::nullopt;
    result->insert_or_assign(symbol, std::move(found.values[0]));
  }
  return result;
}

/// Exact numbers put in are folded exactly: a root of 3/10 - 3*(1/10) has a value, of its ball it has none.
/// That costs more than balls do, and is for the second try.
Expr CertifiedQuantities::put_in(Expr e, long bits) {
  return bits == least_state_bits ? e : substitute(e, state_.exact());
}

MotionBalls CertifiedQuantities::motion_at(const BallPoint& at, long bits) {
  if (bits == least_state_bits) return evaluate_motion(motion_, at, bits);
  if (!folded_) {
    folded_ = motion_;
    const auto fold = [&](Expr& e) { e = substitute(e, state_.exact()); };
    std::for_each(folded_->free.mass.entries.begin(), folded_->free.mass.entries.end(), fold);
    std::for_each(folded_->free.load.begin(), folded_->free.load.end(), fold);
    for (std::size_t h = 0; h < folded_->constraints.size(); ++h) {
      ConstraintField& constraint = folded_->constraints[h];
      std::for_each(constraint.direction.begin(), constraint.direction.end(), fold);
      std::for_each(constraint.gradient.begin(), constraint.gradient.end(), fold);
      if (h < motion_.relation_count) fold(constraint.bias);
    }
  }
  return evaluate_motion(*folded_, at, bits);
}

std::optional<Ball> CertifiedQuantities::query_ball(const Query& query, const MotionBalls& balls) const {
  switch (query.kind) {
    case QueryKind::r:
      return balls.r.ball(index_of(motion_, query.names[0]), index_of(motion_, query.names[1]));
    case QueryKind::det_r: return exact_.empty() ? balls.determinant : Ball();
    case QueryKind::drive: return balls.drive[index_of(motion_, query.names[0])];
    case QueryKind::free:
      if (const auto a = index_of_acceleration(motion_, query.names[0])) return balls.free_acceleration[*a];
      break;
    case QueryKind::direction:
      if (const auto a = index_of_acceleration(motion_, query.names[1]))
        return balls.fields.ball(*a, index_of(motion_, query.names[0]));
      break;
    default: break;
  }
  return std::nullopt;
}

/// Accelerations, factors and queries in one motion, added to the state.
std::optional<BallPoint> CertifiedQuantities::motion_point(std::size_t motion, long bits) {
  auto at = point(motion, bits);
  const bool solve = needs_motion_ && roots_.empty() && exact_.empty();
  if (!at || !(needs_fields_ || solve)) return at;
  const MotionBalls balls = motion_at(*at, bits);
  if (balls.status == MotionBalls::Status::no_value) failure_ = balls.reason;
  if (balls.status != MotionBalls::Status::ok || (solve && !balls.regular)) return std::nullopt;
  if (needs_fields_ && !balls.has_fields) return std::nullopt;
  for (const Query* query : queries_) {
    const auto ball = query_ball(*query, balls);
    if (!ball) {
      failure_ = "components of fields are those of the velocity parameters";
      return std::nullopt;
    }
    at->insert_or_assign(query->symbol, *ball);
  }
  if (!solve) return at;
  const std::size_t n = motion_.space.size();
  const std::vector<Expr> solved_for = motion_symbols(motion_);
  for (std::size_t i = 0; i < solved_for.size(); ++i)
    at->insert_or_assign(solved_for[i], i < n ? balls.acceleration[i] : balls.factors[i - n]);
  return at;
}

std::optional<std::vector<Ball>> CertifiedQuantities::values(std::size_t motion, std::span<const Expr> es,
                                                             long bits) {
  const auto at = motion_point(motion, bits);
  if (!at) return std::nullopt;
  return evaluated(motion, es, *at, bits);
}

std::optional<std::vector<Ball>> CertifiedQuantities::sizes(std::size_t motion, std::span<const Expr> es,
                                                            long bits) {
  auto at = motion_point(motion, bits);
  if (!at) return std::nullopt;
  const bool is_plain = roots_.empty() && exact_.empty() && (needs_motion_ || needs_fields_);
  const auto sizes = is_plain ? evaluate_sizes(motion_, *at, bits) : std::nullopt;
  if (sizes) {
    const std::size_t n = motion_.space.size();
    const std::vector<Expr> solved_for = motion_symbols(motion_);
    for (std::size_t i = 0; i < solved_for.size(); ++i)
      at->insert_or_assign(solved_for[i], i < n ? sizes->acceleration[i] : sizes->factors[i - n]);
    for (const Query* query : queries_) {
      if (query->kind == QueryKind::drive)
        at->insert_or_assign(query->symbol, sizes->drive[index_of(motion_, query->names[0])]);
      if (query->kind != QueryKind::free) continue;
      if (const auto a = index_of_acceleration(motion_, query->names[0]))
        at->insert_or_assign(query->symbol, sizes->free_acceleration[*a]);
    }
  }
  return evaluated(motion, es, *at, bits);
}

std::optional<std::vector<Ball>> CertifiedQuantities::evaluated(std::size_t motion, std::span<const Expr> es,
                                                                const BallPoint& at, long bits) {
  std::vector<Expr> wholes;
  for (Expr e : es) {
    Expr whole = rewritten(e);
    if (!exact_.empty()) {
      Substitution zero;
      for (Expr symbol : exact_[motion].open) zero.emplace(symbol, algebra_.pool().number(0));
      whole = substitute(substitute(whole, exact_[motion].values), zero);
    }
    wholes.push_back(put_in(whole, bits));
  }
  BallValues found = evaluate_balls(wholes, at, bits);
  if (found.status == EvaluationStatus::ok) return std::move(found.values);
  if (found.status != EvaluationStatus::precision_limit) failure_ = found.reason();
  return std::nullopt;
}

std::optional<Ball> CertifiedQuantities::determinant(long bits) {
  const auto at = state_.at(bits);
  if (!at) return std::nullopt;
  const MotionBalls balls = motion_at(*at, bits);
  if (balls.status == MotionBalls::Status::no_value) failure_ = balls.reason;
  if (balls.status != MotionBalls::Status::ok || !balls.has_fields) return std::nullopt;
  return balls.determinant;
}

}  // namespace liaison

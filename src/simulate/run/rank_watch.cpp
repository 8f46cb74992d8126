#include "rank_watch.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "liaison/expr/traverse.hpp"
#include "mechanics/dense.hpp"

namespace liaison {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t largest_size = 250;  ///< directions and relations: dense factors once a step
/// The gradient of a combination that falls to this part of its length has vanished: what is left is the
/// error of the motion between two steps.
constexpr double vanished = 1e-5;
/// One that turns over in a step and falls to this part may have vanished: steps next to there are not exact.
constexpr double may_vanish = 0.01;
constexpr int most_rounds = 16;          ///< of the search for the shortest gradient
constexpr double smallest_share = 1e-3;  ///< of a relation in a combination
constexpr double repeated = 1e-6;        ///< what is left of a gradient beside those that it repeats

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// A product of powers of numbers and parameters that are not zero: no state makes it zero.
bool is_fixed_factor(Expr e, const std::unordered_map<Expr, double>& parameters) {
  if (e.is(Op::number)) return !e.is_zero();
  if (e.is(Op::pow)) return e.arg(1).number().is_integer() && is_fixed_factor(e.arg(0), parameters);
  if (e.is(Op::mul)) {
    return std::all_of(e.args().begin(), e.args().end(),
                       [&](Expr factor) { return is_fixed_factor(factor, parameters); });
  }
  const auto value = parameters.find(e);
  return value != parameters.end() && value->second != 0;
}

/// Places of the gradients, relation and velocity: the relations in an order in which each has a velocity, by
/// a fixed factor, that none behind it has. With one for every relation the gradients have a triangle,
/// whatever the state is, and lose no rank: rolling on a plane is of this kind, x' and y' by themselves.
std::vector<SparseEntry> fixed_triangle(const Evaluator& evaluator) {
  const AssembledEquations& equations = evaluator.equations();
  const std::unordered_map<Expr, double> parameters(evaluator.parameter_values().begin(),
                                                    evaluator.parameter_values().end());
  std::vector<SparseEntry> result;
  std::vector<bool> is_left(equations.relation_count, true);
  for (bool found = true; found && result.size() < is_left.size();) {
    found = false;
    std::vector<const SparseEntry*> only(equations.parameters.size(), nullptr);
    std::vector<std::size_t> count(equations.parameters.size(), 0);
    for (const SparseEntry& entry : equations.gradients.entries) {
      if (!is_left[entry.row]) continue;
      only[entry.column] = &entry;
      ++count[entry.column];
    }
    for (std::size_t a = 0; a < only.size(); ++a) {
      if (count[a] != 1 || !is_left[only[a]->row] || !is_fixed_factor(only[a]->value, parameters)) continue;
      is_left[only[a]->row] = false;
      result.push_back(*only[a]);
      found = true;
    }
  }
  return result;
}

}  // namespace

struct RankWatch::Linear {
  MatrixXd all, scaled, gram;  ///< one column a relation; scaled: of those that are chosen
  Eigen::LDLT<MatrixXd> factors;
  VectorXd u, before, last;
};

RankWatch::RankWatch(Evaluator& evaluator) : evaluator_(evaluator), linear_(std::make_unique<Linear>()) {
  const AssembledEquations& equations = evaluator.equations();
  const std::size_t m = equations.relation_count;
  if (m == 0 || equations.parameters.size() + m > largest_size) return;
  const std::unordered_set<Expr> velocities(equations.parameters.begin(), equations.parameters.end());
  const std::unordered_set<Expr> positions(equations.positions.begin(), equations.positions.end());
  bends_.assign(m, false);
  for (const SparseEntry& entry : equations.gradients.entries) {
    for (Expr symbol : symbols_in(entry.value)) {
      const bool of_velocity = velocities.contains(symbol);
      if (of_velocity) bends_[entry.row] = true;
      turn_ = turn_ || of_velocity || positions.contains(symbol) || symbol == equations.system->time;
    }
  }
  needed_ = turn_;
  if (needed_) triangle_ = fixed_triangle(evaluator);
  may_pass_ = std::none_of(bends_.begin(), bends_.end(), [](bool bends) { return bends; }) &&
              (m > 1 || !equations.levels[0].empty());
}

RankWatch::~RankWatch() = default;

void RankWatch::weigh(double t, const double* y) {
  const auto n = evaluator_.direction_count();
  weights_.assign(n, 1.0);
  std::vector<double> mass;
  // Of other velocity parameters the mass matrix is no metric.
  if (!evaluator_.equations().system->chart.parameters.empty() || !evaluator_.mass(t, y, mass)) return;
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = std::sqrt(mass[i * n + i]);
    if (weight > 0 && std::isfinite(weight)) weights_[i] = weight;
  }
}

/// The gradients by the weights of the velocities, each beside the length that it had first.
bool RankWatch::read(double t, const double* y) {
  if (!evaluator_.gradients(t, y, entries_)) return false;
  if (weights_.empty()) weigh(t, y);
  Linear& linear = *linear_;
  const auto m = static_cast<Index>(evaluator_.relation_count());
  const auto n = static_cast<Index>(evaluator_.direction_count());
  linear.all = Eigen::Map<const VectorXd>(weights_.data(), n).cwiseInverse().asDiagonal() *
               Eigen::Map<const MatrixXd>(entries_.data(), n, m);
  if (lengths_.empty()) {
    for (Index k = 0; k < m; ++k) lengths_.push_back(linear.all.col(k).norm());
    if (*std::min_element(lengths_.begin(), lengths_.end()) <= 0) {  // the next state may be a better measure
      lengths_.clear();
      return false;
    }
  }
  for (Index k = 0; k < m; ++k) linear.all.col(k) /= lengths_[static_cast<std::size_t>(k)];
  return linear.all.allFinite();
}

/// As many relations as there are independent ones. The others repeat them, and no rank is lost by that.
void RankWatch::choose() {
  const DensePivoted factors(linear_->all);
  const VectorXd diagonal = factors.triangle().diagonal().cwiseAbs();
  const std::vector<Index> order = factors.order();
  chosen_.clear();
  for (Index k = 0; k < diagonal.size(); ++k)
    if (diagonal(k) > repeated * diagonal(0))
      chosen_.push_back(static_cast<std::size_t>(order[static_cast<std::size_t>(k)]));
  std::sort(chosen_.begin(), chosen_.end());
}

bool RankWatch::measure(const double* y, Point& point) {
  if (!read(point.t, y)) return false;
  Linear& linear = *linear_;
  if (chosen_.empty()) choose();
  const auto m = static_cast<Index>(chosen_.size());
  const Index n = linear.all.rows();
  linear.scaled.resize(n, m);
  for (Index k = 0; k < m; ++k)
    linear.scaled.col(k) = linear.all.col(static_cast<Index>(chosen_[static_cast<std::size_t>(k)]));
  linear.gram.noalias() = linear.scaled.transpose() * linear.scaled;
  linear.gram.diagonal().array() *= 1 + 1e-15;  // no pivot is zero
  linear.factors.compute(linear.gram);
  const bool continues = point.combination.size() == evaluator_.relation_count();
  linear.before = VectorXd::Ones(m);
  for (Index k = 0; continues && k < m; ++k)
    linear.before(k) = point.combination[chosen_[static_cast<std::size_t>(k)]];
  linear.u = linear.before;
  // Inverse iteration, from no vector that a symmetry of the system keeps away from the one that is looked
  // for.
  constexpr double part = 0.01, there = 1e-6;
  for (Index k = 0; k < m; ++k) linear.u(k) += part * std::sin(1.0 + 2.4 * static_cast<double>(k));
  for (int round = 0; round < most_rounds; ++round) {
    linear.last = linear.u;
    linear.factors.solveInPlace(linear.u);
    const double size = linear.u.norm();
    if (!std::isfinite(size) || size == 0) return false;
    linear.u /= size;
    if (1 - std::abs(linear.u.dot(linear.last)) <= there * linear.last.norm() && round > 0) break;
  }
  if (linear.u.dot(linear.before) < 0) linear.u = -linear.u;
  point.combination.assign(evaluator_.relation_count(), 0.0);
  for (Index k = 0; k < m; ++k) point.combination[chosen_[static_cast<std::size_t>(k)]] = linear.u(k);
  point.gradient.resize(static_cast<std::size_t>(n));
  Eigen::Map<VectorXd> gradient(point.gradient.data(), n);
  gradient.noalias() = linear.scaled * linear.u;
  point.length = gradient.norm();
  return std::isfinite(point.length);
}

void RankWatch::begin(double t, const double* y) {
  if (!needed_) return;
  y_.resize(evaluator_.size());
  now_ = {t, {}, {}, 0};
  if (!measure(y, now_)) now_ = {};
  farthest_ = std::max(farthest_, now_.length);
  if (triangle_.size() == evaluator_.relation_count() && !now_.gradient.empty())
    needed_ = !is_triangle_clear();
}

/// Whether what is fixed is a fair part of each gradient: a factor that is next to nothing beside the others
/// leaves relations that nearly depend on each other.
bool RankWatch::is_triangle_clear() const {
  constexpr double fair = 0.1;
  return std::all_of(triangle_.begin(), triangle_.end(), [&](const SparseEntry& entry) {
    const auto column = linear_->all.col(static_cast<Index>(entry.row));
    return std::abs(column(static_cast<Index>(entry.column))) > fair * column.norm();
  });
}

double RankWatch::look(double t, const double* y) {
  if (!needed_) return 1;
  if (!chosen_.empty() && chosen_.size() < evaluator_.relation_count() && read(t, y)) {
    const std::vector<std::size_t> known = chosen_;  // a run may begin where relations only touch
    choose();
    if (chosen_.size() > known.size()) {
      begin(t, y);
    } else {
      chosen_ = known;
    }
  }
  std::swap(before_, now_);
  now_.t = t;
  now_.combination = before_.combination;
  if (!measure(y, now_)) {
    now_ = {};
    return lengths_.empty() ? 1 : 0;  // a gradient that was never there is not lost
  }
  farthest_ = std::max(farthest_, now_.length);
  return now_.length / farthest_;
}

double RankWatch::distance() const {
  constexpr double usual = 0.5;  // the gradients have a length of one at the beginning
  return now_.gradient.empty() ? 1 : now_.length / std::max(farthest_, usual);
}

double RankWatch::turning(double t, const double* y, const double* after, double length) {
  if (!read(t, y)) return 0;
  const MatrixXd gradients = linear_->all;
  if (!read(t + length, after)) return 0;
  const VectorXd lengths = gradients.colwise().norm();
  const VectorXd changes = (linear_->all - gradients).colwise().norm();
  double fastest = 0;
  for (Index k = 0; k < lengths.size(); ++k)
    if (lengths(k) > 0) fastest = std::max(fastest, changes(k) / lengths(k) / length);
  return fastest;
}

std::optional<double> RankWatch::ahead(const Prediction& predict, double length, bool exactly) {
  constexpr double short_part = 0.2;  // of the length now
  constexpr int rounds = 4;
  if (now_.gradient.empty()) return {};
  Point next;
  const auto length_at = [&](double after) {  // with a sign: it turns over
    next = {now_.t + after, now_.combination, {}, 0};
    if (!predict(after, y_.data()) || !measure(y_.data(), next))
      return std::numeric_limits<double>::quiet_NaN();
    return std::copysign(next.length, dot(next.gradient, now_.gradient));
  };
  double slope = (length_at(length) - now_.length) / length;
  double after = -now_.length / slope;
  if (!(after > 0) || !exactly)
    return after > 0 && std::isfinite(after) ? std::optional(after) : std::nullopt;
  double left = now_.length, at = 0;
  for (int round = 0; round < rounds; ++round) {
    const double there = length_at(after);
    slope = (there - left) / (after - at);
    const double change = -there / slope;
    if (!(std::abs(change) < after / 2)) return {};
    left = there;
    at = after;
    after += change;
    if (change == 0) break;
  }
  return std::abs(left) <= short_part * now_.length ? std::optional(after) : std::nullopt;
}

/// Times that cut the last step into parts on which the gradients change evenly: then a combination of them
/// does, and turns over at most once.
std::vector<double> RankWatch::even_parts(const StateAt& state_at) {
  constexpr int most_halvings = 8;
  constexpr double even = 0.05;  // of the length of a gradient
  constexpr double looks[] = {0.37, 0.71};
  struct Part {
    double low, high;
    MatrixXd at_low, at_high;
    int halvings;
  };
  const auto gradients_at = [&](double t, MatrixXd& gradients) {
    state_at(t, y_.data());
    if (!read(t, y_.data())) return false;
    gradients = linear_->all;
    return true;
  };
  std::vector<double> times{before_.t};
  Part whole{before_.t, now_.t, {}, {}, 0};
  if (!gradients_at(whole.low, whole.at_low) || !gradients_at(whole.high, whole.at_high))
    return {before_.t, now_.t};
  std::vector<Part> open;
  open.push_back(std::move(whole));
  while (!open.empty()) {
    Part part = std::move(open.back());
    open.pop_back();
    bool is_even = true;
    MatrixXd there;
    for (const double x : looks) {
      if (!is_even || !gradients_at(part.low + x * (part.high - part.low), there)) break;
      is_even = ((1 - x) * part.at_low + x * part.at_high - there).colwise().norm().maxCoeff() <= even;
    }
    const double middle = part.low + (part.high - part.low) / 2;
    if (is_even || part.halvings == most_halvings || !gradients_at(middle, there)) {
      times.push_back(part.high);
      continue;
    }
    open.push_back({middle, part.high, there, std::move(part.at_high), part.halvings + 1});
    open.push_back({part.low, middle, std::move(part.at_low), there, part.halvings + 1});
  }
  return times;
}

std::vector<RankWatch::Loss> RankWatch::find(const StateAt& state_at, bool coarse) {
  std::vector<Loss> losses;
  if (!needed_ || before_.gradient.empty() || now_.gradient.empty()) return losses;
  const std::vector<double> times = even_parts(state_at);
  Point low = before_;
  for (std::size_t i = 1; i < times.size(); ++i) {
    Point high = now_;
    if (i + 1 < times.size()) {
      high = {times[i], low.combination, {}, 0};
      state_at(high.t, y_.data());
      if (!measure(y_.data(), high)) continue;
    }
    if (dot(low.combination, high.combination) * dot(low.gradient, high.gradient) <= 0) {
      if (auto loss = locate(low, high, state_at, coarse)) losses.push_back(std::move(*loss));
    }
    low = std::move(high);
  }
  // A step of one length may end there: where the next one goes is rounding, or the error of a long step.
  constexpr double of_a_step = 0.05;
  const double relative = now_.length / farthest_;
  const bool fell = relative <= may_vanish && now_.length <= of_a_step * before_.length;
  if (coarse && losses.empty() && (fell || relative <= vanished)) {
    Loss loss = describe(now_, relative);
    if (!loss.passes) losses.push_back(std::move(loss));
  }
  return losses;
}

/// Halves to where the gradient of the combination turns over; nothing where it is not short there.
std::optional<RankWatch::Loss> RankWatch::locate(Point low, Point high, const StateAt& state_at,
                                                 bool coarse) {
  const double size = std::max(low.length, high.length);
  Point best = low.length < high.length ? low : high;
  for (int round = 0; round < 80; ++round) {
    Point middle{low.t + (high.t - low.t) / 2, low.combination, {}, 0};
    if (middle.t <= low.t || middle.t >= high.t) break;
    state_at(middle.t, y_.data());
    if (!measure(y_.data(), middle)) break;
    if (middle.length < best.length) best = middle;
    (dot(low.gradient, middle.gradient) > 0 ? low : high) = std::move(middle);
  }
  const double relative = best.length / std::max(size, farthest_);  // steps may have come near by and by
  if (!(relative <= may_vanish)) return {};
  Loss loss = describe(best, relative);
  loss.is_certain = relative <= vanished;
  if (!loss.is_certain && !loss.passes && !coarse) return {};
  return loss;
}

std::vector<std::string> RankWatch::names(const std::vector<double>& combination) const {
  const double largest = std::abs(*std::max_element(
      combination.begin(), combination.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  std::vector<std::string> result;
  for (std::size_t k = 0; k < combination.size(); ++k) {
    if (std::abs(combination[k]) >= smallest_share * largest)
      result.push_back(evaluator_.equations().names[k]);
  }
  return result;
}

/// Once more differentiated, u (g a + b) = 0 is the equation that is missing. Where the relations are affine
/// in the velocities it is linear in the accelerations, with the rate of u g for its coefficients, which is
/// not zero where u g changes its sign: one motion goes on. Else it is of second degree, and there may be
/// several.
RankWatch::Loss RankWatch::describe(const Point& at, double relative) const {
  Loss loss{.t = at.t, .relations = names(at.combination), .passes = true, .is_certain = true, .what = {}};
  for (std::size_t k = 0; k < bends_.size(); ++k) {
    const bool takes_part = std::find(loss.relations.begin(), loss.relations.end(),
                                      evaluator_.equations().names[k]) != loss.relations.end();
    if (takes_part && bends_[k]) loss.passes = false;
  }
  std::string list;
  for (const std::string& name : loss.relations) list += (list.empty() ? "`" : ", `") + name + "`";
  const std::string lost =
      loss.relations.size() == 1
          ? fmt::format("the gradient of {} vanishes (it fell to {:.1e} of its length)", list, relative)
          : fmt::format(
                "{} depend on each other (the gradient of a combination fell to {:.1e} of its length)", list,
                relative);
  loss.what = loss.passes
                  ? lost + ": a singular configuration, which the motion passes; the factors may have a pole"
                  : lost +
                        ": the relation is not linear in the velocities and does not determine the "
                        "accelerations here, several motions may go on, and the factor has a pole";
  return loss;
}

std::vector<std::string> RankWatch::nearly_dependent(double t, const double* y, double part) {
  if (!needed_ || farthest_ == 0) return {};
  Point at{t, now_.combination, {}, 0};
  if (!measure(y, at)) return {};
  return at.length <= part * farthest_ ? names(at.combination) : std::vector<std::string>{};
}

}  // namespace liaison

#include "poles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "passage.hpp"
#include "root_starts.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

/// A divisor that falls to this part of its largest size is zero: what is left is the error of the motion.
constexpr double vanished = 1e-15;
constexpr double known_to = 1e-10;  ///< a state; a divisor may be a square
/// A step within which it falls to this part of what it is at both ends does not resolve it.
constexpr double unresolved = 0.02;
/// Where samples of a divisor stay above this part of the largest of them there is no zero in between.
constexpr double clear = 0.2;
constexpr int samples = 6;
constexpr std::size_t outputs_each = 3;  ///< of the program: value, size of its terms, the whole base
constexpr double near = 1e-6;       ///< of its largest size: a box that comes so near to zero is looked at
constexpr double far_enough = 128;  ///< times the time to a zero: from there it is looked at

std::string short_text(Expr e) {
  constexpr std::size_t longest = 60;
  std::string text = to_infix(e);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

/// The pieces of a base with min, max or sign in it: what is zero on a whole side, max(x, 0), is no divisor,
/// but its piece x is one.
std::vector<Expr> pieces_of(Expr base) {
  constexpr std::size_t most = 16;
  std::vector<Expr> result{base}, done;
  while (!result.empty() && done.size() + result.size() <= most) {
    const Expr e = result.back();
    result.pop_back();
    const std::vector<Expr> within = postorder(e);
    const auto changes = std::find_if(within.begin(), within.end(), [](Expr node) {
      return node.is(Op::min) || node.is(Op::max) || node.is(Op::sign);
    });
    if (changes == within.end()) {
      if (!e.is_constant()) done.push_back(e);
      continue;
    }
    for (const int side : {-1, 1}) result.push_back(on_side({&e, 1}, argument_of_switch(*changes), side)[0]);
  }
  return done;
}

}  // namespace

PoleWatch::PoleWatch(Evaluator& evaluator, const SimulationOptions& options)
    : evaluator_(evaluator),
      options_(options),
      box_(evaluator),
      coupling_(evaluator, {box_.variables().begin(), box_.variables().end()}),
      state_(evaluator.size()) {
  const AssembledEquations& equations = evaluator.equations();
  const std::vector<Expr>& variables = box_.variables();
  const std::unordered_set<Expr> moving(variables.begin(), variables.end());
  const std::unordered_set<Expr> velocities(equations.parameters.begin(), equations.parameters.end());
  std::unordered_set<Expr> known = moving;
  for (const auto& [symbol, value] : evaluator.parameter_values()) known.insert(symbol);
  std::unordered_set<Expr> taken;
  const auto add = [&](Expr e, Kind kind, const std::string& name, Expr whole = {}) {
    const std::vector<Expr> nodes = postorder(e);
    const bool moves =
        std::any_of(nodes.begin(), nodes.end(), [&](Expr node) { return moving.contains(node); });
    const bool has_value = std::all_of(nodes.begin(), nodes.end(), [&](Expr node) {
      return !node.is(Op::apply) && (!node.is(Op::symbol) || known.contains(node));
    });
    if (moves && has_value && taken.insert(e).second)
      divisors_.push_back({.expression = e, .kind = kind, .name = name, .whole = whole});
  };
  const auto add_base = [&](Expr base, double power, Expr whole) {
    add(base, Kind::root, {}, whole);
    const std::vector<Expr> symbols = symbols_in(base);
    if (std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return velocities.contains(symbol); }))
      return;
    for (Divisor& divisor : divisors_) {
      if (divisor.kind == Kind::root && divisor.expression == base)
        divisor.power = divisor.power == 0 ? power : std::min(divisor.power, power);
    }
  };
  const auto add_root = [&](Expr root) {
    const Expr whole = root.arg(0);
    for (Expr base : pieces_of(whole))
      add_base(base, root.arg(1).number().to_double(), base == whole ? Expr{} : whole);
  };
  const auto add_tangent = [&](Expr e, bool is_bounded) {  // atan(tan(x)) jumps at the poles
    if (e.is(Op::tan) && !is_bounded) add(cos(e.arg(0)), Kind::written, {});
  };
  for (Expr node : postorder(evaluator.written_equations())) {
    if (node.is(Op::log) || (node.is(Op::pow) && node.arg(1).number() < Rational(0)))
      add(node.arg(0), Kind::written, {});
    if (is_steep_root(node)) add_root(node);
    for (Expr arg : node.args()) add_tangent(arg, node.is(Op::atan));
  }
  for (Expr root : evaluator.written_equations()) add_tangent(root, false);
  for (const SparseEntry& entry : equations.mass.entries)
    if (entry.row == entry.column) add(entry.value, Kind::mass, to_infix(equations.parameters[entry.column]));
  for (std::size_t k = 0; k < equations.relation_count; ++k) {
    if (!equations.levels[k].empty()) continue;
    std::vector<Expr> squares;
    bool bends = false;
    for (const SparseEntry& entry : equations.gradients.entries) {
      if (entry.row != k) continue;
      squares.push_back(pow(entry.value, 2));
      for (Expr symbol : symbols_in(entry.value)) bends = bends || velocities.contains(symbol);
    }
    if (!squares.empty())
      add(squares[0].pool().add(squares), bends ? Kind::bent_gradient : Kind::gradient, equations.names[k]);
  }
  drop_constants(variables);
  if (!divisors_.empty()) make_programs(variables);
  if (coupling_.is_needed()) divisors_.push_back({.expression = {}, .kind = Kind::coupling, .name = {}});
}

void PoleWatch::make_programs(const std::vector<Expr>& variables) {
  std::vector<Expr> outputs, symbols = variables;
  for (const Divisor& divisor : divisors_) outputs.push_back(divisor.expression);
  enclosures_ = IntervalProgram(outputs, variables, evaluator_.parameter_values());
  inputs_.resize(variables.size());
  for (const auto& [symbol, value] : evaluator_.parameter_values()) {
    symbols.push_back(symbol);
    inputs_.push_back(value);
  }
  for (const Divisor& divisor : divisors_) outputs.push_back(size_of_terms(divisor.expression));
  for (const Divisor& divisor : divisors_)
    outputs.push_back(divisor.whole.empty() ? divisor.expression : divisor.whole);
  program_ = Runner(symbols, outputs, Engine::interpreted);
}

/// What has one value at many points (as cos(x)^2 + sin(x)^2), or an enclosure without zero over all numbers,
/// is not watched.
void PoleWatch::drop_constants(const std::vector<Expr>& variables) {
  constexpr int points = 12;
  constexpr double same = 64 * std::numeric_limits<double>::epsilon();
  std::vector<Expr> outputs;
  for (const Divisor& divisor : divisors_) outputs.push_back(divisor.expression);
  if (outputs.empty()) return;
  std::vector<Expr> symbols = variables;
  std::vector<double> inputs(variables.size());
  for (const auto& [symbol, value] : evaluator_.parameter_values()) {
    symbols.push_back(symbol);
    inputs.push_back(value);
  }
  Runner program(symbols, outputs, Engine::interpreted);
  std::vector<Interval> seen(outputs.size(), {INFINITY, -INFINITY});
  constexpr double scales[] = {1, 1e-6, 1e6, 1e12};  // no unit makes a constant of what changes
  double number = 0.1;
  for (int point = 0; point < points; ++point) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      number = std::fmod(number * 997.3 + 0.371, 3.0);
      inputs[i] = number * scales[static_cast<std::size_t>(point) % std::size(scales)];
    }
    program(inputs.data());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const double value = program.values()[k];
      seen[k].low = std::isfinite(value) ? std::min(seen[k].low, value) : -INFINITY;
      seen[k].high = std::isfinite(value) ? std::max(seen[k].high, value) : INFINITY;
    }
  }
  IntervalProgram everywhere(outputs, variables, evaluator_.parameter_values());
  everywhere.run(std::vector<Interval>(variables.size(), {-INFINITY, INFINITY}));
  std::size_t k = 0;
  std::erase_if(divisors_, [&](Divisor& divisor) {
    const Interval range = everywhere.output(k), values = seen[k++];
    divisor.is_square = divisor.kind == Kind::written && range.low >= 0;
    const double size = std::max(std::abs(values.low), std::abs(values.high));
    return range.low > 0 || range.high < 0 || values.width() <= same * size;
  });
}

void PoleWatch::values(double t, const double* y) {
  values_.resize(divisors_.size());
  if (!inputs_.empty()) {
    inputs_[0] = t;
    std::copy_n(y, evaluator_.size(), inputs_.begin() + 1);
    program_(inputs_.data());
    std::copy_n(program_.values().begin(), program_.values().size() / outputs_each, values_.begin());
  }
  if (coupling_.is_needed()) values_.back() = coupling_.measure(t, y);
}

void PoleWatch::begin(double t, const std::vector<double>& y) {
  if (empty()) return;
  box_.begin();
  coupling_.begin(t, y.data());
  values(t, y.data());
  for (std::size_t k = 0; k < divisors_.size(); ++k) {
    Divisor& divisor = divisors_[k];
    if (std::isfinite(values_[k])) divisor.farthest = std::max(divisor.farthest, std::abs(values_[k]));
    divisor.last = values_[k];
    divisor.left_zero = std::abs(divisor.last) > vanished * divisor.farthest;
    divisor.past.clear();
  }
}

std::string PoleWatch::vanished_at_begin() const {
  for (const Divisor& divisor : divisors_) {
    if (divisor.kind == Kind::bent_gradient && divisor.last == 0) {
      return fmt::format(
          "the gradient of `{}` vanishes where the motion begins: the relation is not linear in the "
          "velocities "
          "and does not determine the accelerations here",
          divisor.name);
    }
  }
  return {};
}

double PoleWatch::least_gradient() const {
  double least = 1;
  for (const Divisor& divisor : divisors_) {
    const bool of_relation = divisor.kind == Kind::gradient || divisor.kind == Kind::bent_gradient;
    if (of_relation && divisor.farthest > 0)
      least = std::min(least, std::abs(divisor.last) / divisor.farthest);
  }
  return least;
}

double PoleWatch::value_at(std::size_t divisor, double t, const StateAt& state_at) {
  state_at(t, state_.data());
  if (divisors_[divisor].kind == Kind::coupling) return coupling_.measure(t, state_.data());
  values(t, state_.data());
  return values_[divisor];
}

/// What rounding may leave of a divisor that is zero: a part of its terms. (x^2 + y^2 may be much smaller
/// than it was and is known all the same.)
double PoleWatch::rounding_at(std::size_t divisor, double t, const StateAt& state_at) {
  if (divisors_[divisor].kind == Kind::coupling) return vanished * divisors_[divisor].farthest;
  value_at(divisor, t, state_at);
  return 16 * std::numeric_limits<double>::epsilon() *
         program_.values()[program_.values().size() / outputs_each + divisor];
}

/// Where a divisor changes its sign in a step, or where it is least.
std::optional<PoleWatch::Zero> PoleWatch::nearest_zero(std::size_t divisor, const Step& step) {
  std::vector<std::pair<double, double>> points;  // time, value
  double largest = 0;
  for (int i = 0; i <= samples + 1; ++i) {
    const double t = i == 0             ? step.before
                     : i == samples + 1 ? step.time
                                        : step.before + (step.time - step.before) * i / (samples + 1);
    const double value = value_at(divisor, t, step.state_at);
    if (std::isfinite(value)) points.emplace_back(t, value);
    largest = std::max(largest, std::isfinite(value) ? std::abs(value) : 0);
  }
  if (points.size() < 2) return {};
  std::size_t least = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].second * points[i - 1].second < 0) {  // the first change of sign
      auto [low, low_value] = points[i - 1];
      double high = points[i].first;
      for (double middle = low + (high - low) / 2; middle > low && middle < high;
           middle = low + (high - low) / 2)
        (value_at(divisor, middle, step.state_at) * low_value > 0 ? low : high) = middle;
      return Zero{low, 0, true};
    }
    if (std::abs(points[i].second) < std::abs(points[least].second)) least = i;
  }
  const Divisor& what = divisors_[divisor];
  const double nothing = what.power != 0 ? errors_of_root(what) : vanished * what.farthest;
  const bool is_clear = std::abs(points[least].second) > nothing;
  if (is_clear && std::abs(points[least].second) > clear * largest) return {};
  double low = points[least == 0 ? 0 : least - 1].first,
         high = points[std::min(least + 1, points.size() - 1)].first;
  constexpr double golden = 0.6180339887498949;
  Zero best{points[least].first, points[least].second, false};
  const auto at = [&](double t) {
    const double value = value_at(divisor, t, step.state_at);
    if (std::abs(value) < std::abs(best.value)) best = {t, value, false};
    return std::abs(value);
  };
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = at(left), at_right = at(right);
  const double resolution =
      4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low), std::abs(high));
  for (int round = 0; round < 100 && high - low > resolution; ++round) {
    if (at_left < at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      at_left = at(left = high - golden * (high - low));
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      at_right = at(right = low + golden * (high - low));
    }
  }
  return best;
}

std::optional<PoleWatch::Pole> PoleWatch::after_step(const Step& step) {
  if (empty() || !(step.time > step.before)) return {};
  if (!inputs_.empty()) enclosures_.run(box_.around(step.before, step.time, step.first, step.last));
  values(step.time, step.last.data());
  const std::vector<double> ends = values_;
  std::optional<Pole> first;
  for (std::size_t k = 0; k < divisors_.size(); ++k) {
    Divisor& divisor = divisors_[k];
    if (std::isfinite(ends[k]) && divisor.power == 0)
      divisor.farthest = std::max(divisor.farthest, std::abs(ends[k]));
    remember(divisor, step.before, divisor.last, step.first);
    if (!divisor.left_zero) {
      divisor.left_zero = std::abs(ends[k]) > vanished * divisor.farthest;
      continue;
    }
    if (is_clear(k, step, ends[k])) continue;
    const auto zero = nearest_zero(k, step);
    if (!zero) continue;
    const auto pole = judge(k, *zero, step);
    if (pole && (!first || pole->t < first->t)) first = pole;
  }
  if (!first || !first->again) {
    for (std::size_t k = 0; k < divisors_.size(); ++k) {
      if (divisors_[k].power != 0) remember_within(k, step, ends[k]);
      divisors_[k].last = ends[k];
    }
  }
  return first;
}

/// By the enclosure over the box of the step. Determinants have none, and roots let a motion turn more
/// sharply than a box foresees: these are clear where they keep their sign and half their size.
bool PoleWatch::is_clear(std::size_t k, const Step& step, double end) {
  const Divisor& divisor = divisors_[k];
  if (divisor.kind != Kind::coupling && divisor.kind != Kind::root) {
    const Interval range = enclosures_.output(k);
    const double margin = near * divisor.farthest;
    return range.low > margin || range.high < -margin;
  }
  constexpr double half = 0.5;
  double least = INFINITY, largest = 0;
  const double middle = value_at(k, step.before + (step.time - step.before) / 2, step.state_at);
  for (const double value : {divisor.last, middle, end}) {
    if (!(value * end > 0)) return false;
    least = std::min(least, std::abs(value));
    largest = std::max(largest, std::abs(value));
  }
  return least > half * largest && (divisor.power == 0 || least > errors_of_root(divisor));
}

double PoleWatch::length_before_zero(double t, const std::vector<double>& y, double length) {
  constexpr double little = 1e-6, part = 0.35;
  const bool has_squares = std::any_of(divisors_.begin(), divisors_.end(),
                                       [](const Divisor& d) { return d.is_square && d.left_zero; });
  std::vector<double> rates(y.size()), next(y.size());
  if (!has_squares || !evaluator_.rates(t, y.data(), rates.data())) return length;
  const double tolerance = std::max(30 * options_.tolerance.relative, known_to);
  values(t, y.data());
  const std::vector<double> here = values_;
  double result = length;
  for (std::size_t k = 0; k < divisors_.size(); ++k) {
    const Divisor& divisor = divisors_[k];
    if (!divisor.is_square || !divisor.left_zero) continue;
    if (!(here[k] > tolerance * tolerance * divisor.farthest)) continue;
    const double soon = little * length * std::min(1.0, std::sqrt(here[k] / divisor.farthest));
    for (std::size_t i = 0; i < y.size(); ++i) next[i] = y[i] + soon * rates[i];
    values(t + soon, next.data());
    const double falls = (std::sqrt(here[k]) - std::sqrt(std::max(values_[k], 0.0))) / soon;
    const double left = falls > 0 ? std::sqrt(here[k]) / falls : INFINITY;
    if (left < length / part) result = std::min(result, part * left);
  }
  return result;
}

std::string PoleWatch::lost_coupling(double t, const double* y) {
  constexpr double fallen = 1e-4;
  if (!coupling_.is_needed()) return {};
  const double value = coupling_.measure(t, y);
  return std::abs(value) <= fallen * divisors_.back().farthest ? coupling_.in_words() : std::string{};
}

std::string PoleWatch::fallen_divisor(double t, const double* y, double part) {
  if (empty()) return {};
  values(t, y);
  for (std::size_t k = 0; k < divisors_.size(); ++k) {
    const Divisor& divisor = divisors_[k];
    if (divisor.kind != Kind::written || !(std::abs(values_[k]) <= part * divisor.farthest)) continue;
    return fmt::format("`{}`, by which the equations divide, comes to zero: it is {:.3g}",
                       short_text(divisor.expression), values_[k]);
  }
  return {};
}

/// The states on the way of a divisor to zero, each a part nearer than the one before.
void PoleWatch::remember(Divisor& divisor, double t, double value, const std::vector<double>& y) {
  constexpr double small = 0.2, apart = 0.8;
  constexpr std::size_t most = 300;
  std::vector<Past>& past = divisor.past;
  while (!past.empty() && (past.back().t >= t || std::abs(past.back().value) <= std::abs(value)))
    past.pop_back();
  if (!(std::abs(value) < small * divisor.farthest)) return past.clear();
  if (!past.empty() && std::abs(value) > apart * std::abs(past.back().value)) return;
  if (past.size() == most) past.erase(past.begin(), past.begin() + most / 2);
  past.push_back({t, value, y});
}

std::optional<PoleWatch::Pole> PoleWatch::judge(std::size_t k, const Zero& zero, const Step& step) {
  Divisor& divisor = divisors_[k];
  const double tolerance = 30 * options_.tolerance.relative;
  const bool of_relation = divisor.kind == Kind::gradient || divisor.kind == Kind::bent_gradient;
  const double floor = of_relation ? vanished : known_to * known_to;
  // A motion comes to the zero of a root as a higher power of the time: it turns within its errors of it.
  const double errors = divisor.kind == Kind::root
                            ? errors_of_root(divisor)
                            : std::max(tolerance * tolerance, floor) * divisor.farthest;
  const bool is_zero =
      zero.crosses || std::abs(zero.value) <= std::max(errors, rounding_at(k, zero.t, step.state_at));
  const double one_time = 1e-10 * std::abs(zero.t);
  const double halfway = step.before + (zero.t - step.before) / 2;
  // Steps of one length are shortened where they would pass over the end of a slip.
  const bool may_shorten =
      step.may_shorten && halfway - step.before > one_time && (!step.coarse || divisor.is_square);
  if (!is_zero) {  // near to one: the next step is shorter
    const double at_begin = std::abs(value_at(k, step.before, step.state_at));
    const bool is_resolved = std::abs(zero.value) >= (step.coarse ? clear : unresolved) * at_begin;
    if (is_resolved || !may_shorten) return {};
    return Pole{zero.t, {}, halfway};
  }
  const double found = std::exchange(divisor.found, zero.t);
  if (may_shorten && zero.t < step.time &&
      !(std::abs(found - zero.t) <= std::max(one_time, 1e-6 * (zero.t - step.before))))
    return Pole{zero.t, {}, halfway};  // seen once more from nearer
  const double ahead = zero.t < step.time ? 0 : time_to_zero(k, step);
  if (!std::isfinite(ahead)) return {};
  const std::string reason = why(k, zero, ahead, step);
  if (!reason.empty()) return Pole{zero.t, reason, {}};
  divisor.found = NAN;
  divisor.left_zero = std::abs(value_at(k, step.time, step.state_at)) > vanished * divisor.farthest;
  return {};
}

/// From the end of a step, for a zero that is simple or double, whichever meets the middle of the step
/// better.
double PoleWatch::time_to_zero(std::size_t k, const Step& step) {
  const double h = step.time - step.before;
  const double begin = std::abs(value_at(k, step.before, step.state_at));
  const double middle = std::abs(value_at(k, step.before + h / 2, step.state_at));
  const double end = std::abs(value_at(k, step.time, step.state_at));
  const auto simple = [&](double a, double b) { return b < a ? b / (a - b) : INFINITY; };
  const double a = std::sqrt(begin), m = std::sqrt(middle), b = std::sqrt(end);
  const bool is_double = std::abs(m - (a + b) / 2) / a < std::abs(middle - (begin + end) / 2) / begin;
  return h * (is_double ? simple(a, b) : simple(begin, end));
}

std::string PoleWatch::why(std::size_t place, const Zero& zero, double ahead, const Step& step) {
  const Divisor& divisor = divisors_[place];
  if (divisor.kind == Kind::bent_gradient) {
    return fmt::format(
        "the gradient of `{}` vanishes: the relation is not linear in the velocities and does not determine "
        "the "
        "accelerations here, several motions may go on, and the factor has a pole",
        divisor.name);
  }
  if (divisor.kind == Kind::coupling) {  // r vanishes with a gradient, and that is watched by itself
    constexpr double falls = 0.02;
    step.state_at(zero.t, state_.data());
    values(zero.t, state_.data());
    for (std::size_t k = 0; k < divisors_.size(); ++k) {
      const bool of_relation =
          divisors_[k].kind == Kind::gradient || divisors_[k].kind == Kind::bent_gradient;
      if (of_relation && std::abs(values_[k]) < falls * divisors_[k].farthest) return {};
    }
  }
  if (!divisor.whole.empty()) {  // where another piece is taken, no root is zero
    value_at(place, zero.t, step.state_at);
    const double whole = program_.values()[program_.values().size() / outputs_each * 2 + place];
    if (!(std::abs(whole) <= errors_of_root(divisor))) return {};
  }
  const double at = zero.t + ahead;
  const auto state_near = [&](double t, double* y) {
    if (t >= step.before || divisor.past.empty()) {
      step.state_at(std::max(t, step.before), y);
      return std::max(t, step.before);
    }
    const auto last = std::find_if(divisor.past.rbegin(), divisor.past.rend(),
                                   [&](const Past& past) { return past.t <= t; });
    const Past& past = last == divisor.past.rend() ? divisor.past.front() : *last;
    std::copy(past.y.begin(), past.y.end(), y);
    return past.t;
  };
  double before = at - step.before;
  // Steps that followed it to its zero may be shorter than what the time resolves: then from farther off.
  constexpr double resolved = 1e-9, farther_off = 1e-7;
  const bool is_short = before < far_enough * ahead || before < resolved * std::abs(at);
  if (is_short && !divisor.past.empty()) {
    const double wanted = std::max(far_enough * ahead, farther_off * std::abs(at));
    before = std::max(before, std::min(at - divisor.past.front().t, wanted));
  }
  if (divisor.power != 0) {
    // b'' = c b^p comes to zero as the power 2/(1 - p) of the time: looked at where its errors are small,
    // once it has turned or passed.
    // A piece ends with its step, where the equations change their form.
    const bool ends_there = !divisor.whole.empty() && std::abs(zero.value) <= known_to * divisor.farthest;
    if (zero.t >= step.time && !ends_there) return {};
    constexpr double much = 10, more = 1000, largest = 0.15, least_power = 1.5;
    const double errors = errors_of_root(divisor);
    const double large = std::min(more * errors, largest * divisor.farthest);
    const auto far = last_as_large(place, large, zero.t, step);
    const auto close = last_as_large(place, std::min(much * errors, large / much), zero.t, step);
    if (!far || !close || !(far->t < close->t && close->t < zero.t)) return {};
    ahead = zero.t - close->t;
    if (!(std::log(far->value / close->value) > least_power * std::log((zero.t - far->t) / ahead))) return {};
    state_near(close->t, state_.data());
    return acts_on_its_base(place, close->t, ahead) ? in_words(divisor, {}) : std::string{};
  } else if (divisor.kind == Kind::root) {
    // v' = -v^p comes to zero as the power 1/(1 - p) of the time: what passes it evenly is driven by others.
    constexpr double evenly = 1.05, near_part = 1.0 / 64;
    const auto look = [&](double part) {
      const double t = state_near(at - part * before, state_.data());
      values(t, state_.data());
      return std::pair(at - t, std::abs(values_[place]));
    };
    const auto [far, far_value] = look(0.5);
    const auto [close, close_value] = look(0.5 * near_part);
    if (!(std::log(far_value / close_value) > evenly * std::log(far / close))) return {};
  }
  const std::string ends = why_it_ends(
      evaluator_, {at, before, step.time - zero.t, ahead, state_near, options_.tolerance.relative});
  return ends.empty() ? std::string{} : in_words(divisor, ends);
}

std::string PoleWatch::in_words(const Divisor& divisor, const std::string& ends) const {
  const std::string text = divisor.kind == Kind::coupling
                               ? ""
                               : short_text(divisor.whole.empty() ? divisor.expression : divisor.whole);
  switch (divisor.kind) {
    case Kind::mass:
      return fmt::format("the mass matrix becomes singular: `{}`, the inertia of `{}`, comes to zero; {}",
                         text, divisor.name, ends);
    case Kind::gradient:
    case Kind::bent_gradient: return fmt::format("the gradient of `{}` vanishes; {}", divisor.name, ends);
    case Kind::coupling: return fmt::format("{}; {}", coupling_.in_words(), ends);
    case Kind::root:
      return fmt::format(
          "`{}`, of which the equations take a root, comes to zero with its rate, and the root has no "
          "derivative "
          "there: a family of motions comes to this state, which may rest or go on in several ways",
          text);
    case Kind::written: break;
  }
  return fmt::format("`{}`, by which the equations divide, comes to zero, as where a slip ends; {}", text,
                     ends);
}

}  // namespace liaison

#include "liaison/simulate/drive_period.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <unordered_map>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

std::vector<Expr> texts_of(const AssembledEquations& equations) {
  std::vector<Expr> all = equations.load;
  for (const auto* part :
       {&equations.position_rates, &equations.bias, &equations.relations, &equations.levels})
    for (Expr e : *part)
      if (!e.empty()) all.push_back(e);
  for (const SparseMatrix* matrix : {&equations.mass, &equations.directions, &equations.gradients})
    for (const SparseEntry& entry : matrix->entries) all.push_back(entry.value);
  return all;
}

/// A drive of no amplitude is none.
Substitution absent_parameters(const System& system, const DoublePoint& values,
                               std::span<const Expr> varied) {
  Substitution absent;
  for (const Parameter& parameter : system.parameters)
    if (values.at(parameter.symbol) == 0 &&
        std::find(varied.begin(), varied.end(), parameter.symbol) == varied.end())
      absent.emplace(parameter.symbol, system.pool->number(0));
  return absent;
}

constexpr long most_turns = 10000;  ///< of the slowest drive in a common period

/// p/q = x with q up to `most_turns`, by its continued fraction; nothing where x is no such number to all
/// digits of a double. Two of them are farther apart than that.
std::optional<long> denominator_of(double x) {
  double rest = x, p = 1, q = 0, p_before = 0, q_before = 1;
  for (int round = 0; round < 40; ++round) {
    const double whole = std::floor(rest);
    std::swap(p, p_before);
    std::swap(q, q_before);
    p += whole * p_before;
    q += whole * q_before;
    if (!(q <= most_turns)) return {};
    if (std::abs(x - p / q) <= 1e-13 * x) return std::lround(q);
    rest = 1 / (rest - whole);
  }
  return {};
}

/// A whole number of periods 2 pi/rate of the slowest, and of all others; nothing where the rates have no
/// common measure.
std::optional<double> common_period(const std::vector<double>& rates) {
  long turns = 1;
  for (double rate : rates) {
    const auto q = denominator_of(rate / rates.front());
    if (!q) return {};
    turns = std::lcm(turns, *q);
    if (turns > most_turns) return {};
  }
  return static_cast<double>(turns) * 2 * std::numbers::pi / rates.front();
}

/// Two texts that differ at some values of their symbols. A hint: where it says no they may be one.
bool differ_somewhere(Expr one, Expr two) {
  constexpr int tries = 64;
  const Expr both[] = {one, two};
  const std::vector<Expr> symbols = symbols_in(both);
  std::mt19937_64 random(1);
  const auto below = [&](double most) {
    return std::ldexp(most * static_cast<double>(random() >> 11), -53);  // the same on every machine
  };
  for (int k = 0; k < tries; ++k) {
    DoublePoint point;
    for (const Expr symbol : symbols) point.emplace(symbol, below(k % 2 == 0 ? 2 : 20));
    const DoubleValues found = evaluate(both, point);
    if (found.status != EvaluationStatus::ok) continue;
    const double a = found.values[0], b = found.values[1];
    if (std::isfinite(a) && std::isfinite(b) &&
        std::abs(a - b) > 1e-6 * std::max({std::abs(a), std::abs(b), 1.0}))
      return true;
  }
  return false;
}

}  // namespace

bool holds_time(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& values,
                std::span<const Expr> varied, std::span<const Expr> further) {
  const System& system = *equations.system;
  const Substitution absent = absent_parameters(system, values, varied);
  std::vector<Expr> texts = texts_of(equations);
  texts.insert(texts.end(), further.begin(), further.end());
  // what jumps where its argument passes zero has a derivative that does not tell
  std::vector<Expr> arguments;
  for (const Expr node : postorder(texts))
    if (node.is(Op::sign) || node.is(Op::abs) || node.is(Op::min) || node.is(Op::max))
      for (const Expr argument : node.args()) arguments.push_back(argument);
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  return std::any_of(texts.begin(), texts.end(), [&](Expr text) {
    if (!depends_on(text, system.time)) return false;
    const Expr rate = derivative(text, system.time);
    try {
      const Expr present = substitute(rate, absent);
      return !present.is_zero() && !algebra.is_zero(present).holds();
    } catch (const Error&) {  // a quotient by what is absent
      return true;
    }
  });
}

DrivePeriod::DrivePeriod(Algebra& algebra, const AssembledEquations& equations, const DoublePoint& values,
                         std::span<const Expr> varied, std::span<const Expr> further)
    : algebra_(algebra) {
  const System& system = *equations.system;
  const Expr t = system.time;
  const Substitution absent = absent_parameters(system, values, varied);
  std::vector<Expr> texts = texts_of(equations);
  texts.insert(texts.end(), further.begin(), further.end());
  for (Expr text : texts) {
    if (!depends_on(text, t)) continue;
    try {
      text = substitute(text, absent);
    } catch (const Error&) {  // a quotient by what is absent
    }
    if (depends_on(text, t) && std::find(texts_.begin(), texts_.end(), text) == texts_.end())
      texts_.push_back(text);
  }
  find_phases(equations);
  if (refusal_.empty()) return;
  // an angle that goes on may cancel: sines and cosines of it whose squares add up
  std::vector<Expr> shorter;
  for (Expr text : texts_)
    if (const Expr one = algebra_.readable(text); depends_on(one, t)) shorter.push_back(one);
  texts_ = std::move(shorter);
  find_phases(equations);
}

void DrivePeriod::find_phases(const AssembledEquations& equations) {
  const Expr t = equations.system->time;
  phases_.clear();
  refusal_.clear();
  std::vector<Expr> moving = equations.positions;
  moving.insert(moving.end(), equations.parameters.begin(), equations.parameters.end());
  moving.push_back(t);
  std::unordered_map<Expr, bool> is_periodic;  // of nodes that hold the time
  for (Expr node : postorder(texts_)) {
    if (!depends_on(node, t)) continue;
    bool periodic = node != t;
    if (node.is(Op::sin) || node.is(Op::cos)) {
      const Expr rate = derivative(node.arg(0), t);
      // an argument that is periodic itself, as of sin(A*sin(w*t)), is of no rate
      const auto inner = is_periodic.find(node.arg(0));
      periodic = inner != is_periodic.end() && inner->second;
      if (!periodic &&
          std::none_of(moving.begin(), moving.end(), [&](Expr symbol) { return depends_on(rate, symbol); })) {
        periodic = true;
        phases_.push_back({node, rate});
      }
    } else {
      for (Expr arg : node.args())
        if (const auto known = is_periodic.find(arg); known != is_periodic.end())
          periodic = periodic && known->second;
    }
    is_periodic.emplace(node, periodic);
  }
  const auto other = std::find_if(texts_.begin(), texts_.end(), [&](Expr text) {
    const auto known = is_periodic.find(text);
    return known != is_periodic.end() && !known->second;
  });
  if (other != texts_.end())
    refusal_ = "the time enters, and not by sines and cosines alone";
  else if (phases_.empty())
    refusal_ = "the time enters, and no sine or cosine of it does";
}

std::optional<double> DrivePeriod::at(const DoublePoint& values) {
  reason_ = refusal_;
  if (!reason_.empty()) return {};
  std::vector<double> rates;  // with their signs
  for (const Phase& phase : phases_) {
    const Expr one[] = {phase.rate};
    const DoubleValues found = evaluate(one, values);
    if (found.status != EvaluationStatus::ok || !std::isfinite(found.values[0])) {
      reason_ = fmt::format("the rate {} of a drive has no value", to_infix(phase.rate));
      return {};
    }
    rates.push_back(found.values[0]);
  }
  std::vector<double> distinct;
  for (double rate : rates)
    if (rate != 0) distinct.push_back(std::abs(rate));
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.empty()) {
    reason_ = "the drives stand still at these values";
    return {};
  }
  const auto common = common_period(distinct);
  if (!common) {
    reason_ =
        fmt::format("drives with the rates {:.10g} have no common period within {} turns of the slowest",
                    fmt::join(distinct, ", "), most_turns);
    return {};
  }
  std::vector<long> turns;
  for (double rate : rates) turns.push_back(std::lround(*common * rate / (2 * std::numbers::pi)));
  return *common / static_cast<double>(parts_of(turns));
}

long DrivePeriod::parts_of(const std::vector<long>& turns) {
  const auto [known, is_new] = known_.emplace(turns, 1);
  if (!is_new) return known->second;
  // periods that divide another are a group of one generator: prime after prime leads to the least
  long largest = 13;
  for (long turn : turns) largest += std::abs(turn);
  constexpr long most = 1024;
  for (long prime = 2; prime <= std::min(largest, most); ++prime) {
    bool is_prime = true;
    for (long k = 2; k * k <= prime; ++k) is_prime = is_prime && prime % k != 0;
    if (!is_prime) continue;
    while (known->second < most && is_period(turns, prime * known->second)) known->second *= prime;
  }
  return known->second;
}

bool DrivePeriod::is_period(const std::vector<long>& turns, long parts) {
  Pool& pool = algebra_.pool();
  Substitution shifted;
  for (std::size_t k = 0; k < phases_.size(); ++k) {
    const Expr node = phases_[k].node, argument = node.arg(0);
    const Expr later = argument + pool.number(Rational(2 * turns[k], parts)) * pool.pi();
    shifted.emplace(node, node.is(Op::sin) ? sin(later) : cos(later));
  }
  return std::all_of(texts_.begin(), texts_.end(), [&](Expr text) {
    const Expr later = substitute(text, shifted), difference = later - text;
    if (difference.is_zero()) return true;
    // a proof is not sought of what is not so: at worst the period is a multiple of the least
    return !differ_somewhere(later, text) && algebra_.is_zero(difference).is_proved();
  });
}

}  // namespace liaison

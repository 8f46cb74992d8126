#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "expr/raw.hpp"
#include "keeping.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double agreeing = 1e-10;  // relative: no reason for a closer look
constexpr double most_lost = 1e6;   // times the error of the given form
constexpr long reference_bits = 256;
constexpr std::array<double, 8> scales{1e-3, 0.03, 0.4, 1.7, 11, 60, 300, 1000};

/// A number that doubles have exactly, of about that size; different for each symbol and scale.
double value_of(Expr symbol, std::size_t index, std::size_t round) {
  const auto mixed = static_cast<double>((index * 7 + round * 3) % 11);
  const bool is_minus = !symbol.symbol().positive && (index + round) % 3 == 1;
  const double size = scales[round % scales.size()] * (1 + mixed / 16);
  return is_minus ? -size : size;
}

double value_or_nan(Expr e, const DoublePoint& point) {
  const DoubleValues found = evaluate(std::span(&e, 1), point);
  return found.status == EvaluationStatus::ok ? found.values[0] : std::numeric_limits<double>::quiet_NaN();
}

/// The exact value, where balls find one.
std::optional<Ball> reference_value(Expr e, const DoublePoint& point) {
  BallPoint balls;
  for (const auto& [symbol, value] : point) arb_set_d(balls[symbol].raw(), value);
  BallValues found = evaluate_balls(std::span(&e, 1), balls, reference_bits);
  if (found.status != EvaluationStatus::ok) return std::nullopt;
  return std::move(found.values[0]);
}

/// The two disagree in doubles: is it the candidate that is off?
bool is_as_good(Expr given, Expr candidate, const DoublePoint& point, double before, double after) {
  const auto exact = reference_value(given, point), same = reference_value(candidate, point);
  if (!exact || !same) return false;
  if (!arb_overlaps(exact->raw(), same->raw())) return false;
  if (exact->contains_zero()) return true;  // nothing to measure a relative error by
  const double value = exact->mid();
  const double rounding = std::abs(value) * std::numeric_limits<double>::epsilon();
  return std::abs(after - value) <= most_lost * std::max(std::abs(before - value), rounding);
}

/// As far as doubles see it.
bool holds_at(const Domain& domain, const DoublePoint& point) {
  return std::all_of(domain.begin(), domain.end(), [&](const Requirement& requirement) {
    const double value = value_or_nan(requirement.e, point);
    switch (requirement.bound) {
      case Bound::nonzero: return !std::isnan(value) && value != 0;
      case Bound::nonnegative: return value >= 0;
      case Bound::positive: return value > 0;
    }
    return false;
  });
}

bool is_kept_at(Expr given, Expr candidate, const DoublePoint& point) {
  const double before = value_or_nan(given, point);
  if (std::isnan(before)) return true;
  const double after = value_or_nan(candidate, point);
  if (std::isnan(after)) return false;
  if (std::abs(before - after) <= agreeing * std::abs(before)) return true;
  return is_as_good(given, candidate, point, before, after);
}

/// An auxiliary symbol that is none of those taken: the same ones for every question.
Expr next_stand_in(Pool& pool, std::span<const Expr> taken, int& number) {
  for (;;) {
    const std::string name = "_value" + std::to_string(++number);
    const Expr known = pool.find_symbol(name);
    if (known.empty()) return pool.symbol(name, SymbolKind::auxiliary);
    const bool is_free = std::find(taken.begin(), taken.end(), known) == taken.end();
    if (is_free && known.symbol().kind == SymbolKind::auxiliary) return known;
  }
}

/// What is compared, and where.
struct Question {
  std::array<Expr, 2> both;  ///< the given form, the candidate
  Domain domain;

  std::vector<Expr> expressions() const {
    std::vector<Expr> result(both.begin(), both.end());
    for (const Requirement& requirement : domain) result.push_back(requirement.e);
    return result;
  }
};

/// Unknown functions at their arguments become symbols; nothing if one stands in the candidate alone, as f(1)
/// for f(sin(x)^2 + cos(x)^2).
std::optional<Question> without_unknown_functions(Question question) {
  Substitution stand_ins;
  std::vector<Expr> said = question.expressions();
  said.erase(said.begin() + 1);
  const auto taken = symbols_in(said);
  int number = 0;
  for (Expr e : postorder(said)) {
    if (e.is(Op::apply)) stand_ins.emplace(e, next_stand_in(e.pool(), taken, number));
  }
  const auto is_new = [&](Expr e) { return e.is(Op::apply) && !stand_ins.contains(e); };
  const auto nodes = postorder(question.both[1]);
  if (std::any_of(nodes.begin(), nodes.end(), is_new)) return std::nullopt;
  if (stand_ins.empty()) return question;
  for (Expr& e : question.both) e = substitute(e, stand_ins);
  for (Requirement& requirement : question.domain) requirement.e = substitute(requirement.e, stand_ins);
  return question;
}

/// What rounding does to the last sum of e, in whatever order it is added up.
double lost_in_sum(Expr e, const DoublePoint& point) {
  if (!e.is(Op::add)) return std::abs(value_or_nan(e, point)) * std::numeric_limits<double>::epsilon();
  double result = 0;
  for (Expr term : e.args())
    result += std::abs(value_or_nan(term, point)) * std::numeric_limits<double>::epsilon();
  return result;
}

/// Symbols with the values at which a part a*x + b with numbers a and b vanishes: x - 11 in what is given
/// loses nothing there, and x + exp(y) - 11 all of a small exp(y).
std::vector<std::pair<Expr, double>> zeros_of_parts(Expr given) {
  constexpr std::size_t most = 6;
  std::vector<std::pair<Expr, double>> result;
  for (Expr e : postorder(given)) {
    if (!e.is(Op::add) || e.args().size() != 2 || result.size() == most) continue;
    const auto symbols = symbols_in(e);
    if (symbols.size() != 1) continue;
    const auto linear = linear_coefficients(e, symbols);
    if (!linear || !linear->coefficients[0].is_number() || !linear->rest.is_number()) continue;
    const std::pair zero(symbols[0], (-linear->rest.number() / linear->coefficients[0].number()).to_double());
    if (zero.second < 0 && symbols[0].symbol().positive) continue;
    if (std::find(result.begin(), result.end(), zero) == result.end()) result.push_back(zero);
  }
  return result;
}

}  // namespace

bool keeps_doubles(Expr given, Expr candidate, const Domain& domain) {
  const auto question = without_unknown_functions({{given, candidate}, domain});
  if (!question) return true;
  const auto& [before, after] = question->both;
  const auto symbols = symbols_in(question->expressions());
  const auto point_of_round = [&](std::size_t round) {
    DoublePoint point;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      point.emplace(symbols[i], value_of(symbols[i], i, round < scales.size() ? round : round + 5 * i));
    return point;
  };
  for (std::size_t round = 0; round < 2 * scales.size(); ++round) {
    const DoublePoint point = point_of_round(round);
    if (holds_at(question->domain, point) && !is_kept_at(before, after, point)) return false;
  }
  for (const auto& [symbol, value] : zeros_of_parts(before)) {
    for (std::size_t round : {2, 3, 12}) {
      DoublePoint point = point_of_round(round);
      point[symbol] = value;
      if (!holds_at(question->domain, point)) continue;
      if (!is_kept_at(before, after, point)) return false;
      if (lost_in_sum(after, point) > most_lost * lost_in_sum(before, point)) return false;
    }
  }
  return true;
}

}  // namespace liaison

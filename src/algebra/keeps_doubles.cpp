#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "expr/raw.hpp"
#include "keeping.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "rounding_loss.hpp"

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

double value_or_nan(const WrittenText& text, const DoublePoint& point) {
  if (text.sums.empty()) return value_or_nan(text.value, point);
  DoublePoint with_sums = point;
  return add_sums(text, with_sums) ? value_or_nan(text.value, with_sums)
                                   : std::numeric_limits<double>::quiet_NaN();
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
bool is_as_good(const WrittenText& given, const WrittenText& candidate, const DoublePoint& point,
                double before, double after) {
  const auto exact = reference_value(given.merged(), point),
             same = reference_value(candidate.merged(), point);
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

bool is_kept_at(const WrittenText& given, const WrittenText& candidate, const DoublePoint& point) {
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
  std::array<WrittenText, 2> both;  ///< the given form, the candidate
  Domain domain;

  std::vector<Expr> expressions() const {
    std::vector<Expr> result;
    for (const WrittenText& text : both) {
      result.push_back(text.value);
      for (const auto& [symbol, sum] : text.sums) result.push_back(sum);
    }
    for (const Requirement& requirement : domain) result.push_back(requirement.e);
    return result;
  }
  /// Those that a point has values for.
  std::vector<Expr> symbols() const {
    std::vector<Expr> result = symbols_in(expressions());
    for (const WrittenText& text : both)
      for (const auto& [symbol, sum] : text.sums) std::erase(result, symbol);
    return result;
  }
};

void substitute_all(WrittenText& text, const Substitution& by) {
  text.value = substitute(text.value, by);
  for (auto& [symbol, sum] : text.sums) sum = substitute(sum, by);
}

/// Unknown functions at their arguments become symbols; nothing if one stands in the candidate alone, as f(1)
/// for f(sin(x)^2 + cos(x)^2).
std::optional<Question> without_unknown_functions(Question question) {
  Substitution stand_ins;
  Question given = question;
  given.both[1] = given.both[0];
  const std::vector<Expr> said = given.expressions();
  const auto taken = symbols_in(said);
  int number = 0;
  for (Expr e : postorder(said)) {
    if (e.is(Op::apply)) stand_ins.emplace(e, next_stand_in(e.pool(), taken, number));
  }
  const auto is_new = [&](Expr e) { return e.is(Op::apply) && !stand_ins.contains(e); };
  const auto nodes = postorder(question.both[1].value);
  if (std::any_of(nodes.begin(), nodes.end(), is_new)) return std::nullopt;
  if (stand_ins.empty()) return question;
  for (WrittenText& text : question.both) substitute_all(text, stand_ins);
  for (Requirement& requirement : question.domain) requirement.e = substitute(requirement.e, stand_ins);
  return question;
}

/// A symbol with the value at which a part of what is given vanishes: x - 11 loses nothing there, and
/// x + exp(y) - 11 all of a small exp(y).
struct ZeroOfPart {
  Expr symbol;
  Expr value;       ///< empty: found by numbers
  Expr part, rate;  ///< then: the part, and its derivative by the symbol
  bool operator==(const ZeroOfPart&) const = default;
};

double part_or_nan(const ZeroOfPart& zero, DoublePoint& point, double at) {
  point[zero.symbol] = at;
  return value_or_nan(zero.part, point);
}

/// Newton's method from one value; a step out of the domain, or to where the part is larger, is halved.
double zero_from(const ZeroOfPart& zero, DoublePoint& point, double at) {
  constexpr int most_steps = 40, most_halvings = 12;
  double value = part_or_nan(zero, point, at);
  for (int step = 0; step < most_steps && value != 0 && !std::isnan(value); ++step) {
    point[zero.symbol] = at;
    double by = value / value_or_nan(zero.rate, point), next = at, next_value = value;
    if (!std::isfinite(by)) break;
    for (int k = 0; k < most_halvings; ++k, by /= 2) {
      next = at - by;
      next_value = part_or_nan(zero, point, next);
      if (std::abs(next_value) < std::abs(value)) break;
    }
    if (!(std::abs(next_value) < std::abs(value))) break;
    at = next;
    value = next_value;
  }
  return at;
}

/// Whole numbers and short fractions, at which doubles hold all that vanishes, are met exactly. Where the
/// method comes nowhere, the value is that of no zero, and as good a sample as any.
double zero_near(const ZeroOfPart& zero, DoublePoint point) {
  const double at = zero_from(zero, point, point[zero.symbol]);
  const double rounded = std::round(8 * at) / 8;
  return part_or_nan(zero, point, rounded) == 0 ? rounded : at;
}

/// Of a part of one symbol, from values of every size: sqrt(x) - 3 and 1/x - 2 lead nowhere from most.
std::vector<double> zeros_of_one(const ZeroOfPart& zero) {
  constexpr double vanishing = 1e-9;
  constexpr std::size_t most = 2;
  std::vector<double> result;
  for (double scale : scales) {
    for (double start : {scale, -scale}) {
      if (start < 0 && zero.symbol.symbol().positive) continue;
      DoublePoint point{{zero.symbol, start}};
      const double at = zero_near(zero, point);
      const bool is_zero = std::abs(part_or_nan(zero, point, at)) < vanishing;
      const bool is_known = std::any_of(result.begin(), result.end(),
                                        [&](double one) { return std::abs(one - at) < vanishing; });
      if (is_zero && !is_known) result.push_back(at);
      if (result.size() == most) return result;
    }
  }
  return result;
}

std::optional<ZeroOfPart> zero_of(Expr part, Expr symbol) {
  const auto linear = linear_coefficients(part, std::span(&symbol, 1));
  if (!linear || !linear->coefficients[0].is_number() || linear->coefficients[0].is_zero())
    return std::nullopt;
  const Rational by = Rational(-1) / linear->coefficients[0].number();
  const Expr value = by * linear->rest;
  if (value.is_number() && value.number().sign() < 0 && symbol.symbol().positive) return std::nullopt;
  return ZeroOfPart{symbol, value, {}, {}};
}

/// Of parts a*x + b with numbers a and b, and of the sums of a text; zero itself where these are not linear.
std::vector<ZeroOfPart> zeros_of_parts(const WrittenText& given) {
  constexpr std::size_t most = 6;
  std::vector<ZeroOfPart> result;
  const auto add = [&](const std::optional<ZeroOfPart>& zero) {
    if (zero && result.size() < most && std::find(result.begin(), result.end(), *zero) == result.end())
      result.push_back(*zero);
    return zero.has_value();
  };
  for (const auto& [sum_symbol, sum] : given.sums) {
    const Expr whole = WrittenText{sum, given.sums, {}}.merged();
    const std::vector<Expr> symbols = symbols_in(whole);
    const bool is_linear =
        std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return add(zero_of(whole, symbol)); });
    if (is_linear) continue;
    for (Expr symbol : symbols) {
      if (!symbol.symbol().positive)  // 1 - cos(x) vanishes there
        add(ZeroOfPart{symbol, whole.pool().number(0), {}, {}});
      const Expr rate = derivative(whole, symbol);
      if (rate.is_zero()) continue;
      const ZeroOfPart zero{symbol, {}, whole, rate};  // x^2 - 4
      const std::vector<double> known = symbols.size() == 1 ? zeros_of_one(zero) : std::vector<double>{};
      for (double at : known) add(ZeroOfPart{symbol, whole.pool().number(Rational::from_double(at)), {}, {}});
      if (known.empty()) add(zero);
    }
  }
  for (Expr e : postorder(given.value)) {
    if (!e.is(Op::add) || e.args().size() != 2) continue;
    const auto symbols = symbols_in(e);
    if (symbols.size() != 1) continue;
    const auto zero = zero_of(e, symbols[0]);
    if (zero && zero->value.is_number()) add(zero);
  }
  return result;
}

}  // namespace

bool keeps_doubles(Expr given, Expr candidate, const Domain& domain) {
  return keeps_doubles(WrittenText{given, {}, {}}, WrittenText{candidate, {}, {}}, domain);
}

bool keeps_doubles(const WrittenText& given, const WrittenText& candidate, const Domain& domain) {
  const auto question = without_unknown_functions({{given, candidate}, domain});
  if (!question) return true;
  const auto& [before, after] = question->both;
  const auto symbols = question->symbols();
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
  for (const ZeroOfPart& zero : zeros_of_parts(before)) {
    for (std::size_t round = 0; round < 2 * scales.size(); ++round) {
      DoublePoint point = point_of_round(round);
      const double at = zero.value.empty() ? zero_near(zero, point) : value_or_nan(zero.value, point);
      point[zero.symbol] = at;
      if (std::isnan(at) || !holds_at(question->domain, point)) continue;
      if (!is_kept_at(before, after, point)) return false;
      // what is exact by luck has the rounding of its value all the same
      const double own = std::abs(value_or_nan(before, point)) * std::numeric_limits<double>::epsilon();
      if (rounding_loss(after, point) > most_lost * std::max(own, rounding_loss(before, point))) return false;
    }
  }
  return true;
}

}  // namespace liaison

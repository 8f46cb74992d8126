#include "side_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr long weight_of_domain = 10'000, weight_of_target = 100;
constexpr std::size_t most_ends = 24;

int sign_of(double x) {
  return std::isnan(x) ? 2 : x > 0 ? 1 : x < 0 ? -1 : 0;
}

constexpr std::array grid_sizes{1e-6, 1e-4, 1e-2, 0.1, 0.3, 1.0, 2.0, 3.0, 5.0,  7.0, 10.0,
                                20.0, 50.0, 1e2,  1e3, 1e4, 1e5, 1e6, 1e8, 1e10, 1e12};

std::vector<double> scales_of_all_sizes() {
  std::vector<double> result{0};
  for (double size : grid_sizes) {
    result.push_back(size);
    result.push_back(-size);
  }
  return result;
}

/// One output of a program along one of its inputs.
class Along {
 public:
  Along(const Prepared& program, std::vector<double>& values, std::size_t input)
      : program_(program), values_(values), input_(input) {}
  double operator()(double t) {
    values_[input_] = t;
    program_.evaluate(values_, out_);
    return out_[0];
  }

 private:
  const Prepared& program_;
  std::vector<double>& values_;
  std::size_t input_;
  std::vector<double> out_;
};

double bisect(Along& f, double low, double high) {
  const int sign_low = sign_of(f(low));
  for (int i = 0; i < 80; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    const int s = sign_of(f(middle));
    if (s == 0) return middle;
    (s == sign_low ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

void add_sign_changes(Along& f, std::span<const double> sorted, std::vector<double>& zeros) {
  double last = 0;
  int last_sign = 2;
  for (double t : sorted) {
    const int s = sign_of(f(t));
    if (s == 0) zeros.push_back(t);
    if (last_sign != 2 && s != 2 && s * last_sign < 0) zeros.push_back(bisect(f, last, t));
    last = t;
    last_sign = s;
  }
}

void sort_out(std::vector<double>& values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

SideSearch::SideSearch(std::span<const Expr> symbols, std::vector<Critical> critical)
    : symbols_(symbols.begin(), symbols.end()), critical_(std::move(critical)) {
  for (std::size_t i = 0; i < critical_.size(); ++i) place_of_.emplace(critical_[i].e, i);
  prepare();
}

void SideSearch::prepare() {
  std::vector<Expr> es;
  for (const Critical& critical : critical_) es.push_back(critical.e);
  all_ = Prepared(es, symbols_);
}

std::size_t SideSearch::index_of(Expr e) {
  const auto [place, is_new] = place_of_.emplace(e, critical_.size());
  if (is_new) {
    critical_.push_back({e, 0, false});
    prepare();
  }
  return place->second;
}

std::vector<int> SideSearch::signs(std::span<const double> values) const {
  all_.evaluate(values, scratch_);
  std::vector<int> result;
  for (double value : scratch_) result.push_back(sign_of(value));
  return result;
}

bool SideSearch::is_in_domain(std::span<const int> signs) const {
  for (std::size_t i = 0; i < critical_.size(); ++i) {
    const Critical& critical = critical_[i];
    if (signs[i] == 2 || (signs[i] == 0 && critical.zero_is_out)) return false;
    if (critical.needed_sign * signs[i] < 0) return false;
  }
  return true;
}

bool SideSearch::is_reached(std::span<const int> signs, const Wish& wish) const {
  return wish.target == none || signs[wish.target] == wish.sides[wish.target];
}

SideSearch::Score SideSearch::score(std::span<const double> values, const Wish& wish) const {
  all_.evaluate(values, scratch_);
  Score result;
  for (std::size_t i = 0; i < critical_.size(); ++i) {
    const Critical& critical = critical_[i];
    const int s = sign_of(scratch_[i]);
    const bool out = s == 2 || (s == 0 && critical.zero_is_out) || critical.needed_sign * s < 0;
    if (!out) result.satisfied += weight_of_domain;
    if (out) result.violation += s == 2 ? 1e300 : std::abs(scratch_[i]);
    if (wish.sides.empty() || wish.sides[i] == 0) continue;
    if (s == wish.sides[i]) result.satisfied += i == wish.target ? weight_of_target : 1;
    if (s != wish.sides[i] && i == wish.target && s != 2) result.violation += std::abs(scratch_[i]);
  }
  return result;
}

const SideSearch::Line& SideSearch::line(std::size_t function, std::size_t symbol) {
  const auto [place, is_new] = lines_.try_emplace({function, symbol});
  Line& result = place->second;
  if (!is_new) return result;
  const Expr e = critical_[function].e, z = symbols_[symbol];
  result.depends = depends_on(e, z);
  if (!result.depends) return result;
  const Expr slope = derivative(e, z);
  result.linear = !depends_on(slope, z) && !slope.is_zero();
  result.function = Prepared(std::span(&e, 1), symbols_);
  result.slope = Prepared(std::span(&slope, 1), symbols_);
  return result;
}

/// The zeros of a function along a symbol, and where it is largest or smallest.
void SideSearch::add_zeros(std::size_t function, std::size_t symbol, std::vector<double> values,
                           std::vector<double>& ends, std::vector<double>& extremes) {
  const Line& found = line(function, symbol);
  if (!found.depends) return;
  Along f(found.function, values, symbol);
  if (found.linear) {
    const double at_zero = f(0), slope = Along(found.slope, values, symbol)(0);
    if (slope != 0 && std::isfinite(at_zero / slope)) ends.push_back(-at_zero / slope);
    return;
  }
  std::vector<double> grid = scales_of_all_sizes();
  for (double end : ends) {  // of inner functions: a radicand bounds where this one has values
    const double step = 1e-9 * std::max(1.0, std::abs(end));
    grid.insert(grid.end(), {end - step, end + step});
  }
  sort_out(grid);
  std::vector<double> turning;
  Along slope(found.slope, values, symbol);
  add_sign_changes(slope, grid, turning);
  extremes.insert(extremes.end(), turning.begin(), turning.end());
  grid.insert(grid.end(), turning.begin(), turning.end());
  sort_out(grid);
  add_sign_changes(f, grid, ends);
}

/// One value in each cell, the present value first in its own.
std::vector<Rational> SideSearch::candidates(Random& random, const Place& place, std::size_t symbol,
                                             double reach) {
  std::vector<double> ends, extremes;
  if (symbols_[symbol].symbol().positive) ends.push_back(0);
  for (std::size_t i = 0; i < critical_.size(); ++i) add_zeros(i, symbol, place.values, ends, extremes);
  sort_out(ends);
  if (ends.size() > most_ends) {
    std::sort(ends.begin(), ends.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    ends.resize(most_ends);
    std::sort(ends.begin(), ends.end());
  }
  std::vector<Rational> result{place.exact[symbol]};
  for (std::size_t i = 0; i <= ends.size() && !ends.empty(); ++i) {
    const double low = i == 0 ? -infinity : ends[i - 1], high = i == ends.size() ? infinity : ends[i];
    if (low < place.values[symbol] && place.values[symbol] < high) continue;
    result.push_back(short_inside(random, low, high, reach));
  }
  if (extremes.size() > most_ends) extremes.resize(most_ends);
  for (double extreme : extremes) result.push_back(short_near(extreme, 1e-6));
  if (symbols_[symbol].symbol().positive)
    std::erase_if(result, [](const Rational& value) { return value.sign() <= 0; });
  return result;
}

void SideSearch::move_symbol(Random& random, Place& place, std::size_t symbol, const Wish& wish) {
  std::vector<double> values = place.values;
  std::vector<Rational> best;
  Score best_score;
  for (const Rational& candidate : candidates(random, place, symbol, wish.reach)) {
    values[symbol] = candidate.to_double();
    const Score found = score(values, wish);
    if (best.empty() || best_score < found) {
      best.assign(1, candidate);
      best_score = found;
    } else if (!(found < best_score)) {
      best.push_back(candidate);
    }
  }
  if (!best.empty()) place.set(symbol, best[random() % best.size()]);
}

void SideSearch::move(Random& random, Place& place, const Wish& wish) {
  if (critical_.empty()) return;
  constexpr int sweeps = 3;
  const auto is_done = [&] {
    const std::vector<int> found = signs(place.values);
    if (!is_in_domain(found)) return false;
    for (std::size_t i = 0; i < wish.sides.size(); ++i) {
      if (wish.sides[i] != 0 && found[i] != wish.sides[i]) return false;
    }
    return true;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const Score before = score(place.values, wish);
    const std::size_t offset = random() % symbols_.size();
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (is_done()) return;
      const std::size_t symbol = (i + offset) % symbols_.size();
      move_symbol(random, place, symbol, wish);
    }
    if (!(before < score(place.values, wish))) return;
  }
}

}  // namespace liaison

#include "natural_units.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "dense.hpp"
#include "liaison/expr/traverse.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_terms = 80;
constexpr std::size_t most_nodes = 2'000;
constexpr double far_from_one = 2;  // in powers of ten
constexpr double damping = 1e-6;

double size_of(const Rational& number) {
  return std::log10(std::abs(number.to_double()));
}

bool is_far(const Rational& number) {
  return !number.is_zero() && !(std::abs(size_of(number)) < far_from_one);
}

/// What is put in is a number without a unit.
bool needs_a_number(Op op) {
  return op == Op::sin || op == Op::cos || op == Op::tan || op == Op::exp || op == Op::sinh ||
         op == Op::cosh || op == Op::tanh || op == Op::asin || op == Op::acos;
}

/// The size of one term of a sum: that of its number, and unknowns (symbols, and sums in it) with powers. An
/// argument of a sine has the size 1.
struct Term {
  std::optional<std::size_t> sum;
  double size;
  std::vector<std::pair<std::size_t, double>> powers;
};

/// Sizes of symbols and sums, as unknowns of linear equations: each term is as large as its sum.
class Sizes {
 public:
  explicit Sizes(std::span<const Expr> nodes) {
    for (Expr e : nodes) {
      if (needs_a_number(e.op())) add(std::nullopt, e.arg(0));
      if (!e.is(Op::add)) continue;
      const std::size_t sum = unknown(e);
      for (Expr term : e.args()) add(sum, term);
    }
  }
  std::size_t terms() const { return terms_.size(); }
  std::map<Expr, double, StructuralLess> of_symbols() const;

 private:
  std::size_t unknown(Expr e) { return unknowns_.try_emplace(e, unknowns_.size()).first->second; }
  void add(std::optional<std::size_t> sum, Expr term) {
    const auto [number, rest] = split_coefficient(term);
    Term result{sum, size_of(number), {}};
    const bool is_product = rest.is(Op::mul);
    for (std::size_t i = 0; i < (is_product ? rest.args().size() : 1); ++i) {
      const auto [base, power] = split_power(is_product ? rest.arg(i) : rest);
      if (base.is(Op::symbol) || base.is(Op::add))
        result.powers.emplace_back(unknown(base), power.to_double());
    }
    terms_.push_back(std::move(result));
  }

  std::unordered_map<Expr, std::size_t> unknowns_;
  std::vector<Term> terms_;
};

std::map<Expr, double, StructuralLess> Sizes::of_symbols() const {
  std::map<Expr, double, StructuralLess> result;
  DenseMatrix matrix(terms_.size(), unknowns_.size());
  std::vector<double> sizes;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    for (const auto& [unknown, power] : terms_[i].powers) matrix(i, unknown) += power;
    if (terms_[i].sum) matrix(i, *terms_[i].sum) -= 1;
    sizes.push_back(-terms_[i].size);
  }
  const auto found = damped_least_norm(matrix, sizes, damping);
  for (const auto& [e, place] : unknowns_) {
    if (found && e.is(Op::symbol) && std::isfinite((*found)[place])) result.emplace(e, (*found)[place]);
  }
  return result;
}

}  // namespace

NaturalUnits::NaturalUnits(std::span<const Expr> sides, const Region& region) {
  std::vector<Expr> es(sides.begin(), sides.end());
  es.insert(es.end(), region.equations.begin(), region.equations.end());
  for (const Requirement& requirement : region.domain) es.push_back(requirement.e);
  const std::vector<Expr> nodes = postorder(es);
  if (nodes.size() > most_nodes) return;
  const bool has_far =
      std::any_of(nodes.begin(), nodes.end(), [](Expr e) { return e.is_number() && is_far(e.number()); });
  const bool has_unknown = std::any_of(nodes.begin(), nodes.end(), [](Expr e) { return e.is(Op::apply); });
  if (!has_far || has_unknown) return;
  const Sizes sizes(nodes);
  if (sizes.terms() > most_terms) return;
  for (const auto& [symbol, size] : sizes.of_symbols()) {
    const double rounded = std::round(size);
    if (std::abs(rounded) < far_from_one || std::abs(rounded) > 300) continue;
    const Rational unit = power(Rational(10), static_cast<long>(rounded));
    units_.emplace(symbol, unit);
    in_units_.emplace(symbol, unit * symbol);
    as_written_.emplace(symbol, 1 / unit * symbol);
  }
}

Region NaturalUnits::in_units(Region region) const {
  for (Expr& e : region.equations) e = in_units(e);
  for (Requirement& requirement : region.domain) requirement.e = in_units(requirement.e);
  for (Expr& e : region.assumed) e = in_units(e);
  return region;
}

void NaturalUnits::write_back(Witness& witness) const {
  for (auto& [symbol, value] : witness.point) value *= unit_of(symbol);
}

Rational NaturalUnits::unit_of(Expr symbol) const {
  const auto place = units_.find(symbol);
  return place == units_.end() ? Rational(1) : place->second;
}

}  // namespace liaison

#include "impact_sides.hpp"

#include <algorithm>
#include <cmath>

#include "contact_frame.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/term_sizes.hpp"
#include "liaison/model/kinematics.hpp"
#include "simulate/equations/switches.hpp"

namespace liaison {

namespace {

constexpr std::size_t most_arguments = 6;
/// Coefficients that differ by less than this part are the same.
constexpr double alike = 1e-9;

bool depends_on_velocities(Expr e) {
  const std::vector<Expr> symbols = symbols_in(std::span(&e, 1));
  return std::any_of(symbols.begin(), symbols.end(),
                     [](Expr symbol) { return symbol.symbol().kind == SymbolKind::velocity; });
}

void write(std::vector<double>::const_iterator& next, ImpactContact& contact) {
  contact.restitution = *next++;
  for (ImpactResistance& resistance : contact.resisted) {
    resistance.slipping = *next++;
    resistance.sticking = *next++;
  }
}

}  // namespace

ImpactSides::ImpactSides(Algebra& algebra, const ContactModes& modes, const AssembledEquations& equations,
                         const DoublePoint& parameters)
    : algebra_(algebra), equations_(equations), parameters_(parameters) {
  Pool& pool = *modes.closed().pool;
  std::vector<Expr> arguments;
  for (std::size_t c = 0; c < modes.size(); ++c) {
    Coefficients& own = contacts_.emplace_back();
    own.all.push_back(modes.unilateral(c).restitution.value_or(pool.number(0)));
    for (const Resistance& resistance : modes.laws()[c].resistances) {
      own.all.push_back(resistance.slipping);
      own.all.push_back(resistance.sticking);
    }
    const PieceArguments pieces = piece_arguments(own.all);
    // What only bends has one value there; what jumps may do so within what bends.
    if (pieces.jumps.empty()) continue;
    own.arguments = pieces.jumps;
    own.first = arguments.size();
    arguments.insert(arguments.end(), own.arguments.begin(), own.arguments.end());
  }
  if (arguments.empty()) return;
  std::vector<Expr> all = arguments;
  for (Expr e : arguments) all.push_back(size_of_terms(e));
  for (Expr e : arguments) {
    has_rate_.push_back(!depends_on_velocities(e));
    all.push_back(has_rate_.back() ? time_derivative(modes.closed(), e) : pool.number(0));
  }
  values_.assign(all.size(), 0.0);
  quantities_ = Quantities(algebra, equations, parameters, all, Engine::interpreted);
  none_.assign(std::max(equations.parameters.size(), equations.factors.size()), 0.0);
}

/// What stays at zero exactly has the value that the text gives it there.
bool ImpactSides::may_be_on_either_side(std::size_t argument) const {
  const SizedNumber number{values_[argument], values_[has_rate_.size() + argument]};
  if (number.sign() != 0) return false;
  if (number.value != 0) return true;
  return has_rate_[argument] ? values_[2 * has_rate_.size() + argument] != 0 : number.size != 0;
}

/// Coefficients of these contacts where the arguments that are zero have these sides, one a bit.
std::vector<double> ImpactSides::on_sides(std::span<const std::size_t> contacts, std::vector<Expr> zero,
                                          std::size_t sides, double t, const double* y) {
  std::vector<Expr> all;
  for (const std::size_t c : contacts)
    all.insert(all.end(), contacts_[c].all.begin(), contacts_[c].all.end());
  for (std::size_t i = 0; i < zero.size(); ++i) {
    const int side = (sides >> i & 1) != 0 ? 1 : -1;
    all = on_side(all, zero[i], side);
    const Expr argument = zero[i];
    zero = on_side(zero, argument, side);  // those outside hold those within
  }
  std::vector<double> values(all.size());
  Quantities there(algebra_, equations_, parameters_, all, Engine::interpreted);
  if (!there.evaluate(t, y, none_.data(), {none_.data(), equations_.factors.size()}, values.data()))
    return {};
  return values;
}

ImpactSides::Ways ImpactSides::ways(const ImpactProblem& problem, std::span<const std::size_t> contacts,
                                    double t, const double* y) {
  Ways result;
  result.problems.push_back(problem);
  if (has_rate_.empty() ||
      !quantities_.evaluate(t, y, none_.data(), {none_.data(), equations_.factors.size()}, values_.data()))
    return result;
  // Contacts whose coefficients jump with the same are on the same side of it.
  std::vector<Expr> zero;
  std::vector<std::size_t> jumping, places;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Coefficients& own = contacts_[contacts[i]];
    if (own.arguments.empty()) continue;
    jumping.push_back(contacts[i]);
    places.push_back(i);
    for (std::size_t k = 0; k < own.arguments.size(); ++k) {
      const bool is_new = std::find(zero.begin(), zero.end(), own.arguments[k]) == zero.end();
      if (is_new && may_be_on_either_side(own.first + k)) zero.push_back(own.arguments[k]);
    }
  }
  if (zero.empty()) return result;
  result.complete = zero.size() <= most_arguments;
  zero.resize(std::min(zero.size(), most_arguments));
  std::vector<std::vector<double>> different;
  for (std::size_t sides = 0; sides < (std::size_t{1} << zero.size()); ++sides) {
    const std::vector<double> one = on_sides(jumping, zero, sides, t, y);
    if (one.empty()) result.complete = false;  // they have no value there
    const bool is_known = std::any_of(different.begin(), different.end(), [&](const auto& other) {
      return std::equal(one.begin(), one.end(), other.begin(), [](double a, double b) {
        return std::abs(a - b) <= alike * std::max(std::abs(a), std::abs(b));
      });
    });
    if (!one.empty() && !is_known) different.push_back(one);
  }
  if (different.size() < 2) return result;
  result.arguments = zero;
  result.problems.assign(different.size(), problem);
  for (std::size_t way = 0; way < different.size(); ++way) {
    auto next = different[way].cbegin();
    for (const std::size_t i : places) write(next, result.problems[way].contacts[i]);
  }
  return result;
}

}  // namespace liaison

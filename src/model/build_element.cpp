#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "builder.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/forms/antiderivative.hpp"
#include "liaison/model/kinematics.hpp"
#include "small_algebra.hpp"
#include "text.hpp"

namespace liaison {

namespace {

const Context measure_context{"the length of a spring or damper", true, false};
/// Of coordinates the energy would have further slopes, and the tension would not be the force.
const Context spring_context{"the stiffness or the length of a spring", false, false};
/// Symbols stand for the own length and rate there.
const Context law_context{"the law of a spring", false, false};
const Context damper_law_context{"the law of a damper", true, false};
const Context damping_context{"the damping of a spring or damper", true, false};

const Context motor_context{"what a motor moves", true, false};
const Context effort_context{"the force of a motor", true, true};

/// A power whose exponent is made of parameters: exp(n*log(u)).
struct SymbolicPower {
  Expr base, exponent;
};
std::optional<SymbolicPower> split_symbolic_power(Expr e, Expr s) {
  if (!e.is(Op::exp) || !e.arg(0).is(Op::mul)) return std::nullopt;
  SymbolicPower power;
  std::vector<Expr> exponent;
  for (const Expr factor : e.arg(0).args()) {
    if (!depends_on(factor, s)) {
      exponent.push_back(factor);
    } else if (power.base.empty() && factor.is(Op::log)) {
      power.base = factor.arg(0);
    } else {
      return std::nullopt;
    }
  }
  if (power.base.empty()) return std::nullopt;
  power.exponent = s.pool().mul(exponent);
  return power;
}

/// Of k*(s - l)^n, as it is written: k/(n + 1)*(s - l)^(n + 1).
std::optional<Expr> power_integral(Expr term, Expr s) {
  const std::array alone{term};
  std::vector<Expr> free;
  Expr moving;
  for (const Expr factor : term.is(Op::mul) ? term.args() : std::span<const Expr>(alone)) {
    if (!depends_on(factor, s)) {
      free.push_back(factor);
    } else if (moving.empty()) {
      moving = factor;
    } else {
      return std::nullopt;
    }
  }
  if (moving.empty()) return std::nullopt;
  if (const auto power = split_symbolic_power(moving, s)) {
    const Expr slope = derivative(power->base, s);
    if (depends_on(slope, s) || slope.is_zero()) return std::nullopt;
    return s.pool().mul(free) * power->base * moving / ((power->exponent + Rational(1)) * slope);
  }
  const auto [base, exponent] = split_power(moving);
  const Expr slope = derivative(base, s);
  if (!base.is(Op::add) || exponent.sign() <= 0 || !slope.is_number() || slope.is_zero()) return std::nullopt;
  const Rational next = exponent + Rational(1);
  return s.pool().mul(free) * pow(base, next) / (next * slope);
}

}  // namespace

/// |P - Q|^2; empty where something has been reported.
Expr Builder::squared_distance(const syntax::Place& one, const syntax::Place& other) {
  const auto first = find_point(one), second = find_point(other);
  if (!first || !second) return {};
  if (first->size() != second->size()) {
    reports_.add("L0421", other.span,
                 fmt::format("one end has {} coordinates and the other {}", first->size(), second->size()),
                 "give both two or three components");
    return {};
  }
  std::vector<Expr> squares;
  for (std::size_t k = 0; k < first->size(); ++k) squares.push_back(pow((*first)[k] - (*second)[k], 2));
  return system_.pool->add(squares);
}

/// `P`, `B [a, b]` or `[x, y]`: one end alone.
bool Builder::is_place(Span span) const {
  const std::string_view text = text_at(masked_.text(), span);
  if (text.starts_with('[')) return true;
  const auto name = scan_name(text, 0);
  if (!name || !objects_.contains(name->text) || scope_.find(name->text) != nullptr) return false;
  const Span rest = trim(text, {name->end, text.size()});
  return rest.begin == rest.end || text[rest.begin] == '[';
}

/// F(d) of a spring, F(d, d') of a damper: read with symbols for d and d', so that the law of a spring is
/// integrated before they are put in.
std::optional<Builder::ElementLaw> Builder::read_law(const syntax::ElementDeclaration& syntax,
                                                     Expr distance) {
  Pool& pool = *system_.pool;
  const std::string& name = syntax.name.text;
  if (scope_.has_element(name)) {
    scope_.declare_element(syntax.name, {});  // says that the name is taken
    return std::nullopt;
  }
  const Expr length = pool.symbol("length__" + name, SymbolKind::auxiliary);
  const Expr rate = pool.symbol("rate__" + name, SymbolKind::auxiliary);
  const Domain before = scope_.take_domain();
  domain_.insert(domain_.end(), before.begin(), before.end());
  scope_.set_own_element(name, {length, {}, rate});
  const Expr law = scope_.read(*syntax.law, syntax.is_spring ? law_context : damper_law_context);
  scope_.forget_own_element(name);
  const Substitution values{{length, distance}, {rate, time_derivative(system_, distance)}};
  for (const auto& [e, bound] : scope_.take_domain()) domain_.push_back({substitute(e, values), bound});
  if (law.empty()) return std::nullopt;
  ElementLaw result{substitute(law, values), {}};
  if (!syntax.is_spring) return result;
  if (depends_on(law, rate)) {
    reports_.add(
        "L0461", *syntax.law, fmt::format("the law of a spring uses `rate({})`", excerpt(name)),
        fmt::format("write a `damper` with this law, or `damping` beside a law of `length({})` alone",
                    excerpt(name)));
    return std::nullopt;
  }
  result.potential = potential_of(syntax, law, length);
  if (result.potential.empty()) return std::nullopt;
  result.potential = substitute(result.potential, values);
  return result;
}

/// The integral of a law by the length; empty where none was found, which is reported.
Expr Builder::potential_of(const syntax::ElementDeclaration& syntax, Expr law, Expr length) {
  Algebra algebra(*system_.pool, small_algebra());
  const std::array whole{law};
  std::vector<Expr> parts;
  for (const Expr term : law.is(Op::add) ? law.args() : std::span<const Expr>(whole)) {
    auto part = power_integral(term, length);
    if (!part) part = antiderivative(algebra, term, length);
    if (part) parts.push_back(*part);
  }
  const Expr found = system_.pool->add(parts);
  if (algebra.is_zero(derivative(found, length) - law).holds()) {
    for (const Expr node : postorder(found)) {  // k/(n + 1) of a power n: the law itself does not divide
      const bool divides = node.is(Op::pow) && node.arg(1).is_number() && node.arg(1).number().sign() < 0 &&
                           !node.arg(0).is_constant() && !depends_on(node.arg(0), length);
      if (divides) domain_.push_back({node.arg(0), Bound::nonzero});
    }
    return found;
  }
  reports_.add("L0461", *syntax.law, "no potential of this law was found",
               "write a `damper` with this law: its force is the same, and `V` does not hold its work");
  return {};
}

/// A spring is the potential K/2*(d - L)^2, a damper the dissipation C/2*d'^2 of its length d.
void Builder::build(const syntax::ElementDeclaration& syntax, const Statement&) {
  if (!syntax.ends && is_place(syntax.measure)) {
    reports_.add(
        "L0402", {syntax.measure.end, syntax.measure.end}, "`to` and the other end are missing",
        "write `spring S: P to Q stiffness k`; instead of two points a length or an angle may stand");
    scope_.declare_element(syntax.name, {});
    return;
  }
  Expr squared = syntax.ends ? squared_distance(syntax.ends->first, syntax.ends->second) : Expr();
  if (!squared.empty() && squared.is_zero()) {
    reports_.add("L0418", syntax.ends->second.span, "the two ends are one point: nothing is stretched",
                 "give the point to which the other end is fixed");
    squared = {};
  }
  const Expr measure = syntax.ends ? Expr() : scope_.read(syntax.measure, measure_context);
  const auto read = [&](const std::optional<Span>& span, const Context& context) {
    return measured(span ? scope_.read(*span, context) : system_.pool->number(0));
  };
  const Expr stiffness = read(syntax.stiffness, spring_context), length = read(syntax.length, spring_context);
  const Expr damping = read(syntax.damping, damping_context);
  const bool measured = syntax.ends ? !squared.empty() : !measure.empty();
  if (!measured || stiffness.empty() || length.empty() || damping.empty()) {
    scope_.declare_element(syntax.name, {});  // what asks for it is not reported again
    return;
  }
  const Expr distance = syntax.ends ? sqrt(squared) : measure, rate = time_derivative(system_, distance);
  ElementLaw law{stiffness * (distance - length), {}};
  if (syntax.law) {
    auto found = read_law(syntax, distance);
    if (!found) {
      if (!scope_.has_element(syntax.name.text)) scope_.declare_element(syntax.name, {});
      return;
    }
    law = std::move(*found);
  }
  if (!scope_.declare_element(syntax.name, {distance, law.force + damping * rate, {}})) return;
  const std::string what =
      fmt::format("the {} `{}`", syntax.is_spring ? "spring" : "damper", syntax.name.text);
  if (syntax.ends) {
    SceneShape drawn;
    drawn.kind = syntax.is_spring ? ShapeKind::spring : ShapeKind::damper;
    drawn.name = syntax.name.text;
    drawn.points = {*find_point(syntax.ends->first), *find_point(syntax.ends->second)};
    scenery_.shapes.push_back(std::move(drawn));
    attach(syntax.ends->first);
    attach(syntax.ends->second);
  }
  // a number alone is in SI units; between points the units are known, else they are those of an energy
  const auto require = [&](const std::optional<Span>& span, Expr value, std::string_view part, Expr times,
                           const Dimension& dimension, const Dimension& of_energy) {
    if (!span || value.is_number()) return;
    const std::string named = fmt::format("the {} of {}", part, what);
    if (syntax.ends) {
      obligations_.is(value, *span, named, dimension);
    } else {
      obligations_.energy(value, *span, named, pow(times, -1), of_energy);
    }
  };
  const Expr square = pow(distance, 2);
  if (syntax.ends)
    obligations_.is(distance, syntax.measure, "the length of " + what, base_dimension(1, 0, 0));
  require(syntax.stiffness, stiffness, "stiffness", square, base_dimension(0, 1, -2), {});
  if (syntax.ends || !stiffness.is_number())
    require(syntax.length, length, "free length", stiffness * distance, base_dimension(1, 0, 0), {});
  require(syntax.damping, damping, "damping", pow(rate, 2), base_dimension(0, 1, -1),
          base_dimension(0, 0, -1));
  if (syntax.law) {
    if (!law.force.is_number())
      obligations_.energy(law.force, *syntax.law, "the force of " + what, pow(distance, -1));
    if (syntax.is_spring)
      potential_.push_back(law.potential);
    else
      add_work(1, {-law.force}, {rate});
  } else if (syntax.is_spring) {
    // without a free length it has no root
    const Expr stretched = syntax.ends && length.is_zero() ? squared : pow(distance - length, 2);
    potential_.push_back(stiffness * stretched / 2);
  }
  if (syntax.damping) add_dissipation(damping * pow(rate, 2) / 2);
}

/// A force along a length, a moment along an angle: the generalised forces of the power effort*measure'.
void Builder::build(const syntax::MotorDeclaration& syntax, const Statement&) {
  const Expr measure = scope_.read(syntax.measure, motor_context);
  const Expr effort = scope_.read(syntax.effort, effort_context);
  const auto [known, is_new] = motors_.emplace(syntax.name.text, syntax.name.span);
  if (scope_.is_constraint(syntax.name.text)) {
    reports_.add("L0407", syntax.name.span,
                 fmt::format("`{}` is the name of a constraint too", excerpt(syntax.name.text)),
                 "choose another name");
    return;
  }
  if (!is_new) {
    Diagnostic& diagnostic = reports_.add(
        "L0407", syntax.name.span, fmt::format("`{}` is the name of two motors", excerpt(syntax.name.text)),
        "choose another name");
    diagnostic.notes.push_back({known->second, "the first one is"});
    return;
  }
  if (measure.empty() || effort.empty()) return;
  const Expr rate = time_derivative(system_, measure);
  const std::vector<Expr> symbols = symbols_in(rate);
  if (std::none_of(symbols.begin(), symbols.end(),
                   [](Expr symbol) { return symbol.symbol().kind == SymbolKind::velocity; })) {
    reports_.add("L0418", syntax.measure, "nothing that moves stands here: the motor turns nothing",
                 "name a coordinate, an angle or a length made of coordinates");
    return;
  }
  if (!effort.is_number())
    obligations_.energy(effort, syntax.effort, fmt::format("the force of the motor `{}`", syntax.name.text),
                        pow(measure, -1));
  add_work(1, {effort}, {rate});
}

}  // namespace liaison

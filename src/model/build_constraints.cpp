#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/quantity.hpp"
#include "liaison/model/turned_state.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// A term is a symbol that no other term has: there is no repeated factor.
bool has_a_symbol_of_degree_one(Expr sum) {
  if (!sum.is(Op::add)) return sum.is(Op::symbol);
  return std::any_of(sum.args().begin(), sum.args().end(), [&](Expr term) {
    const Expr symbol = split_coefficient(term).second;
    return symbol.is(Op::symbol) && std::none_of(sum.args().begin(), sum.args().end(), [&](Expr other) {
             return other != term && depends_on(other, symbol);
           });
  });
}

/// What a power is one of, where its gradient vanishes with it: y of y^2, y^(3/2) and sqrt(y^5). A mere root
/// is itself.
Expr base_of_power(Expr e) {
  Expr base = e;
  Rational whole(1);
  while (base.is(Op::pow)) {
    whole *= base.arg(1).number();
    base = base.arg(0);
  }
  return whole >= Rational(1) ? base : e;
}

/// The factors of a product as it is written, each once: sin(x) of sin(x)^2, where the field knows 1 -
/// cos(x)^2.
Expr without_written_powers(Expr product) {
  const std::span<const Expr> all = product.is(Op::mul) ? product.args() : std::span<const Expr>(&product, 1);
  std::vector<Expr> bases;
  for (Expr factor : all) bases.push_back(base_of_power(factor));
  return product.pool().mul(bases);
}

/// A sum, or a product of sums, without the numbers that are terms of them.
Expr without_numbers(Expr e) {
  if (!e.is(Op::add) && !e.is(Op::mul)) return e;
  std::vector<Expr> kept;
  for (Expr arg : e.args()) {
    if (e.is(Op::mul)) {
      kept.push_back(arg.is(Op::add) ? without_numbers(arg) : arg);
    } else if (!arg.is_constant()) {
      kept.push_back(arg);
    }
  }
  return e.is(Op::mul) ? e.pool().mul(kept) : e.pool().add(kept);
}

const Context relation_context{"a constraint", true, true};
const Context power_context{"a power", true, true, false, true};
const Context value_context{"a value of the state", false, false, false, false, false, false};

}  // namespace

std::vector<Expr> velocities_in(Expr e) {
  std::vector<Expr> symbols = symbols_in(e);
  std::erase_if(symbols, [](Expr symbol) { return symbol.symbol().kind != SymbolKind::velocity; });
  return symbols;
}

bool has_velocity(Expr e) {
  return !velocities_in(e).empty();
}

bool Builder::name_constraint(const syntax::Name& name) {
  if (name.text.find('\'') != std::string::npos || name.text.find("__") != std::string::npos ||
      syntax::is_clause_word(name.text)) {
    return scope_.is_free(name);
  }
  const auto [known, is_new] = constraints_.emplace(name.text, name.span);
  if (is_new) return true;
  Diagnostic& diagnostic = reports_.add(
      "L0407", name.span, fmt::format("the constraint `{}` is declared twice", excerpt(name.text)),
      "choose another name");
  diagnostic.notes.push_back({known->second, "it was declared"});
  return false;
}

/// A relation must hold something that moves.
bool Builder::check_moves(Expr relation, Span span, const std::string& name) {
  for (Expr symbol : symbols_in(relation)) {
    const SymbolKind kind = symbol.symbol().kind;
    if (kind == SymbolKind::coordinate || kind == SymbolKind::velocity) return true;
  }
  reports_.add("L0418", span,
               fmt::format("the constraint `{}` has neither coordinates nor velocities", excerpt(name)),
               relation.is_zero() ? "both sides are the same: write a relation that says something"
                                  : "write a relation between coordinates, velocities and the time");
  return false;
}

/// A level is the set where it vanishes: (x - y)^2 = 0 is x - y = 0. The squared one has no gradient on that
/// set, and no force along it would keep anything.
Expr Builder::simple_level(Expr relation) {
  constexpr std::size_t longest = 120;  // nodes
  relation = without_written_powers(relation);
  if (postorder(relation).size() > longest || has_a_symbol_of_degree_one(relation)) return relation;
  AlgebraOptions options;
  options.max_operations = 1'000'000;
  try {
    return Algebra(*system_.pool, options).without_repeated_factors(relation);
  } catch (const Error&) {
    return relation;  // it has no value anywhere: that is told where it is used
  }
}

std::optional<Constraint> Builder::read_constraint(const syntax::ConstraintDeclaration& syntax, Span span,
                                                   bool is_equation) {
  Constraint constraint;
  constraint.name = syntax.name.text;
  constraint.span = span;
  constraint.relation_span = {std::min(syntax.left.begin, syntax.right.begin),
                              std::max(syntax.left.end, syntax.right.end)};
  constraint.power_kind = syntax.power_kind;
  const bool named = name_constraint(syntax.name);
  const Expr left = scope_.read(syntax.left, relation_context);
  const Expr right = scope_.read(syntax.right, relation_context);
  if (!named) return std::nullopt;
  if (syntax.power_kind == PowerKind::along) {
    if (!read_along(*syntax.power, constraint)) return std::nullopt;
  } else if (syntax.power) {
    constraint.power = scope_.read(*syntax.power, power_context);
    if (constraint.power.empty() || !check_power(constraint.power, *syntax.power)) return std::nullopt;
  }
  if (left.empty() || right.empty()) return std::nullopt;
  constraint.relation = left - right;
  if (!check_moves(constraint.relation, constraint.relation_span, constraint.name)) return std::nullopt;
  constraint.holonomic = !has_velocity(constraint.relation);
  const Expr level =
      constraint.holonomic && is_equation ? simple_level(constraint.relation) : constraint.relation;
  constraint.factor = scope_.factor(constraint.name);
  obligations_.same(left, syntax.left, "the left side", right, "the right side");
  const Expr moved = level != constraint.relation ? level : left.is_constant() ? right : left;
  const Expr speed = constraint.power.empty() ? moved : constraint.power;
  if (level == constraint.relation) written_sides_.emplace(constraint.name, std::pair(left, right));
  constraint.relation = level;
  if (is_equation) require_power(constraint, speed, syntax.power.value_or(syntax.left));
  return constraint;
}

/// lambda times what it moves is a power, or an energy where that is a level. The numbers in it stood alone
/// on their side: they have the unit of the other, which is checked with the sides.
void Builder::require_power(const Constraint& constraint, Expr moved, Span span) {
  const bool position_level = constraint.power.empty() && constraint.holonomic;
  if (constraint.power.empty()) moved = without_numbers(moved);
  if (moved.is_constant()) return;
  obligations_.energy(constraint.factor * moved, span, "the power", {},
                      position_level ? Dimension{} : base_dimension(0, 0, -1));
}

void Builder::build(const syntax::ConstraintDeclaration& syntax, const Statement& statement) {
  if (auto constraint = read_constraint(syntax, statement.span, true)) {
    system_.constraints.push_back(std::move(*constraint));
  }
}

bool Builder::check_power(Expr power, Span span) {
  if (!has_velocity(power)) {
    reports_.add("L0419", span, "a power without velocities maintains nothing",
                 "write it with the velocity that the force moves: `power x'`");
    return false;
  }
  if (power_gradient(power, velocities_in(power))) return true;
  Diagnostic& diagnostic = reports_.add("L0419", span, "this power is not of degree one in the velocities");
  diagnostic.label = "each term is a coefficient times one velocity or one norm of velocities";
  diagnostic.hint =
      "for example `power y' - f*abs(x')`; give the components with `along A*dx + B*dy` otherwise";
  return false;
}

/// A*dx + B*dy: linear in the forms, whose names are known here only.
bool Builder::read_along(Span span, Constraint& constraint) {
  std::unordered_map<std::string, Expr> locals;
  std::vector<Expr> forms;
  for (const Direction& direction : system_.directions) {
    forms.push_back(system_.pool->symbol("form__" + direction.velocity.symbol().name, SymbolKind::auxiliary));
    if (scope_.find(direction.form) == nullptr) locals.emplace(direction.form, forms.back());
  }
  scope_.set_locals(std::move(locals));
  const Expr sum = scope_.read(span, power_context);
  scope_.set_locals({});
  Substitution on_motion;  // a form's value there is its velocity
  for (std::size_t i = 0; i < forms.size(); ++i) on_motion.emplace(forms[i], system_.directions[i].velocity);
  for (const auto& [e, bound] : scope_.take_domain()) domain_.push_back({substitute(e, on_motion), bound});
  if (sum.empty()) return false;
  std::unordered_map<Expr, std::size_t> direction_of_form;
  for (std::size_t i = 0; i < forms.size(); ++i) direction_of_form.emplace(forms[i], i);
  std::vector<Expr> used = symbols_in(sum);
  std::erase_if(used, [&](Expr symbol) { return !direction_of_form.contains(symbol); });
  const auto linear = linear_coefficients(sum, used);
  if (!linear || !linear->rest.is_zero() ||
      std::all_of(linear->coefficients.begin(), linear->coefficients.end(),
                  [](Expr c) { return c.is_zero(); })) {
    reports_.add("L0419", span, "this is not a combination of the differentials of the coordinates",
                 "write `along A*dx + B*dy`; the form of a rate `p` is `w_p`");
    return false;
  }
  constraint.direction.assign(forms.size(), system_.pool->number(0));
  std::vector<Expr> terms;
  for (std::size_t j = 0; j < used.size(); ++j) {
    const std::size_t i = direction_of_form.at(used[j]);
    constraint.direction[i] = linear->coefficients[j];
    terms.push_back(linear->coefficients[j] * system_.directions[i].velocity);
  }
  constraint.power = system_.pool->add(terms);
  return true;
}

void Builder::build(const syntax::ReactionDeclaration& syntax, const Statement& statement) {
  Reaction reaction;
  reaction.name = syntax.name.text;
  reaction.span = statement.span;
  const bool named = name_constraint(syntax.name);
  reaction.power = scope_.read(syntax.power, power_context);
  if (!named || reaction.power.empty() || !check_power(reaction.power, syntax.power)) return;
  reaction.factor = scope_.factor(reaction.name);
  obligations_.energy(reaction.factor * reaction.power, syntax.power, "the power", {},
                      base_dimension(0, 0, -1));
  system_.reactions.push_back(std::move(reaction));
}

// ---- states ----

void Builder::build(const syntax::Start& syntax, const Statement& statement) {
  std::vector<InitialValue> values = read_state(syntax.values, false);
  add_turned(syntax.turned, values);
  for (InitialValue& value : values) {
    const Said said{value.span, statement.part};
    const auto [known, is_new] = starts_.emplace(value.symbol, std::pair(value.value, said));
    if (!is_new) {
      const std::string& name = value.symbol.symbol().name;
      if (said.part.empty() || known->second.first != value.value)
        report_twice(fmt::format("`{}` starts twice", name), "start " + name, known->second.second, said,
                     "the first value is");
      continue;
    }
    system_.start.push_back(std::move(value));
  }
}

std::vector<InitialValue> Builder::read_state(const std::vector<syntax::Assignment>& values, bool claim) {
  std::vector<InitialValue> state;
  Substitution known;
  for (const Parameter& parameter : system_.parameters) {
    if (parameter.value) known.emplace(parameter.symbol, parameter.exact());
  }
  for (const syntax::Assignment& assignment : values) {
    auto value = read_state_value(assignment, claim);
    if (value && check_sign(*value, assignment.value, known)) state.push_back(std::move(*value));
  }
  return state;
}

std::optional<InitialValue> Builder::read_state_value(const syntax::Assignment& assignment, bool claim) {
  const syntax::Name& name = assignment.name;
  const NameEntry* entry = scope_.find(name.text);
  const bool state =
      entry != nullptr && (entry->kind == NameKind::coordinate || entry->kind == NameKind::velocity ||
                           entry->kind == NameKind::rate || entry->kind == NameKind::velocity_parameter ||
                           entry->kind == NameKind::quaternion || entry->kind == NameKind::time);
  const bool parameter = claim && entry != nullptr && entry->kind == NameKind::parameter;
  if (!state && !parameter) {
    Diagnostic& diagnostic =
        reports_.add("L0424", name.span, fmt::format("`{}` is not a part of the state", excerpt(name.text)));
    if (entry != nullptr) diagnostic.label = fmt::format("it is {}", describe(entry->kind));
    const auto near = entry == nullptr ? nearest_name(name.text, scope_.known_names()) : std::nullopt;
    diagnostic.hint = near    ? fmt::format("did you mean `{}`?", *near)
                      : claim ? "give values to coordinates, velocities, rates, the time and parameters"
                              : "give values to coordinates `x`, velocities `x'`, rates and the time";
    return std::nullopt;
  }
  const QuantityText text = split_unit(masked_.text(), assignment.value);
  const Expr written = scope_.read(text.value, value_context);
  if (written.empty()) return std::nullopt;
  Quantity quantity = in_si_units(system_, entry->value, written, masked_, text);
  if (quantity.problem) {
    reports_.add(std::move(*quantity.problem));
    return std::nullopt;
  }
  obligations_.same(entry->value, text.value, "`" + name.text + "`", quantity.value, "its value");
  return InitialValue{entry->value, quantity.value, name.span};
}

/// The quaternions of rotations that are given by angles.
void Builder::add_turned(const std::vector<syntax::Turned>& given, std::vector<InitialValue>& state) {
  for (const syntax::Turned& one : given) {
    std::vector<Diagnostic> problems;
    const auto value = [&](Span span) {
      const QuantityText text = split_unit(masked_.text(), span);
      const Expr written = scope_.read(text.value, value_context);
      if (written.empty()) return Expr();
      Quantity quantity = in_si_units(system_, {}, written, masked_, text);
      if (quantity.problem) problems.push_back(std::move(*quantity.problem));
      if (!quantity.value.empty() && !quantity.value.is_constant())
        obligations_.is(quantity.value, span, "an angle", Dimension{});
      return quantity.value;
    };
    const auto turned = read_turned_state(system_, masked_.text(), one.span, value, problems);
    for (Diagnostic& problem : problems) reports_.add(std::move(problem));
    for (std::size_t k = 0; turned && k < 4; ++k)
      state.push_back({turned->symbols[k], turned->values[k], turned->name});
  }
}

/// Refuses a value that a declared sign excludes, at the values that the model and the claim give so far.
bool Builder::check_sign(const InitialValue& given, Span span, Substitution& known) {
  if (given.symbol.symbol().kind != SymbolKind::parameter) return true;
  std::optional<int> sign;
  try {
    const Expr value = substitute(given.value, known);
    if (value.is_constant()) sign = value.is_number() ? value.number().sign() : constant_sign(value);
    known[given.symbol] = value;
  } catch (const Error&) {  // it has no value at all, which is said where it is needed
    known.erase(given.symbol);
  }
  if (!given.symbol.symbol().positive || !sign || *sign > 0) return true;
  reports_.add(not_positive(given.symbol, split_unit(masked_.text(), span).value));
  return false;
}

}  // namespace liaison

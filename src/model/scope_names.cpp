#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/parse.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/integrals.hpp"
#include "liaison/model/kinematics.hpp"
#include "scope.hpp"
#include "text.hpp"

namespace liaison {

namespace {

constexpr std::string_view input_of_time = "an input";
constexpr std::string_view place_of_states =
    "an input is a function of the time alone: what depends on the state is a `let`, or stands in "
    "`force x = ...` or a `motor`";

bool is_output(std::string_view text, const std::string& name) {
  const std::vector<Span> statements = cut_statements(text, text);
  return std::any_of(statements.begin(), statements.end(), [&](Span statement) {
    const auto word = scan_name(text.substr(0, statement.end), statement.begin);
    if (!word || word->text != "output") return false;
    const auto named = scan_name(text.substr(0, statement.end), trim(text, {word->end, statement.end}).begin);
    return named && named->text == name;
  });
}

bool is_pi(std::string_view name) {
  return name == "Pi" || name == "PI";
}

}  // namespace

/// The value, or a report if the context has no place for it.
ResolvedName Scope::allowed(const std::string& name, Span span, Expr value, const Domain& domain) {
  const Context& context = *context_;
  const auto refuse = [&](Expr symbol, std::string_view what, std::string code, std::string hint) {
    ResolvedName result;
    std::string message = fmt::format("{} cannot stand in {}", quote(name), context.what);
    Diagnostic diagnostic = make_diagnostic(std::move(code), span, std::move(message), std::move(hint));
    const std::string& inner = symbol.symbol().name;
    const bool is_hidden =
        inner.find("__") != std::string::npos;  // of what has no name of its own in the text
    diagnostic.label = symbol == value ? std::string(what)
                       : is_hidden     ? fmt::format("contains {}", what)
                                       : fmt::format("contains {}, {}", quote(inner), what);
    result.diagnostics.push_back(std::move(diagnostic));
    return result;
  };
  if (!context.queries && holds_integral(value)) {
    ResolvedName result;
    result.diagnostics.push_back(make_diagnostic(
        "L0430", span, fmt::format("{} holds an integral and cannot stand in {}", quote(name), context.what),
        std::string(place_of_integrals)));
    return result;
  }
  const bool only_positions = context.coordinates && context.time;
  for (Expr symbol : symbols_in(value)) {
    switch (symbol.symbol().kind) {
      case SymbolKind::parameter: break;
      case SymbolKind::coordinate:
        if (!context.coordinates && context.what == input_of_time)
          return refuse(symbol, "a coordinate", "L0425", std::string(place_of_states));
        if (!context.coordinates) {
          return refuse(symbol, "a coordinate", "L0425",
                        context.time ? "use parameters and the time" : "use numbers and parameters");
        }
        break;
      case SymbolKind::time:
        if (!context.time) return refuse(symbol, "the time", "L0425", "use numbers and parameters");
        break;
      case SymbolKind::velocity:
        if (!context.velocities && context.what == input_of_time)
          return refuse(symbol, "a velocity", "L0414", std::string(place_of_states));
        if (!context.velocities) {
          return refuse(symbol, "a velocity", "L0414",
                        only_positions ? "use coordinates, parameters and the time" : "use parameters");
        }
        break;
      case SymbolKind::multiplier:
        if (!context.multipliers) {
          return refuse(symbol, "the factor of a constraint", "L0430",
                        "factors are for the power of a constraint, for outputs and for claims");
        }
        break;
      case SymbolKind::auxiliary: {
        const bool rheonomic =
            std::any_of(system_.rheonomic.begin(), system_.rheonomic.end(),
                        [&](const Rheonomic& r) { return r.symbol == symbol || r.velocity == symbol; });
        const bool local =
            std::any_of(locals_.begin(), locals_.end(), [&](const auto& l) { return l.second == symbol; });
        if (rheonomic ? context.time : local || context.accelerations) break;
        if (rheonomic) return refuse(symbol, "a rheonomic coordinate", "L0425", "use numbers and parameters");
        if (is_energy(symbol) && context.queries) break;
        if (is_energy(symbol))
          return refuse(symbol, "an energy", "L0430", "energies are for claims and outputs");
        if (is_derived_quantity(symbol))
          return refuse(symbol, "a derived quantity", "L0430",
                        "derived quantities are for claims and outputs");
        return refuse(symbol, "an acceleration", "L0430", "accelerations are for claims and outputs");
      }
    }
  }
  return {value, {}, 0, domain};
}

std::optional<ResolvedName> Scope::resolve(const std::string& name, Span span) {
  if (name == "if") return resolve_if(span);
  if (auto member = resolve_member(name, span)) return member;
  if (const auto local = locals_.find(name); local != locals_.end())
    return ResolvedName{local->second, {}, 0};
  if (const auto known = names_.find(name); known != names_.end()) {
    if (known->second.kind == NameKind::function) return std::nullopt;
    return allowed(name, span, known->second.value, known->second.domain);
  }
  if (name == "pi" || find_operator(name) != nullptr || name == "sqrt") return std::nullopt;
  if (name.starts_with("lambda_") && is_constraint(name.substr(7))) {
    ask_for_constraint({name.substr(7), span});
    return allowed(name, span, factor(name.substr(7)));
  }
  if (name.ends_with('\'')) {
    if (auto resolved = resolve_primes(name, span)) return resolved;
  }
  const bool asks = name == "T" || name == "V" || name == "det_r";
  if (asks && context_->queries && !later_.contains(name)) {
    const QueryKind kind = name == "T"   ? QueryKind::kinetic
                           : name == "V" ? QueryKind::potential
                                         : QueryKind::det_r;
    return ResolvedName{query(kind, {}), {}, 0};
  }
  return unknown(name, span);
}

Expr Scope::find_acceleration(const std::string& name) {
  if (!name.ends_with('\'')) return {};
  const NameEntry* velocity = find(name.substr(0, name.size() - 1));
  if (velocity == nullptr) return {};
  const bool has_one = velocity->kind == NameKind::velocity || velocity->kind == NameKind::rate ||
                       velocity->kind == NameKind::velocity_parameter;
  return has_one ? acceleration_symbol(velocity->value) : Expr();
}

/// An acceleration, factor or derived quantity in e, which has no derivative on the state; empty if there is
/// none.
Expr Scope::find_derived(Expr e) const {
  const auto is_acceleration = [this](const std::string& name) {
    const NameEntry* base = name.ends_with('\'') ? find(name.substr(0, name.size() - 1)) : nullptr;
    return base != nullptr && (base->kind == NameKind::velocity || base->kind == NameKind::rate);
  };
  for (Expr symbol : symbols_in(e)) {
    if (symbol.symbol().kind == SymbolKind::multiplier) return symbol;
    if (symbol.symbol().kind != SymbolKind::auxiliary) continue;
    if (is_acceleration(symbol.symbol().name)) return symbol;
    if (!is_energy(symbol) && is_derived_quantity(symbol)) return symbol;
  }
  return {};
}

bool Scope::is_energy(Expr symbol) const {
  return std::any_of(system_.queries.begin(), system_.queries.end(), [&](const Query& query) {
    return query.symbol == symbol && (query.kind == QueryKind::kinetic || query.kind == QueryKind::potential);
  });
}

bool Scope::is_derived_quantity(Expr symbol) const {
  const auto asks = [&](const auto& asked) { return asked.symbol == symbol; };
  return std::any_of(system_.queries.begin(), system_.queries.end(), asks) ||
         std::any_of(deferred_.begin(), deferred_.end(), asks);
}

/// de/dt, with T' and V' where e holds the energies.
Expr Scope::rate_of(Expr e, Span span) {
  Expr rate = time_derivative(system_, e);
  for (std::size_t i = 0; i < system_.queries.size(); ++i) {
    const Query asked = system_.queries[i];
    if (!is_energy(asked.symbol) || !depends_on(e, asked.symbol)) continue;
    const auto kind =
        asked.kind == QueryKind::kinetic ? Deferred::Kind::kinetic_rate : Deferred::Kind::potential_rate;
    rate += derivative(e, asked.symbol) * deferred(kind, {}, span);
  }
  return rate;
}

ResolvedName Scope::refuse_derivative(const std::string& name, Span span, Expr last) const {
  Diagnostic diagnostic = make_diagnostic(
      "L0408", span, fmt::format("{} has no derivative {}", quote(stem_of(name)), quote(name)), "");
  diagnostic.label = fmt::format("it holds {}", quote(to_infix(last)));
  diagnostic.hint =
      "derivatives end at accelerations: claim the acceleration first, and differentiate what it is equal to";
  return ResolvedName{{}, {std::move(diagnostic)}, 0};
}

/// The time derivative of what a name stands for, as often as it has primes.
ResolvedName Scope::derived(const std::string& name, Span span, Expr value, Domain domain,
                            std::size_t primes) {
  if (holds_integral(value)) {
    ResolvedName result;
    result.diagnostics.push_back(make_diagnostic("L0408", span,
                                                 fmt::format("{} holds an integral", quote(stem_of(name))),
                                                 "its rate is what is integrated: write that"));
    return result;
  }
  for (std::size_t i = 0; i < primes; ++i) {
    if (const Expr last = find_derived(value); !last.empty()) return refuse_derivative(name, span, last);
    note_corners(value);
    value = rate_of(value, span);
  }
  const std::array alone{value};
  add_requirements(domain, natural_domain(alone));
  return allowed(name, span, value, domain);
}

/// x'' of a velocity x', V' of a name for an expression.
std::optional<ResolvedName> Scope::resolve_primes(const std::string& name, Span span) {
  if (const Expr acceleration = find_acceleration(name); !acceleration.empty()) {
    return allowed(name, span, acceleration);
  }
  const NameEntry* base = find(stem_of(name));
  if (base == nullptr && (name == "T'" || name == "V'") && !later_.contains(stem_of(name)) &&
      context_->queries) {
    return allowed(
        name, span,
        deferred(name == "T'" ? Deferred::Kind::kinetic_rate : Deferred::Kind::potential_rate, {}, span));
  }
  if (base == nullptr) return std::nullopt;
  const std::size_t primes = name.size() - stem_of(name).size();
  const bool derivable = base->kind == NameKind::let || base->kind == NameKind::matrix_entry ||
                         base->kind == NameKind::quaternion || base->kind == NameKind::rheonomic;
  if (derivable && primes <= 2) {
    return derived(name, span, base->value, base->domain, primes);
  }
  Diagnostic diagnostic = make_diagnostic(
      "L0408", span, fmt::format("{} has no derivative {}", quote(stem_of(name)), quote(name)), "");
  diagnostic.label = fmt::format("{} is {}", quote(stem_of(name)), describe(base->kind));
  diagnostic.hint = base->kind == NameKind::parameter
                        ? "a parameter does not change; declare it as `coord` if it shall move"
                        : "derivatives end at accelerations: `x'` and `x''` of a coordinate `x`";
  return ResolvedName{{}, {std::move(diagnostic)}, 0};
}

/// x' for xdot, x_dot, xd, dx, and x'' for xddot, x_ddot, ddx, where x is a coordinate.
std::optional<std::string> Scope::rate_written_otherwise(const std::string& name) const {
  const auto is_coordinate = [&](const std::string& stem) {
    const auto found = names_.find(stem);
    return found != names_.end() && found->second.kind == NameKind::coordinate;
  };
  for (const auto& [ending, primes] :
       {std::pair("_ddot", "''"), std::pair("ddot", "''"), std::pair("_dot", "'"), std::pair("dot", "'"),
        std::pair("dd", "''"), std::pair("d", "'")}) {
    const std::string_view text = ending;
    if (!name.ends_with(text)) continue;
    const std::string stem = name.substr(0, name.size() - text.size());
    if (is_coordinate(stem)) return stem + primes;
  }
  for (const auto& [beginning, primes] : {std::pair("dd", "''"), std::pair("d", "'"), std::pair("v_", "'")}) {
    const std::string_view text = beginning;
    if (name.starts_with(text) && is_coordinate(name.substr(text.size())))
      return name.substr(text.size()) + primes;
  }
  return std::nullopt;
}

ResolvedName Scope::unknown(const std::string& name, Span span) {
  ResolvedName result;
  if (is_excused(stem_of(name))) return result;
  const auto declared = later_.find(stem_of(name));
  if (declared != later_.end()) {
    const auto [place, end] = declared->second;
    // a declaration above that did not succeed has been reported
    if (end <= span.begin) return result;
    const bool by_itself = place.begin < span.begin;
    Diagnostic diagnostic =
        by_itself
            ? make_diagnostic("L0409", span, fmt::format("{} is declared by itself", quote(stem_of(name))),
                              "say what it is by other names")
            : make_diagnostic("L0409", span, fmt::format("{} is used before it is declared", quote(name)),
                              "move the declaration up");
    diagnostic.notes.push_back({place, quote(stem_of(name)) + " is declared"});
    result.diagnostics.push_back(std::move(diagnostic));
    return result;
  }
  Diagnostic diagnostic = make_diagnostic("L0408", span, "unknown name " + quote(name));
  const std::vector<std::string> names = known_names();
  if (name == "T" || name == "V") {
    diagnostic.hint = fmt::format(
        "the energies `T` and `V` have these names in claims, outputs, events and `let`; elsewhere write the "
        "expression, or declare `param {} = 1`",
        name);
  } else if (const std::string stem = stem_of(name); is_output(masked_.text(), stem)) {
    diagnostic.label = "an output";
    diagnostic.hint = fmt::format(
        "expressions know names of `let` alone: write `let {0} = ...`, and `output {0} = {0}` to keep it as "
        "an "
        "output",
        excerpt(stem));
  } else if (is_pi(name)) {
    diagnostic.hint = "the number is written `pi`";
  } else if (name == "kinetic" || name == "potential" || name == "energy") {
    diagnostic.hint = "the energies are `T`, `V` and `T + V` in claims, outputs and `let`";
  } else if (objects_ != nullptr && objects_->knows(name)) {
    diagnostic.label = "a particle, a body or a frame";
    diagnostic.hint = fmt::format(
        "write `{0}.x` for a coordinate of it; a point of a body is that of a `frame` on it", excerpt(name));
  } else if (const auto rate = rate_written_otherwise(name)) {
    diagnostic.hint = fmt::format("rates are written with a prime: {}", quote(*rate));
  } else if (const auto near = nearest_name(name, names)) {
    diagnostic.hint = fmt::format("did you mean {}?", quote(*near));
  } else if (name == "e") {
    diagnostic.hint = "write `exp(1)` for the base of the natural logarithm";
  } else if (name.ends_with('\'')) {
    diagnostic.hint = fmt::format("declare the coordinate: `coord {}`", excerpt(stem_of(name)));
  } else {
    diagnostic.hint = fmt::format("declare it: `param {} = 1` or `coord {}`", excerpt(name), excerpt(name));
  }
  result.diagnostics.push_back(std::move(diagnostic));
  return result;
}

bool Scope::is_constraint(const std::string& name) const {
  if (constraints_.contains(name)) return true;
  if (const std::size_t part = name.rfind('_');
      part != std::string::npos && joints_.contains(name.substr(0, part)))
    return true;
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != std::string::npos && last + 1 < name.size() && name[last] == '_' &&
         unilaterals_.contains(name.substr(0, last));
}

Expr Scope::factor(const std::string& constraint) {
  return system_.pool->symbol("lambda_" + constraint, SymbolKind::multiplier);
}

void Scope::report_unknown_constraint(const std::string& name, Span span) {
  if (is_excused(name)) return;
  Diagnostic& diagnostic = reports_.add("L0423", span, fmt::format("there is no constraint {}", quote(name)));
  if (const auto near = nearest_name(name, constraint_order_)) {
    diagnostic.hint = fmt::format("did you mean {}?", quote(*near));
  } else if (constraint_order_.empty()) {
    diagnostic.hint = fmt::format("declare it: `constraint {}: ... = 0`", excerpt(name));
  } else {
    diagnostic.hint = fmt::format("the first one is {}", quote(constraint_order_.front()));
  }
}

}  // namespace liaison

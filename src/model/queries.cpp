#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "liaison/model/kinematics.hpp"
#include "scope.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// What a claim may ask by a call.
struct QueryRow {
  std::string_view name;
  QueryKind kind;
  std::size_t arity;
  std::string_view form;
};
constexpr std::array query_table{
    QueryRow{"r", QueryKind::r, 2, "`r(c1, c2)` of two constraints"},
    QueryRow{"drive", QueryKind::drive, 1, "`drive(c)` of a constraint"},
    QueryRow{"free", QueryKind::free, 1, "`free(x'')` of an acceleration"},
    QueryRow{"dir", QueryKind::direction, 2, "`dir(c, x'')` of a constraint and an acceleration"},
    QueryRow{"power", QueryKind::power, 1, "`power(c)` of a constraint"},
    QueryRow{"omega", QueryKind::omega, 2, "`omega(x', x)` of two of the names `x`, `x'`, `t`, `w_p`"},
    QueryRow{"omega_r", QueryKind::omega_r, 2, "`omega_r(x', x)` of two of the names `x`, `x'`, `t`, `w_p`"},
    QueryRow{"omega_s", QueryKind::omega_s, 2, "`omega_s(x', x)` of two of the names `x`, `x'`, `t`, `w_p`"},
};

/// How a call is written that is no row of the table: `lambda`, and what drives do.
std::string form_of(const QueryRow* row, const std::string& name) {
  if (row != nullptr) return std::string(row->form);
  if (name == "lambda") return "`lambda(c)` of a constraint";
  if (name == "length" || name == "rate" || name == "tension")
    return fmt::format("`{}(S)` of a spring or a damper", name);
  return fmt::format("`{}(s)` of a rheonomic coordinate, of a constraint that moves, or of `t`", name);
}

const QueryRow* find_query(std::string_view name) {
  const auto row = std::find_if(query_table.begin(), query_table.end(),
                                [&](const QueryRow& candidate) { return candidate.name == name; });
  return row == query_table.end() ? nullptr : &*row;
}

std::string_view name_of(QueryKind kind) {
  switch (kind) {
    case QueryKind::det_r: return "det_r";
    case QueryKind::kinetic: return "T";
    case QueryKind::potential: return "V";
    default: break;
  }
  for (const QueryRow& row : query_table) {
    if (row.kind == kind) return row.name;
  }
  return "query";
}

/// x'' as x__2: a symbol's name has primes only at its end.
std::string encode(const std::string& name) {
  const std::size_t primes = std::min(name.find('\''), name.size());
  if (primes == name.size()) return name;
  return fmt::format("{}__{}", name.substr(0, primes), name.size() - primes);
}

/// The names between an opening bracket and its partner; nothing if these are not names.
std::optional<std::vector<syntax::Name>> read_arguments(std::string_view text, std::size_t open,
                                                        std::size_t* end) {
  std::vector<syntax::Name> arguments;
  std::size_t offset = open + 1;
  const auto skip = [&] { offset = trim(text, {offset, text.size()}).begin; };
  while (true) {
    skip();
    const auto name = scan_name(text, offset);
    if (!name) return std::nullopt;
    arguments.push_back({name->text, {offset, name->end}});
    offset = name->end;
    skip();
    if (offset >= text.size()) return std::nullopt;
    if (text[offset] == ')') break;
    if (text[offset++] != ',') return std::nullopt;
  }
  *end = offset + 1;
  return arguments;
}

}  // namespace

/// lambda(c), r(c, d) and their like; other calls are left to the expression.
std::optional<ResolvedName> Scope::resolve_call(const std::string& name, Span span, std::size_t open) {
  if (auto condition = resolve_condition_call(name, span, open)) return condition;
  const NameEntry* declared = find(name);
  const bool is_function = declared != nullptr && declared->kind == NameKind::function;
  if (name == "distance" && declared == nullptr && !later_.contains(name) && objects_ != nullptr)
    return resolve_distance(span, open);
  if ((name == "velocity" || name == "speed") && declared == nullptr && !later_.contains(name) &&
      objects_ != nullptr)
    return resolve_velocity(name == "speed", span, open);
  if (name == "integral" && declared == nullptr && !later_.contains(name))
    return resolve_integral(span, open);
  const QueryRow* row = find_query(name);
  const bool is_drive = name == "drive_force" || name == "drive_power";
  const bool is_element = name == "length" || name == "rate" || name == "tension";
  if (is_function || (row == nullptr && name != "lambda" && !is_drive && !is_element)) return std::nullopt;
  std::size_t end = 0;
  const std::string_view text = masked_.text().substr(0, part_end_);
  const auto arguments = read_arguments(text, open, &end);
  if (!arguments) {
    // a product without its sign, r (x + y), is the expression's to explain
    if (declared != nullptr || (row != nullptr && !context_->queries)) return std::nullopt;
    const std::string form = form_of(row, name);
    ResolvedName result;
    result.diagnostics.push_back(make_diagnostic(
        "L0429", span, fmt::format("`{}` takes names between its brackets", name), "write " + form));
    const std::size_t close = text.find(')', open);
    result.end = close == std::string_view::npos ? text.size() : close + 1;
    return result;
  }
  ResolvedName result = is_element ? read_element(name, {span.begin, end}, *arguments)
                                   : read_query(name, {span.begin, end}, *arguments);
  result.end = end;
  return result;
}

void Scope::set_own_element(const std::string& name, ElementEntry element) {
  set_locals({{"length of " + name, element.length}, {"rate of " + name, element.rate}});
  elements_.insert_or_assign(name, std::pair(element, Span{}));
}

void Scope::forget_own_element(const std::string& name) {
  set_locals({});
  elements_.erase(name);
}

bool Scope::declare_element(const syntax::Name& name, ElementEntry element) {
  const auto [known, is_new] = elements_.emplace(name.text, std::pair(element, name.span));
  if (is_new) return true;
  Diagnostic& diagnostic =
      reports_.add("L0407", name.span, fmt::format("`{}` is the name of two springs or dampers", name.text),
                   "choose another name");
  diagnostic.notes.push_back({known->second.second, "the first one is"});
  return false;
}

/// length(S), rate(S), tension(S)
ResolvedName Scope::read_element(const std::string& name, Span span,
                                 const std::vector<syntax::Name>& arguments) {
  ResolvedName result;
  const auto found = arguments.size() == 1 ? elements_.find(arguments[0].text) : elements_.end();
  if (found != elements_.end()) {
    const ElementEntry& element = found->second.first;
    Expr value = name == "tension" ? element.tension : element.length;
    if (!value.empty() && name == "rate")
      value = element.rate.empty() ? time_derivative(system_, element.length) : element.rate;
    if (value.empty() && !element.rate.empty()) {
      result.diagnostics.push_back(make_diagnostic("L0430", span, "a law cannot use the force that it gives",
                                                   "it may use `length(NAME)`"));
      return result;
    }
    if (value.empty()) return result;  // its declaration has been reported
    return allowed(fmt::format("{}({})", name, arguments[0].text), span, value,
                   natural_domain(std::array{value}));
  }
  if (arguments.size() == 1 && is_excused(arguments[0].text)) return result;
  if (arguments.size() != 1) {
    result.diagnostics.push_back(make_diagnostic("L0429", span, fmt::format("`{}` takes one name", name),
                                                 "write " + form_of(nullptr, name)));
    return result;
  }
  std::vector<std::string> names;
  for (const auto& [known, entry] : elements_) names.push_back(known);
  const auto near = nearest_name(arguments[0].text, names);
  result.diagnostics.push_back(make_diagnostic(
      "L0431", arguments[0].span,
      fmt::format("there is no spring or damper `{}` above", excerpt(arguments[0].text)),
      near ? fmt::format("did you mean `{}`?", *near)
           : fmt::format("declare it: `spring {}: P to Q stiffness k`", excerpt(arguments[0].text))));
  return result;
}

ResolvedName Scope::read_query(const std::string& name, Span span,
                               const std::vector<syntax::Name>& arguments) {
  const QueryRow* row = find_query(name);
  const std::size_t arity = row == nullptr ? 1 : row->arity;
  ResolvedName result;
  const bool is_drive = name == "drive_force" || name == "drive_power";
  if ((row != nullptr || is_drive) && !context_->queries) {
    result.diagnostics.push_back(
        make_diagnostic("L0430", span, fmt::format("`{}(...)` cannot stand in {}", name, context_->what),
                        "derived quantities are for claims and outputs"));
    return result;
  }
  if (arguments.size() != arity) {
    const std::string form = form_of(row, name);
    result.diagnostics.push_back(
        make_diagnostic("L0429", span,
                        fmt::format("`{}` takes {} name{}, here {} {}", name, arity, arity == 1 ? "" : "s",
                                    arguments.size() == 1 ? "is" : "are", arguments.size()),
                        "write " + form));
    return result;
  }
  if (is_drive) {
    if (auto wrong = check_drive(arguments[0])) {
      result.diagnostics.push_back(std::move(*wrong));
      return result;
    }
    const auto kind = name == "drive_force" ? Deferred::Kind::drive_force : Deferred::Kind::drive_power;
    return allowed(name, span, deferred(kind, arguments[0].text, span));
  }
  if (auto wrong = check_query(row == nullptr ? QueryKind::drive : row->kind, arguments)) {
    result.diagnostics.push_back(std::move(*wrong));
    return result;
  }
  if (row == nullptr)
    return allowed(fmt::format("lambda({})", arguments[0].text), span, factor(arguments[0].text));
  std::vector<std::string> names;
  for (const syntax::Name& argument : arguments) names.push_back(argument.text);
  result.value = query(row->kind, std::move(names));
  return result;
}

/// Whether the names are what the query is about.
std::optional<Diagnostic> Scope::check_query(QueryKind kind, const std::vector<syntax::Name>& arguments) {
  const auto constraint = [&](const syntax::Name& name) -> std::optional<Diagnostic> {
    if (is_constraint(name.text)) {
      ask_for_constraint(name);
      return std::nullopt;
    }
    if (is_excused(name.text)) return std::nullopt;
    Diagnostic diagnostic =
        make_diagnostic("L0423", name.span, fmt::format("there is no constraint `{}`", excerpt(name.text)));
    const auto near = nearest_name(name.text, constraint_order_);
    diagnostic.hint = near ? fmt::format("did you mean `{}`?", *near)
                           : fmt::format("declare it: `constraint {}: ... = 0`", excerpt(name.text));
    return diagnostic;
  };
  const auto acceleration = [&](const syntax::Name& name) -> std::optional<Diagnostic> {
    if (!find_acceleration(name.text).empty()) return std::nullopt;
    return make_diagnostic("L0429", name.span, fmt::format("`{}` is not an acceleration", excerpt(name.text)),
                           "write `x''` of a coordinate, `p'` of a rate or `u'` of a velocity parameter");
  };
  const auto form = [&](const syntax::Name& name) -> std::optional<Diagnostic> {
    const std::string rate = name.text.starts_with("w_") ? name.text.substr(2) : "";
    const NameEntry* entry = find(rate.empty() ? name.text : rate);
    const bool rotation_form = !rate.empty() && entry != nullptr && entry->kind == NameKind::rate;
    const bool differential = rate.empty() && entry != nullptr &&
                              (entry->kind == NameKind::coordinate || entry->kind == NameKind::velocity ||
                               entry->kind == NameKind::rate || entry->kind == NameKind::velocity_parameter ||
                               entry->kind == NameKind::time);
    if (rotation_form || differential) return std::nullopt;
    return make_diagnostic(
        "L0429", name.span, fmt::format("`{}` is not a variable of the state", excerpt(name.text)),
        "write a coordinate `x`, a velocity `x'`, `t`, or `w_p` for the form of a rate `p`");
  };
  switch (kind) {
    case QueryKind::r:
      if (auto wrong = constraint(arguments[0])) return wrong;
      return constraint(arguments[1]);
    case QueryKind::drive:
    case QueryKind::power: return constraint(arguments[0]);
    case QueryKind::free: return acceleration(arguments[0]);
    case QueryKind::direction:
      if (auto wrong = constraint(arguments[0])) return wrong;
      return acceleration(arguments[1]);
    case QueryKind::omega:
    case QueryKind::omega_r:
    case QueryKind::omega_s:
      if (auto wrong = form(arguments[0])) return wrong;
      return form(arguments[1]);
    case QueryKind::det_r:
    case QueryKind::kinetic:
    case QueryKind::potential: return std::nullopt;
  }
  return std::nullopt;
}

/// The symbol of a query, registered on first use.
Expr Scope::query(QueryKind kind, std::vector<std::string> names) {
  std::string symbol_name(name_of(kind));
  for (const std::string& name : names) symbol_name += "__" + encode(name);
  const Expr symbol = system_.pool->symbol(symbol_name, SymbolKind::auxiliary);
  const bool known = std::any_of(system_.queries.begin(), system_.queries.end(),
                                 [&](const Query& query) { return query.symbol == symbol; });
  if (!known) system_.queries.push_back({kind, std::move(names), symbol});
  return symbol;
}

/// What may drive a system: a rheonomic coordinate, the time, or a constraint; whether this one moves is
/// known at the end.
std::optional<Diagnostic> Scope::check_drive(const syntax::Name& name) {
  const NameEntry* entry = find(name.text);
  const bool drives =
      entry != nullptr && (entry->kind == NameKind::rheonomic || entry->kind == NameKind::time);
  if (drives || is_excused(name.text)) return std::nullopt;
  if (is_constraint(name.text)) {
    ask_for_constraint(name);
    return std::nullopt;
  }
  std::vector<std::string> names = constraint_order_;
  for (const Rheonomic& chosen : system_.rheonomic) names.push_back(chosen.name);
  const auto near = nearest_name(name.text, names);
  return make_diagnostic("L0429", name.span, fmt::format("nothing is driven by `{}`", excerpt(name.text)),
                         near ? fmt::format("did you mean `{}`?", *near)
                              : "name a rheonomic coordinate, a constraint that moves, or `t`");
}

/// The symbol of what is put in at the end, registered on first use.
Expr Scope::deferred(Deferred::Kind kind, const std::string& name, Span span) {
  using Kind = Deferred::Kind;
  const std::string stem = kind == Kind::kinetic_rate     ? "T__1"
                           : kind == Kind::potential_rate ? "V__1"
                           : kind == Kind::drive_force    ? "drive_force__"
                                                          : "drive_power__";
  const Expr symbol = system_.pool->symbol(stem + name, SymbolKind::auxiliary);
  const bool known = std::any_of(deferred_.begin(), deferred_.end(),
                                 [&](const Deferred& asked) { return asked.symbol == symbol; });
  if (!known) deferred_.push_back({kind, name, symbol, span});
  return symbol;
}

}  // namespace liaison

#include "scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "liaison/algebra/pieces.hpp"
#include "liaison/expr/operator_table.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/foreign_forms.hpp"
#include "liaison/model/quantity.hpp"
#include "text.hpp"

namespace liaison {

namespace {

/// Why a word cannot be a name; empty if it can.
std::string reason_against(const std::string& name) {
  if (name.find('\'') != std::string::npos) return "a prime is a time derivative, not a part of a name";
  if (name == "t") return "it is the time";
  if (name == "pi") return "it is the number";
  if (syntax::is_clause_word(name)) return "it is a word of the language";
  if (find_operator(name) != nullptr || name == "sqrt") return "it is a function of the language";
  if (name.find("__") != std::string::npos) return "two underscores are for names the program makes";
  if (name.starts_with("lambda_")) return "it would be the factor of a constraint";
  return {};
}

/// A unit may stand in brackets behind the value of a parameter and of a part of the state.
bool takes_unit(const Context& context) {
  return context.what == "the value of a parameter" || context.what == "a value of the state";
}

/// NAME of `let NAME = ` in front of a value.
std::string name_of_let(std::string_view text, Span part, const Context& context) {
  if (context.what != "a name for an expression") return {};
  const std::size_t equals = text.substr(0, part.begin).rfind('=');
  const Span before = trim(text, {0, equals == std::string_view::npos ? 0 : equals});
  const std::size_t blank = text.substr(0, before.end).find_last_of(" \t\n");
  return blank == std::string_view::npos ? std::string()
                                         : std::string(text_at(text, {blank + 1, before.end}));
}

bool holds_names(std::string_view text, Span value) {
  const std::vector<Sign> signs = all_signs(text, value);
  return std::any_of(signs.begin(), signs.end(), [](const Sign& sign) {
    return sign.kind == SignKind::word && !sign.call && sign.word != "pi";
  });
}

std::string hint_of_unit(std::string_view value, const Unit& unit, const std::string& let) {
  const std::string given = fmt::format("{} [{}]", excerpt(value, 20), unit.text);
  if (!let.empty()) return fmt::format("a value with a unit is a parameter: `param {} = {}`", let, given);
  return fmt::format("{}`param a = {}` gives it a name and a unit",
                     unit.scale.is_one() ? "" : "a number here is in SI units; ", given);
}

}  // namespace

std::string_view describe(NameKind kind) {
  switch (kind) {
    case NameKind::parameter: return "a parameter";
    case NameKind::coordinate: return "a coordinate";
    case NameKind::quaternion: return "a part of a rotation's quaternion";
    case NameKind::matrix_entry: return "an entry of a rotation's matrix";
    case NameKind::velocity: return "a velocity";
    case NameKind::rate: return "a rate of a rotation";
    case NameKind::velocity_parameter: return "a velocity parameter";
    case NameKind::rheonomic: return "a rheonomic coordinate";
    case NameKind::let: return "a name for an expression";
    case NameKind::time: return "the time";
    case NameKind::function: return "a function";
  }
  return "a name";
}

Diagnostic make_diagnostic(std::string code, Span span, std::string message, std::string hint) {
  return Diagnostic{std::move(code), std::move(message), span, {}, {}, std::move(hint)};
}

Diagnostic& Reports::add(std::string code, Span span, std::string message, std::string hint) {
  return list_.emplace_back(make_diagnostic(std::move(code), span, std::move(message), std::move(hint)));
}

std::vector<Diagnostic> Reports::take(const std::function<Span(Span)>& place) {
  for (Diagnostic& diagnostic : list_) {
    diagnostic.span = place(diagnostic.span);
    for (Note& note : diagnostic.notes) {
      if (note.span) note.span = place(*note.span);
    }
  }
  std::stable_sort(list_.begin(), list_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.begin, a.span.end) < std::tie(b.span.begin, b.span.end);
  });
  // What is said many times is wrong once.
  const auto is_same = [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.begin, a.span.end, a.code, a.message) ==
           std::tie(b.span.begin, b.span.end, b.code, b.message);
  };
  list_.erase(std::unique(list_.begin(), list_.end(), is_same), list_.end());
  if (list_.size() > max_reports) list_.resize(max_reports);
  return std::move(list_);
}

Scope::Scope(System& system, const Source& masked, const ModelOptions& options, Reports& reports)
    : system_(system), masked_(masked), options_(options), reports_(reports) {
  names_.emplace("t", NameEntry{NameKind::time, system.time, {}});
}

// ---- declarations ----

void Scope::foresee_name(const syntax::Name& name, std::size_t end) {
  later_.emplace(name.text, Foreseen{name.span, end});
}

void Scope::foresee(const std::vector<syntax::Statement>& statements) {
  using namespace syntax;
  const auto add_constraint = [this](const Name& name) {
    if (constraints_.insert(name.text).second) constraint_order_.push_back(name.text);
  };
  for (const Statement& statement : statements) {
    const std::size_t end = statement.span.end;
    if (statement.repeated) continue;  // its names have indices, which no factor is asked for by
    if (const auto* params = std::get_if<Params>(&statement.data)) {
      for (const Params::Item& item : params->items)
        foresee_name(item.name, item.value ? item.value->end : item.name.span.end);
    } else if (const auto* coords = std::get_if<Coords>(&statement.data)) {
      for (const Coords::Item& item : coords->items) foresee_name(item.name, end);
    } else if (const auto* rotation = std::get_if<RotationDeclaration>(&statement.data)) {
      for (const Name& rate : rotation->rates) foresee_name(rate, end);
    } else if (const auto* chart = std::get_if<Chart>(&statement.data)) {
      for (const Name& parameter : chart->parameters) foresee_name(parameter, end);
    } else if (const auto* function = std::get_if<Function>(&statement.data)) {
      foresee_name(function->name, end);
    } else if (const auto* table = std::get_if<TableDeclaration>(&statement.data)) {
      foresee_name(table->name, end);
    } else if (const auto* definition = std::get_if<Definition>(&statement.data)) {
      if (definition->kind != Definition::Kind::output) foresee_name(definition->assignment.name, end);
    } else if (const auto* constraint = std::get_if<ConstraintDeclaration>(&statement.data)) {
      add_constraint(constraint->name);
    } else if (const auto* unilateral = std::get_if<UnilateralDeclaration>(&statement.data)) {
      add_constraint(unilateral->name);
      unilaterals_.insert(unilateral->name.text);
    } else if (const auto* contact = std::get_if<ContactDeclaration>(&statement.data)) {
      add_constraint(contact->name);
    } else if (const auto* joint = std::get_if<JointDeclaration>(&statement.data)) {
      joints_.insert(joint->name.text);
    } else if (const auto* wheel = std::get_if<WheelDeclaration>(&statement.data)) {
      joints_.insert(wheel->name.text);
    } else if (const auto* bushing = std::get_if<Bushing>(&statement.data)) {
      joints_.insert(bushing->name.text);
    } else if (const auto* link = std::get_if<Transmission>(&statement.data)) {
      add_constraint(link->name);
    } else if (const auto* input = std::get_if<Input>(&statement.data)) {
      foresee_name(input->name, end);
    } else if (const auto* reaction = std::get_if<ReactionDeclaration>(&statement.data)) {
      add_constraint(reaction->name);
    }
  }
}

void Scope::excuse(Span statement) {
  const auto keyword = scan_name(masked_.text(), statement.begin);
  const bool is_import = keyword && keyword->text == "import";
  for (const Sign& sign : all_signs(masked_.text(), statement)) {
    if (sign.kind != SignKind::word) continue;
    excused_.insert(stem_of(sign.word));
    if (is_import) excused_parts_.insert(sign.word + "_");
    if (sign.span.end < statement.end && masked_.text()[sign.span.end] == '{')
      excused_beginnings_.push_back(sign.word);
  }
}

bool Scope::is_excused(const std::string& name) const {
  const auto is_of_part = [&](const std::string& beginning) { return name.starts_with(beginning); };
  return excused_.contains(name) || std::any_of(excused_parts_.begin(), excused_parts_.end(), is_of_part) ||
         std::any_of(excused_beginnings_.begin(), excused_beginnings_.end(),
                     [&](const std::string& beginning) {
                       return name.size() > beginning.size() && name.starts_with(beginning) &&
                              name[beginning.size()] >= '0' && name[beginning.size()] <= '9';
                     });
}

bool Scope::is_free(const syntax::Name& name) {
  if (const std::string reason = reason_against(name.text); !reason.empty()) {
    reports_.add("L0406", name.span, fmt::format("{} cannot be a name here: {}", quote(name.text), reason),
                 "choose another name, for example " + quote(stem_of(name.text) + "1"));
    return false;
  }
  const auto known = names_.find(name.text);
  if (known == names_.end()) return true;
  Diagnostic& diagnostic = reports_.add(
      "L0407", name.span, fmt::format("{} is declared twice", quote(name.text)), "choose another name");
  diagnostic.notes.push_back(
      {known->second.span, fmt::format("it is {}, declared", describe(known->second.kind))});
  return false;
}

bool Scope::declare(const syntax::Name& name, NameKind kind, Expr value, Domain domain,
                    std::vector<Expr> written, std::vector<Corner> corners) {
  if (!declare_generated(name.text, name.span, kind, value)) return false;
  names_.at(name.text).domain = std::move(domain);
  names_.at(name.text).written = std::move(written);
  names_.at(name.text).corners = std::move(corners);
  return true;
}

bool Scope::declare_generated(const std::string& name, Span cause, NameKind kind, Expr value) {
  const auto [known, is_new] = names_.emplace(name, NameEntry{kind, value, cause});
  if (is_new) return true;
  Diagnostic& diagnostic = reports_.add(
      "L0407", cause, fmt::format("this would declare {} a second time", quote(name)), "choose another name");
  diagnostic.notes.push_back({known->second.span, "it was declared"});
  return false;
}

const NameEntry* Scope::find(const std::string& name) const {
  const auto known = names_.find(name);
  return known == names_.end() ? nullptr : &known->second;
}

void Scope::declare_function(const syntax::Name& name, FunctionEntry function) {
  if (!declare(name, NameKind::function, Expr())) return;
  has_defined_functions_ = has_defined_functions_ || !function.body.empty();
  functions_.push_back(std::move(function));
}

std::vector<std::string> Scope::known_names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : names_) {
    if (entry.kind != NameKind::function) names.push_back(name);
  }
  for (const auto& [name, value] : locals_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// ---- expressions ----

/// `15 [km/h]` in an expression: a unit stands behind a value alone.
bool Scope::report_unit(Span part) {
  const auto [value, unit] = split_unit(masked_.text(), part);
  if (!unit) return false;
  const auto known = parse_unit(text_at(masked_.text(), trim(masked_.text(), *unit)));
  if (!known) return false;
  reports_.add("L0411", {unit->begin - 1, unit->end + 1}, "a unit does not stand in an expression",
               holds_names(masked_.text(), value)
                   ? "leave the unit out: the names have theirs"
                   : hint_of_unit(text_at(masked_.text(), value), *known,
                                  name_of_let(masked_.text(), part, *context_)));
  return true;
}

Expr Scope::read(Span part, const Context& context) {
  // A point inside of an expression is read while the expression is.
  const Context* outer = std::exchange(context_, &context);
  const std::size_t outer_end = std::exchange(part_end_, part.end);
  const Expr value = report_unit(part) ? Expr() : read_inside(part, context);
  context_ = outer;
  part_end_ = outer_end;
  return value;
}

Expr Scope::read_inside(Span part, const Context& context) {
  ParseOptions parse;
  parse.max_depth = options_.max_depth;
  parse.max_number_digits = options_.max_number_digits;
  const auto noted = [this](std::optional<ResolvedName> found) {
    if (found && !found->value.empty()) note_written(symbols_in(found->value));
    return found;
  };
  parse.resolve_name = [&](const std::string& name, Span span) {
    if (const NameEntry* entry = find(stem_of(name))) {
      note_written(entry->written);
      corners_.insert(corners_.end(), entry->corners.begin(), entry->corners.end());
    }
    return noted(resolve(name, span));
  };
  parse.resolve_call = [&](const std::string& name, Span span, std::size_t open) {
    return noted(resolve_call(name, span, open));
  };
  if (has_defined_functions_) {
    parse.domain_of_call = [this](const FunctionInfo& function, std::span<const Expr> args) {
      return domain_of_call(function, args);
    };
  }
  ParsedExpression parsed = parse_expression(*system_.pool, masked_, part, parse);
  explain_bare_units(parsed.diagnostics, masked_.text(), part, takes_unit(context),
                     [this](const std::string& name) { return find(name) != nullptr; });
  explain_foreign_forms(parsed.diagnostics, masked_.text(), part);
  for (Diagnostic& diagnostic : parsed.diagnostics) reports_.add(std::move(diagnostic));
  if (parsed.value.empty()) return {};
  Expr value = parsed.value;
  if (has_defined_functions_) {
    note_corners_of_functions(value);
    value = inline_functions(value);
    for (Requirement& requirement : parsed.domain) requirement.e = inline_functions(requirement.e);
    // a derivative f'(x) needs more than f(x)
    const std::array alone{value};
    if (value != parsed.value) add_requirements(parsed.domain, natural_domain(alone));
  }
  domain_.insert(domain_.end(), parsed.domain.begin(), parsed.domain.end());
  return value == parsed.value || check(value, part, context) ? value : Expr();
}

Domain Scope::domain_of_call(const FunctionInfo& info, std::span<const Expr> args) {
  Domain result;
  for (const FunctionEntry& function : functions_) {
    if (function.info != &info) continue;
    note_written(function.written);
    if (function.domain.empty() && function.corners.empty()) continue;
    Substitution values;
    for (std::size_t i = 0; i < args.size(); ++i) values.emplace(function.parameters[i], args[i]);
    for (const Corner& corner : function.corners)
      corners_.push_back({corner.of.empty() ? Expr() : substitute(corner.of, values),
                          inline_functions(substitute(corner.at, values))});
    for (const auto& [e, bound] : function.domain) result.push_back({substitute(e, values), bound});
  }
  return result;
}

void Scope::note_written(std::span<const Expr> symbols) {
  for (Expr symbol : symbols) {
    if (std::find(written_.begin(), written_.end(), symbol) == written_.end()) written_.push_back(symbol);
  }
}

void Scope::note_corners(Expr differentiated) {
  const PieceArguments pieces = piece_arguments(std::span(&differentiated, 1));
  for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
    for (Expr u : *list) corners_.push_back({differentiated, u});
  }
}

/// Of f'(x), by its argument: the body of f has pieces that change there.
void Scope::note_corners_of_functions(Expr parsed) {
  for (Expr node : postorder(parsed)) {
    if (!node.is(Op::apply)) continue;
    const std::vector<std::uint32_t>& orders = node.application().orders;
    if (std::all_of(orders.begin(), orders.end(), [](std::uint32_t order) { return order == 0; })) continue;
    for (const FunctionEntry& function : functions_) {
      if (function.info != node.application().function || function.body.empty()) continue;
      const PieceArguments pieces = piece_arguments(std::span(&function.body, 1));
      Substitution values;
      for (std::size_t i = 0; i < node.args().size(); ++i)
        values.emplace(function.parameters[i], node.arg(i));
      for (const auto* list : {&pieces.jumps, &pieces.kinks}) {
        for (Expr u : *list) corners_.push_back({Expr(), inline_functions(substitute(u, values))});
      }
    }
  }
}

/// Puts the bodies of the defined functions in. A body holds no other defined function any more.
Expr Scope::inline_functions(Expr e) {
  std::unordered_set<const FunctionInfo*> used;
  for (Expr node : postorder(e)) {
    if (node.is(Op::apply)) used.insert(node.application().function);
  }
  for (const FunctionEntry& function : functions_) {
    if (function.body.empty() || !used.contains(function.info)) continue;
    e = substitute_function(e, function.info, function.parameters, function.body);
  }
  return e;
}

bool Scope::check(Expr e, Span part, const Context& context) {
  context_ = &context;
  for (Expr symbol : symbols_in(e)) {
    ResolvedName result = allowed(symbol.symbol().name, part, symbol);
    if (result.diagnostics.empty()) continue;
    reports_.add(std::move(result.diagnostics.front()));
    return false;
  }
  return true;
}

}  // namespace liaison

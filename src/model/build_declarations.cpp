#include <fmt/format.h>

#include "builder.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/signs.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/quantity.hpp"
#include "text.hpp"

namespace liaison {

namespace {

constexpr long value_digits = 40;  // of a parameter's value that is not a fraction: pi/6, sqrt(2)

/// What is not a fraction is rounded.
std::optional<Rational> rounded_value(Expr value) {
  if (value.is_number()) return value.number();
  const LongValue digits = evaluate_digits(value, {}, value_digits);
  return digits.value ? Rational::parse(digits.value->to_string(value_digits)) : std::nullopt;
}

const Context number_context{"the value of a parameter", false, false, false, false, false, false};
const Context chart_context{"a velocity", true, true};
const Context function_context{"a function", true, true};
const Context let_context{"a name for an expression", true, true, true, true, true};
const Context output_context{"an output", true, true, true, true, true};
const Context input_context{"an input", false, false};
const Context time_context{"a rheonomic coordinate", false, false};

}  // namespace

void Builder::build(const syntax::Title& title, const Statement& statement) {
  if (title_) {
    Diagnostic& diagnostic = reports_.add("L0410", statement.span, "a second `system` statement",
                                          "keep one; a file holds one system");
    diagnostic.notes.push_back({*title_, "the first one is"});
    return;
  }
  title_ = statement.span;
  system_.name = title.text;
}

// ---- parameters ----

void Builder::build(const syntax::Params& params, const Statement&) {
  for (const syntax::Params::Item& item : params.items) {
    if (!reports_.full()) build_parameter(item);
  }
}

void Builder::build_parameter(const syntax::Params::Item& item) {
  if (!scope_.is_free(item.name)) return;
  Parameter parameter;
  parameter.symbol = system_.pool->symbol(item.name.text, SymbolKind::parameter, item.positive);
  parameter.span = item.name.span;
  if (item.unit) parameter.unit = read_unit(*item.unit);
  const Expr written = item.value ? read_value(*item.value, item.name) : Expr();
  if (!written.empty()) parameter.value = rounded_value(written);
  if (parameter.value && item.positive && parameter.value->sign() <= 0) {
    reports_.add("L0434", *item.value,
                 fmt::format("`{}` is declared positive and its value is not", item.name.text),
                 "remove `> 0`, or give it a value above 0");
  }
  if (parameter.value) {
    const Expr exact = parameter.unit ? exact_scale(*system_.pool, *parameter.unit) * written : written;
    if (parameter.unit) *parameter.value *= parameter.unit->scale;
    if (exact.is_number()) {
      parameter.value = exact.number();
    } else {
      parameter.constant = exact;
    }
  }
  scope_.declare(item.name, NameKind::parameter, parameter.symbol);
  system_.parameters.push_back(std::move(parameter));
}

/// A number; empty where it has none.
Expr Builder::read_value(Span span, const syntax::Name& name) {
  const Expr written = scope_.read(span, number_context);
  const Expr value = written.empty() ? written : substitute(written, table_units_);
  if (value.empty() || value.is_number()) return value;
  if (!value.is_constant()) {
    reports_.add("L0425", span, fmt::format("the value of `{}` is not a number", excerpt(name.text)),
                 fmt::format("write a number, or name the expression: `let {} = {}`", excerpt(name.text),
                             excerpt(text_at(masked_.text(), span))));
    return {};
  }
  const LongValue digits = evaluate_digits(value, {}, value_digits);
  if (!digits.value) {
    reports_.add("L0425", span,
                 fmt::format("the value of `{}` cannot be computed: {}", excerpt(name.text), digits.reason()),
                 "write the number in decimals");
    return {};
  }
  return value;
}

std::optional<Unit> Builder::read_unit(Span span) {
  span = trim(masked_.text(), span);
  const std::string_view text = text_at(masked_.text(), span);
  has_units_ = true;
  if (auto unit = parse_unit(text)) return unit;
  const auto product = unit_with_products(text);
  const bool degrees = text == "°" || text == "degree" || text == "degrees";
  reports_.add("L0411", span, fmt::format("`{}` is not a unit", excerpt(text)),
               degrees   ? "write `deg`"
               : product ? fmt::format("did you mean `{}`?", excerpt(*product))
                         : "units are products of powers: `kg*m^2/s`, `N/m`, `rad`");
  return std::nullopt;
}

// ---- coordinates and rotations ----

void Builder::build(const syntax::Coords& coords, const Statement&) {
  for (const syntax::Coords::Item& item : coords.items) {
    if (reports_.full()) return;
    if (!scope_.is_free(item.name)) continue;
    Direction direction;
    const std::string& name = item.name.text;
    direction.form = "d" + name;
    direction.coordinate = system_.pool->symbol(name, SymbolKind::coordinate);
    direction.velocity = system_.pool->symbol(name + "'", SymbolKind::velocity);
    direction.span = item.name.span;
    if (item.unit) direction.unit = read_unit(*item.unit);
    if (direction.unit && !direction.unit->scale.is_one()) {
      const Dimension& dimension = direction.unit->dimension;
      const bool is_length = dimension == base_dimension(1, 0, 0);
      reports_.add(
          "L0411", *item.unit, "coordinates are in units of the SI without prefixes",
          dimension.is_none() || is_length
              ? fmt::format("write `{} [{}]`; parameters may have any unit", name, is_length ? "m" : "rad")
              : "parameters may have any unit");
    }
    scope_.declare(item.name, NameKind::coordinate, direction.coordinate);
    scope_.declare_generated(name + "'", item.name.span, NameKind::velocity, direction.velocity);
    direction_of_velocity_.emplace(direction.velocity, system_.directions.size());
    system_.directions.push_back(std::move(direction));
  }
}

void Builder::build(const syntax::RotationDeclaration& syntax, const Statement& statement) {
  Rotation rotation;
  rotation.name = syntax.name ? syntax.name->text : "";
  rotation.axes = syntax.axes;
  rotation.first_direction = system_.directions.size();
  rotation.span = statement.span;
  const std::string prefix = syntax.name ? rotation.name : fmt::format("rot{}", system_.rotations.size() + 1);
  const Span cause = syntax.name ? syntax.name->span : statement.keyword;
  for (const syntax::Name& rate : syntax.rates) {
    if (!scope_.is_free(rate)) return;
    const Expr velocity = system_.pool->symbol(rate.text, SymbolKind::velocity);
    scope_.declare(rate, NameKind::rate, velocity);
    direction_of_velocity_.emplace(velocity, system_.directions.size());
    system_.directions.push_back(
        {"w_" + rate.text, velocity, {}, system_.rotations.size(), std::nullopt, rate.span});
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string name = fmt::format("{}_e{}", prefix, k);
    if (!scope_.is_free({name, cause})) return;
    rotation.quaternion[k] = system_.pool->symbol(name, SymbolKind::coordinate);
    scope_.declare_generated(name, cause, NameKind::quaternion, rotation.quaternion[k]);
  }
  if (syntax.name) {
    const std::array<Expr, 9> R = rotation_matrix(rotation.quaternion);
    for (std::size_t k = 0; k < 9; ++k) {
      const std::string name = fmt::format("{}{}{}", prefix, k / 3 + 1, k % 3 + 1);
      if (!scope_.declare_generated(name, cause, NameKind::matrix_entry, R[k])) return;
    }
  }
  system_.rotations.push_back(std::move(rotation));
}

// ---- velocity parameters ----

void Builder::build(const syntax::Chart& syntax, const Statement& statement) {
  std::optional<ChartPart>& part = syntax.intrinsic ? intrinsic_ : chart_;
  if (!part) part.emplace(ChartPart{{}, {}, statement.span});
  for (const syntax::Name& name : syntax.parameters) {
    if (!scope_.is_free(name)) continue;
    const Expr parameter = system_.pool->symbol(name.text, SymbolKind::velocity);
    scope_.declare(name, NameKind::velocity_parameter, parameter);
    part->parameters.emplace_back(parameter, name.span);
  }
  for (const syntax::Assignment& assignment : syntax.velocities) {
    const auto direction = find_direction_by_velocity(assignment.name);
    const Expr value = scope_.read(assignment.value, chart_context);
    if (!direction || value.empty()) continue;
    if (!part->velocities.emplace(*direction, value).second) {
      reports_.add("L0407", assignment.name.span, fmt::format("`{}` is given twice", assignment.name.text),
                   "keep one of the two");
      continue;
    }
    obligations_.same(value, assignment.value, "this velocity", system_.directions[*direction].velocity,
                      "`" + assignment.name.text + "`");
  }
}

std::optional<std::size_t> Builder::find_direction_by_velocity(const syntax::Name& name) {
  const NameEntry* entry = scope_.find(name.text);
  if (entry != nullptr && (entry->kind == NameKind::velocity || entry->kind == NameKind::rate)) {
    return direction_of_velocity_.at(entry->value);
  }
  std::vector<std::string> velocities;
  for (const Direction& direction : system_.directions)
    velocities.push_back(direction.velocity.symbol().name);
  Diagnostic& diagnostic = reports_.add(
      "L0427", name.span, fmt::format("`{}` is not a velocity of the system", excerpt(name.text)));
  if (scope_.find(name.text + "'") != nullptr) {
    diagnostic.hint = fmt::format("write `{}' = ...`", name.text);
  } else if (const auto near = nearest_name(name.text, velocities)) {
    diagnostic.hint = fmt::format("did you mean `{}`?", *near);
  } else {
    diagnostic.hint = "write `x'` of a coordinate or a rate of a rotation, declared above";
  }
  return std::nullopt;
}

// ---- functions and names ----

void Builder::build(const syntax::Function& syntax, const Statement&) {
  if (!scope_.is_free(syntax.name)) return;
  FunctionEntry function;
  function.info =
      system_.pool->function(syntax.name.text, static_cast<std::uint32_t>(syntax.parameters.size()));
  if (!syntax.body) {
    scope_.declare_function(syntax.name, function);
    system_.unknown_functions.push_back(function.info);
    return;
  }
  std::unordered_map<std::string, Expr> locals;
  for (const syntax::Name& parameter : syntax.parameters) {
    const std::string placeholder = fmt::format("{}__{}", syntax.name.text, function.parameters.size() + 1);
    function.parameters.push_back(system_.pool->symbol(placeholder, SymbolKind::auxiliary));
    if (!locals.emplace(parameter.text, function.parameters.back()).second) {
      reports_.add("L0407", parameter.span,
                   fmt::format("the argument `{}` is named twice", excerpt(parameter.text)),
                   "choose another name");
    }
  }
  scope_.set_locals(std::move(locals));
  scope_.take_written();
  scope_.take_corners();
  function.body = scope_.read(*syntax.body, function_context);
  function.domain = scope_.take_domain();
  function.written = scope_.take_written();
  function.corners = scope_.take_corners();
  scope_.set_locals({});
  const auto calls_itself = [&](Expr e) {
    return e.is(Op::apply) && e.application().function == function.info;
  };
  if (const std::vector<Expr> nodes = function.body.empty() ? std::vector<Expr>() : postorder(function.body);
      std::any_of(nodes.begin(), nodes.end(), calls_itself)) {
    reports_.add("L0409", *syntax.body, fmt::format("{} is declared by itself", quote(syntax.name.text)),
                 "say what it is by other names");
    function.body = {};
  }
  if (!function.body.empty()) obligations_.consistent(function.body, *syntax.body);
  if (function.body.empty()) function.body = system_.pool->number(0);  // reported; its uses are not at fault
  scope_.declare_function(syntax.name, std::move(function));
}

/// A name for a function of the time; an open one is an unknown function of it.
void Builder::build(const syntax::Input& syntax, const Statement&) {
  if (!scope_.is_free(syntax.name)) return;
  if (!syntax.value) {
    const FunctionInfo* info = system_.pool->function(syntax.name.text, 1);
    system_.unknown_functions.push_back(info);
    scope_.declare(syntax.name, NameKind::let, system_.pool->apply(info, std::array{system_.time}));
    return;
  }
  scope_.take_written();
  scope_.take_corners();
  Expr value = scope_.read(*syntax.value, input_context);
  if (value.empty()) value = system_.pool->number(0);  // reported; its uses are not at fault
  scope_.declare(syntax.name, NameKind::let, value, scope_.take_domain(), scope_.take_written(),
                 scope_.take_corners());
  obligations_.consistent(value, *syntax.value);
}

void Builder::build(const syntax::Definition& syntax, const Statement& statement) {
  const auto& [name, span] = syntax.assignment;
  if (syntax.kind == syntax::Definition::Kind::output) {
    const Expr value = scope_.read(span, output_context);
    const auto [known, is_new] = outputs_.emplace(name.text, name.span);
    if (!is_new) {
      Diagnostic& diagnostic = reports_.add(
          "L0407", name.span, fmt::format("the output `{}` is declared twice", excerpt(name.text)),
          "choose another name");
      diagnostic.notes.push_back({known->second, "it was declared"});
      return;
    }
    if (value.empty()) return;
    obligations_.consistent(value, span);
    system_.outputs.push_back({name.text, value});
    return;
  }
  if (!scope_.is_free(name)) return;
  if (syntax.kind == syntax::Definition::Kind::let) {
    scope_.take_written();
    scope_.take_corners();
    Expr value = scope_.read(span, let_context);
    if (!statement.positive.empty() && !value.empty() && !is_seen_positive(value)) {
      reports_.add(
          "L0434", statement.span,
          fmt::format("`{}` of the part is positive, and of what is given this is not seen",
                      statement.positive),
          "declare a parameter for it, `param p > 0 = ...`, and give its name; of a product, quotient or "
          "sum of positive numbers and such parameters it is seen");
      value = Expr();
    }
    if (value.empty()) value = system_.pool->number(0);  // reported; its uses are not at fault
    scope_.declare(name, NameKind::let, value, scope_.take_domain(), scope_.take_written(),
                   scope_.take_corners());
    obligations_.consistent(value, span);
    return;
  }
  Rheonomic chosen;
  chosen.name = name.text;
  chosen.value = scope_.read(span, time_context);
  if (chosen.value.empty()) chosen.value = system_.pool->number(0);
  chosen.symbol = system_.pool->symbol(name.text, SymbolKind::auxiliary);
  chosen.velocity = system_.pool->symbol(name.text + "'", SymbolKind::auxiliary);
  scope_.declare_generated(name.text, statement.span, NameKind::rheonomic, chosen.symbol);
  obligations_.same(chosen.symbol, span, "`" + name.text + "`", chosen.value, "its value");
  chosen.value = substitute(chosen.value, values_of_rheonomic());  // those that were chosen before
  system_.rheonomic.push_back(std::move(chosen));
}

}  // namespace liaison

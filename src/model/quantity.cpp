#include "liaison/model/quantity.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace liaison {

namespace {

/// Of a parameter, a coordinate, a velocity or the time, where the model says so.
std::optional<Dimension> declared_dimension(const System& system, Expr symbol) {
  const Dimension second = parse_unit("s")->dimension;
  if (symbol == system.time) return second;
  for (const Parameter& parameter : system.parameters) {
    if (parameter.symbol == symbol && parameter.unit) return parameter.unit->dimension;
  }
  for (const Direction& direction : system.directions) {
    if (!direction.unit) continue;
    if (direction.coordinate == symbol) return direction.unit->dimension;
    if (direction.velocity == symbol) return direction.unit->dimension / second;
  }
  return std::nullopt;
}

Diagnostic problem(std::string code, Span span, std::string message, std::string hint) {
  return {std::move(code), std::move(message), span, {}, {}, std::move(hint)};
}

Quantity with_unit(const System& system, Expr symbol, Expr value, const Source& source, Span span) {
  const std::string_view text = text_at(source.text(), trim(source.text(), span));
  const auto unit = parse_unit(text);
  if (!unit) {
    return {{},
            problem("L0411", span, fmt::format("`{}` is not a unit", excerpt(text)),
                    "units are products of powers: `kg*m^2/s`, `N/m`, `rad`")};
  }
  const auto declared = declared_dimension(system, symbol);
  if (declared && *declared != unit->dimension) {
    return {{},
            problem("L0412", span,
                    fmt::format("`{}` is {}, and this is {}", symbol.symbol().name, describe(*declared),
                                describe(unit->dimension)),
                    "give it in a unit of its dimension")};
  }
  if (!value.is_constant()) {
    return {{},
            problem("L0411", span, "a unit stands behind a number, and this value uses parameters",
                    "remove the unit: the parameters have theirs")};
  }
  return {exact_scale(*system.pool, *unit) * value, {}};
}

}  // namespace

Expr exact_scale(Pool& pool, const Unit& unit) {
  return (unit.scale / rounded_power_of_pi(unit.pi)) * pow(pool.pi(), unit.pi);
}

QuantityText split_unit(std::string_view text, Span span) {
  span = trim(text, span);
  if (span.begin >= span.end || text[span.end - 1] != ']') return {span, std::nullopt};
  const std::size_t open = text.substr(0, span.end).rfind('[');
  if (open == std::string_view::npos || open < span.begin) return {span, std::nullopt};
  return {trim(text, {span.begin, open}), Span{open + 1, span.end - 1}};
}

Quantity in_si_units(const System& system, Expr symbol, Expr value, const Source& source,
                     const QuantityText& text) {
  if (text.unit) return with_unit(system, symbol, value, source, *text.unit);
  if (!value.is_constant()) return {value, {}};
  for (const Parameter& parameter : system.parameters) {
    if (parameter.symbol == symbol && parameter.unit)
      return {exact_scale(*system.pool, *parameter.unit) * value, {}};
  }
  return {value, {}};
}

Diagnostic not_positive(Expr parameter, Span value) {
  return problem("L0434", value,
                 fmt::format("`{}` is declared positive, and this is not", parameter.symbol().name),
                 "choose a value above 0, or remove `> 0` from the declaration");
}

}  // namespace liaison

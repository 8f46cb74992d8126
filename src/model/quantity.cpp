#include "liaison/model/quantity.hpp"

#include <fmt/format.h>

#include <cctype>

#include "text.hpp"

namespace liaison {

namespace {

/// Of a parameter, a coordinate, a velocity or the time, where the model says so.
std::optional<Dimension> declared_dimension(const System& system, Expr symbol) {
  const Dimension second = parse_unit("s")->dimension;
  if (symbol.empty()) return std::nullopt;
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
                    unit_with_products(text) ? fmt::format("did you mean `{}`?", *unit_with_products(text))
                                             : "units are products of powers: `kg*m^2/s`, `N/m`, `rad`")};
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

namespace {

constexpr std::string_view degree_sign = "°";

/// The number that ends at a place, blanks left out; empty where a name does.
Span number_before(std::string_view text, Span part, std::size_t end) {
  const Span before = trim(text, {part.begin, end});
  const auto belongs = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '\'';
  };
  std::size_t begin = before.end;
  while (begin > before.begin && belongs(text[begin - 1])) --begin;
  const bool number = begin < before.end && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
  return {number ? begin : before.end, before.end};
}

/// Behind a number: as much as is a unit, `m/s` before `m`.
Span unit_at(std::string_view text, Span part, Span word) {
  const Span whole = trim(text, {word.begin, part.end});
  return parse_unit(text_at(text, whole)) ? whole : word;
}

}  // namespace

void explain_bare_units(std::vector<Diagnostic>& reports, std::string_view text, Span part, bool value,
                        const std::function<bool(const std::string&)>& is_declared) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    Diagnostic& report = reports[i];
    Span word = report.span, number;
    if (report.code == "L0107") {
      number = number_before(text, part, word.begin);
    } else if (report.code == "L0104") {  // `30deg`
      const std::size_t digits = text_at(text, word).find_first_not_of("0123456789.");
      if (digits == std::string_view::npos) continue;
      number = {word.begin, word.begin + digits};
      word.begin += digits;
    } else if (report.code == "L0102" && text_at(text, word) == degree_sign) {
      number = number_before(text, part, word.begin);
    } else {
      continue;
    }
    const bool is_sign = text_at(text, word) == degree_sign;
    const std::string name(is_sign ? "deg" : text_at(text, word));
    if (number.begin == number.end || !parse_unit(name) || (!value && is_declared(name))) continue;
    const Span unit = is_sign ? word : unit_at(text, part, word);
    const std::string digits = excerpt(text_at(text, number), 20),
                      shown = is_sign ? name : excerpt(text_at(text, unit), 40);
    report.span = unit;
    report.message = is_sign ? "degrees are written as a unit" : "a unit without its brackets";
    report.label = {};
    report.hint = value ? fmt::format("write `{} [{}]`", digits, shown)
                        : fmt::format(
                              "a number here is in SI units; `param a = {} [{}]` gives it a name and "
                              "a unit",
                              digits, shown);
    if (value && is_declared(name)) report.hint += fmt::format(", or `{}*{}` for a product", digits, name);
    const auto of_it = [&](const Diagnostic& other) {
      return &other != &reports[i] && unit.begin <= other.span.begin && other.span.end <= unit.end;
    };
    for (std::size_t k = reports.size(); k-- > 0;) {
      if (!of_it(reports[k])) continue;
      reports.erase(reports.begin() + static_cast<std::ptrdiff_t>(k));
      if (k < i) --i;
    }
  }
}

std::optional<std::string> unit_with_products(std::string_view text) {
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    std::string product(text);
    if (text[cut - 1] == '*' || text[cut] == '*') continue;
    product.insert(cut, "*");
    if (parse_unit(product)) return product;
  }
  return std::nullopt;
}

Diagnostic not_positive(Expr parameter, Span value) {
  return problem("L0434", value,
                 fmt::format("`{}` is declared positive, and this is not", parameter.symbol().name),
                 "choose a value above 0, or remove `> 0` from the declaration");
}

}  // namespace liaison

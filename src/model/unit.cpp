#include "liaison/model/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace liaison {

namespace {

constexpr std::array<std::string_view, 7> base_names{"m", "kg", "s", "A", "K", "mol", "cd"};
constexpr std::size_t max_unit_length = 200;

struct UnitRow {
  std::string_view name;
  std::array<int, 7> exponents;  ///< of m, kg, s, A, K, mol, cd
  long numerator;
  long denominator;
  long pi = 0;  ///< times this power of pi
};
constexpr std::array unit_table{
    UnitRow{"m", {1, 0, 0, 0, 0, 0, 0}, 1, 1},
    UnitRow{"km", {1, 0, 0, 0, 0, 0, 0}, 1000, 1},
    UnitRow{"dm", {1, 0, 0, 0, 0, 0, 0}, 1, 10},
    UnitRow{"cm", {1, 0, 0, 0, 0, 0, 0}, 1, 100},
    UnitRow{"mm", {1, 0, 0, 0, 0, 0, 0}, 1, 1000},
    UnitRow{"um", {1, 0, 0, 0, 0, 0, 0}, 1, 1000000},
    UnitRow{"kg", {0, 1, 0, 0, 0, 0, 0}, 1, 1},
    UnitRow{"g", {0, 1, 0, 0, 0, 0, 0}, 1, 1000},
    UnitRow{"s", {0, 0, 1, 0, 0, 0, 0}, 1, 1},
    UnitRow{"ms", {0, 0, 1, 0, 0, 0, 0}, 1, 1000},
    UnitRow{"min", {0, 0, 1, 0, 0, 0, 0}, 60, 1},
    UnitRow{"h", {0, 0, 1, 0, 0, 0, 0}, 3600, 1},
    UnitRow{"Hz", {0, 0, -1, 0, 0, 0, 0}, 1, 1},
    UnitRow{"N", {1, 1, -2, 0, 0, 0, 0}, 1, 1},
    UnitRow{"kN", {1, 1, -2, 0, 0, 0, 0}, 1000, 1},
    UnitRow{"J", {2, 1, -2, 0, 0, 0, 0}, 1, 1},
    UnitRow{"kJ", {2, 1, -2, 0, 0, 0, 0}, 1000, 1},
    UnitRow{"W", {2, 1, -3, 0, 0, 0, 0}, 1, 1},
    UnitRow{"kW", {2, 1, -3, 0, 0, 0, 0}, 1000, 1},
    UnitRow{"Pa", {-1, 1, -2, 0, 0, 0, 0}, 1, 1},
    UnitRow{"A", {0, 0, 0, 1, 0, 0, 0}, 1, 1},
    UnitRow{"C", {0, 0, 1, 1, 0, 0, 0}, 1, 1},
    UnitRow{"V", {2, 1, -3, -1, 0, 0, 0}, 1, 1},
    UnitRow{"ohm", {2, 1, -3, -2, 0, 0, 0}, 1, 1},
    UnitRow{"F", {-2, -1, 4, 2, 0, 0, 0}, 1, 1},
    UnitRow{"H", {2, 1, -2, -2, 0, 0, 0}, 1, 1},
    UnitRow{"Wb", {2, 1, -2, -1, 0, 0, 0}, 1, 1},
    UnitRow{"T", {0, 1, -2, -1, 0, 0, 0}, 1, 1},
    UnitRow{"K", {0, 0, 0, 0, 1, 0, 0}, 1, 1},
    UnitRow{"mol", {0, 0, 0, 0, 0, 1, 0}, 1, 1},
    UnitRow{"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 1},
    UnitRow{"rad", {0, 0, 0, 0, 0, 0, 0}, 1, 1},
    UnitRow{"deg", {0, 0, 0, 0, 0, 0, 0}, 1, 180, 1},
    UnitRow{"rev", {0, 0, 0, 0, 0, 0, 0}, 2, 1, 1},
    UnitRow{"rpm", {0, 0, -1, 0, 0, 0, 0}, 1, 30, 1},
    UnitRow{"us", {0, 0, 1, 0, 0, 0, 0}, 1, 1000000},
    UnitRow{"kPa", {-1, 1, -2, 0, 0, 0, 0}, 1000, 1},
    UnitRow{"MPa", {-1, 1, -2, 0, 0, 0, 0}, 1000000, 1},
    UnitRow{"GPa", {-1, 1, -2, 0, 0, 0, 0}, 1000000000, 1},
    UnitRow{"bar", {-1, 1, -2, 0, 0, 0, 0}, 100000, 1},
    UnitRow{"MN", {1, 1, -2, 0, 0, 0, 0}, 1000000, 1},
    UnitRow{"mN", {1, 1, -2, 0, 0, 0, 0}, 1, 1000},
    UnitRow{"1", {0, 0, 0, 0, 0, 0, 0}, 1, 1},
};

/// Dimensions that have a name of their own in a message.
struct NamedDimension {
  std::string_view name;
  std::array<int, 7> exponents;
};
constexpr std::array named_dimensions{
    NamedDimension{"N", {1, 1, -2, 0, 0, 0, 0}},   NamedDimension{"N·m", {2, 1, -2, 0, 0, 0, 0}},
    NamedDimension{"W", {2, 1, -3, 0, 0, 0, 0}},   NamedDimension{"Pa", {-1, 1, -2, 0, 0, 0, 0}},
    NamedDimension{"N/m", {0, 1, -2, 0, 0, 0, 0}}, NamedDimension{"C", {0, 0, 1, 1, 0, 0, 0}},
    NamedDimension{"V", {2, 1, -3, -1, 0, 0, 0}},  NamedDimension{"T", {0, 1, -2, -1, 0, 0, 0}},
};

Dimension make_dimension(const std::array<int, 7>& exponents) {
  Dimension dimension;
  for (std::size_t i = 0; i < 7; ++i) dimension.exponents[i] = Rational(exponents[i]);
  return dimension;
}

/// Takes the characters of a unit from left to right.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  std::optional<Unit> read() {
    Unit unit{std::string(text_), {}, Rational(1), 0};
    bool divide = false;
    while (true) {
      skip_spaces();
      if (!read_factor(unit, divide)) return std::nullopt;
      skip_spaces();
      if (at_end()) {
        unit.scale = unit.scale * rounded_power_of_pi(unit.pi);
        return unit;
      }
      if (take("/")) {
        divide = true;
      } else if (take("*") || take("·") || take("⋅")) {
        divide = false;
      } else {
        return std::nullopt;
      }
    }
  }

 private:
  bool read_factor(Unit& unit, bool divide) {
    const std::size_t begin = offset_;
    while (!at_end() && (is_letter(text_[offset_]) || (offset_ == begin && text_[offset_] == '1'))) ++offset_;
    const std::string_view name = text_.substr(begin, offset_ - begin);
    const auto row = std::find_if(unit_table.begin(), unit_table.end(),
                                  [&](const UnitRow& candidate) { return candidate.name == name; });
    if (row == unit_table.end()) return false;
    std::optional<Rational> exponent = read_exponent();
    if (!exponent) return false;
    if (divide) exponent = -*exponent;
    unit.dimension = unit.dimension * power(make_dimension(row->exponents), *exponent);
    const Rational scale(row->numerator, row->denominator);
    if (scale.is_one() && row->pi == 0) return true;
    const auto whole = exponent->to_long();
    if (!whole) return false;
    unit.scale = unit.scale * power(scale, *whole);
    unit.pi += row->pi * *whole;
    return true;
  }

  /// ^2, ^-1, ^(1/2), ², ³; 1 if there is none.
  std::optional<Rational> read_exponent() {
    if (take("²")) return Rational(2);
    if (take("³")) return Rational(3);
    if (take("⁻¹")) return Rational(-1);
    if (take("⁻²")) return Rational(-2);
    if (!take("^")) return Rational(1);
    const bool bracket = take("(");
    const std::size_t begin = offset_;
    while (!at_end() && is_exponent(text_[offset_], bracket)) ++offset_;
    const auto value = Rational::parse(text_.substr(begin, offset_ - begin));
    if (bracket && !take(")")) return std::nullopt;
    if (!value || abs(*value) > Rational(max_exponent)) return std::nullopt;
    return value;
  }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_exponent(char c, bool bracket) {
    return (c >= '0' && c <= '9') || c == '-' || (bracket && c == '/');
  }
  bool at_end() const { return offset_ >= text_.size(); }
  void skip_spaces() {
    while (!at_end() && (text_[offset_] == ' ' || text_[offset_] == '\t')) ++offset_;
  }
  bool take(std::string_view sign) {
    if (!text_.substr(offset_).starts_with(sign)) return false;
    offset_ += sign.size();
    return true;
  }

  static constexpr long max_exponent = 99;
  std::string_view text_;
  std::size_t offset_ = 0;
};

std::string exponent_text(const Rational& exponent) {
  if (exponent.is_one()) return "";
  if (exponent == Rational(2)) return "²";
  if (exponent == Rational(3)) return "³";
  if (exponent.is_integer()) return fmt::format("^{}", exponent.to_string());
  return fmt::format("^({})", exponent.to_string());
}

/// Mass first, as a person writes it: kg·m²/s².
std::string base_units(const Dimension& dimension) {
  std::string above, below;
  std::size_t n_below = 0;
  for (const std::size_t i : {1, 0, 2, 3, 4, 5, 6}) {
    const Rational& exponent = dimension.exponents[i];
    if (exponent.is_zero()) continue;
    std::string& side = exponent.sign() > 0 ? above : below;
    if (!side.empty()) side += "·";
    side += std::string(base_names[i]) + exponent_text(abs(exponent));
    if (exponent.sign() < 0) ++n_below;
  }
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + (n_below > 1 ? fmt::format("({})", below) : below);
}

}  // namespace

bool Dimension::is_none() const {
  return std::all_of(exponents.begin(), exponents.end(), [](const Rational& e) { return e.is_zero(); });
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension product;
  for (std::size_t i = 0; i < 7; ++i) product.exponents[i] = a.exponents[i] + b.exponents[i];
  return product;
}

Dimension operator/(const Dimension& a, const Dimension& b) {
  return a * power(b, Rational(-1));
}

Dimension power(const Dimension& a, const Rational& exponent) {
  Dimension result;
  for (std::size_t i = 0; i < 7; ++i) result.exponents[i] = a.exponents[i] * exponent;
  return result;
}

Rational rounded_power_of_pi(long exponent) {
  static const Rational pi = *Rational::parse("3.141592653589793238462643383279502884197");
  return power(pi, exponent);
}

std::optional<Unit> parse_unit(std::string_view text) {
  if (text.size() > max_unit_length) return std::nullopt;
  return UnitReader(text).read();
}

std::string describe(const Dimension& dimension) {
  if (dimension.is_none()) return "a plain number";
  const std::string base = base_units(dimension);
  for (const NamedDimension& named : named_dimensions) {
    if (make_dimension(named.exponents) == dimension) return std::string(named.name) + " (" + base + ")";
  }
  return base;
}

}  // namespace liaison

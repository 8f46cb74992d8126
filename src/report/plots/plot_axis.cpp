#include "plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace liaison::plot {

namespace {

using Real = long double;  // differences of doubles neither overflow nor round
constexpr Real slack = 1e-9L;

int magnitude(Real value) {
  return static_cast<int>(std::floor(std::log10(value)));
}

Real power(int exponent) {
  return std::pow(static_cast<Real>(10), exponent);
}

/// Multiples of the step in the range.
Real tick_count(Real low, Real high, Real step) {
  return std::floor(high / step + slack) - std::ceil(low / step - slack) + 1;
}

/// The largest of 1, 2, 5 times a power of ten of which there are enough multiples.
Real nice_step(Real low, Real high, std::size_t enough) {
  Real unit = power(magnitude(high - low) + 1);
  while (true) {
    for (const int multiple : {5, 2, 1}) {
      const Real step = static_cast<Real>(multiple) * unit;
      if (tick_count(low, high, step) >= static_cast<Real>(enough)) return step;
    }
    unit /= 10;
  }
}

/// The number with the fewest digits between the two.
double shortest_between(double smallest, double largest) {
  const double middle = smallest / 2 + largest / 2;
  for (int digits = 0; digits < 17; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}e}", middle, digits).c_str(), nullptr);
    if (rounded >= smallest && rounded <= largest) return rounded;
  }
  return middle;
}

/// Decimals that a multiple of the step needs.
int decimals(Real step, int exponent) {
  return std::max(0, exponent - magnitude(step * (1 + 1e-9L)));
}

std::string with_minus(const std::string& digits) {
  return digits.starts_with("-") ? "−" + digits.substr(1) : digits;
}

/// "6.02e+23" as 6.02×10²³.
std::string with_power(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_minus(text);
  return with_minus(text.substr(0, e)) + "×" + power_of_ten(std::atoi(text.c_str() + e + 1));
}

/// A power of ten before the brackets where labels would be long.
int common_exponent(const Axis& axis) {
  Real largest = 0;
  for (const Tick& tick : axis.ticks) largest = std::max(largest, std::abs(tick.value));
  if (largest <= 0) return 0;
  const int exponent = magnitude(largest * (1 + 1e-9L));
  const bool tiny = exponent < 0 && decimals(axis.step, 0) > 3;
  return exponent >= 5 || tiny ? exponent : 0;
}

void make_ticks(Axis& axis) {
  const Real slack = 1e-9L;
  const Real first = std::ceil(axis.low / axis.step - slack),
             last = std::floor(axis.high / axis.step + slack);
  for (Real k = first; k <= last; ++k) axis.ticks.push_back({k * axis.step, {}});
  axis.exponent = common_exponent(axis);
  const int places = decimals(axis.step, axis.exponent);
  for (Tick& tick : axis.ticks) {
    const Real shown = tick.value / power(axis.exponent);
    tick.label = tick.value == 0 ? "0" : with_minus(fmt::format("{:.{}f}", shown, places));
  }
}

}  // namespace

std::string power_of_ten(int exponent) {
  constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = "10";
  for (char c : std::to_string(exponent)) out += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  return out;
}

std::string number_text(double value) {
  return with_power(fmt::format("{:.9g}", value));
}

std::string Axis::note() const {
  std::string out = exponent == 0 ? std::string() : "×" + power_of_ten(exponent);
  if (offset == 0) return out;
  out += out.empty() ? "" : " ";
  return out + (offset < 0 ? "− " : "+ ") + with_power(fmt::format("{}", std::abs(offset)));
}

Axis make_axis(double smallest, double largest, const AxisOptions& options) {
  Axis axis;
  const double size = std::max(std::abs(smallest), std::abs(largest));
  Real range = static_cast<Real>(largest) - smallest;
  Real low = smallest, high = largest;
  const bool constant = range <= 4 * static_cast<Real>(std::numeric_limits<double>::epsilon()) * size;
  if (constant) {
    const Real half = size > 0 ? static_cast<Real>(size) / 10 : 1;
    low -= half;
    high += half;
    range = high - low;
  } else {
    low -= options.margin * range;
    high += options.margin * range;
  }
  // The first step may be off by one tick of the shifted scale; the offset needs only its size.
  if (!constant && size / nice_step(0, high - low, options.ticks) >= 1e5L)
    axis.offset = shortest_between(smallest, largest);
  axis.low = low - axis.offset;
  axis.high = high - axis.offset;
  axis.step = nice_step(axis.low, axis.high, options.ticks);
  make_ticks(axis);
  return axis;
}

}  // namespace liaison::plot

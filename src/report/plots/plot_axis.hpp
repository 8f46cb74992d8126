#pragma once

#include <string>
#include <vector>

namespace liaison::plot {

struct Tick {
  long double value = 0;  ///< without the offset
  std::string label;      ///< in units of the factor
};

/// A scale. The value at a tick is label * 10^exponent + offset: where values differ only in their last
/// digits the offset is the shortest decimal number among them, so that the difference can be read.
struct Axis {
  long double low = 0, high = 1;  ///< without the offset
  double offset = 0;
  int exponent = 0;
  long double step = 1;
  std::vector<Tick> ticks;

  /// 0 at the low end, 1 at the high end.
  double position(double value) const {
    return static_cast<double>((static_cast<long double>(value) - offset - low) / (high - low));
  }
  /// "×10⁻¹³ + 9.81", or empty.
  std::string note() const;
};

struct AxisOptions {
  std::size_t ticks = 3;  ///< at least so many, and not many more
  double margin = 0;      ///< beyond the values on each side, relative to their range
};
/// Steps of 1, 2 or 5. Values that are all the same, but for rounding, stand in the middle.
Axis make_axis(double smallest, double largest, const AxisOptions& options);

/// "10⁻¹³"
std::string power_of_ten(int exponent);
/// To nine digits, with a proper minus: "−9.81", "6.02×10²³".
std::string number_text(double value);

}  // namespace liaison::plot

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "liaison/robot/robot.hpp"

/// Exact numbers as texts of the language, and rotations whose matrix is rational.
namespace liaison::robot {

/// Decimal digits where there are few, else a fraction.
std::string decimal_text(const Rational& value);
/// The same number with the other sign.
std::string negated(const Decimal& number);
Decimal negative(const Decimal& number);
Decimal plain(const Rational& value);
/// "5*pi/6".
Decimal times_pi(const Rational& factor);
/// Of numbers that are rational.
Decimal sum(const Decimal& a, const Decimal& b);
DecimalVector sum(const DecimalVector& a, const DecimalVector& b);
DecimalVector negative(const DecimalVector& vector);
bool is_null(const DecimalVector& vector);

/// The square root of a number that is not negative, where it is a fraction.
std::optional<Rational> exact_root(const Rational& square);

/// (rational + factor*sqrt(square)), times pi or not; `square` is the same in all that are put together.
class Surd {
 public:
  Surd(Rational rational) : rational_(std::move(rational)) {}
  Surd(int rational) : rational_(rational) {}
  /// sqrt(square), rational where it is.
  static Surd root(const Rational& square);
  Decimal decimal(bool with_pi) const;

  friend Surd operator+(const Surd& a, const Surd& b);
  friend Surd operator-(const Surd& a, const Surd& b);
  friend Surd operator*(const Surd& a, const Surd& b);
  friend Surd operator/(const Surd& a, const Surd& b);

 private:
  Surd with(Rational rational, Rational factor, const Surd& other) const;
  Rational rational_, factor_, square_;
};

/// atan2(y, x) for y = sqrt(y_square), or with its sign; times `times`.
Decimal angle_of(const Rational& y_square, const std::string& y, const Rational& x, const std::string& x_text,
                 int times);

using RationalVector = std::array<Rational, 3>;
using RationalMatrix = std::array<RationalVector, 3>;
/// Columns are the turned axes; nothing where they are not known as fractions.
std::optional<RationalMatrix> rotation_matrix(const std::vector<RobotTurn>& turns);
RationalMatrix transposed(const RationalMatrix& matrix);
RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b);
RationalVector operator*(const RationalMatrix& matrix, const RationalVector& vector);
/// Whether it puts axes on axes.
bool is_permutation(const RationalMatrix& matrix);
RationalVector values_of(const DecimalVector& vector);
DecimalVector plain(const RationalVector& vector);
/// matrix * vector, with the digits of the file where axes are put on axes.
DecimalVector turned_vector(const RationalMatrix& matrix, const DecimalVector& vector);

/// A turn about 'x', 'y' or 'z'.
RobotTurn turn_about(char axis, Decimal angle);
/// Its quaternion too, where it is rational.
RobotTurn turn_about(DecimalVector axis, Decimal angle);
std::vector<RobotTurn> inverse(const std::vector<RobotTurn>& turns);

}  // namespace liaison::robot

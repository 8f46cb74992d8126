#include "numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::robot {

std::string decimal_text(const Rational& value) {
  constexpr std::size_t most_digits = 40;
  Rational scaled = value.sign() < 0 ? -value : value;
  std::size_t places = 0;
  for (; !scaled.is_integer() && places < most_digits; ++places) scaled *= 10;
  if (!scaled.is_integer()) return value.to_string();
  std::string digits = scaled.to_string();
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return (value.sign() < 0 ? "-" : "") + digits;
}

std::string negated(const Decimal& number) {
  if (number.value.is_zero()) return "0";
  return number.text.starts_with('-') ? number.text.substr(1) : "-" + number.text;
}

Decimal negative(const Decimal& number) {
  Decimal out = number;
  out.text = negated(number);
  out.value = -number.value;
  return out;
}

Decimal plain(const Rational& value) {
  return {decimal_text(value), value};
}

Decimal times_pi(const Rational& factor) {
  if (factor.is_zero()) return {};
  const Rational size = abs(factor);
  std::string text = size.numerator().is_one() ? "pi" : size.numerator().to_string() + "*pi";
  if (!size.is_integer()) text += "/" + size.denominator().to_string();
  const std::string digits = decimal_text(size);
  if (digits.find('/') == std::string::npos && size.denominator() > Rational(24)) text = digits + "*pi";
  return {(factor.sign() < 0 ? "-" : "") + text, factor, true};
}

Decimal sum(const Decimal& a, const Decimal& b) {
  if (a.value.is_zero()) return b;
  return b.value.is_zero() ? a : plain(a.value + b.value);
}

DecimalVector sum(const DecimalVector& a, const DecimalVector& b) {
  return {sum(a[0], b[0]), sum(a[1], b[1]), sum(a[2], b[2])};
}

DecimalVector negative(const DecimalVector& vector) {
  return {negative(vector[0]), negative(vector[1]), negative(vector[2])};
}

bool is_null(const DecimalVector& vector) {
  return vector[0].value.is_zero() && vector[1].value.is_zero() && vector[2].value.is_zero();
}

std::optional<Rational> exact_root(const Rational& square) {
  const auto root_of = [](const Rational& whole) -> std::optional<Rational> {
    const Rational root(std::lround(std::sqrt(whole.to_double())));
    if (root * root != whole) return std::nullopt;
    return root;
  };
  if (!square.numerator().to_long() || !square.denominator().to_long()) return std::nullopt;
  const auto top = root_of(square.numerator()), bottom = root_of(square.denominator());
  if (!top || !bottom) return std::nullopt;
  return *top / *bottom;
}

// ---- numbers with a root ------------------------------------------------------------------------

Surd Surd::root(const Rational& square) {
  if (const auto exact = exact_root(square)) return Surd(*exact);
  Surd out(0);
  out.factor_ = 1;
  out.square_ = square;
  return out;
}

Surd Surd::with(Rational rational, Rational factor, const Surd& other) const {
  Surd out(std::move(rational));
  out.factor_ = std::move(factor);
  out.square_ = square_.is_zero() ? other.square_ : square_;
  return out;
}

Surd operator+(const Surd& a, const Surd& b) {
  return a.with(a.rational_ + b.rational_, a.factor_ + b.factor_, b);
}

Surd operator-(const Surd& a, const Surd& b) {
  return a.with(a.rational_ - b.rational_, a.factor_ - b.factor_, b);
}

Surd operator*(const Surd& a, const Surd& b) {
  const Rational& square = a.square_.is_zero() ? b.square_ : a.square_;
  return a.with(a.rational_ * b.rational_ + a.factor_ * b.factor_ * square,
                a.rational_ * b.factor_ + a.factor_ * b.rational_, b);
}

Surd operator/(const Surd& a, const Surd& b) {
  const Rational norm = b.rational_ * b.rational_ - b.factor_ * b.factor_ * b.square_;
  return a * b.with(b.rational_ / norm, -b.factor_ / norm, b);
}

Decimal Surd::decimal(bool with_pi) const {
  if (factor_.is_zero()) return with_pi ? robot::times_pi(rational_) : robot::plain(rational_);
  const std::string root = fmt::format("sqrt({})", decimal_text(square_));
  const Rational size = abs(factor_);
  const std::string part = size.is_one() ? root : decimal_text(size) + "*" + root;
  const bool is_sum = !rational_.is_zero();
  Decimal out;
  out.exact = false;
  out.value = rational_ + factor_ * Rational::from_double(std::sqrt(square_.to_double()));
  if (is_sum)
    out.text = fmt::format("({} {} {})", decimal_text(rational_), factor_.sign() < 0 ? '-' : '+', part);
  else
    out.text = (factor_.sign() < 0 ? "-" : "") + part;
  if (with_pi) {
    out.text += "*pi";
    out.times_pi = true;
  }
  return out;
}

Decimal angle_of(const Rational& y_square, const std::string& y, const Rational& x, const std::string& x_text,
                 int times) {
  const bool below = y.starts_with('-');
  const auto of_pi = [&](const Rational& part) {
    return times_pi(Rational(below ? -times : times) * (x.sign() < 0 ? Rational(1) - part : part));
  };
  const Rational x_square = x * x;
  if (y_square.is_zero()) return of_pi(0);
  if (x.is_zero()) return of_pi({1, 2});
  if (x_square == y_square) return of_pi({1, 4});
  if (Rational(3) * x_square == y_square) return of_pi({1, 3});
  if (x_square == Rational(3) * y_square) return of_pi({1, 6});
  Decimal out;
  out.text = fmt::format("{}atan2({}, {})", times == 1 ? "" : std::to_string(times) + "*",
                         below ? y.substr(1) : y, x_text);
  if (below) out.text = "-" + out.text;
  out.value = Rational::from_double(times * std::atan2(std::sqrt(y_square.to_double()), x.to_double()));
  if (below) out.value = -out.value;
  out.exact = false;
  return out;
}

// ---- rotations ----------------------------------------------------------------------------------

namespace {

RationalMatrix matrix_of(const std::array<Rational, 4>& quaternion) {
  const auto& [w, x, y, z] = quaternion;
  const Rational size = w * w + x * x + y * y + z * z;
  const auto twice = [&](const Rational& value) { return Rational(2) * value / size; };
  return {RationalVector{Rational(1) - twice(y * y + z * z), twice(x * y - w * z), twice(x * z + w * y)},
          RationalVector{twice(x * y + w * z), Rational(1) - twice(x * x + z * z), twice(y * z - w * x)},
          RationalVector{twice(x * z - w * y), twice(y * z + w * x), Rational(1) - twice(x * x + y * y)}};
}

}  // namespace

RationalMatrix transposed(const RationalMatrix& matrix) {
  RationalMatrix out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[i][k] = matrix[k][i];
  return out;
}

RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b) {
  RationalMatrix out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
  return out;
}

RationalVector operator*(const RationalMatrix& matrix, const RationalVector& vector) {
  RationalVector out;
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = matrix[i][0] * vector[0] + matrix[i][1] * vector[1] + matrix[i][2] * vector[2];
  return out;
}

std::optional<RationalMatrix> rotation_matrix(const std::vector<RobotTurn>& turns) {
  RationalMatrix out{RationalVector{1, 0, 0}, RationalVector{0, 1, 0}, RationalVector{0, 0, 1}};
  for (const RobotTurn& turn : turns) {
    if (!turn.quaternion) return std::nullopt;
    out = out * matrix_of(*turn.quaternion);
  }
  return out;
}

bool is_permutation(const RationalMatrix& matrix) {
  for (const RationalVector& row : matrix)
    for (const Rational& entry : row)
      if (!entry.is_zero() && !abs(entry).is_one()) return false;
  return true;
}

RationalVector values_of(const DecimalVector& vector) {
  return {vector[0].value, vector[1].value, vector[2].value};
}

DecimalVector plain(const RationalVector& vector) {
  return {plain(vector[0]), plain(vector[1]), plain(vector[2])};
}

DecimalVector turned_vector(const RationalMatrix& matrix, const DecimalVector& vector) {
  if (!is_permutation(matrix)) return plain(matrix * values_of(vector));
  DecimalVector out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (matrix[i][k].is_one()) out[i] = vector[k];
      if ((-matrix[i][k]).is_one()) out[i] = negative(vector[k]);
    }
  }
  return out;
}

RobotTurn turn_about(char axis, Decimal angle) {
  DecimalVector vector;
  vector[static_cast<std::size_t>(axis - 'x')] = {"1", 1};
  return turn_about(std::move(vector), std::move(angle));
}

RobotTurn turn_about(DecimalVector axis, Decimal angle) {
  RobotTurn out{std::move(axis), std::move(angle), {}};
  if (!out.angle.times_pi || !out.angle.exact) return out;
  const RationalVector u = values_of(out.axis);
  const auto length = exact_root(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const Rational rest = out.angle.value - Rational(2) * floor(out.angle.value / 2);  // in [0, 2)
  if (rest.is_zero()) out.quaternion = {{1, 0, 0, 0}};
  if (rest.is_one()) out.quaternion = {{0, u[0], u[1], u[2]}};
  if (length && rest == Rational(1, 2)) out.quaternion = {{*length, u[0], u[1], u[2]}};
  if (length && rest == Rational(3, 2)) out.quaternion = {{*length, -u[0], -u[1], -u[2]}};
  return out;
}

std::vector<RobotTurn> inverse(const std::vector<RobotTurn>& turns) {
  std::vector<RobotTurn> out(turns.rbegin(), turns.rend());
  for (RobotTurn& turn : out) {
    turn.angle = negative(turn.angle);
    if (turn.quaternion) (*turn.quaternion)[0] = -(*turn.quaternion)[0];
  }
  return out;
}

}  // namespace liaison::robot

#include "lone_contact.hpp"

#include <cmath>

namespace liaison {

namespace {

/// What is this part of its terms is zero.
constexpr double rounding = 1e-12;

}  // namespace

bool LoneContact::take(double t, const double* y, double* values, double* sizes) {
  if (!frame_.take(t, y)) return false;
  const auto own = frame_.impact({contact_});
  const auto drives = frame_.drives({contact_});
  if (!own || !drives) return false;
  const double nn = own->r[0], tn = own->r[1], nt = own->r[2], tt = own->r[3];
  const double n = (*drives)[0], along = (*drives)[1], friction = frame_.slipping(contact_, 0);
  // The forces with which it sticks take both accelerations away: these are as exact as those.
  const double determinant = nn * tt - nt * tn;
  if (!(determinant > 0)) return false;
  const double pressure = std::abs((nt * along - tt * n) / determinant),
               held = std::abs((tn * n - nn * along) / determinant);
  const double size_n = std::abs(nn) * pressure + std::abs(nt) * held,
               size_along = std::abs(tn) * pressure + std::abs(tt) * held;
  values[0] = n;
  sizes[0] = size_n;
  for (const int side : {1, -1}) {
    const std::size_t place = side > 0 ? 1 : 2;
    const double d = nn - side * friction * nt, e = tn - side * friction * tt;
    const double size_d = std::abs(nn) + friction * std::abs(nt),
                 size_e = std::abs(tn) + friction * std::abs(tt);
    values[place] = d;
    sizes[place] = size_d;
    values[place + 2] = side * (along * d - e * n);
    sizes[place + 2] = size_along * size_d + size_e * size_n;
  }
  return true;
}

std::size_t LoneContact::motions(double t, const double* y) {
  Numbers values, sizes;
  if (!take(t, y, values.data(), sizes.data())) return 1;
  const auto sign = [&](std::size_t i) {
    return std::abs(values[i]) <= rounding * sizes[i] ? 0 : values[i] > 0 ? 1 : -1;
  };
  std::size_t count = 1;
  if (sign(0) > 0) ++count;
  if (frame_.sticking(contact_, 0) > frame_.slipping(contact_, 0)) return count;
  for (const std::size_t place : {1, 2}) {
    if (sign(0) * sign(place) < 0 && sign(place + 2) * sign(place) > 0) ++count;
  }
  return count;
}

}  // namespace liaison

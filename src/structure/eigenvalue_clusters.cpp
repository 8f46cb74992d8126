#include "eigenvalue_clusters.hpp"

#include <acb_poly.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "expr/raw.hpp"
#include "liaison/expr/evaluate.hpp"

namespace liaison {

namespace {

using Complex = std::complex<double>;

Complex middle(acb_srcptr x) {
  return {arf_get_d(arb_midref(acb_realref(x)), ARF_RND_NEAR),
          arf_get_d(arb_midref(acb_imagref(x)), ARF_RND_NEAR)};
}

/// Approximations in groups: each is within `reach` of another one of its group.
std::vector<std::vector<slong>> groups_of(acb_srcptr near, slong n, double reach) {
  std::vector<std::vector<slong>> groups;
  std::vector<bool> is_taken(static_cast<std::size_t>(n));
  for (slong first = 0; first < n; ++first) {
    if (is_taken[static_cast<std::size_t>(first)]) continue;
    std::vector<slong> group{first};
    is_taken[static_cast<std::size_t>(first)] = true;
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (slong i = 0; i < n; ++i) {
        if (is_taken[static_cast<std::size_t>(i)]) continue;
        acb_t gap;
        acb_init(gap);
        acb_sub(gap, near + group[k], near + i, 64);
        const bool is_near = std::abs(middle(gap)) <= reach;
        acb_clear(gap);
        if (!is_near) continue;
        is_taken[static_cast<std::size_t>(i)] = true;
        group.push_back(i);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// The mean of a group; a part that is nothing but rounding is zero, for the spectrum is symmetric.
void set_centre(acb_t centre, acb_srcptr near, const std::vector<slong>& group, double reach, long bits) {
  acb_zero(centre);
  for (const slong k : group) acb_add(centre, centre, near + k, bits);
  acb_div_si(centre, centre, static_cast<slong>(group.size()), bits);
  acb_get_mid(centre, centre);
  const Complex value = middle(centre);
  if (std::abs(value.real()) <= reach) arb_zero(acb_realref(centre));
  if (std::abs(value.imag()) <= reach) arb_zero(acb_imagref(centre));
}

/// A radius with |p_k| r^k > sum of |p_i| r^i over the other i, p the polynomial around the centre: then the
/// disc has k zeros.
bool find_radius(arb_t radius, const acb_poly_t around, slong k, long bits) {
  const slong degree = acb_poly_degree(around);
  std::vector<Ball> sizes(static_cast<std::size_t>(degree + 1));
  for (slong i = 0; i <= degree; ++i)
    acb_abs(sizes[static_cast<std::size_t>(i)].raw(),
            acb_poly_get_coeff_ptr(const_cast<acb_poly_struct*>(around), i), bits);
  const auto size = [&](slong i) { return sizes[static_cast<std::size_t>(i)].raw(); };
  if (!arb_is_positive(size(k))) return false;
  Ball candidate, ratio, left, right, power;
  for (slong i = 0; i < k; ++i) {
    arb_div(ratio.raw(), size(i), size(k), bits);
    arb_get_ubound_arf(arb_midref(ratio.raw()), ratio.raw(), bits);
    mag_zero(arb_radref(ratio.raw()));
    arb_root_ui(ratio.raw(), ratio.raw(), static_cast<ulong>(k - i), bits);
    arb_mul_si(ratio.raw(), ratio.raw(), 2 * k, bits);
    arb_get_ubound_arf(arb_midref(ratio.raw()), ratio.raw(), bits);
    mag_zero(arb_radref(ratio.raw()));
    arb_max(candidate.raw(), candidate.raw(), ratio.raw(), bits);
  }
  arb_set(radius, candidate.raw());
  if (arb_is_zero(radius)) return true;  // an exact zero of that multiplicity
  arb_zero(right.raw());
  for (slong i = 0; i <= degree; ++i) {
    arb_pow_ui(power.raw(), radius, static_cast<ulong>(i), bits);
    arb_mul(power.raw(), power.raw(), size(i), bits);
    if (i == k)
      arb_set(left.raw(), power.raw());
    else
      arb_add(right.raw(), right.raw(), power.raw(), bits);
  }
  return arb_gt(left.raw(), right.raw()) != 0;
}

bool enclose(acb_ptr enclosed, const acb_poly_t polynomial, acb_srcptr near, slong n, double reach,
             long bits) {
  const auto groups = groups_of(near, n, reach);
  std::vector<Ball> radii(groups.size());
  acb_ptr centres = _acb_vec_init(static_cast<slong>(groups.size()));
  acb_poly_t around;
  acb_poly_init(around);
  acb_t gap;
  acb_init(gap);
  Ball distance, sum;
  bool holds = true;
  for (std::size_t g = 0; g < groups.size() && holds; ++g) {
    acb_ptr centre = centres + g;
    set_centre(centre, near, groups[g], reach, bits);
    acb_poly_taylor_shift(around, polynomial, centre, bits);
    holds = find_radius(radii[g].raw(), around, static_cast<slong>(groups[g].size()), bits);
    for (std::size_t h = 0; h < g && holds; ++h) {
      acb_sub(gap, centre, centres + h, bits);
      acb_abs(distance.raw(), gap, bits);
      arb_add(sum.raw(), radii[g].raw(), radii[h].raw(), bits);
      holds = arb_gt(distance.raw(), sum.raw()) != 0;
    }
  }
  slong place = 0;
  for (std::size_t g = 0; g < groups.size() && holds; ++g) {
    for (std::size_t k = 0; k < groups[g].size(); ++k, ++place) {
      acb_set(enclosed + place, centres + g);
      arb_add_error(acb_realref(enclosed + place), radii[g].raw());
      arb_add_error(acb_imagref(enclosed + place), radii[g].raw());
    }
  }
  acb_clear(gap);
  acb_poly_clear(around);
  _acb_vec_clear(centres, static_cast<slong>(groups.size()));
  return holds;
}

}  // namespace

bool enclose_clusters(acb_ptr enclosed, const acb_mat_t matrix, acb_srcptr near, long bits) {
  const slong n = acb_mat_nrows(matrix);
  double scale = 0;
  for (slong k = 0; k < n; ++k) scale = std::max(scale, std::abs(middle(near + k)));
  if (!std::isfinite(scale)) return false;
  if (scale == 0) scale = 1;
  acb_poly_t polynomial;
  acb_poly_init(polynomial);
  acb_mat_charpoly(polynomial, matrix, bits);
  bool is_found = false;
  for (double part = 1e-50; part < 1e-2 && !is_found; part *= 100)
    is_found = enclose(enclosed, polynomial, near, n, part * scale, bits);
  acb_poly_clear(polynomial);
  return is_found;
}

}  // namespace liaison

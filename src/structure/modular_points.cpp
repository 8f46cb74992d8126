#include "modular_points.hpp"

#include <flint/nmod_vec.h>
#include <flint/ulong_extras.h>

#include <bit>

#include "expr/raw.hpp"
#include "liaison/expr/error.hpp"
#include "modular_levels.hpp"

namespace liaison {

namespace {

constexpr Residue order_of_unity = 240;
constexpr int max_tries = 400;

/// The first prime above a random number of 61 bits that is one more than a multiple of 240.
Residue random_prime(std::mt19937_64& generator) {
  Residue p = (Residue{1} << 60) + (generator() >> 4);
  p += order_of_unity + 1 - p % order_of_unity;
  while (n_is_prime(p) == 0) p += order_of_unity;
  return p;
}

Residue power_in(Residue base, Residue exponent, Residue p) {
  return n_powmod2_ui_preinv(base, exponent, p, n_preinvert_limb(p));
}

}  // namespace

PrimeField::PrimeField(Residue prime) : prime_(prime), inverse_of_prime_(n_preinvert_limb(prime)) {
  // An element whose 120th, 80th and 48th powers are not one has the order 240 (2^4 * 3 * 5).
  for (Residue g = 2;; ++g) {
    unity_ = power_in(g, (prime_ - 1) / order_of_unity, prime_);
    if (power_in(unity_, order_of_unity / 2, prime_) != 1 &&
        power_in(unity_, order_of_unity / 3, prime_) != 1 &&
        power_in(unity_, order_of_unity / 5, prime_) != 1)
      break;
  }
  i_ = power_in(unity_, order_of_unity / 4, prime_);
}

Residue PrimeField::number(const Rational& value) const {
  const auto modulo = [&](const fmpz& n) {
    const bool is_short =
        !COEFF_IS_MPZ(n) && n > -static_cast<slong>(prime_) && n < static_cast<slong>(prime_);
    if (!is_short) return static_cast<Residue>(fmpz_fdiv_ui(&n, prime_));
    return n < 0 ? prime_ - static_cast<Residue>(-n) : static_cast<Residue>(n);
  };
  const Residue above = modulo(*fmpq_numref(value.raw()));
  if (fmpz_is_one(fmpq_denref(value.raw())) != 0) return above;
  const auto below = inverse(modulo(*fmpq_denref(value.raw())));
  if (!below) throw Error(ErrorCode::limit_reached, "a denominator vanishes modulo the prime of a search");
  return mul(above, *below);
}

Residue PrimeField::add(Residue a, Residue b) const {
  return n_addmod(a, b, prime_);
}

Residue PrimeField::mul(Residue a, Residue b) const {
  const nmod_t modulus{prime_, inverse_of_prime_, static_cast<flint_bitcnt_t>(std::countl_zero(prime_))};
  return nmod_mul(a, b, modulus);
}

std::optional<Residue> PrimeField::inverse(Residue a) const {
  if (a == 0) return std::nullopt;
  return n_invmod(a, prime_);
}

std::optional<Residue> PrimeField::sqrt(Residue a) const {
  if (a == 0) return std::nullopt;  // a place of its own: another point shows more
  const Residue root = n_sqrtmod(a, prime_);
  return root == 0 ? std::nullopt : std::optional(root);
}

std::optional<Residue> PrimeField::root_of_unity(const Rational& part) const {
  const auto steps = (part * Rational(static_cast<long>(order_of_unity / 2))).to_long();
  if (!steps) return std::nullopt;
  const long n = static_cast<long>(order_of_unity);
  return power_in(unity_, static_cast<Residue>((*steps % n + n) % n), prime_);
}

std::optional<Residue> PrimeField::cos_pi(const Rational& part) const {
  const auto up = root_of_unity(part), down = root_of_unity(-part);
  if (!up || !down) return std::nullopt;
  return mul(add(*up, *down), *inverse(2));
}

std::optional<Residue> PrimeField::sin_pi(const Rational& part) const {
  const auto up = root_of_unity(part), down = root_of_unity(-part);
  if (!up || !down) return std::nullopt;
  return mul(n_submod(*up, *down, prime_), *inverse(mul(2, i_)));
}

ModularPoints::ModularPoints(const FunctionTable& table, PointChoices choices, std::uint64_t seed)
    : table_(table), choices_(std::move(choices)), generator_(seed), field_(random_prime(generator_)) {
  for (Expr node : table_.free_nodes())
    free_depends_.push_back(table_.depends_on_state(table_.place_of(node)));
  point_.circles.resize(table_.angles().size());
  point_.exponentials.resize(table_.exponents().size());
  draw(true);
  if (!choices_.relations.empty())
    levels_ = std::make_unique<ModularLevels>(table_, choices_, field_, point_);
}
ModularPoints::~ModularPoints() = default;

Residue ModularPoints::random() {
  return generator_() % (field_.prime() - 2) + 1;
}

std::pair<Residue, Residue> ModularPoints::random_on_circle() {
  while (true) {
    const Residue s = random(), square = field_.mul(s, s);
    const auto below = field_.inverse(field_.add(1, square));
    if (!below) continue;
    const Residue c = field_.mul(field_.add(1, field_.prime() - square), *below);
    return {c, field_.mul(field_.add(s, s), *below)};
  }
}

/// New values of what changes from point to point, or of the constants.
void ModularPoints::draw(bool constants) {
  for (std::size_t k = 0; k < table_.free_nodes().size(); ++k) {
    if (free_depends_[k] == constants) continue;
    const Expr node = table_.free_nodes()[k];
    const auto given = choices_.values.find(node);
    point_.free[node] = given == choices_.values.end() ? random() : field_.number(given->second);
  }
  for (std::size_t k = 0; k < table_.angles().size(); ++k) {
    if (table_.angles()[k].depends_on_state != constants) point_.circles[k] = random_on_circle();
  }
  for (std::size_t k = 0; k < table_.exponents().size(); ++k) {
    if (table_.exponents()[k].depends_on_state != constants) point_.exponentials[k] = random();
  }
  if (constants) return;
  // ((1 - s.s), 2 s)/(1 + s.s) for any s in three dimensions.
  for (const auto& quaternion : choices_.quaternions) {
    while (true) {
      const std::array<Residue, 3> s{random(), random(), random()};
      Residue square = 0;
      for (const Residue x : s) square = field_.add(square, field_.mul(x, x));
      const auto below = field_.inverse(field_.add(1, square));
      if (!below) continue;
      point_.free[quaternion[0]] = field_.mul(field_.add(1, field_.prime() - square), *below);
      for (std::size_t k = 0; k < 3; ++k)
        point_.free[quaternion[k + 1]] = field_.mul(field_.add(s[k], s[k]), *below);
      break;
    }
  }
}

std::optional<std::vector<Residue>> ModularPoints::next() {
  for (int tries = 0; tries < max_tries; ++tries) {
    draw(false);
    if (levels_ && !levels_->move(point_, generator_)) continue;
    if (auto values = PointEvaluation<Residue, PrimeField>(table_, field_, point_).run()) return values;
  }
  return std::nullopt;
}

}  // namespace liaison

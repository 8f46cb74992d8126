#include "liaison/expr/primes.hpp"
#include "raw.hpp"

#include <flint/fmpz.h>
// after fmpz.h, which it needs
#include <flint/fmpz_factor.h>

#include <map>

namespace liaison {

namespace {

// A number of two large primes costs 0.4 ms below 64 bits, 20 ms at 100, 70 ms at 128 and 4 s at 200; a proof
// of primality 4 ms at 128 bits, 16 ms at 256 and 2 s at 1024.
constexpr flint_bitcnt_t factor_completely_below_bits = 128;
constexpr flint_bitcnt_t prove_prime_below_bits = 256;
constexpr flint_bitcnt_t small_bits = 64;
constexpr slong n_trial_primes = 3000;
constexpr std::size_t max_remembered = 4096;

using Factors = std::vector<std::pair<Rational, long>>;

class Factorisation {
 public:
  Factorisation() { fmpz_factor_init(value_); }
  Factorisation(const Factorisation&) = delete;
  Factorisation& operator=(const Factorisation&) = delete;
  ~Factorisation() { fmpz_factor_clear(value_); }

  fmpz_factor_struct* raw() { return value_; }
  Factors list() const {
    Factors result;
    for (slong i = 0; i < value_->num; ++i) {
      if (fmpz_is_one(value_->p + i)) continue;
      result.emplace_back(rational_of(value_->p + i), static_cast<long>(value_->exp[i]));
    }
    return result;
  }

 private:
  fmpz_factor_t value_;
};

Factors factors_of_cofactor(const fmpz_t n) {
  Factorisation found;
  if (fmpz_bits(n) <= factor_completely_below_bits) {
    fmpz_factor(found.raw(), n);
    return found.list();
  }
  Rational root;
  const int k = fmpz_is_perfect_power(fmpq_numref(root.raw()), n);
  if (k <= 1) return {{rational_of(n), 1}};
  Factors result = factors_of_cofactor(fmpq_numref(root.raw()));
  for (auto& [base, multiplicity] : result) multiplicity *= k;
  return result;
}

Factors factors_of_large(const fmpz_t n) {
  Factorisation small;
  // the flag says whether the primes that were tried are all
  if (fmpz_factor_trial(small.raw(), n, n_trial_primes) != 0) return small.list();
  Factors result = small.list();
  const Rational cofactor = result.back().first;
  result.pop_back();
  for (auto& factor : factors_of_cofactor(fmpq_numref(cofactor.raw()))) result.push_back(std::move(factor));
  return result;
}

/// A large number is factored once a thread: it comes back with every root that is built over it.
template <class Value, class Find>
const Value& remembered(std::map<Rational, Value>& known, const Rational& n, Find find) {
  if (const auto at = known.find(n); at != known.end()) return at->second;
  if (known.size() >= max_remembered) known.clear();
  return known.emplace(n, find()).first->second;
}

}  // namespace

bool is_proved_prime(const Rational& n) {
  const fmpz* value = fmpq_numref(n.raw());
  if (!n.is_integer() || n.sign() <= 0 || fmpz_bits(value) > prove_prime_below_bits) return false;
  if (fmpz_bits(value) <= small_bits) return fmpz_is_prime(value) == 1;
  thread_local std::map<Rational, bool> known;
  return remembered(known, n, [&] { return fmpz_is_prime(value) == 1; });
}

std::vector<std::pair<Rational, long>> factors_of(const Rational& n) {
  const fmpz* value = fmpq_numref(n.raw());
  if (fmpz_bits(value) <= small_bits) {
    Factorisation found;
    fmpz_factor(found.raw(), value);
    return found.list();
  }
  thread_local std::map<Rational, Factors> known;
  return remembered(known, n, [&] { return factors_of_large(value); });
}

}  // namespace liaison

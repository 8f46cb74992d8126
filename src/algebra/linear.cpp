#include "linear.hpp"

#include <algorithm>

#include "rewrite.hpp"

namespace liaison {

namespace {

Poly least_common_multiple(const Poly& a, const Poly& b) {
  if (a.is_one()) return b;
  if (b.is_one() || a == b) return a;
  return a * exact_quotient(b, gcd(a, b));
}

}  // namespace

PolyMatrix::PolyMatrix(Algebra& algebra, std::size_t rows, std::size_t columns, std::span<const Expr> entries)
    : algebra_(algebra), rows_(rows), columns_(columns) {
  std::vector<Expr> rewritten;
  rewritten.reserve(entries.size());
  for (Expr e : entries) rewritten.push_back(rewrite(algebra, e));
  field_ = std::make_shared<Field>(make_field(algebra, rewritten));
  entries_.resize(rows * columns, Poly(field_->ring()));
  denominators_.resize(rows, Poly(field_->ring(), 1));
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Fraction> row;
    row.reserve(columns);
    for (std::size_t j = 0; j < columns; ++j) row.push_back(field_->convert(rewritten[i * columns + j]));
    store_row(i, std::move(row));
  }
}

/// Multiplied with the least common denominator until none is left: a root of a fraction may bring a new one.
void PolyMatrix::store_row(std::size_t row, std::vector<Fraction> fractions) {
  Poly& total = denominators_[row];
  total = Poly(field_->ring(), 1);
  for (;;) {
    Poly denominator(field_->ring(), 1);
    for (const Fraction& f : fractions) denominator = least_common_multiple(denominator, f.den);
    if (denominator.is_one()) break;
    total = total * denominator;
    for (Fraction& f : fractions) f = field_->reduce(f.num * exact_quotient(denominator, f.den));
  }
  for (std::size_t j = 0; j < columns_; ++j) entries_[row * columns_ + j] = std::move(fractions[j].num);
}

void PolyMatrix::replace_row(std::size_t row, std::vector<Fraction> fractions) {
  store_row(row, std::move(fractions));
  Poly common(field_->ring());
  for (std::size_t j = 0; j < columns_; ++j) {
    Poly& entry = entries_[row * columns_ + j];
    if (entry.is_zero()) continue;
    if (is_zero(entry)) {
      entry = Poly(field_->ring());
    } else if (!common.is_one()) {
      common = gcd(common, entry);
    }
  }
  if (common.is_zero() || common.is_one()) return;
  for (std::size_t j = 0; j < columns_; ++j) {
    Poly& entry = entries_[row * columns_ + j];
    if (!entry.is_zero()) entry = exact_quotient(entry, common);
  }
}

bool PolyMatrix::is_zero(const Poly& a) {
  if (a.is_zero()) return true;
  if (field_->is_independent()) return false;
  const Verdict verdict = algebra_.vanishes_generically(field_->to_expr(a));
  if (!verdict.is_refuted()) grade_ = weaker(grade_, verdict.grade);  // a certified non-zero is exact too
  return verdict.holds();
}

void throw_limit(const std::string& task, const std::string& reason) {
  throw Error(ErrorCode::limit_reached, task + " ended before it was done: " + reason,
              "raise AlgebraOptions::max_terms or max_operations, or give numbers to some of the symbols");
}

}  // namespace liaison

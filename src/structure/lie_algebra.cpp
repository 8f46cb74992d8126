#include "liaison/structure/lie_algebra.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison {

namespace {

using Row = std::vector<Rational>;
using Rows = std::vector<Row>;

/// The rows reduced to echelon form: independent ones, each with a leading 1.
Rows reduced(Rows rows) {
  Rows result;
  const std::size_t n = rows.empty() ? 0 : rows.front().size();
  for (std::size_t column = 0; column < n; ++column) {
    const auto pivot =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return !row[column].is_zero(); });
    if (pivot == rows.end()) continue;
    Row lead = std::move(*pivot);
    rows.erase(pivot);
    const Rational scale = Rational(1) / lead[column];
    for (Rational& x : lead) x = x * scale;
    const auto clear = [&](Row& row) {
      const Rational factor = row[column];
      if (factor.is_zero()) return;
      for (std::size_t k = 0; k < n; ++k) row[k] = row[k] - factor * lead[k];
    };
    for (Row& row : rows) clear(row);
    for (Row& row : result) clear(row);
    result.push_back(std::move(lead));
  }
  return result;
}

std::size_t rank_of(const Rows& rows) {
  return reduced(rows).size();
}

Rows joined(Rows a, const Rows& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A basis of the x with row . x = 0 for all rows of n columns.
Rows null_rows(const Rows& given, std::size_t n) {
  const Rows rows = reduced(given);
  std::vector<std::size_t> leads;
  for (const Row& row : rows)
    leads.push_back(static_cast<std::size_t>(
        std::find_if(row.begin(), row.end(), [](const Rational& x) { return !x.is_zero(); }) - row.begin()));
  Rows result;
  for (std::size_t free = 0; free < n; ++free) {
    if (std::find(leads.begin(), leads.end(), free) != leads.end()) continue;
    Row x(n, Rational(0));
    x[free] = Rational(1);
    for (std::size_t i = 0; i < rows.size(); ++i) x[leads[i]] = -rows[i][free];
    result.push_back(std::move(x));
  }
  return result;
}

/// An algebra by its structure constants, c[a][b] the bracket of two basis elements.
struct Table {
  std::size_t size = 0;
  std::vector<Rows> c;

  explicit Table(std::size_t n) : size(n), c(n, Rows(n, Row(n, Rational(0)))) {}

  Row product(const Row& x, const Row& y) const {
    Row result(size, Rational(0));
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        const Rational factor = x[a] * y[b];
        if (factor.is_zero()) continue;
        for (std::size_t k = 0; k < size; ++k) result[k] = result[k] + factor * c[a][b][k];
      }
    }
    return result;
  }
  Rows brackets() const {
    Rows all;
    for (const Rows& rows : c) all = joined(std::move(all), rows);
    return reduced(std::move(all));
  }
  Rows centre() const {
    Rows equations;  // of x: sum_a x^a c[a][b][k] = 0
    for (std::size_t b = 0; b < size; ++b) {
      for (std::size_t k = 0; k < size; ++k) {
        Row row;
        for (std::size_t a = 0; a < size; ++a) row.push_back(c[a][b][k]);
        equations.push_back(std::move(row));
      }
    }
    return null_rows(equations, size);
  }
  /// trace(ad_a ad_b)
  Rows killing() const {
    Rows form(size, Row(size, Rational(0)));
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t k = 0; k < size; ++k) form[a][b] = form[a][b] + c[a][i][k] * c[b][k][i];
        }
      }
    }
    return form;
  }
};

/// How many squares with each sign a quadratic form has (Lagrange).
std::pair<std::size_t, std::size_t> signature(Rows form) {
  std::size_t positive = 0, negative = 0;
  while (!form.empty()) {
    const std::size_t n = form.size();
    std::size_t at = 0;
    while (at < n && form[at][at].is_zero()) ++at;
    if (at == n) {  // no square: x_i + x_j has one where x_i x_j occurs
      std::size_t i = 0, j = 0;
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
          if (form[a][b].is_zero()) continue;
          i = a;
          j = b;
        }
      }
      if (i == j) break;
      for (std::size_t k = 0; k < n; ++k) form[i][k] = form[i][k] + form[j][k];
      for (std::size_t k = 0; k < n; ++k) form[k][i] = form[k][i] + form[k][j];
      continue;
    }
    const Rational square = form[at][at];
    ++(square.sign() > 0 ? positive : negative);
    Rows rest;
    for (std::size_t a = 0; a < n; ++a) {
      if (a == at) continue;
      Row row;
      for (std::size_t b = 0; b < n; ++b) {
        if (b != at) row.push_back(form[a][b] - form[a][at] * form[at][b] / square);
      }
      rest.push_back(std::move(row));
    }
    form = std::move(rest);
  }
  return {positive, negative};
}

/// The coordinates of x in a basis.
Row coordinates(const Rows& basis, const Row& x) {
  Rows equations;
  for (std::size_t k = 0; k < x.size(); ++k) {
    Row row;
    for (const Row& element : basis) row.push_back(element[k]);
    row.push_back(x[k]);
    equations.push_back(std::move(row));
  }
  const Rows solved = reduced(std::move(equations));
  Row result;
  for (std::size_t k = 0; k < basis.size(); ++k) result.push_back(solved[k].back());
  return result;
}

/// A subalgebra by its basis.
Table restricted(const Table& whole, const Rows& basis) {
  Table result(basis.size());
  for (std::size_t a = 0; a < basis.size(); ++a) {
    for (std::size_t b = 0; b < basis.size(); ++b)
      result.c[a][b] = coordinates(basis, whole.product(basis[a], basis[b]));
  }
  return result;
}

/// Where the derived series ends: what is all of its own brackets.
Rows perfect_part(const Table& table) {
  Rows part;
  for (std::size_t k = 0; k < table.size; ++k) {
    part.emplace_back(table.size, Rational(0));
    part.back()[k] = Rational(1);
  }
  while (true) {
    Rows brackets;
    for (const Row& x : part)
      for (const Row& y : part) brackets.push_back(table.product(x, y));
    brackets = reduced(std::move(brackets));
    if (brackets.size() == part.size()) return part;
    part = std::move(brackets);
  }
}

/// What commutes with all of these.
Rows centralizer(const Table& table, const Rows& of) {
  Rows equations;
  for (const Row& y : of) {
    for (std::size_t k = 0; k < table.size; ++k) {
      Row row;
      for (std::size_t a = 0; a < table.size; ++a) {
        Rational sum(0);
        for (std::size_t b = 0; b < table.size; ++b) sum = sum + table.c[a][b][k] * y[b];
        row.push_back(sum);
      }
      equations.push_back(std::move(row));
    }
  }
  return null_rows(equations, table.size);
}

/// Without what commutes with all and is no bracket, and how much that is.
std::pair<Table, std::size_t> without_factors(const Table& whole) {
  const Rows brackets = whole.brackets();
  Rows spanning = brackets, apart;  // of the centre, beyond the brackets
  for (const Row& x : whole.centre()) {
    Rows more = joined(spanning, {x});
    if (rank_of(more) == spanning.size()) continue;
    apart.push_back(x);
    spanning = std::move(more);
  }
  Rows kept = brackets;
  for (std::size_t k = 0; k < whole.size; ++k) {
    Row unit(whole.size, Rational(0));
    unit[k] = Rational(1);
    Rows more = joined(spanning, {unit});
    if (rank_of(more) == spanning.size()) continue;
    kept.push_back(unit);
    spanning = std::move(more);
  }
  return {restricted(whole, kept), apart.size()};
}

/// Two brackets that commute, and one element that turns or stretches them.
std::string name_of_plane(const Table& table) {
  const Rows brackets = table.brackets();
  for (const Rational& x : table.product(brackets[0], brackets[1])) {
    if (!x.is_zero()) return {};
  }
  Row outside;
  for (std::size_t k = 0; k < table.size && outside.empty(); ++k) {
    Row unit(table.size, Rational(0));
    unit[k] = Rational(1);
    if (rank_of(joined(brackets, {unit})) > brackets.size()) outside = unit;
  }
  const Row first = coordinates(brackets, table.product(outside, brackets[0]));
  const Row second = coordinates(brackets, table.product(outside, brackets[1]));
  const Rational trace = first[0] + second[1], determinant = first[0] * second[1] - first[1] * second[0];
  if (!trace.is_zero()) return {};
  return determinant.sign() > 0 ? "e(2)" : "e(1, 1)";
}

/// Cartan's criterion: Killing's form is not degenerate. Up to dimension 10, leaving 9, 8 and 10 with simple
/// ones, its signature tells the real forms apart: so(p, q) has p q squares with the sign of the boosts.
std::string name_of_semisimple(std::size_t size, std::size_t positive) {
  struct Known {
    std::size_t size, positive;
    const char* name;
  };
  static constexpr Known known[] = {{3, 0, "so(3)"},
                                    {3, 2, "sl(2)"},
                                    {6, 0, "so(4)"},
                                    {6, 2, "so(3) + sl(2)"},
                                    {6, 3, "so(3, 1)"},
                                    {6, 4, "so(2, 2)"},
                                    {8, 0, "su(3)"},
                                    {8, 4, "su(2, 1)"},
                                    {8, 5, "sl(3)"},
                                    {9, 0, "so(4) + so(3)"},
                                    {9, 2, "so(4) + sl(2)"},
                                    {9, 3, "so(3, 1) + so(3)"},
                                    {9, 4, "so(2, 2) + so(3)"},
                                    {9, 5, "so(3, 1) + sl(2)"},
                                    {9, 6, "so(2, 2) + sl(2)"},
                                    {10, 0, "so(5)"},
                                    {10, 4, "so(4, 1)"},
                                    {10, 6, "so(3, 2)"}};
  for (const Known& one : known)
    if (one.size == size && one.positive == positive) return one.name;
  return {};
}

/// All of its own brackets, but not semisimple: its radical is not zero. so(3) acts on three dimensions, and
/// on no two, other than trivially; of sl(2) the centre tells the two cases apart.
std::string name_of_perfect(const Table& table, std::size_t positive, std::size_t negative) {
  if (table.size != 6 || positive + negative != 3) return {};
  if (positive == 0) return "e(3)";
  return table.centre().empty() ? "e(2, 1)" : "the algebra of Schroedinger";
}

std::string name_of_rest(const Table& table) {
  const std::size_t derived = table.brackets().size();
  const auto [positive, negative] = signature(table.killing());
  if (derived == table.size)
    return positive + negative == table.size ? name_of_semisimple(table.size, positive)
                                             : name_of_perfect(table, positive, negative);
  const Rows part = perfect_part(table);
  if (!part.empty()) {  // a sum of ideals where nothing of it commutes with it, and enough beside it does
    const Rows beside = centralizer(table, part);
    if (part.size() + beside.size() != table.size || rank_of(joined(part, beside)) != table.size) return {};
    const std::string first = name_of_rest(restricted(table, part));
    const std::string second = name_of_rest(restricted(table, beside));
    return first.empty() || second.empty() ? "" : first + " + " + second;
  }
  if (table.size == 2 && derived == 1) return "aff(1)";
  if (derived == 1 && table.centre().size() == 1 && table.size % 2 == 1 &&
      rank_of(joined(table.brackets(), table.centre())) == 1)
    return table.size == 3 ? "the algebra of Heisenberg"
                           : fmt::format("the algebra of Heisenberg in {} dimensions", table.size);
  if (table.size == 3 && derived == 2) return name_of_plane(table);
  return {};
}

}  // namespace

std::string name_of_algebra(const Symmetries& symmetries) {
  const std::size_t n = symmetries.fields.size();
  if (n == 0 || !symmetries.closure.empty()) return {};
  Table whole(n);
  for (const StructureConstant& constant : symmetries.constants) {
    if (!constant.value.is_number()) return {};
    whole.c[constant.a][constant.b][constant.c] = constant.value.number();
    whole.c[constant.b][constant.a][constant.c] = -constant.value.number();
  }
  const auto [rest, apart] = without_factors(whole);
  const std::string factor = apart == 0 ? "" : apart == 1 ? "R" : fmt::format("R^{}", apart);
  if (rest.size == 0) return factor;
  const std::string name = name_of_rest(rest);
  return name.empty() ? "" : name + (factor.empty() ? "" : " + " + factor);
}

}  // namespace liaison

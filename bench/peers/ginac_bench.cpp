#include <ginac/ginac.h>

#include <cmath>
#include <numeric>

#include "worker.hpp"

/// The work of the benchmark cases done by GiNaC. The time includes reading the text, as for Liaison.
///
/// GiNaC has no addition theorems and no circle relation: the zero test, determinant and solve expand the
/// angles by hand to polynomials in their sines and cosines, use GiNaC's normal, determinant and solve, and
/// reduce sin^2 = 1 - cos^2.
namespace {

using namespace GiNaC;
using bench::Case;
using bench::Outcome;
using bench::Stopwatch;

class Reader {
 public:
  explicit Reader(const Case& input) {
    for (const std::string& name : input.words("symbols")) table_[name] = symbol(name);
  }
  ex operator()(const std::string& text) {
    parser read(table_, true);
    return read(text);
  }
  std::vector<ex> all(const std::vector<std::string>& texts) {
    std::vector<ex> result;
    for (const std::string& text : texts) result.push_back((*this)(text));
    return result;
  }
  std::vector<symbol> symbols(const std::vector<std::string>& names) {
    std::vector<symbol> result;
    for (const std::string& name : names) result.push_back(ex_to<symbol>(table_.at(name)));
    return result;
  }
  exmap point(const Case& input) {
    exmap result;
    for (const auto& [name, value] : input.point()) result[table_.at(name)] = numeric(value);
    return result;
  }

 private:
  symtab table_;
};

double value_at(const ex& e, const exmap& point) {
  return ex_to<numeric>(evalf(e.subs(point))).to_double();
}

Outcome chain(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Reader read(input);
  const auto q = read.symbols(input.words("angles")), v = read.symbols(input.words("rates"));
  const auto m = read.symbols(input.words("masses")), j = read.symbols(input.words("inertias"));
  const auto x = read.all(input.all("x")), y = read.all(input.all("y"));
  const auto rate = [&](const ex& position) {
    exvector terms;
    for (std::size_t i = 0; i < q.size(); ++i) terms.push_back(position.diff(q[i]) * v[i]);
    return ex(add(terms));
  };
  exvector energies;
  for (std::size_t k = 0; k < q.size(); ++k) {
    energies.push_back(m[k] / 2 * (pow(rate(x[k]), 2) + pow(rate(y[k]), 2)) + j[k] / 2 * pow(v[k], 2));
  }
  const ex energy = add(energies);
  std::vector<symbol> state = q;
  state.insert(state.end(), v.begin(), v.end());
  std::vector<ex> first;
  std::vector<ex> second;
  for (const symbol& s : state) first.push_back(energy.diff(s));
  for (std::size_t a = 0; a < state.size(); ++a) {
    for (std::size_t b = a; b < state.size(); ++b) second.push_back(first[a].diff(state[b]));
  }
  outcome.seconds = watch.seconds();
  const exmap point = read.point(input);
  for (const ex& e : first) outcome.checksum += std::fabs(value_at(e, point));
  for (std::size_t a = 0, k = 0; a < state.size(); ++a) {
    for (std::size_t b = a; b < state.size(); ++b, ++k) {
      if (bench::is_sampled(a, b)) outcome.checksum += std::fabs(value_at(second[k], point));
    }
  }
  return outcome;
}

/// Sines and cosines of rational combinations of symbols as polynomials in two generators a symbol.
class Angles : public map_function {
 public:
  explicit Angles(const std::vector<ex>& es) {
    for (const ex& e : es) find_units(e);
  }
  ex operator()(const ex& e) override {
    if (is_a<function>(e)) {
      const auto known = memo_.find(e);
      if (known != memo_.end()) return known->second;
      const std::string name = ex_to<function>(e).get_name();
      const auto [sine, cosine] = value(e.op(0));
      return memo_[e] = name == "sin" ? sine : name == "cos" ? cosine : sine / cosine;
    }
    return e.map(*this);
  }
  /// sin^2 = 1 - cos^2 in an expanded polynomial.
  ex reduce(ex e) const {
    for (const auto& [atom, generator] : generators_) {
      const ex square = 1 - pow(generator.cosine, 2);
      const int degree = e.degree(generator.sine);
      if (degree < 2) continue;
      ex sum = 0;
      for (int k = 0; k <= degree; ++k) {
        sum += e.coeff(generator.sine, k) * pow(square, k / 2) * pow(generator.sine, k % 2);
      }
      e = sum.expand();
    }
    return e;
  }
  exmap back() const {
    exmap result;
    for (const auto& [atom, generator] : generators_) {
      result[generator.sine] = sin(atom / numeric(generator.unit));
      result[generator.cosine] = cos(atom / numeric(generator.unit));
    }
    return result;
  }

 private:
  struct Generator {
    symbol sine, cosine;
    long unit = 1;
  };
  struct SineCosine {
    ex sine, cosine;
  };

  static std::vector<std::pair<ex, numeric>> terms(const ex& argument) {
    std::vector<std::pair<ex, numeric>> result;
    const ex expanded = argument.expand();
    const auto take = [&](const ex& term) {
      const ex coefficient =
          is_a<mul>(term) ? term.op(term.nops() - 1) : ex(1);  // a number stands last in a product
      const numeric number = is_a<numeric>(coefficient) ? ex_to<numeric>(coefficient) : numeric(1);
      result.emplace_back(term / number, number);
    };
    if (is_a<add>(expanded)) {
      for (const ex& term : expanded) take(term);
    } else {
      take(expanded);
    }
    return result;
  }

  void find_units(const ex& e) {
    if (is_a<function>(e)) {
      for (const auto& [atom, coefficient] : terms(e.op(0))) {
        long& unit = generators_[atom].unit;
        unit = std::lcm(unit, coefficient.denom().to_long());
      }
      return;
    }
    for (const ex& part : e) find_units(part);
  }

  SineCosine multiple(const Generator& g, long n) const {
    if (n < 0) {
      const SineCosine positive = multiple(g, -n);
      return {-positive.sine, positive.cosine};
    }
    if (n == 0) return {0, 1};
    if (n == 1) return {g.sine, g.cosine};
    return sum(multiple(g, n / 2), multiple(g, n - n / 2));
  }
  static SineCosine sum(const SineCosine& a, const SineCosine& b) {
    return {a.sine * b.cosine + a.cosine * b.sine, a.cosine * b.cosine - a.sine * b.sine};
  }
  SineCosine value(const ex& argument) const {
    SineCosine result{0, 1};
    for (const auto& [atom, coefficient] : terms(argument)) {
      const Generator& g = generators_.at(atom);
      result = sum(result, multiple(g, (coefficient * numeric(g.unit)).to_long()));
    }
    return result;
  }

  std::map<ex, Generator, ex_is_less> generators_;
  exmap memo_;
};

Outcome zero(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Reader read(input);
  const ex e = read(input.one("left")) - read(input.one("right"));
  Angles angles({e});
  const ex rest = angles.reduce(angles(e).normal().numer().expand());
  outcome.seconds = watch.seconds();
  if (!rest.is_zero()) outcome.note = "not 0 after reduction";
  return outcome;
}

Outcome linear_algebra(const Case& input) {
  Outcome outcome;
  const Stopwatch watch;
  Reader read(input);
  auto entries = read.all(input.all("entry"));
  const std::size_t count = entries.size();
  const auto n = static_cast<unsigned>(std::lround(std::sqrt(static_cast<double>(count))));
  for (const ex& b : read.all(input.all("rhs"))) entries.push_back(b);
  Angles angles(entries);
  matrix a(n, n), b(n, 1), unknowns(n, 1);
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned k = 0; k < n; ++k) a(i, k) = angles(entries[i * n + k]).expand();
  }
  std::vector<ex> results;
  if (input.one("task") == "determinant") {
    results.push_back(angles.reduce(a.determinant().expand()));
  } else {
    for (unsigned i = 0; i < n; ++i) {
      b(i, 0) = angles(entries[count + i]).expand();
      unknowns(i, 0) = symbol("unknown" + std::to_string(i));
    }
    const matrix x = a.solve(unknowns, b);
    for (unsigned i = 0; i < n; ++i) {
      const ex fraction = x(i, 0).normal().numer_denom();
      results.push_back(angles.reduce(fraction.op(0).expand()) / angles.reduce(fraction.op(1).expand()));
    }
  }
  outcome.seconds = watch.seconds();
  const exmap point = read.point(input), back = angles.back();
  exmap values;
  for (const auto& [generator, function] : back) values[generator] = evalf(function.subs(point));
  for (const auto& [name, value] : point) values[name] = value;
  for (const ex& e : results)
    outcome.checksum += results.size() == 1 ? value_at(e, values) : std::fabs(value_at(e, values));
  return outcome;
}

using FormTerms = std::map<bench::Indices, exvector>;
using FormMap = std::map<bench::Indices, ex>;

void add_product(FormTerms& terms, bench::Indices indices, const ex& coefficient) {
  bool odd = false;
  for (std::size_t i = 1; i < indices.size(); ++i) {
    for (std::size_t k = i; k > 0 && indices[k - 1] >= indices[k]; --k) {
      if (indices[k - 1] == indices[k]) return;
      std::swap(indices[k - 1], indices[k]);
      odd = !odd;
    }
  }
  terms[indices].push_back(odd ? -coefficient : coefficient);
}

FormMap gathered(const FormTerms& terms) {
  FormMap result;
  for (const auto& [indices, parts] : terms) {
    const ex sum = add(parts);
    if (!sum.is_zero()) result[indices] = sum;
  }
  return result;
}

FormMap exterior_derivative(const FormMap& form, const std::vector<symbol>& x) {
  FormTerms terms;
  for (const auto& [indices, coefficient] : form) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const ex part = coefficient.diff(x[i]);
      if (part.is_zero()) continue;
      bench::Indices all{i};
      all.insert(all.end(), indices.begin(), indices.end());
      add_product(terms, std::move(all), part);
    }
  }
  return gathered(terms);
}

FormMap wedge(const FormMap& a, const FormMap& b) {
  FormTerms terms;
  for (const auto& [i, left] : a) {
    for (const auto& [k, right] : b) {
      bench::Indices all = i;
      all.insert(all.end(), k.begin(), k.end());
      add_product(terms, std::move(all), left * right);
    }
  }
  return gathered(terms);
}

Outcome form_work(const Case& input) {
  Outcome outcome;
  const std::string& task = input.one("task");
  const auto left = input.form("a"), right = input.form("b");
  const Stopwatch watch;
  Reader read(input);
  const auto make = [&](const std::vector<bench::FormTerm>& terms) {
    FormMap form;
    for (const bench::FormTerm& term : terms) form[term.indices] = read(term.coefficient);
    return form;
  };
  const auto x = read.symbols(input.words("symbols"));
  FormMap result = make(left);
  result = task == "wedge" ? wedge(result, make(right)) : exterior_derivative(result, x);
  if (task == "dd") {
    result = exterior_derivative(result, x);
    for (const auto& [indices, coefficient] : result) {
      if (!coefficient.expand().is_zero()) outcome.note = "d d is not 0";
    }
  }
  outcome.seconds = watch.seconds();
  if (task == "dd") return outcome;
  const exmap point = read.point(input);
  for (const auto& [indices, coefficient] : result) {
    outcome.checksum += bench::form_weight(indices) * std::fabs(value_at(coefficient, point));
  }
  return outcome;
}

Outcome perform(const std::string&, const Case& input) {
  const std::string& task = input.one("task");
  if (task == "chain") return chain(input);
  if (task == "zero") return zero(input);
  if (task == "determinant" || task == "solve") return linear_algebra(input);
  return form_work(input);
}

}  // namespace

int main() {
  return bench::serve(perform);
}

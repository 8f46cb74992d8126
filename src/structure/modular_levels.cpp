#include "modular_levels.hpp"

#include <flint/nmod_mpoly.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "liaison/expr/traverse.hpp"
#include "modular_matrix.hpp"

namespace liaison {

namespace {

constexpr int max_eliminations = 40;
constexpr long max_degree = 36;    ///< of a resultant
constexpr long max_terms = 4'000;  ///< of the product of two polynomials whose resultant is taken
constexpr unsigned any_order = 4;  ///< one point in so many has unknowns in any order: other components

/// The ring of polynomials in the generators that the relations have.
class Ring {
 public:
  Ring(std::size_t variables, Residue prime) : variables_(variables) {
    nmod_mpoly_ctx_init(context_, static_cast<slong>(variables), ORD_LEX, prime);
  }
  ~Ring() { nmod_mpoly_ctx_clear(context_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  const nmod_mpoly_ctx_struct* raw() const { return context_; }
  std::size_t variables() const { return variables_; }

 private:
  nmod_mpoly_ctx_t context_;
  std::size_t variables_;
};

class Poly {
 public:
  explicit Poly(const Ring& ring) : ring_(&ring) { nmod_mpoly_init(p_, ring.raw()); }
  Poly(const Poly& other) : Poly(*other.ring_) { nmod_mpoly_set(p_, other.p_, ring_->raw()); }
  Poly(Poly&& other) noexcept : Poly(*other.ring_) { nmod_mpoly_swap(p_, other.p_, ring_->raw()); }
  Poly& operator=(Poly other) noexcept {
    nmod_mpoly_swap(p_, other.p_, ring_->raw());
    return *this;
  }
  ~Poly() { nmod_mpoly_clear(p_, ring_->raw()); }

  static Poly constant(const Ring& ring, Residue value) {
    Poly result(ring);
    nmod_mpoly_set_ui(result.p_, value, ring.raw());
    return result;
  }
  static Poly variable(const Ring& ring, std::size_t k) {
    Poly result(ring);
    nmod_mpoly_gen(result.p_, static_cast<slong>(k), ring.raw());
    return result;
  }
  friend Poly operator+(const Poly& a, const Poly& b) {
    Poly result(*a.ring_);
    nmod_mpoly_add(result.p_, a.p_, b.p_, a.ring_->raw());
    return result;
  }
  friend Poly operator*(const Poly& a, const Poly& b) {
    Poly result(*a.ring_);
    nmod_mpoly_mul(result.p_, a.p_, b.p_, a.ring_->raw());
    return result;
  }
  bool is_zero() const { return nmod_mpoly_is_zero(p_, ring_->raw()) != 0; }
  bool is_constant() const { return nmod_mpoly_is_ui(p_, ring_->raw()) != 0; }
  Residue constant_value() const { return nmod_mpoly_get_ui(p_, ring_->raw()); }
  long length() const { return nmod_mpoly_length(p_, ring_->raw()); }
  long degree(std::size_t k) const { return nmod_mpoly_degree_si(p_, static_cast<slong>(k), ring_->raw()); }
  Poly with(std::size_t k, Residue value) const {
    Poly result(*ring_);
    nmod_mpoly_evaluate_one_ui(result.p_, p_, static_cast<slong>(k), value, ring_->raw());
    return result;
  }
  Poly derivative(std::size_t k) const {
    Poly result(*ring_);
    nmod_mpoly_derivative(result.p_, p_, static_cast<slong>(k), ring_->raw());
    return result;
  }
  /// Nothing where it is not found.
  static std::optional<Poly> resultant(const Poly& a, const Poly& b, std::size_t k) {
    Poly result(*a.ring_);
    if (nmod_mpoly_resultant(result.p_, a.p_, b.p_, static_cast<slong>(k), a.ring_->raw()) == 0)
      return std::nullopt;
    return result;
  }
  /// Variables that occur.
  std::vector<std::size_t> variables() const {
    std::vector<int> used(ring_->variables());
    nmod_mpoly_used_vars(used.data(), p_, ring_->raw());
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (used[k] != 0) result.push_back(k);
    }
    return result;
  }
  /// Of a polynomial in one variable.
  void write_univariate(nmod_poly_t out, std::size_t k) const {
    nmod_mpoly_get_nmod_poly(out, p_, static_cast<slong>(k), ring_->raw());
  }

 private:
  const Ring* ring_;
  nmod_mpoly_t p_;
};

/// Polynomials as the arithmetic of a point.
class PolyArithmetic {
 public:
  static constexpr bool keeps_constants = false;
  PolyArithmetic(const Ring& ring, const PrimeField& field) : ring_(ring), field_(field) {}
  Poly number(const Rational& value) const { return Poly::constant(ring_, field_.number(value)); }
  Poly add(const Poly& a, const Poly& b) const { return a + b; }
  Poly mul(const Poly& a, const Poly& b) const { return a * b; }
  std::optional<Poly> inverse(const Poly& a) const {
    if (!a.is_constant()) return std::nullopt;
    return constant(field_.inverse(a.constant_value()));
  }
  std::optional<Poly> sqrt(const Poly& a) const {
    if (!a.is_constant()) return std::nullopt;
    return constant(field_.sqrt(a.constant_value()));
  }
  std::optional<Poly> cos_pi(const Rational& part) const { return constant(field_.cos_pi(part)); }
  std::optional<Poly> sin_pi(const Rational& part) const { return constant(field_.sin_pi(part)); }

 private:
  std::optional<Poly> constant(std::optional<Residue> value) const {
    return value ? std::optional(Poly::constant(ring_, *value)) : std::nullopt;
  }
  const Ring& ring_;
  const PrimeField& field_;
};

/// The roots of the greatest common divisor of polynomials in one variable; empty: none in the field.
std::vector<Residue> common_roots(const std::vector<const Poly*>& polys, std::size_t k, Residue prime) {
  nmod_poly_t common, next;
  nmod_poly_init(common, prime);
  nmod_poly_init(next, prime);
  for (const Poly* poly : polys) {
    poly->write_univariate(next, k);
    nmod_poly_gcd(common, common, next);
  }
  std::vector<Residue> result;
  if (nmod_poly_degree(common) > 0) {
    nmod_poly_factor_t roots;
    nmod_poly_factor_init(roots);
    nmod_poly_roots(roots, common, 0);
    for (slong i = 0; i < roots->num; ++i) {
      const Residue constant = nmod_poly_get_coeff_ui(roots->p + i, 0);
      result.push_back(constant == 0 ? 0 : prime - constant);
    }
    nmod_poly_factor_clear(roots);
  }
  nmod_poly_clear(common);
  nmod_poly_clear(next);
  return result;
}

/// Polynomials of which each must vanish, solved for all of their variables.
class Solver {
 public:
  Solver(std::vector<Poly> equations, const PrimeField& field, std::mt19937_64& generator)
      : equations_(std::move(equations)), field_(field), generator_(generator) {}

  /// Variables with their values; nothing where there is no root.
  std::optional<std::vector<std::pair<std::size_t, Residue>>> run() {
    int eliminations = 0;
    while (true) {
      for (auto* list : {&equations_, &kept_}) {
        std::erase_if(*list, [](const Poly& equation) { return equation.is_zero(); });
        for (const Poly& equation : *list) {
          if (equation.is_constant()) return std::nullopt;
        }
      }
      if (equations_.empty() && kept_.empty()) return std::move(values_);
      if (const auto single = alone()) {
        if (!take_root(*single)) return std::nullopt;
      } else if (++eliminations > max_eliminations || !eliminate()) {
        return std::nullopt;
      }
    }
  }

 private:
  /// A variable that some equation has alone.
  std::optional<std::size_t> alone() const {
    for (const auto* list : {&equations_, &kept_}) {
      for (const Poly& equation : *list) {
        const auto variables = equation.variables();
        if (variables.size() == 1) return variables.front();
      }
    }
    return std::nullopt;
  }

  bool take_root(std::size_t k) {
    std::vector<const Poly*> own;
    for (const auto* list : {&equations_, &kept_}) {
      for (const Poly& equation : *list) {
        if (equation.variables() == std::vector{k}) own.push_back(&equation);
      }
    }
    const std::vector<Residue> roots = common_roots(own, k, field_.prime());
    if (roots.empty()) return false;
    const Residue value = roots[generator_() % roots.size()];
    values_.emplace_back(k, value);
    for (auto* list : {&equations_, &kept_}) {
      for (Poly& equation : *list) equation = equation.with(k, value);
    }
    return true;
  }

  /// A variable, and the equation of lowest degree in it, which is used to remove it from the others.
  struct Choice {
    std::size_t variable = 0, pivot = 0;
    long cost = 0;  ///< the largest degree of a resultant; 0: no other equation has it
  };
  std::optional<Choice> cheapest() const {
    std::optional<Choice> best;
    std::set<std::size_t> all;
    for (const Poly& equation : equations_) {
      for (const std::size_t k : equation.variables()) all.insert(k);
    }
    for (const std::size_t k : all) {
      Choice choice{k, equations_.size(), 0};
      for (std::size_t i = 0; i < equations_.size(); ++i) {
        if (equations_[i].degree(k) < 1) continue;
        if (choice.pivot == equations_.size() || equations_[i].degree(k) < equations_[choice.pivot].degree(k))
          choice.pivot = i;
      }
      for (std::size_t i = 0; i < equations_.size(); ++i) {
        if (i == choice.pivot || equations_[i].degree(k) < 1) continue;
        const bool is_long = equations_[i].length() * equations_[choice.pivot].length() > max_terms;
        const long degree = equations_[i].degree(k) * equations_[choice.pivot].degree(k);
        choice.cost = std::max(choice.cost, is_long ? max_degree + 1 : degree);
      }
      if (!best || choice.cost < best->cost) best = choice;
    }
    return best;
  }

  /// Resultants, which vanish where both do, in place of the equations with a variable; those are kept, to
  /// solve for it at the end.
  bool eliminate() {
    const auto choice = cheapest();
    if (!choice || choice->cost > max_degree) return false;
    const Poly pivot = equations_[choice->pivot];
    equations_.erase(equations_.begin() + static_cast<std::ptrdiff_t>(choice->pivot));
    kept_.push_back(pivot);
    for (Poly& equation : equations_) {
      if (equation.degree(choice->variable) < 1) continue;
      auto resultant = Poly::resultant(pivot, equation, choice->variable);
      if (!resultant || resultant->is_zero()) return false;
      kept_.push_back(equation);
      equation = std::move(*resultant);
    }
    return true;
  }

  std::vector<Poly> equations_, kept_;
  const PrimeField& field_;
  std::mt19937_64& generator_;
  std::vector<std::pair<std::size_t, Residue>> values_;
};

/// Where the value of a variable of the ring stands in a point.
struct Place {
  enum class Kind { free, cosine, sine, exponential } kind;
  Expr node;              ///< free
  std::size_t index = 0;  ///< of the angle or exponent

  Residue& in(ExactPoint<Residue>& point) const {
    if (kind == Kind::free) return point.free.at(node);
    if (kind == Kind::exponential) return point.exponentials[index];
    return kind == Kind::cosine ? point.circles[index].first : point.circles[index].second;
  }
};

}  // namespace

struct ModularLevels::Work {
  Work(const FunctionTable& table, const PointChoices& choices, const PrimeField& prime_field,
       const ExactPoint<Residue>& constants)
      : field(prime_field) {
    for (Expr node : table.free_nodes()) {
      if (table.depends_on_state(table.place_of(node))) places.push_back({Place::Kind::free, node});
    }
    for (std::size_t k = 0; k < table.angles().size(); ++k) {
      if (!table.angles()[k].depends_on_state) continue;
      places.push_back({Place::Kind::cosine, {}, k});
      places.push_back({Place::Kind::sine, {}, k});
    }
    for (std::size_t k = 0; k < table.exponents().size(); ++k) {
      if (table.exponents()[k].depends_on_state) places.push_back({Place::Kind::exponential, {}, k});
    }
    ring = std::make_unique<Ring>(places.size(), field.prime());
    read(table, choices, constants);
  }

  /// The relations as polynomials, with the equations of the circles and quaternions that occur in them.
  void read(const FunctionTable& table, const PointChoices& choices, const ExactPoint<Residue>& constants) {
    ExactPoint<Poly> point;
    const Poly zero(*ring);
    point.circles.assign(table.angles().size(), {zero, zero});
    point.exponentials.assign(table.exponents().size(), zero);
    for (const auto& [node, value] : constants.free) point.free.emplace(node, Poly::constant(*ring, value));
    for (std::size_t k = 0; k < constants.circles.size(); ++k)
      point.circles[k] = {Poly::constant(*ring, constants.circles[k].first),
                          Poly::constant(*ring, constants.circles[k].second)};
    for (std::size_t k = 0; k < constants.exponentials.size(); ++k)
      point.exponentials[k] = Poly::constant(*ring, constants.exponentials[k]);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Place& place = places[k];
      Poly variable = Poly::variable(*ring, k);
      switch (place.kind) {
        case Place::Kind::free: point.free.insert_or_assign(place.node, std::move(variable)); break;
        case Place::Kind::cosine: point.circles[place.index].first = std::move(variable); break;
        case Place::Kind::sine: point.circles[place.index].second = std::move(variable); break;
        case Place::Kind::exponential: point.exponentials[place.index] = std::move(variable); break;
      }
    }
    auto read = PointEvaluation<Poly, PolyArithmetic>(table, PolyArithmetic(*ring, field), point)
                    .run(choices.relations);
    is_known = read.has_value();
    if (!is_known) return;
    for (std::size_t h = 0; h < read->size(); ++h) {
      if ((*read)[h].is_zero()) continue;
      equations.push_back(std::move((*read)[h]));
      const std::vector<Expr> symbols = symbols_in(choices.relations[h]);
      rates.push_back(std::any_of(symbols.begin(), symbols.end(),
                                  [](Expr symbol) { return symbol.symbol().kind == SymbolKind::velocity; }));
    }
    std::vector<bool> used(places.size());
    for (const Poly& equation : equations) {
      for (const std::size_t k : equation.variables()) used[k] = true;
    }
    const Poly minus = Poly::constant(*ring, field.prime() - 1);
    for (std::size_t k = 0; k + 1 < places.size(); ++k) {
      if (places[k].kind != Place::Kind::cosine || (!used[k] && !used[k + 1])) continue;
      const Poly c = Poly::variable(*ring, k), s = Poly::variable(*ring, k + 1);
      equations.push_back(c * c + s * s + minus);
      rates.push_back(false);
    }
    for (const auto& quaternion : choices.quaternions) {
      bool occurs = false;
      Poly length = minus;
      for (Expr part : quaternion) {
        const auto place = std::find_if(places.begin(), places.end(), [&](const Place& p) {
          return p.kind == Place::Kind::free && p.node == part;
        });
        if (place == places.end()) continue;
        const auto k = static_cast<std::size_t>(place - places.begin());
        occurs = occurs || used[k];
        length = length + Poly::variable(*ring, k) * Poly::variable(*ring, k);
      }
      if (!occurs) continue;
      equations.push_back(length);
      rates.push_back(false);
    }
  }

  /// As many variables as independent equations, by the slopes at a point: those of low degree before others,
  /// or in any order.
  std::vector<bool> choose_unknowns(const std::vector<Residue>& at, std::mt19937_64* any) const {
    std::vector<std::size_t> order;
    std::vector<long> degree(places.size());
    for (const Poly& equation : equations) {
      for (const std::size_t k : equation.variables()) degree[k] = std::max(degree[k], equation.degree(k));
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (degree[k] > 0) order.push_back(k);
    }
    if (any != nullptr) {
      std::shuffle(order.begin(), order.end(), *any);
      std::stable_partition(order.begin(), order.end(), [&](std::size_t k) {
        return places[k].kind == Place::Kind::free && places[k].node.is(Op::symbol) &&
               places[k].node.symbol().kind == SymbolKind::velocity;
      });
    } else {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return degree[a] < degree[b]; });
    }
    ModularMatrix slopes(field, order.size());
    for (const Poly& equation : equations) {
      std::vector<Residue> row;
      for (const std::size_t k : order) row.push_back(value_of(equation.derivative(k), at));
      slopes.add_row(std::move(row));
    }
    std::vector<bool> result(places.size(), false);
    for (const std::size_t pivot : slopes.pivots()) result[order[pivot]] = true;
    return result;
  }

  static Residue value_of(Poly poly, const std::vector<Residue>& at) {
    for (const std::size_t k : poly.variables()) poly = poly.with(k, at[k]);
    return poly.constant_value();
  }

  bool move(ExactPoint<Residue>& point, std::mt19937_64& generator) {
    if (!is_known) return false;
    std::vector<Residue> at;
    for (const Place& place : places) at.push_back(place.in(point));
    std::vector<bool> is_found(places.size());
    if (usual.empty()) usual = choose_unknowns(at, nullptr);
    const std::vector<bool> unknowns = generator() % any_order == 0 ? choose_unknowns(at, &generator) : usual;
    // Positions first: then the relations between velocities have numbers as coefficients.
    for (const bool is_rate : {false, true}) {
      std::vector<Poly> left;
      for (std::size_t h = 0; h < equations.size(); ++h) {
        if (rates[h] != is_rate) continue;
        Poly equation = equations[h];
        for (const std::size_t k : equation.variables()) {
          if (!unknowns[k] || is_found[k]) equation = equation.with(k, at[k]);
        }
        left.push_back(std::move(equation));
      }
      const auto solved = Solver(std::move(left), field, generator).run();
      if (!solved) return false;
      for (const auto& [k, value] : *solved) {
        at[k] = value;
        is_found[k] = true;
        places[k].in(point) = value;
      }
    }
    return true;
  }

  PrimeField field;
  std::vector<Place> places;  ///< of the variables of the ring
  std::unique_ptr<Ring> ring;
  std::vector<Poly> equations;
  std::vector<bool> rates;  ///< which of them have velocities
  std::vector<bool> usual;  ///< unknowns of most points
  bool is_known = false;    ///< all relations are polynomials in the generators
};

ModularLevels::ModularLevels(const FunctionTable& table, const PointChoices& choices, const PrimeField& field,
                             const ExactPoint<Residue>& constants)
    : work_(std::make_unique<Work>(table, choices, field, constants)) {}
ModularLevels::~ModularLevels() = default;
ModularLevels::ModularLevels(ModularLevels&&) noexcept = default;
ModularLevels& ModularLevels::operator=(ModularLevels&&) noexcept = default;

bool ModularLevels::move(ExactPoint<Residue>& point, std::mt19937_64& generator) {
  return work_->move(point, generator);
}

}  // namespace liaison

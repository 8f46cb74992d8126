#include "liaison/structure/first_integrals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chartless_flow.hpp"
#include "independence.hpp"
#include "integral_ansatz.hpp"
#include "integral_search.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/claims.hpp"
#include "liaison/mechanics/manifold.hpp"
#include "liaison/mechanics/open_conditions.hpp"
#include "liaison/mechanics/states.hpp"
#include "product_relation.hpp"
#include "search_anew.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_products = 1000;
constexpr std::size_t max_open = 6;  ///< solutions that are not written out, until a search gives up
constexpr std::uint64_t lift_operations = 50'000'000;

class Search {
 public:
  Search(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
         const std::function<void(const FirstIntegral&)>& receive)
      : algebra_(algebra), flow_(flow), options_(options), receive_(receive) {
    choices_.quaternions = flow.quaternions;
    if (flow.has_levels) choices_.relations = relations_of(algebra, *flow.motion);
    for (const Parameter& parameter : flow.motion->space.system->parameters) {
      if (parameter.value) given_.emplace(parameter.symbol, parameter.exact());
    }
  }

  FirstIntegrals run() {
    try_energy_and_momenta();
    for (Expr function : options_.known) {
      if (!is_interrupted()) consider(flow_.restricted(function), "found before");
    }
    if (options_.degree == 0) {
      result_.generic.reason = "no search was asked for";
    } else if (!flow_.standing.pieces.empty()) {
      result_.generic.reason = flow_.standing.pieces;
    } else {
      search(result_.generic);
      if (has_parameters() && !is_interrupted()) search_for_values();
    }
    result_.interrupted = is_interrupted();
    return std::move(result_);
  }

  FirstIntegrals run_with(FirstIntegrals found, const std::vector<FirstIntegral>& others) {
    result_ = std::move(found);
    for (const FirstIntegral& other : others) {
      FirstIntegral integral = other;
      integral.expression = algebra_.readable(flow_.restricted(other.expression));
      if (is_interrupted()) break;
      if (!symbols_of_state(integral.expression).empty()) accept(std::move(integral));
    }
    return std::move(result_);
  }

  /// The search alone, of a field with values of parameters in it.
  ValuedIntegrals run_with_values(const Substitution& values, const FirstIntegrals& known) {
    with_values_ = true;
    given_ = values;
    if (flow_.has_levels) choices_.relations = relations_of(algebra_, *flow_.motion, values);
    result_.independence = known.independence;
    std::vector<Expr> functions;
    for (FirstIntegral integral : known.found) {  // for single values they may depend on each other
      integral.expression = algebra_.readable(substitute(integral.expression, values));
      functions.push_back(flow_.restricted(integral.expression));
      if (!symbols_of_state(functions.back()).empty() && are_independent(functions)) {
        result_.found.push_back(std::move(integral));
      } else {
        functions.pop_back();
      }
    }
    const std::size_t before = result_.found.size();
    search(result_.for_values);
    result_.interrupted = is_interrupted();
    return {std::move(result_), before};
  }

 private:
  bool is_interrupted() const { return algebra_.options().is_interrupted(); }

  /// The values of parameters are another question: they stand in the equations, and something may be left.
  bool has_parameters() const {
    std::vector<Expr> entering = flow_.field.components();
    entering.insert(entering.end(), choices_.relations.begin(), choices_.relations.end());
    const std::vector<Expr> symbols = symbols_in(entering);
    return result_.found.size() < flow_.dimension() &&
           std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return given_.contains(symbol); });
  }

  /// The same questions of the field with the values of the parameters in it.
  void search_for_values() {
    const auto given = flow_with_values(algebra_, flow_, given_);
    if (!given) return search_anew_for_values();
    auto [all, known] = search_with_values(algebra_, *given, options_, given_, result_, receive_);
    result_.for_values = std::move(all.for_values);
    for (std::size_t k = known; k < all.found.size(); ++k) result_.found.push_back(std::move(all.found[k]));
    result_.independence = all.independence;
  }

  /// The closed forms have no value for them: others are derived.
  void search_anew_for_values() {
    Substitution numbers;
    for (const auto& [parameter, value] : given_) numbers.emplace(parameter, value);
    SearchedAnew anew = search_anew(algebra_, flow_, options_, numbers, result_);
    if (!anew.reason.empty()) {
      result_.for_values.reason = fmt::format(
          "the closed forms of the motion have no value for the parameters as given ({})", anew.reason);
      return;
    }
    result_.for_values = std::move(anew.searched);
    result_.independence = weaker(result_.independence, anew.independence);
    for (FirstIntegral& integral : anew.further) {
      integral.for_values = true;
      result_.found.push_back(std::move(integral));
      if (receive_) receive_(result_.found.back());
    }
  }

  /// It divides by nothing that the given values of parameters make zero.
  bool has_value_as_given(Expr e) const {
    return given_.empty() || value_with(algebra_, e, given_).has_value();
  }

  void try_energy_and_momenta() {
    const Motion& motion = *flow_.motion;
    const System& system = *motion.space.system;
    // As the claim is written, where the closed forms leave it open or divide: the power balance decides it.
    const Expr written = motion.space.in_parameters(system.kinetic) + system.potential;
    const Expr energy_on_states = flow_.has_levels ? written : energy_of_free_velocities() + system.potential;
    const bool is_found =
        !flow_.has_levels && has_value_as_given(energy_on_states) && consider(energy_on_states, "energy");
    if (!is_found)
      consider_as_written(written, "energy");
    else if (FirstIntegral& energy = result_.found.back(); !energy.verdict.conditions.empty())
      decide_again(energy, written);
    for (std::size_t i = 0; i < motion.space.size() && !is_interrupted(); ++i) {
      const Direction& direction = system.directions[i];
      const Expr named = direction.coordinate.empty() ? direction.velocity : direction.coordinate;
      consider(flow_.restricted(motion.omega.momenta[i]), "momentum of " + named.symbol().name);
    }
  }

  /// sum v p - T, or T as written where that is the same and shorter.
  Expr energy_of_free_velocities() const {
    const Motion& motion = *flow_.motion;
    const auto read = [&](Expr e) { return algebra_.readable(flow_.restricted(algebra_.readable(e))); };
    const Expr energy = read(motion.omega.energy);
    const Expr kinetic = read(motion.space.in_parameters(motion.space.system->kinetic));
    const bool is_shorter = to_infix(kinetic).size() < to_infix(energy).size();
    return is_shorter && algebra_.is_zero(kinetic - energy).is_proved() ? kinetic : energy;
  }

  /// Another function that has the same values decides it where it does so under fewer conditions.
  void decide_again(FirstIntegral& integral, Expr same) {
    if (!algebra_.is_zero(flow_.restricted(same) - flow_.restricted(integral.expression)).is_proved()) return;
    Verdict verdict = is_conserved(algebra_, *flow_.motion, same);
    if (verdict.is_proved() && verdict.conditions.empty()) integral.verdict = std::move(verdict);
  }

  /// Its rate at some points, exactly; then the algebra. False: it is not known to be one.
  bool consider(Expr function, const std::string& origin) {
    const Expr e = algebra_.readable(function);
    if (symbols_of_state(e).empty()) return false;
    if (!flow_.has_levels && !vanishes_at_points(apply(flow_.field, e))) return false;
    return consider_as_written(e, origin);
  }
  bool consider_as_written(Expr function, const std::string& origin) {
    const Expr e = algebra_.readable(function);
    if (symbols_in(e).empty() || is_interrupted()) return false;
    Verdict verdict = is_conserved(algebra_, *flow_.motion, e);
    if (is_interrupted() || !verdict.holds()) return false;
    if (flow_.has_levels && algebra_.follows(e, states_of(*flow_.motion)))
      return false;  // zero at every state
    return accept({e, std::move(verdict), origin, false, false});
  }

  std::vector<Expr> symbols_of_state(Expr e) const {
    const std::vector<Expr> state = flow_.state();
    std::vector<Expr> result;
    for (Expr symbol : symbols_in(e)) {
      if (std::find(state.begin(), state.end(), symbol) != state.end()) result.push_back(symbol);
    }
    return result;
  }

  /// False: it is not zero, certainly; of independent coordinates.
  bool vanishes_at_points(Expr rate) const {
    if (!flow_.standing.pieces.empty()) return true;
    const Expr asked[] = {rate};
    const FunctionTable table(algebra_, asked, flow_.state());
    if (!table.refusal().empty() || !table.is_complete()) return true;
    ModularPoints points(table, choices_, options_.seed);
    for (int k = 0; k < 3; ++k) {
      const auto at = points.next();
      if (at && (*at)[0] != 0) return false;
    }
    return true;
  }

  /// Adds an integral whose differential is independent of the others' at a point, which is then certain.
  bool accept(FirstIntegral integral) {
    std::vector<Expr> functions;
    for (const FirstIntegral& other : result_.found) functions.push_back(flow_.restricted(other.expression));
    functions.push_back(flow_.restricted(integral.expression));
    if (!are_independent(functions)) return false;
    if (!with_values_ && !has_value_as_given(integral.expression)) add_lost_values(integral);
    result_.found.push_back(std::move(integral));
    if (receive_) receive_(result_.found.back());
    return true;
  }

  /// For the values as given it says nothing, which its conditions tell.
  void add_lost_values(FirstIntegral& integral) const {
    Conditions divisors;
    add_denominators({integral.expression}, divisors);
    for (Expr divisor : factors_that_may_vanish(divisors)) {
      const auto value = value_with(algebra_, divisor, given_);
      auto& told = integral.verdict.conditions;
      if (value && value->is_zero() && std::find(told.begin(), told.end(), divisor) == told.end())
        told.push_back(divisor);
    }
  }

  bool are_independent(const std::vector<Expr>& functions) {
    const Independence known = liaison::are_independent(algebra_, flow_, functions, options_.seed + 100);
    if (known.grade == Grade::unknown) result_.independence = Grade::unknown;
    if (known.holds) result_.independence = weaker(result_.independence, known.grade);
    return known.holds;
  }

  unsigned degree_of(Expr e) const {
    const auto monomials = polynomial_coefficients(algebra_.canonical(e).value, flow_.velocities, 10'000);
    if (!monomials) return 0;
    unsigned degree = 0;
    for (const Monomial& monomial : *monomials) {
      unsigned sum = 0;
      for (const unsigned exponent : monomial.exponents) sum += exponent;
      degree = std::max(degree, sum);
    }
    return degree;
  }

  /// A known integral at the points of a search.
  struct Known {
    Expr expression;  ///< on the admissible states
    std::vector<Residue> values;
    unsigned degree = 0;                               ///< in the velocities
    std::optional<unsigned> function_degree;           ///< of its coefficients in the generators
    std::optional<std::vector<unsigned>> by_velocity;  ///< the same beside each degree in the velocities
    bool is_certain = true;                            ///< its rate is zero by exact algebra
  };
  Known known(Expr e, std::vector<Residue> values) const {
    return {flow_.restricted(e),
            std::move(values),
            degree_of(e),
            degree_in(algebra_, e, functions_->generators, flow_.velocities),
            degrees_by_velocity(algebra_, flow_, e, functions_->generators),
            rate_is_zero(e)};
  }
  bool rate_is_zero(Expr e) const {
    const Expr rate = apply(flow_.field, flow_.restricted(e));
    if (flow_.has_levels)
      return algebra_.are_equal(rate, algebra_.pool().number(0), states_with_values()).is_proved();
    return algebra_.is_zero(rate).is_proved() ||
           (!flow_.quaternions.empty() && algebra_.follows(rate, flow_.unit_quaternions()));
  }

  using Degrees = std::optional<std::vector<unsigned>>;
  static Degrees product_of(const Degrees& a, const Degrees& b) {
    if (!a || !b) return std::nullopt;
    std::vector<unsigned> result(a->size() + b->size() - 1);
    for (std::size_t i = 0; i < a->size(); ++i) {
      for (std::size_t j = 0; j < b->size(); ++j) result[i + j] = std::max(result[i + j], (*a)[i] + (*b)[j]);
    }
    return result;
  }
  /// Such a product has certainly the form of the search.
  bool is_inside(const IntegralAnsatz& ansatz, const Degrees& degrees, unsigned degree) const {
    const FunctionBasis& basis = ansatz.basis();
    if (!degrees || degrees->size() > degree + 1 || !has_products_of(basis, flow_)) return false;
    for (std::size_t k = 0; k < degrees->size(); ++k) {
      if ((*degrees)[k] > (basis.most.empty() ? basis.degree : basis.most[k])) return false;
    }
    return true;
  }

  /// Values of the products of integrals up to a degree in the velocities.
  struct Products {
    std::vector<std::vector<Residue>> all;
    std::vector<std::vector<Residue>> inside;  ///< those that certainly have the form of the search
    ProductsAtPoints certain;                  ///< those that are certainly conserved
  };
  Products products(const IntegralAnsatz& ansatz, const std::vector<Known>& integrals,
                    unsigned degree) const {
    struct Product {
      Expr expression;
      unsigned weight = 0, degree = 0;
      std::optional<unsigned> function_degree = 0;
      std::optional<std::vector<unsigned>> by_velocity = std::vector<unsigned>{0};
      bool is_certain = true;
    };
    std::vector<Product> told{Product{algebra_.pool().number(1)}};
    Products result;
    result.all.emplace_back(ansatz.points(), 1);
    for (const Known& integral : integrals) {
      const unsigned step = std::max(1U, integral.degree);
      for (std::size_t k = 0; k < told.size() && told.size() < max_products; ++k) {
        std::optional<unsigned> function_degree;
        if (told[k].function_degree && integral.function_degree)
          function_degree = *told[k].function_degree + *integral.function_degree;
        // Products of one degree more may cancel down to the form that is searched.
        if (told[k].degree + integral.degree > degree + 1) continue;
        if (function_degree ? *function_degree > ansatz.basis().degree + 1
                            : told[k].weight + step > degree + 1)
          continue;
        std::vector<Residue> product = result.all[k];
        for (std::size_t i = 0; i < product.size(); ++i)
          product[i] = ansatz.field().mul(product[i], integral.values[i]);
        result.all.push_back(std::move(product));
        told.push_back({told[k].expression * integral.expression, told[k].weight + step,
                        told[k].degree + integral.degree, function_degree,
                        product_of(told[k].by_velocity, integral.by_velocity),
                        told[k].is_certain && integral.is_certain});
      }
    }
    for (std::size_t k = 0; k < told.size(); ++k) {
      if (!told[k].is_certain) continue;
      result.certain.expressions.push_back(told[k].expression);
      result.certain.values.push_back(result.all[k]);
      const bool is_flat = ansatz.basis().most.empty() && told[k].degree <= degree &&
                           told[k].function_degree && *told[k].function_degree <= ansatz.basis().degree;
      if (is_flat || is_inside(ansatz, told[k].by_velocity, degree)) result.inside.push_back(result.all[k]);
    }
    return result;
  }

  /// One degree in the velocities after the other; each finds what the products of earlier ones do not give.
  void search(SearchedIntegrals& told) {
    if (!functions_) functions_ = search_functions(algebra_, flow_, with_values_ ? given_ : Substitution{});
    for (unsigned degree = 1; degree <= options_.degree && !is_interrupted(); ++degree) {
      const std::size_t monomials = count_exponents(flow_.velocities.size(), degree);
      if (monomials > options_.max_columns) {
        told.reason = fmt::format(
            "degree {} has {} monomials in the velocities: more than the {} unknowns that "
            "a search may have",
            degree, monomials, options_.max_columns);
        return;
      }
      if (!search_degree(degree, told)) return;
    }
  }

  bool search_degree(unsigned degree, SearchedIntegrals& told) {
    FunctionBasis basis = functions_->basis(algebra_, flow_, options_, degree);
    const std::string described = basis.described;
    IntegralAnsatz ansatz(algebra_, flow_, std::move(basis), degree, choices_, options_.seed + degree);
    std::vector<Expr> expressions;
    for (const FirstIntegral& integral : result_.found) expressions.push_back(integral.expression);
    expressions.insert(expressions.end(), functions_of_found_.begin(), functions_of_found_.end());
    ansatz.set_known(expressions);
    if (!ansatz.solve()) {
      if (told.form.empty() || !is_interrupted()) told.reason = ansatz.refusal();
      return false;
    }
    std::vector<Known> integrals;
    for (std::size_t k = 0; k < expressions.size(); ++k)
      integrals.push_back(known(expressions[k], ansatz.known_values()[k]));
    std::size_t open = 0;
    refuted_ = 0;
    std::vector<std::vector<Residue>> skipped;
    while (!is_interrupted() && open < max_open && refuted_ < max_open) {
      auto covered = products(ansatz, integrals, degree).all;
      covered.insert(covered.end(), skipped.begin(), skipped.end());
      const auto fresh = ansatz.new_vectors(covered);
      if (fresh.empty()) break;
      // What was tried once is not new again, also where its products are not taken.
      skipped.push_back(ansatz.values_of(fresh.front()));
      const auto lifted = lift(ansatz, fresh.front());
      if (lifted) {
        integrals.push_back(known(*lifted, skipped.back()));
      } else {
        open += last_is_open_ ? 1 : 0;
      }
    }
    if (is_interrupted()) return false;
    told.form = fmt::format("polynomials of degree at most {} in {}, with coefficients that are {}{}", degree,
                            names(flow_.velocities), described, flow_.has_levels ? ", on the states" : "");
    told.unknowns = ansatz.columns();
    // As many independent integrals of the form as the equations have solutions modulo a prime: there are no
    // others, for that number is not smaller than the number of all.
    const bool is_proved = ansatz.is_whole() && flow_.standing.reason.empty() && open == 0 &&
                           covers_the_kernel(ansatz, products(ansatz, integrals, degree));
    told.none_else = open > 0 ? Grade::unknown : is_proved ? Grade::proved : Grade::checked;
    told.by_functions = !functions_of_found_.empty();
    told.reason = open > 0    ? fmt::format("{}{} more found modulo a prime, not written out",
                                         open == max_open ? "at least " : "", open)
                  : is_proved ? ""
                  : ansatz.is_whole() && !flow_.standing.reason.empty() ? flow_.standing.reason
                                                                        : "modulo a prime of 61 bits";
    if (open == 0 && refuted_ > 0) {
      told.none_else = Grade::unknown;
      told.reason =
          fmt::format("{} is constant at general states, and not along every motion", refuted_name_);
    }
    return true;
  }

  /// As many independent integrals of the form as the kernel has dimensions: products that have it as they
  /// are, and sums of products none of which has it.
  bool covers_the_kernel(const IntegralAnsatz& ansatz, const Products& products) {
    const std::size_t rank = ansatz.rank_of(products.inside);
    if (rank == ansatz.kernel_size()) return true;
    std::vector<std::vector<Residue>> others;
    for (const auto& vector : ansatz.new_vectors(products.inside)) others.push_back(ansatz.values_of(vector));
    if (rank + others.size() != ansatz.kernel_size() || flow_.has_levels) return false;
    try {
      const BudgetScope scope(algebra_, lift_operations);
      const auto sums = sums_of_products(products.certain, others, ansatz.field());
      return sums && has_form_of(algebra_, flow_, ansatz, *sums);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      return false;
    }
  }

  /// A vector of the search as an integral: a new one, or a function of those found. Nothing: it is not known
  /// to be one of these, or not written out (`last_is_open_`).
  std::optional<Expr> lift(IntegralAnsatz& ansatz, const std::vector<Residue>& vector) {
    last_is_open_ = true;
    std::optional<Expr> e;
    try {
      const BudgetScope scope(algebra_, lift_operations);
      e = ansatz.lift(vector);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
    }
    if (!e || is_interrupted()) return std::nullopt;
    // What every motion keeps is decided by the claims; what they leave open is said of general states.
    Verdict verdict = with_values_ ? where_it_has_a_value(*e) : is_conserved(algebra_, *flow_.motion, *e);
    if (is_interrupted()) return std::nullopt;
    if (verdict.is_refuted()) {
      last_is_open_ = false;
      if (refuted_++ == 0) refuted_name_ = to_infix(*e);
      return std::nullopt;
    }
    const bool is_open = !verdict.holds();
    if (is_open)
      verdict = at_general_states(where_it_has_a_value(*e), {},
                                  verdict.reason.empty() ? "not decided of every motion" : verdict.reason);
    if (!verdict.holds()) return std::nullopt;
    last_is_open_ = false;
    if (accept({*e, std::move(verdict), "search", with_values_, is_open})) return e;
    if (!is_function_of_found(*e)) return std::nullopt;
    functions_of_found_.push_back(*e);
    return e;
  }

  /// Its differential is a combination of theirs, by exact elimination; of independent coordinates.
  bool is_function_of_found(Expr e) {
    if (flow_.has_levels) return false;
    std::vector<Expr> functions;
    for (const FirstIntegral& other : result_.found) functions.push_back(flow_.restricted(other.expression));
    functions.push_back(flow_.restricted(e));
    try {
      const BudgetScope scope(algebra_, lift_operations);
      return are_dependent(algebra_, flow_, functions);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      return false;
    }
  }

  /// i(X)df = 0 where nothing that X and f divide by vanishes: f may be another constant behind such a place.
  Verdict where_it_has_a_value(Expr f) const {
    const Expr rate = apply(flow_.field, f);
    Verdict verdict = flow_.has_levels
                          ? algebra_.are_equal(rate, algebra_.pool().number(0), states_with_values())
                          : algebra_.is_zero(rate);
    Conditions divisors = flow_.conditions;
    add_denominators({f}, divisors);
    divisors.insert(divisors.end(), verdict.conditions.begin(), verdict.conditions.end());
    verdict.conditions = factors_that_may_vanish(divisors);
    std::erase_if(verdict.conditions, [&](Expr e) { return vanishes_at_no_state(e); });
    if (verdict.conditions.empty()) return flow_.standing.limited(std::move(verdict));
    return at_general_states(std::move(verdict), {}, "its rate is zero where the closed forms have a value");
  }

  bool vanishes_at_no_state(Expr e) const {
    Region lost = states_with_values();
    lost.equations.push_back(e);
    const Expr zero = algebra_.pool().number(0);
    return algebra_.are_equal(zero, zero, lost).grade == Grade::empty;
  }

  Region states_with_values() const {
    Region states = states_of(*flow_.motion);
    if (!with_values_) return states;
    for (Expr& equation : states.equations) equation = substitute(equation, given_);
    for (Requirement& requirement : states.domain) requirement.e = substitute(requirement.e, given_);
    return states;
  }

  static std::string names(const std::vector<Expr>& symbols) {
    std::string result;
    for (Expr symbol : symbols) result += (result.empty() ? "" : ", ") + to_infix(symbol);
    return result;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const IntegralOptions& options_;
  const std::function<void(const FirstIntegral&)>& receive_;
  PointChoices choices_;
  Substitution given_;  ///< parameters that have a value
  std::optional<SearchFunctions> functions_;
  std::size_t refuted_ = 0;   ///< how many are constant at general states, and not along every motion
  std::string refuted_name_;  ///< the first of them
  bool last_is_open_ = false, with_values_ = false;
  std::vector<Expr> functions_of_found_;  ///< integrals of the search, certainly no new ones
  FirstIntegrals result_;
};

}  // namespace

ValuedIntegrals search_with_values(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                                   const Substitution& values, const FirstIntegrals& known,
                                   const std::function<void(const FirstIntegral&)>& receive) {
  return Search(algebra, flow, options, receive).run_with_values(values, known);
}

Verdict is_conserved(Algebra& algebra, const Motion& motion, Expr function) {
  Claim claim;
  claim.kind = ClaimKind::conserved;
  claim.conserved = function;
  claim.domain = natural_domain(std::span(&function, 1));
  claim.written = symbols_in(function);
  return ClaimChecker(algebra, motion).check(claim).verdict;
}

FirstIntegrals energy_alone(Algebra& algebra, const Motion& motion, const std::string& reason) {
  FirstIntegrals result;
  const System& system = *motion.space.system;
  const Expr energy = algebra.readable(motion.space.in_parameters(system.kinetic) + system.potential);
  Verdict verdict = is_conserved(algebra, motion, energy);
  result.interrupted = algebra.options().is_interrupted();
  if (!result.interrupted && verdict.holds())
    result.found.push_back({energy, std::move(verdict), "energy", false, false});
  result.generic.reason = reason;
  return result;
}

void add_integrals(Algebra& algebra, const StateFlow& flow, const std::vector<FirstIntegral>& others,
                   FirstIntegrals& integrals) {
  const IntegralOptions options;
  const std::function<void(const FirstIntegral&)> nobody;
  const StateFlow states = flow.has_levels ? without_chart(flow) : flow;
  integrals = Search(algebra, states, options, nobody).run_with(std::move(integrals), others);
}

FirstIntegrals find_first_integrals(Algebra& algebra, const StateFlow& flow, const IntegralOptions& options,
                                    const std::function<void(const FirstIntegral&)>& receive) {
  if (flow.has_levels) return Search(algebra, without_chart(flow), options, receive).run();
  return Search(algebra, flow, options, receive).run();
}

}  // namespace liaison

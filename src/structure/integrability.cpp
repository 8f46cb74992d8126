#include "liaison/structure/integrability.hpp"

#include <algorithm>

#include "chartless_flow.hpp"
#include "independence.hpp"
#include "kovalevskaya.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/states.hpp"
#include "obstruction.hpp"
#include "poisson.hpp"
#include "separation.hpp"

namespace liaison {

namespace {

constexpr std::size_t max_integrals = 16;  ///< whose sets are gone through
constexpr std::size_t max_sets = 64;
constexpr std::uint64_t operations = 200'000'000;  ///< of one bracket
constexpr std::uint64_t seed = 20'260'107;

class Judge {
 public:
  Judge(Algebra& algebra, const StateFlow& flow, const FirstIntegrals& integrals,
        const InvariantMeasure* measure)
      : algebra_(algebra), flow_(flow), integrals_(integrals), measure_(measure) {
    for (const Parameter& parameter : flow.motion->space.system->parameters) {
      if (parameter.value) given_.emplace(parameter.symbol, parameter.exact());
    }
  }

  Integrability run() {
    const bool has_valued = std::any_of(integrals_.found.begin(), integrals_.found.end(),
                                        [](const FirstIntegral& integral) { return integral.for_values; });
    judge(false);
    if (has_valued && !is_interrupted()) {
      Integrability general = std::move(result_);
      result_ = {};
      judge(true);
      if (general.by != IntegrableBy::nothing_known) {
        general.given.push_back(std::move(result_));
        result_ = std::move(general);
      }
    }
    if (result_.by == IntegrableBy::nothing_known && !is_interrupted())
      result_.obstruction = find_obstruction(algebra_, flow_, given_);
    if (result_.by == IntegrableBy::nothing_known && !result_.obstruction && !is_interrupted())
      result_.exponents = find_exponents(algebra_, flow_, given_);
    return std::move(result_);
  }

 private:
  bool is_interrupted() const { return algebra_.options().is_interrupted(); }

  void judge(bool for_values) {
    result_.for_values = for_values;
    take(for_values);
    judge_brackets();
    if (result_.by == IntegrableBy::nothing_known && !is_interrupted()) judge_last_multiplier();
    if (result_.by == IntegrableBy::nothing_known && !is_interrupted()) judge_in_time();
  }

  /// The integrals of the question: free of the time, those for values of the parameters with these in them.
  void take(bool for_values, bool with_time = false) {
    places_.clear();
    functions_.clear();
    for (std::size_t k = 0; k < integrals_.found.size() && functions_.size() < max_integrals; ++k) {
      const FirstIntegral& integral = integrals_.found[k];
      if (integral.for_values && !for_values) continue;
      Expr e = flow_.restricted(integral.expression);
      if (for_values) e = algebra_.readable(substitute(e, given_));
      if (!with_time && depends_on(e, flow_.time)) continue;
      if (for_values) {  // for single values they may be constants, or depend on each other
        std::vector<Expr> all = functions_;
        all.push_back(e);
        if (!are_independent(algebra_, flow_, all, seed).holds) continue;
      }
      places_.push_back(k);
      functions_.push_back(e);
    }
    result_.independent = functions_.size();
    result_.counted = places_;
  }

  /// How well a set of them is known to be integrals, and independent.
  Grade grade_of(const std::vector<std::size_t>& set) const {
    Grade grade = weaker(flow_.standing.at_most(), integrals_.independence);
    for (const std::size_t k : set) grade = weaker(grade, integrals_.found[places_[k]].verdict.grade);
    return grade;
  }
  void add_conditions(const std::vector<std::size_t>& set) {
    for (const std::size_t k : set) add_condition_list(integrals_.found[places_[k]].verdict.conditions);
  }
  void add_condition_list(const Conditions& conditions) {
    auto& known = result_.conditions;
    for (Expr condition : conditions) {
      if (std::find(known.begin(), known.end(), condition) == known.end()) known.push_back(condition);
    }
  }
  std::vector<std::size_t> all_of_them() const {
    std::vector<std::size_t> all(functions_.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    return all;
  }

  void judge_brackets() {
    auto [poisson, reason] =
        PoissonStructure::of(algebra_, flow_, result_.for_values ? given_ : Substitution{});
    if (!poisson) {
      result_.reason = reason;
      return;
    }
    const std::size_t n = result_.freedom = flow_.motion->space.size() - flow_.motion->relation_count;
    result_.dimension = 2 * n;
    zero_.assign(functions_.size(), std::vector<Grade>(functions_.size(), Grade::proved));
    for (std::size_t a = 0; a < functions_.size() && !is_interrupted(); ++a) {
      for (std::size_t b = a + 1; b < functions_.size() && !is_interrupted(); ++b)
        add_bracket(*poisson, a, b);
    }
    if (is_interrupted()) return;
    std::vector<std::vector<std::size_t>> sets = sets_in_involution();
    for (const std::size_t k : sets.empty() ? std::vector<std::size_t>{} : sets.front())
      result_.involution.push_back(places_[k]);
    std::erase_if(sets, [&](const auto& set) { return set.size() != n; });
    if (!sets.empty()) {
      result_.by = IntegrableBy::involution;
      result_.grade = weaker(poisson->grade(), grade_of(sets.front()));
      add_conditions(sets.front());
      for (const std::size_t a : sets.front()) {
        for (const std::size_t b : sets.front()) result_.grade = weaker(result_.grade, zero_[a][b]);
      }
    } else if (functions_.size() > n && !flow_.has_levels) {
      judge_isotropic(*poisson);
    }
    if (flow_.has_levels) return;  // coordinates that are bound do not separate
    const BudgetScope scope(algebra_, operations);
    try {
      result_.separation = separate(algebra_, flow_, *poisson, functions_, places_, sets);
      for (std::size_t& k : result_.separation->integrals) k = places_[k];
      result_.separation->for_values = result_.for_values;
      if (result_.separation->separable.is_refuted() && !result_.for_values && !given_.empty())
        separate_for_values(sets);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      result_.separation.emplace().reason = "not within the budget";
    }
  }

  /// It may separate for the values as given alone.
  void separate_for_values(const std::vector<std::vector<std::size_t>>& sets) {
    const auto [poisson, reason] = PoissonStructure::of(algebra_, flow_, given_);
    if (!poisson) return;
    std::vector<Expr> functions;
    for (Expr f : functions_) functions.push_back(algebra_.readable(substitute(f, given_)));
    Separation valued = separate(algebra_, flow_, *poisson, functions, places_, sets);
    if (!valued.separable.holds()) return;
    for (std::size_t& k : valued.integrals) k = places_[k];
    valued.for_values = true;
    result_.separation = std::move(valued);
  }

  void add_bracket(const PoissonStructure& poisson, std::size_t a, std::size_t b) {
    PoissonBracket bracket;
    bracket.a = places_[a];
    bracket.b = places_[b];
    bracket.value = algebra_.pool().number(0);
    const BudgetScope scope(algebra_, operations);
    try {
      bracket.value = poisson.bracket(functions_[a], functions_[b]);
      bracket.zero = equal(bracket.value, algebra_.pool().number(0));
      if (bracket.zero.is_refuted()) recognise(bracket);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::limit_reached) throw;
      bracket.zero = Verdict::of(Grade::unknown, "not within the budget");
    }
    bracket.grade = weaker(poisson.grade(), weaker(integrals_.found[places_[a]].verdict.grade,
                                                   integrals_.found[places_[b]].verdict.grade));
    if (bracket.zero.holds()) bracket.zero.grade = weaker(bracket.zero.grade, poisson.grade());
    zero_[a][b] = zero_[b][a] = bracket.zero.grade;
    if (bracket.zero.holds()) bracket.value = algebra_.pool().number(0);
    if (bracket.zero.is_refuted() && is_new(bracket.value))
      result_.further.push_back(result_.brackets.size());
    result_.brackets.push_back(std::move(bracket));
  }

  Verdict equal(Expr left, Expr right) const {
    if (flow_.has_levels) {
      Region states = states_of(*flow_.motion);
      if (result_.for_values) {
        for (Expr& equation : states.equations) equation = substitute(equation, given_);
        for (Requirement& requirement : states.domain) requirement.e = substitute(requirement.e, given_);
      }
      return algebra_.are_equal(left, right, states);
    }
    return flow_.quaternions.empty() ? algebra_.are_equal(left, right)
                                     : algebra_.are_equal(left, right, flow_.unit_quaternions());
  }

  /// One of the integrals, as of the moments of a top about the axes of space.
  void recognise(PoissonBracket& bracket) const {
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      for (const int sign : {1, -1}) {
        if (!equal(bracket.value, Rational(sign) * functions_[k]).is_proved()) continue;
        bracket.sign = sign;
        bracket.same = places_[k];
        bracket.value = Rational(sign) * functions_[k];
        return;
      }
    }
  }

  /// No function of the integrals and the brackets that are new already.
  bool is_new(Expr bracket) const {
    std::vector<Expr> all = functions_;
    for (const std::size_t k : result_.further) all.push_back(result_.brackets[k].value);
    all.push_back(bracket);
    return all.size() < flow_.dimension() + 1 && are_independent(algebra_, flow_, all, seed).holds;
  }

  bool is_involution(std::size_t a, std::size_t b) const {
    return zero_[a][b] == Grade::proved || zero_[a][b] == Grade::checked;
  }

  /// Sets of integrals in involution to which none can be added, the largest first; n at most, for they are
  /// independent.
  std::vector<std::vector<std::size_t>> sets_in_involution() const {
    std::vector<std::vector<std::size_t>> all{{}};
    std::vector<std::vector<std::size_t>> whole;
    for (std::size_t k = 0; k < all.size() && whole.size() < max_sets; ++k) {
      const std::vector<std::size_t> set = all[k];
      const auto fits = [&](std::size_t c) {
        return std::all_of(set.begin(), set.end(),
                           [&](std::size_t a) { return a != c && is_involution(a, c); });
      };
      bool is_whole = true;
      for (std::size_t c = 0; c < functions_.size(); ++c) {
        if (!fits(c)) continue;
        is_whole = false;
        if (!set.empty() && c < set.back()) continue;
        all.push_back(set);
        all.back().push_back(c);
      }
      if (is_whole && !set.empty()) whole.push_back(set);
    }
    std::stable_sort(whole.begin(), whole.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return whole;
  }

  /// The theorem needs brackets that are functions of the integrals; on levels of one or two dimensions it is
  /// Jacobi's, and does not.
  bool has_closed_brackets(Grade& grade) const {
    if (!result_.further.empty()) return false;
    for (const PoissonBracket& bracket : result_.brackets) {
      const bool is_function = bracket.zero.holds() || bracket.sign != 0 || bracket.value.is_constant();
      if (!is_function) grade = weaker(grade, Grade::checked);  // by differentials at points
    }
    return true;
  }

  /// k independent integrals whose matrix of brackets has the rank 2(k - n), the least that it can have: the
  /// fields of the integrals span the directions of their common levels, on which Omega vanishes. There the
  /// motion is linear in time (A. S. Mishchenko, A. T. Fomenko, Funct. Anal. Appl. 12 (1978) 113).
  void judge_isotropic(const PoissonStructure& poisson) {
    const std::size_t k = functions_.size();
    Matrix matrix(algebra_.pool(), k, k);
    Grade grade = weaker(poisson.grade(), grade_of(all_of_them()));
    std::size_t next = 0;
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = a + 1; b < k; ++b, ++next) {
        const PoissonBracket& bracket = result_.brackets[next];
        if (bracket.zero.grade == Grade::unknown) return;
        if (bracket.zero.holds()) grade = weaker(grade, bracket.zero.grade);
        matrix(a, b) = bracket.value;
        matrix(b, a) = -bracket.value;
      }
    }
    const std::size_t freedom = flow_.motion->space.size();
    if (2 * freedom > k + 2 && !has_closed_brackets(grade)) return;
    const RankResult found = rank(algebra_, matrix);
    if (found.rank != 2 * (k - flow_.motion->space.size())) return;
    result_.by = IntegrableBy::isotropic_levels;
    result_.grade = weaker(grade, found.grade);
    add_conditions(all_of_them());
  }

  /// Positions that the field does not contain are found by a quadrature each when all else is known. In the
  /// space of the others: all but one of the integrals, or all but two and a kept measure (Jacobi).
  void judge_last_multiplier() {
    if (!flow_.standing.pieces.empty() || flow_.has_levels || !flow_.is_autonomous(algebra_)) return;
    std::vector<Expr> asked;
    for (Expr component : flow_.field.components())
      asked.push_back(
          algebra_.canonical(result_.for_values ? substitute(component, given_) : component).value);
    const bool has_density = has_kept_density();
    const std::vector<Expr> ignored = positions_to_ignore(asked, has_density);
    // Without positions that an integral needs there may be fewer integrals: both counts are tried.
    for (const bool leave_out : {true, false}) {
      if (!leave_out && ignored.empty()) return;
      if (count(leave_out ? ignored : std::vector<Expr>{}, has_density)) return;
    }
  }

  bool has_kept_density() const {
    return measure_ != nullptr && measure_->density && measure_->verdict.holds();
  }

  /// The same count in the space of states and time, with integrals that hold the time.
  void judge_in_time() {
    if (!flow_.standing.pieces.empty() || flow_.has_levels) return;
    const Integrability before = result_;
    const std::vector<std::size_t> places = places_;
    const std::vector<Expr> functions = functions_;
    take(result_.for_values, true);
    result_.with_time = true;
    if (functions_.size() > functions.size() && count({}, has_kept_density())) return;
    result_ = before;
    places_ = places;
    functions_ = functions;
  }

  /// Positions that no rate contains, then those that only rates of these contain, and so on: each is one
  /// integral over functions that are known before it.
  std::vector<Expr> positions_to_ignore(const std::vector<Expr>& rates, bool has_density) const {
    const auto& directions = flow_.motion->space.system->directions;
    std::vector<Expr> ignored;
    const auto is_ignored = [&](Expr position) {
      return !position.empty() && std::find(ignored.begin(), ignored.end(), position) != ignored.end();
    };
    for (bool is_found = true; is_found;) {
      is_found = false;
      for (Expr position : flow_.positions) {
        if (is_ignored(position) || (has_density && depends_on(*measure_->density, position))) continue;
        bool is_used = false;
        for (std::size_t k = 0; k < rates.size(); ++k) {
          const bool is_left_out = k < directions.size() && is_ignored(directions[k].coordinate);
          is_used = is_used || (!is_left_out && depends_on(rates[k], position));
        }
        if (is_used) continue;
        ignored.push_back(position);
        is_found = true;
      }
    }
    return ignored;
  }

  bool count(const std::vector<Expr>& ignored, bool has_density) {
    std::vector<std::size_t> set;
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      if (std::none_of(ignored.begin(), ignored.end(),
                       [&](Expr position) { return depends_on(functions_[k], position); }))
        set.push_back(k);
    }
    const std::size_t dimension = flow_.dimension() + (result_.with_time ? 1 : 0) - ignored.size();
    const bool all_but_one = set.size() + 1 >= dimension;
    if (!all_but_one && !(has_density && set.size() + 2 >= dimension)) return false;
    result_.by = all_but_one ? IntegrableBy::levels : IntegrableBy::last_multiplier;
    result_.independent = set.size();
    result_.dimension = dimension;
    result_.ignored = ignored;
    result_.grade = grade_of(set);
    add_conditions(set);
    if (!all_but_one) {
      result_.grade = weaker(result_.grade, measure_->verdict.grade);
      add_condition_list(measure_->verdict.conditions);
    }
    return true;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const FirstIntegrals& integrals_;
  const InvariantMeasure* measure_;
  Substitution given_;
  std::vector<std::size_t> places_;  ///< of the functions in the list of integrals
  std::vector<Expr> functions_;
  std::vector<std::vector<Grade>> zero_;  ///< of their brackets
  Integrability result_;
};

}  // namespace

std::string name_of(IntegrableBy by) {
  switch (by) {
    case IntegrableBy::nothing_known: return "nothing known";
    case IntegrableBy::involution: return "involution";
    case IntegrableBy::isotropic_levels: return "isotropic levels";
    case IntegrableBy::last_multiplier: return "last multiplier";
    case IntegrableBy::levels: break;
  }
  return "levels";
}

Integrability judge_integrability(Algebra& algebra, const StateFlow& flow, const FirstIntegrals& integrals,
                                  const InvariantMeasure* measure) {
  if (flow.has_levels) return Judge(algebra, without_chart(flow), integrals, measure).run();
  return Judge(algebra, flow, integrals, measure).run();
}

}  // namespace liaison

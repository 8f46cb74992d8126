#include "liaison/structure/special_pair.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chartless_flow.hpp"
#include "integral_search.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/traverse.hpp"
#include "lost_values.hpp"
#include "rank_loss.hpp"
#include "search_anew.hpp"
#include "varied_parameters.hpp"

namespace liaison {

namespace {

class Question {
 public:
  Question(Algebra& algebra, const StateFlow& flow, const std::array<Expr, 2>& parameters,
           const IntegralOptions& options)
      : algebra_(algebra), flow_(flow), options_(options), values_(values_beside(algebra, flow, parameters)) {
    result_.parameters = parameters;
    for (Expr parameter : parameters) positive_.push_back(parameter.symbol().positive);
  }

  SpecialPair run(const FirstIntegrals& known) {
    SearchedIntegrals& told = result_.searched;
    read_relations();
    if (!flow_.standing.pieces.empty()) {
      told.reason = flow_.standing.pieces;
    } else if (!told.reason.empty()) {
      return std::move(result_);
    } else if (const auto varied = flow_with_values(algebra_, flow_, values_)) {
      find_conditions(*varied);
      search_under_conditions(known, *varied);
      if (algebra_.options().is_interrupted()) {
        told.none_else = Grade::unknown;
        told.reason = "interrupted";
      }
    } else {
      told.reason = "the closed forms of the motion have no value for the other parameters as given";
    }
    return std::move(result_);
  }

 private:
  /// Relations between coordinates, and the states as rational functions of free symbols.
  void read_relations() {
    if (!flow_.has_levels) return;
    std::string& reason = result_.searched.reason;
    relations_ = relations_of(algebra_, *flow_.motion, values_);
    const auto& varied = result_.parameters;
    if (std::any_of(relations_.begin(), relations_.end(), [&](Expr relation) {
          return depends_on(relation, varied[0]) || depends_on(relation, varied[1]);
        })) {
      reason = "the relations between the coordinates contain one of them";
    } else if (!(chart_ = rational_chart(algebra_, flow_, relations_))) {
      reason =
          "relations bind the coordinates, and are not solved by rational functions: one parameter can be "
          "asked about";
    }
  }

  /// One degree in the velocities after the other.
  void find_conditions(const StateFlow& varied) {
    SearchedIntegrals& told = result_.searched;
    const SearchFunctions functions = search_functions(algebra_, varied, values_, result_.parameters);
    bool is_whole = flow_.standing.reason.empty();
    for (unsigned degree = 1; degree <= options_.degree; ++degree) {
      FunctionBasis basis = functions.basis(algebra_, varied, options_, degree);
      const std::string described = basis.described;
      IntegralAnsatz ansatz(algebra_, varied, std::move(basis), degree, {flow_.quaternions, {}, relations_},
                            options_.seed + degree);
      if (ansatz.columns() > options_.max_columns) {
        return stop(fmt::format("degree {} has more than the {} unknowns that a search may have", degree,
                                options_.max_columns));
      }
      if (!ansatz.solve()) return stop(ansatz.refusal());
      const DeterminingEquations equations = write_determining_equations(
          algebra_, ansatz, {result_.parameters.begin(), result_.parameters.end()}, chart_);
      if (!equations.refusal.empty()) return stop(equations.refusal);
      const RankLoss loss = find_rank_loss(equations, positive_);
      if (!loss.refusal.empty()) return stop(loss.refusal);
      for (const Poly& curve : loss.curves) add_curve(expression(curve));
      for (const auto& point : loss.points) add_point(point);
      for (const auto& conditions : loss.undecided) {
        std::vector<Expr> told_conditions;
        for (const Poly& condition : conditions) told_conditions.push_back(expression(condition));
        if (std::find(result_.undecided.begin(), result_.undecided.end(), told_conditions) ==
            result_.undecided.end())
          result_.undecided.push_back(std::move(told_conditions));
      }
      is_whole = is_whole && ansatz.is_whole();
      told.form =
          fmt::format("polynomials of degree at most {} in the velocities, with coefficients that are {}",
                      degree, described);
      told.unknowns = ansatz.columns();
      told.none_else = !result_.undecided.empty() ? Grade::unknown
                       : is_whole                 ? Grade::proved
                                                  : Grade::checked;
      if (!is_whole) told.reason = why_not_whole(flow_);
    }
  }

  /// The degrees before are searched; without them nothing is.
  void stop(const std::string& reason) {
    (result_.searched.form.empty() ? result_.searched.reason : result_.stopped) = reason;
  }

  Expr expression(const Poly& p) { return expression_of(algebra_.pool(), p, result_.parameters); }

  /// Solved for a parameter that it contains linearly: the second one before the first.
  void add_curve(Expr condition) {
    for (const SpecialCondition& other : result_.curves) {
      if (other.conditions.front() == condition) return;
    }
    SpecialCondition curve{{condition}, {}, {}, {}, true};
    for (const std::size_t v : {std::size_t{1}, std::size_t{0}}) {
      const Expr parameter = result_.parameters[v];
      const auto linear = linear_coefficients(condition, std::span(&parameter, 1));
      if (!linear || linear->coefficients[0].is_zero()) continue;
      if (!curve.solved.empty() && !linear->coefficients[0].is_number()) continue;
      curve.solved = {{parameter, algebra_.readable(-linear->rest / linear->coefficients[0])}};
      if (linear->coefficients[0].is_number()) break;
    }
    result_.curves.push_back(std::move(curve));
  }

  void add_point(const std::vector<Rational>& values) {
    SpecialCondition point;
    for (std::size_t v = 0; v < values.size(); ++v) {
      const Expr value = algebra_.pool().number(values[v]);
      point.solved.emplace_back(result_.parameters[v], value);
      point.conditions.push_back(result_.parameters[v] - value);
    }
    for (const SpecialCondition& other : result_.points) {
      if (other.solved == point.solved) return;
    }
    result_.points.push_back(std::move(point));
  }

  void search_under_conditions(const FirstIntegrals& known, const StateFlow& varied) {
    FirstIntegrals for_all = known;
    std::erase_if(for_all.found, [](const FirstIntegral& integral) { return integral.for_values; });
    // With the others as given there may be more for every pair: those are nothing special.
    if (!values_.empty())
      for_all = search_with_values(algebra_, varied, options_, values_, for_all).integrals;
    // Where the closed forms divide by zero there may be a motion, of which they say nothing.
    const std::size_t lost_from = result_.curves.size();
    for (const auto& together :
         conditions_without_closed_forms(algebra_, flow_, result_.parameters, values_)) {
      if (together.size() == 1) {
        add_curve(together.front());
      } else {
        result_.undecided.push_back(together);
        result_.searched.none_else = Grade::unknown;
      }
    }
    for (auto* conditions : {&result_.curves, &result_.points}) {
      for (std::size_t k = 0; k < conditions->size(); ++k) {
        SpecialCondition& condition = (*conditions)[k];
        search_under(condition, for_all);
        const bool is_lost = conditions == &result_.curves && k >= lost_from;
        if (is_lost && condition.integrals.empty() && condition.reason.empty())
          condition.conditions.clear();  // the closed forms have a value there after all
      }
      std::erase_if(*conditions,
                    [](const SpecialCondition& condition) { return condition.conditions.empty(); });
    }
  }

  void search_under(SpecialCondition& condition, const FirstIntegrals& for_all) {
    if (algebra_.options().is_interrupted()) {
      condition.reason = "interrupted";
      return;
    }
    if (condition.solved.empty()) {
      condition.reason = "the condition is not solved for a parameter";
      return;
    }
    Substitution values = values_;
    for (const auto& [parameter, value] : condition.solved) values.emplace(parameter, value);
    const auto given = flow_with_values(algebra_, flow_, values);
    if (!given) return ask_anew(condition, values, for_all);
    auto [all, before] = search_with_values(algebra_, *given, options_, values, for_all);
    for (std::size_t k = before; k < all.found.size(); ++k)
      condition.integrals.push_back(std::move(all.found[k]));
    if (condition.integrals.empty() && all.for_values.none_else == Grade::unknown)
      condition.reason = all.for_values.reason;
  }

  /// The closed forms have no value there: others are derived.
  void ask_anew(SpecialCondition& condition, const Substitution& values, const FirstIntegrals& for_all) {
    SearchedAnew anew = search_anew(algebra_, flow_, options_, values, for_all);
    condition.is_asked = anew.reason.empty();
    condition.reason = std::move(anew.reason);
    bool is_special = !anew.is_empty;
    if (condition.is_asked) {
      SearchedIntegrals& told = result_.searched;
      is_special = anew.count > for_all.found.size() || anew.searched.none_else == Grade::unknown;
      if (anew.count > for_all.found.size()) {
        condition.integrals = std::move(anew.further);
      } else if (is_special) {
        condition.reason = std::move(anew.searched.reason);
      } else if (anew.searched.none_else == Grade::checked && told.none_else == Grade::proved) {
        told.none_else = Grade::checked;
        told.reason = std::move(anew.searched.reason);
      }
    }
    if (!is_special) condition.conditions.clear();  // nothing is to be told of it
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const IntegralOptions& options_;
  Substitution values_;          ///< of the other parameters
  std::vector<Expr> relations_;  ///< between the coordinates, with their rates
  std::optional<RationalChart> chart_;
  std::vector<bool> positive_;
  SpecialPair result_;
};

}  // namespace

SpecialPair find_special_pairs_of(Algebra& algebra, const StateFlow& flow,
                                  const std::array<Expr, 2>& parameters, const FirstIntegrals& known,
                                  const IntegralOptions& options) {
  if (flow.has_levels) return Question(algebra, without_chart(flow), parameters, options).run(known);
  return Question(algebra, flow, parameters, options).run(known);
}

}  // namespace liaison

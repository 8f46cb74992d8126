#include "liaison/structure/special_parameter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "chartless_flow.hpp"
#include "integral_search.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "lost_values.hpp"
#include "rank_loss.hpp"
#include "search_anew.hpp"
#include "special_values.hpp"
#include "varied_parameters.hpp"

namespace liaison {

namespace {

class Question {
 public:
  Question(Algebra& algebra, const StateFlow& flow, Expr parameter, const IntegralOptions& options)
      : algebra_(algebra),
        flow_(flow),
        options_(options),
        values_(values_beside(algebra, flow, std::span(&parameter, 1))) {
    result_.parameter = parameter;
  }

  SpecialParameter run(const FirstIntegrals& known) {
    SearchedIntegrals& told = result_.searched;
    if (flow_.has_levels) {
      relations_ = relations_of(algebra_, *flow_.motion, values_);
      chart_ = rational_chart(algebra_, flow_, relations_);
    }
    if (std::any_of(relations_.begin(), relations_.end(),
                    [&](Expr relation) { return depends_on(relation, result_.parameter); })) {
      told.reason = "the relations between the coordinates contain it";
    } else if (!flow_.standing.pieces.empty()) {
      told.reason = flow_.standing.pieces;
    } else if (const auto varied = flow_with_values(algebra_, flow_, values_)) {
      find_lost_values();
      find_values(*varied);
      search_at_values(known, *varied);
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
  /// Where the closed forms divide by zero there may be a motion, of which they say nothing.
  void find_lost_values() {
    LostValues lost = values_without_closed_forms(algebra_, flow_, result_.parameter, values_);
    lost_.insert(lost.values.begin(), lost.values.end());
    result_.roots_of = std::move(lost.roots_of);
  }

  /// One degree in the velocities after the other.
  void find_values(const StateFlow& varied) {
    SearchedIntegrals& told = result_.searched;
    const SearchFunctions functions =
        search_functions(algebra_, varied, values_, std::span(&result_.parameter, 1));
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
      const bool is_written_out = find_roots(ansatz);
      if (algebra_.options().is_interrupted()) return stop("interrupted");
      if (!is_written_out) {
        const SpecialValues special = find_special_values(ansatz, result_.parameter);
        if (!special.refusal.empty()) return stop(special.refusal);
        found_.insert(special.values.begin(), special.values.end());
        result_.others = std::max(result_.others, special.others);
        is_exact_ = false;
      }
      is_whole = is_whole && ansatz.is_whole();
      told.form =
          fmt::format("polynomials of degree at most {} in the velocities, with coefficients that are {}",
                      degree, described);
      told.unknowns = ansatz.columns();
      told.none_else = result_.others > 0 || !result_.roots_of.empty() ? Grade::unknown
                       : is_whole                                      ? Grade::proved
                                                                       : Grade::checked;
      if (is_exact_ && !is_whole) told.reason = why_not_whole(flow_);
      if (!is_exact_ && result_.others == 0 && told.none_else != Grade::proved)
        told.reason = "modulo a prime of 61 bits";
    }
  }

  /// The values at which the equations, written out as polynomials in the parameter, lose rank. False: they
  /// are not written out.
  bool find_roots(const IntegralAnsatz& ansatz) {
    const DeterminingEquations equations =
        write_determining_equations(algebra_, ansatz, {result_.parameter}, chart_);
    if (!equations.refusal.empty()) return false;
    const RankLoss loss = find_rank_loss(equations, {result_.parameter.symbol().positive});
    if (!loss.refusal.empty()) return false;
    for (const Poly& condition : loss.curves) {
      const Expr e = expression_of(algebra_.pool(), condition, std::span(&result_.parameter, 1));
      if (const auto value = only_root(condition)) {
        found_.insert(*value);
      } else if (has_real_root(condition) &&
                 std::find(result_.roots_of.begin(), result_.roots_of.end(), e) == result_.roots_of.end()) {
        result_.roots_of.push_back(e);
      }
    }
    return true;
  }

  /// The degrees before are searched; without them nothing is.
  void stop(const std::string& reason) {
    (result_.searched.form.empty() ? result_.searched.reason : result_.stopped) = reason;
  }

  /// What the sign of its declaration excludes is no value.
  bool is_allowed(const Rational& value) const {
    return !result_.parameter.symbol().positive || value.sign() > 0;
  }

  void search_at_values(const FirstIntegrals& known, const StateFlow& varied) {
    FirstIntegrals for_all = known;
    std::erase_if(for_all.found, [](const FirstIntegral& integral) { return integral.for_values; });
    // With the others as given there may be more for every value of this one: those are nothing special.
    if (!values_.empty())
      for_all = search_with_values(algebra_, varied, options_, values_, for_all).integrals;
    // The general rank is known to be that of the points where as many integrals are known as it leaves.
    const SearchedIntegrals& general = values_.empty() ? for_all.generic : for_all.for_values;
    SearchedIntegrals& told = result_.searched;
    if (!is_exact_ && told.none_else == Grade::proved && general.none_else != Grade::proved) {
      told.none_else = Grade::checked;
      told.reason = "modulo a prime of 61 bits";
    }
    std::set<Rational> asked = found_;
    asked.insert(lost_.begin(), lost_.end());
    for (const Rational& value : asked) {
      if (!is_allowed(value)) continue;
      Substitution values = values_;
      values.emplace(result_.parameter, algebra_.pool().number(value));
      SpecialValue special{value, {}, {}, true};
      if (const auto given = flow_with_values(algebra_, flow_, values)) {
        auto [all, known_there] = search_with_values(algebra_, *given, options_, values, for_all);
        for (std::size_t k = known_there; k < all.found.size(); ++k)
          special.integrals.push_back(std::move(all.found[k]));
        if (algebra_.options().is_interrupted()) {
          special.reason = "interrupted";
        } else if (special.integrals.empty() && all.for_values.none_else == Grade::unknown) {
          special.reason = all.for_values.reason;
        }
        const bool is_told = !special.integrals.empty() || !special.reason.empty() || found_.contains(value);
        if (!is_told) continue;
      } else if (told.form.empty() || !ask_anew(values, for_all, special)) {
        continue;
      }
      result_.values.push_back(std::move(special));
    }
  }

  /// The closed forms have no value there: others are derived. False: there is nothing to tell.
  bool ask_anew(const Substitution& values, const FirstIntegrals& for_all, SpecialValue& special) {
    SearchedAnew anew = search_anew(algebra_, flow_, options_, values, for_all);
    if (anew.is_empty) return false;
    special.is_asked = anew.reason.empty();
    special.reason = std::move(anew.reason);
    if (!special.is_asked) return true;
    SearchedIntegrals& told = result_.searched;
    if (anew.count > for_all.found.size()) {
      special.integrals = std::move(anew.further);
    } else if (anew.searched.none_else == Grade::unknown) {
      special.reason = std::move(anew.searched.reason);
    } else {
      if (anew.searched.none_else == Grade::checked && told.none_else == Grade::proved) {
        told.none_else = Grade::checked;
        told.reason = std::move(anew.searched.reason);
      }
      return false;
    }
    return true;
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const IntegralOptions& options_;
  Substitution values_;          ///< of the other parameters
  std::vector<Expr> relations_;  ///< between the coordinates, with their rates
  std::optional<RationalChart> chart_;
  std::set<Rational> found_, lost_;  ///< ranks fall there; the closed forms have no value there
  bool is_exact_ = true;             ///< of all degrees the equations were written out
  SpecialParameter result_;
};

}  // namespace

SpecialParameter find_special_values_of(Algebra& algebra, const StateFlow& flow, Expr parameter,
                                        const FirstIntegrals& known, const IntegralOptions& options) {
  if (flow.has_levels) return Question(algebra, without_chart(flow), parameter, options).run(known);
  return Question(algebra, flow, parameter, options).run(known);
}

}  // namespace liaison

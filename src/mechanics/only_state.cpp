#include "only_state.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "expr/ball_matrix.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/algebra/real_roots.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/system.hpp"
#include "other_states.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

constexpr long bits = 256;

class OnlyState {
 public:
  OnlyState(Algebra& algebra, const Motion& motion, const Claim& claim, const CertifiedState& state)
      : algebra_(algebra), system_(*motion.space.system), state_(state), balls_(state.at(bits)) {
    take_given(claim);
    const AssembledEquations equations = assembled(motion);
    const StateRelations relations = relations_of(equations);
    places_ = {relations.levels, unknown(equations.positions)};
    velocities_ = {relations.velocity_relations, unknown(velocity_symbols(equations))};
    for (std::size_t i = 0; i < system_.chart.velocities.size(); ++i) {
      const Expr velocity = system_.directions[i].velocity;
      if (known_.contains(velocity)) velocities_.equations.push_back(system_.chart.velocities[i] - velocity);
    }
  }

  StateDoubt doubt() {
    OpenRelations both = places_;
    both.equations.insert(both.equations.end(), velocities_.equations.begin(), velocities_.equations.end());
    both.unknowns.insert(both.unknowns.end(), velocities_.unknowns.begin(), velocities_.unknowns.end());
    const Substitution given = known_;
    if (determines(places_) && velocities_leave_places() && determines(velocities_)) return {};
    known_ = given;
    determined_.clear();
    settled_ = {};
    if (determines(std::move(both))) return {};
    return others().look_in(open_stage_);
  }

 private:
  OtherStates others() const { return {algebra_, system_, state_, known_, settled_}; }

  void take_given(const Claim& claim) {
    for (const Parameter& parameter : system_.parameters) {
      if (parameter.value) known_.emplace(parameter.symbol, parameter.exact());
    }
    for (const InitialValue& given : claim.at)
      known_.insert_or_assign(given.symbol, substitute(given.value, known_));
    known_.emplace(system_.time, system_.pool->number(0));
    for (const Rotation& rotation : system_.rotations) {
      const auto is_given = [&](Expr e) { return known_.contains(e); };
      if (std::any_of(rotation.quaternion.begin(), rotation.quaternion.end(), is_given)) continue;
      Substitution identity;
      for (std::size_t k = 0; k < 4; ++k)
        identity.emplace(rotation.quaternion[k], system_.pool->number(k == 0 ? 1 : 0));
      const bool stands = std::all_of(identity.begin(), identity.end(), [&](const auto& part) {
        const auto found = state_.exact().find(part.first);
        return found != state_.exact().end() && found->second == part.second;
      });
      if (stands) known_.merge(identity);
    }
  }

  /// Places that the levels do not determine are zero, or as near to it as these allow, unless relations
  /// between velocities say something: x' = y^2 with x' given. They do not where the velocities that are not
  /// given make up for every place: the relations are linear in them, with independent rows.
  bool velocities_leave_places() const {
    std::vector<Expr> open;
    std::copy_if(places_.unknowns.begin(), places_.unknowns.end(), std::back_inserter(open),
                 [&](Expr symbol) { return !known_.contains(symbol) && !determined_.contains(symbol); });
    std::vector<Ball> rows;
    bool is_asked = false;
    for (Expr relation : substitute(velocities_.equations, known_)) {
      const auto mentions = [&](Expr symbol) { return depends_on(relation, symbol); };
      const bool has_place = std::any_of(open.begin(), open.end(), mentions);
      if (!has_place && std::none_of(velocities_.unknowns.begin(), velocities_.unknowns.end(), mentions))
        continue;
      is_asked = is_asked || has_place;
      const auto linear = linear_coefficients(relation, velocities_.unknowns);
      const BallValues row =
          linear && balls_ ? evaluate_balls(linear->coefficients, *balls_, bits) : BallValues();
      if (!linear || !balls_ || row.status != EvaluationStatus::ok) {
        rows.resize(rows.size() + velocities_.unknowns.size());  // of zeros: not independent
      } else {
        rows.insert(rows.end(), row.values.begin(), row.values.end());
      }
    }
    return !is_asked || are_independent(rows, velocities_.unknowns.size());
  }

  static bool are_independent(const std::vector<Ball>& entries, std::size_t columns) {
    if (columns == 0 || entries.size() / columns > columns) return false;
    const BallMatrix rows(entries.size() / columns, columns, entries);
    BallMatrix turned(columns, rows.rows()), gram(rows.rows(), rows.rows());
    arb_mat_transpose(turned.raw(), rows.raw());
    arb_mat_mul(gram.raw(), rows.raw(), turned.raw(), bits);
    Ball determinant;
    arb_mat_det(determinant.raw(), gram.raw(), bits);
    return !determinant.contains_zero();
  }

  std::vector<Expr> unknown(const std::vector<Expr>& symbols) const {
    std::vector<Expr> result;
    std::copy_if(symbols.begin(), symbols.end(), std::back_inserter(result),
                 [&](Expr symbol) { return !known_.contains(symbol); });
    return result;
  }

  /// One unknown after the other, until the rest is linear in what is left.
  bool determines(OpenRelations stage) {
    while (true) {
      reduce(stage);
      if (is_linear(stage)) {
        if (has_one_solution(stage)) determined_.insert(stage.unknowns.begin(), stage.unknowns.end());
        return true;
      }
      const auto next = std::find_if(stage.unknowns.begin(), stage.unknowns.end(),
                                     [&](Expr symbol) { return is_determined(stage, symbol); });
      if (next != stage.unknowns.end()) {
        settle(stage, *next);
        continue;
      }
      const std::vector<OpenRelations> parts = closed_parts(stage);
      const auto only = std::find_if(parts.begin(), parts.end(), [&](const OpenRelations& part) {
        const auto found = others().exactly(part);
        return found && found->empty();
      });
      if (only == parts.end()) {
        open_stage_ = std::move(stage);
        return false;
      }
      for (Expr symbol : only->unknowns) settle(stage, symbol);
    }
  }

  /// An unknown with one value.
  void settle(OpenRelations& stage, Expr symbol) {
    determined_.insert(symbol);
    if (const auto exact = state_.exact().find(symbol); exact != state_.exact().end()) {
      known_.emplace(symbol, exact->second);
    } else {
      settled_.unknowns.push_back(symbol);
      std::copy_if(stage.equations.begin(), stage.equations.end(), std::back_inserter(settled_.equations),
                   [&](Expr equation) { return depends_on(equation, symbol); });
    }
    std::erase(stage.unknowns, symbol);
  }

  /// What is known is put in; what says nothing about the unknowns, and unknowns of which nothing is said,
  /// go.
  void reduce(OpenRelations& stage) const {
    stage.equations = substitute(stage.equations, known_);
    const auto mentions = [](Expr equation, const std::vector<Expr>& symbols) {
      return std::any_of(symbols.begin(), symbols.end(),
                         [&](Expr symbol) { return depends_on(equation, symbol); });
    };
    std::erase_if(stage.equations, [&](Expr equation) { return !mentions(equation, stage.unknowns); });
    std::erase_if(stage.unknowns, [&](Expr symbol) {
      return std::none_of(stage.equations.begin(), stage.equations.end(),
                          [&](Expr equation) { return depends_on(equation, symbol); });
    });
  }

  /// Of a linear stage: its columns are independent.
  bool has_one_solution(const OpenRelations& stage) const {
    const std::size_t rows = stage.equations.size(), columns = stage.unknowns.size();
    if (!balls_ || columns == 0) return false;
    std::vector<Ball> turned(rows * columns);
    for (std::size_t k = 0; k < rows; ++k) {
      const auto linear = linear_coefficients(stage.equations[k], stage.unknowns);
      const BallValues row = evaluate_balls(linear->coefficients, *balls_, bits);
      if (row.status != EvaluationStatus::ok) return false;
      for (std::size_t j = 0; j < columns; ++j) turned[j * rows + k] = row.values[j];
    }
    return are_independent(turned, rows);
  }

  bool is_determined(const OpenRelations& stage, Expr symbol) {
    if (std::any_of(stage.equations.begin(), stage.equations.end(),
                    [&](Expr equation) { return has_one_root(stage, equation, symbol); }))
      return true;
    const auto exact = state_.exact().find(symbol);
    if (exact == state_.exact().end()) return false;
    const Region region{.equations = stage.equations, .domain = substituted(system_.domain), .assumed = {}};
    return algebra_.follows(symbol - exact->second, region);
  }

  /// An equation in this unknown alone, where the others are: linear, and its coefficient is not zero at the
  /// state, or with one real root.
  bool has_one_root(const OpenRelations& stage, Expr equation, Expr symbol) {
    const bool is_alone = std::all_of(stage.unknowns.begin(), stage.unknowns.end(), [&](Expr other) {
      return other == symbol || !depends_on(equation, other);
    });
    if (!is_alone || !depends_on(equation, symbol)) return false;
    const std::vector<Expr> one{symbol};
    if (const auto linear = linear_coefficients(equation, one)) return is_nonzero(linear->coefficients[0]);
    return most_real_roots(algebra_, equation, symbol) == std::size_t{1} || is_monotonic(equation, symbol);
  }

  /// Everywhere defined and smooth, with a derivative that does not vanish, whatever the values of what else
  /// is in it: it has each value once.
  bool is_monotonic(Expr equation, Expr symbol) {
    const std::array es{equation};
    const PieceArguments pieces = piece_arguments(es);
    if (!natural_domain(es).empty() || !pieces.jumps.empty() || !pieces.kinks.empty() || !cuts(es).empty())
      return false;
    const Region flat{.equations = {derivative(equation, symbol)}, .domain = {}, .assumed = {}};
    return algebra_.follows(algebra_.pool().number(1), flat);
  }

  bool is_nonzero(Expr e) const {
    if (!balls_) return false;
    const BallValues found = evaluate_balls(std::span(&e, 1), *balls_, bits);
    return found.status == EvaluationStatus::ok && !found.values[0].contains_zero();
  }

  Domain substituted(Domain domain) const {
    for (Requirement& requirement : domain) requirement.e = substitute(requirement.e, known_);
    return domain;
  }

  Algebra& algebra_;
  const System& system_;
  const CertifiedState& state_;
  std::optional<BallPoint> balls_;
  Substitution known_;  ///< given, or the only value that is possible
  OpenRelations places_, velocities_;
  std::unordered_set<Expr> determined_;  ///< shown to have one value
  OpenRelations settled_;                ///< those of them that are no known numbers, with what holds them
  OpenRelations open_stage_;             ///< where that was not shown
};

}  // namespace

StateDoubt doubt_about_state(Algebra& algebra, const Motion& motion, const Claim& claim,
                             const CertifiedState& state) {
  return OnlyState(algebra, motion, claim, state).doubt();
}

}  // namespace liaison

#include "only_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "box_search.hpp"
#include "expr/ball_matrix.hpp"
#include "least_change.hpp"
#include "liaison/algebra/algebra.hpp"
#include "liaison/algebra/pieces.hpp"
#include "liaison/algebra/real_roots.hpp"
#include "liaison/algebra/region.hpp"
#include "liaison/expr/coefficients.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/mechanics/motion.hpp"
#include "liaison/model/system.hpp"
#include "state_choices.hpp"
#include "state_relations.hpp"

namespace liaison {

namespace {

constexpr long bits = 256;
constexpr std::size_t most_boxes = 32;

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
    Stage both = places_;
    both.equations.insert(both.equations.end(), velocities_.equations.begin(), velocities_.equations.end());
    both.unknowns.insert(both.unknowns.end(), velocities_.unknowns.begin(), velocities_.unknowns.end());
    const Substitution given = known_;
    if (determines(places_) && velocities_leave_places() && determines(velocities_)) return {};
    known_ = given;
    determined_.clear();
    settled_ = {};
    if (determines(std::move(both))) return {};
    StateDoubt result;
    look_for_others(result);
    return result;
  }

 private:
  struct Stage {
    std::vector<Expr> equations;
    std::vector<Expr> unknowns;
  };

  using Values = std::vector<std::pair<Expr, double>>;

  /// Other values of what is open, of each part that is tied together, and of the parts with each other.
  void look_for_others(StateDoubt& doubt) const {
    std::vector<Values> found{{}};           // the state itself
    doubt.all = std::vector<BallPoint>{{}};  // as well
    for (const Stage& part : parts_of(open_stage_)) {
      if (is_linear(part)) continue;
      if (const auto all = others_exactly(part)) {
        add_others(values_of(*all, part.unknowns), found);
        combine(part.unknowns, *all, doubt.all);
        continue;
      }
      std::string reason;
      std::vector<Stage> seen;
      std::vector<Expr> left = part.unknowns;  // by what was found exactly
      for (const Stage& closed : closed_parts(part)) {
        const bool holds_seen = std::any_of(seen.begin(), seen.end(), [&](const Stage& other) {
          return std::all_of(other.unknowns.begin(), other.unknowns.end(),
                             [&](Expr unknown) { return is_in(closed.unknowns, unknown); });
        });
        if (const auto all = others_exactly(closed)) {
          add_others(values_of(*all, closed.unknowns), found);
          const bool is_apart = std::all_of(closed.unknowns.begin(), closed.unknowns.end(),
                                            [&](Expr unknown) { return is_in(left, unknown); });
          if (!is_apart) doubt.all.reset();
          combine(closed.unknowns, *all, doubt.all);
          std::erase_if(left, [&](Expr unknown) { return is_in(closed.unknowns, unknown); });
        } else if (!holds_seen) {
          add_others(others_in_boxes(closed, reason), found);
        } else {
          continue;
        }
        seen.push_back(closed);
      }
      if (!is_linear({part.equations, left})) doubt.all.reset();
      if (doubt.reason.empty())
        doubt.reason =
            fmt::format("it is not proved that the given values leave no other value of `{}`{}",
                        (seen.empty() ? part : seen.front()).unknowns.front().symbol().name, reason);
    }
    doubt.others.assign(found.begin() + 1, found.end());
    if (doubt.all) doubt.all->erase(doubt.all->begin());
    if (doubt.others.empty()) return;
    const auto& [symbol, value] = doubt.others.front().front();
    doubt.reason = fmt::format("{} = {:.6g} was chosen: {:.6g} is possible too", symbol.symbol().name,
                               state_.approximate.at(symbol), value);
  }

  /// Every combination of the boxes so far with those of a part, the state itself among both and first.
  void combine(const std::vector<Expr>& unknowns, const std::vector<BallPoint>& others,
               std::optional<std::vector<BallPoint>>& all) const {
    if (!all) return;
    if (all->size() * (1 + others.size()) > most_boxes) {
      all.reset();
      return;
    }
    BallPoint own;
    for (Expr unknown : unknowns) own.emplace(unknown, balls_->at(unknown));
    std::vector<BallPoint> result;
    for (std::size_t i = 0; i <= others.size(); ++i) {
      for (const BallPoint& box : *all) {
        result.push_back(box);
        for (const auto& [symbol, value] : i == 0 ? own : others[i - 1])
          result.back().insert_or_assign(symbol, value);
      }
    }
    all = std::move(result);
  }

  /// In the order of the unknowns, those of the part first.
  std::vector<Values> values_of(const std::vector<BallPoint>& boxes, const std::vector<Expr>& of_part) const {
    std::vector<Values> result;
    for (const BallPoint& box : boxes) {
      result.emplace_back();
      for (const auto* unknowns : {&of_part, &settled_.unknowns}) {
        for (Expr symbol : *unknowns) {
          if (const auto found = box.find(symbol); found != box.end())
            result.back().emplace_back(symbol, found->second.mid());
        }
      }
    }
    return result;
  }

  /// Each alone, and with those of other unknowns.
  static void add_others(const std::vector<Values>& others, std::vector<Values>& found) {
    constexpr std::size_t most_others = 64;
    const std::size_t before = found.size();
    for (const Values& other : others) {
      for (std::size_t i = 0; i < before && found.size() <= most_others; ++i) {
        const bool is_apart = std::none_of(found[i].begin(), found[i].end(), [&](const auto& one) {
          return std::any_of(other.begin(), other.end(),
                             [&](const auto& another) { return another.first == one.first; });
        });
        if (!is_apart) continue;
        found.push_back(found[i]);
        found.back().insert(found.back().end(), other.begin(), other.end());
      }
    }
  }

  static bool is_in(const std::vector<Expr>& all, Expr one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }

  /// The unknowns of each equation that is not linear in them, with all equations in these alone; few of them
  /// first, each once.
  static std::vector<Stage> closed_parts(const Stage& stage) {
    std::vector<Stage> result;
    for (Expr equation : stage.equations) {
      Stage closed{{}, unknowns_in(stage, equation)};
      if (linear_coefficients(equation, closed.unknowns)) continue;
      const bool is_known = std::any_of(result.begin(), result.end(), [&](const Stage& other) {
        return other.unknowns == closed.unknowns;
      });
      if (is_known) continue;
      std::copy_if(stage.equations.begin(), stage.equations.end(), std::back_inserter(closed.equations),
                   [&](Expr other) {
                     const std::vector<Expr> own = unknowns_in(stage, other);
                     return std::all_of(own.begin(), own.end(),
                                        [&](Expr unknown) { return is_in(closed.unknowns, unknown); });
                   });
      result.push_back(std::move(closed));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Stage& a, const Stage& b) { return a.unknowns.size() < b.unknowns.size(); });
    return result;
  }

  static std::vector<Expr> unknowns_in(const Stage& stage, Expr equation) {
    std::vector<Expr> result;
    std::copy_if(stage.unknowns.begin(), stage.unknowns.end(), std::back_inserter(result),
                 [&](Expr unknown) { return depends_on(equation, unknown); });
    return result;
  }

  /// Every other real solution of polynomial equations in which all that the model holds has a value.
  std::optional<std::vector<BallPoint>> others_exactly(Stage stage) const {
    constexpr std::size_t most_unknowns = 6;
    const bool holds_settled =
        std::any_of(settled_.unknowns.begin(), settled_.unknowns.end(), [&](Expr symbol) {
          return std::any_of(stage.equations.begin(), stage.equations.end(),
                             [&](Expr equation) { return depends_on(equation, symbol); });
        });
    if (holds_settled) {  // numbers that have no exact form here
      stage.unknowns.insert(stage.unknowns.end(), settled_.unknowns.begin(), settled_.unknowns.end());
      for (Expr equation : substitute(settled_.equations, known_)) stage.equations.push_back(equation);
    }
    if (!balls_ || stage.unknowns.size() > most_unknowns) return std::nullopt;
    const auto boxes = real_solutions(algebra_, stage.equations, stage.unknowns, bits);
    if (!boxes) return std::nullopt;
    const Domain domain = substituted(system_.domain);
    std::vector<BallPoint> result;
    std::size_t met = 0;  // one that lies next to the state may be another
    for (const std::vector<Ball>& box : *boxes) {
      BallPoint point;
      bool is_state = true;
      for (std::size_t i = 0; i < box.size(); ++i) {
        is_state = is_state && overlaps(box[i], balls_->at(stage.unknowns[i]));
        point.emplace(stage.unknowns[i], box[i]);
      }
      if (is_state) ++met;
      if (!is_state && !is_outside(domain, point)) result.push_back(std::move(point));
    }
    return met == 1 ? std::optional(std::move(result)) : std::nullopt;
  }

  /// A requirement on these values alone certainly fails.
  static bool is_outside(const Domain& domain, const BallPoint& point) {
    return std::any_of(domain.begin(), domain.end(), [&](const Requirement& requirement) {
      const BallValues found = evaluate_balls(std::span(&requirement.e, 1), point, bits);
      if (found.status == EvaluationStatus::outside_domain) return true;
      if (found.status != EvaluationStatus::ok || requirement.bound == Bound::nonzero) return false;
      return found.values[0].is_negative();
    });
  }

  /// Unknowns that stand in common equations, with these.
  static std::vector<Stage> parts_of(const Stage& stage) {
    std::vector<Stage> result;
    for (Expr equation : stage.equations) {
      Stage joined{{equation}, unknowns_in(stage, equation)};
      std::erase_if(result, [&](const Stage& other) {
        const bool is_apart = std::none_of(other.unknowns.begin(), other.unknowns.end(),
                                           [&](Expr unknown) { return is_in(joined.unknowns, unknown); });
        if (is_apart) return false;
        joined.equations.insert(joined.equations.end(), other.equations.begin(), other.equations.end());
        for (Expr unknown : other.unknowns) {
          if (!is_in(joined.unknowns, unknown)) joined.unknowns.push_back(unknown);
        }
        return true;
      });
      result.push_back(std::move(joined));
    }
    return result;
  }

  /// Newton's method from every place where the equations may vanish.
  std::vector<Values> others_in_boxes(const Stage& least, std::string& reason) const {
    constexpr std::size_t most_unknowns = 3, most_others = 8;
    std::vector<Values> result;
    const std::vector<Expr>& unknowns = least.unknowns;
    if (unknowns.size() > most_unknowns || !balls_) return result;
    BallPoint given = *balls_;
    double size = 0;
    for (Expr unknown : unknowns) {
      given.erase(unknown);
      size = std::max(size, std::abs(state_.approximate.at(unknown)));
    }
    const BoxSearch found = places_of_zeros(least.equations, unknowns, given, sizes_in(least, size));
    const NumericEquations equations(least.equations, unknowns);
    for (const std::vector<double>& place : found.places) {
      if (result.size() == most_others) break;
      DoublePoint point = state_.approximate;
      for (std::size_t i = 0; i < unknowns.size(); ++i) point[unknowns[i]] = place[i];
      if (is_other_solution(equations, point, result)) {
        result.emplace_back();
        for (Expr unknown : unknowns) result.back().emplace_back(unknown, point.at(unknown));
      }
    }
    if (result.empty())
      reason = fmt::format(": none was found {}between {:.3g} and {:.3g}",
                           found.is_complete ? "" : "in boxes ", -found.reach, found.reach);
    return result;
  }

  /// What zeros may be measured by: the state, and the numbers in the equations, whichever of the many
  /// solutions the state is.
  static SizeRange sizes_in(const Stage& stage, double of_state) {
    constexpr double least = 1e-30, most = 1e30;
    SizeRange result{1, 1};
    const auto add = [&](double size) {
      if (!(size > least && size < most)) return;
      result.smallest = std::min(result.smallest, size);
      result.largest = std::max(result.largest, size);
    };
    add(of_state);
    for (Expr e : postorder(stage.equations)) {
      if (!e.is_number()) continue;
      const double size = std::abs(e.number().to_double());
      add(size);
      add(1 / size);
    }
    return result;
  }

  bool is_other_solution(const NumericEquations& equations, DoublePoint& point,
                         const std::vector<Values>& known) const {
    constexpr double small = 1e-9, different = 1e-6;
    if (!solve_least_change(equations, point).converged) return false;
    const NumericEquations::Values values = equations.at(point);
    if (!values.failure.empty() || equations.are_below_doubles(point)) return false;
    for (Eigen::Index k = 0; k < values.residual.size(); ++k) {
      if (!(std::abs(values.residual(k)) <= small * values.size(k))) return false;
    }
    for (const Requirement& requirement : system_.domain) {
      const DoubleValues needed = evaluate(std::span(&requirement.e, 1), point);
      if (needed.status != EvaluationStatus::ok) return false;
      if (requirement.bound != Bound::nonzero && needed.values[0] < 0) return false;
    }
    const auto is_far = [&](Expr unknown, double other) {
      const double value = point.at(unknown), largest = std::max(std::abs(value), std::abs(other));
      return std::abs(value - other) > std::max(different * largest, small * size_beside(unknown, point));
    };
    const std::vector<Expr>& unknowns = equations.unknowns();
    const auto differs = [&](auto value_of) {
      return std::any_of(unknowns.begin(), unknowns.end(),
                         [&](Expr unknown) { return is_far(unknown, value_of(unknown)); });
    };
    if (!differs([&](Expr unknown) { return state_.approximate.at(unknown); })) return false;
    return std::all_of(known.begin(), known.end(), [&](const Values& other) {
      return differs([&](Expr unknown) {
        return std::find_if(other.begin(), other.end(), [&](const auto& one) { return one.first == unknown; })
            ->second;
      });
    });
  }

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
  bool determines(Stage stage) {
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
      const std::vector<Stage> parts = closed_parts(stage);
      const auto only = std::find_if(parts.begin(), parts.end(), [&](const Stage& part) {
        const auto others = others_exactly(part);
        return others && others->empty();
      });
      if (only == parts.end()) {
        open_stage_ = std::move(stage);
        return false;
      }
      for (Expr symbol : only->unknowns) settle(stage, symbol);
    }
  }

  /// An unknown with one value.
  void settle(Stage& stage, Expr symbol) {
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
  void reduce(Stage& stage) const {
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

  static bool is_linear(const Stage& stage) {
    return std::all_of(stage.equations.begin(), stage.equations.end(), [&](Expr equation) {
      return linear_coefficients(equation, stage.unknowns).has_value();
    });
  }

  /// Of a linear stage: its columns are independent.
  bool has_one_solution(const Stage& stage) const {
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

  bool is_determined(const Stage& stage, Expr symbol) {
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
  bool has_one_root(const Stage& stage, Expr equation, Expr symbol) {
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
  Stage places_, velocities_;
  std::unordered_set<Expr> determined_;  ///< shown to have one value
  Stage settled_;                        ///< those of them that are no known numbers, with what holds them
  Stage open_stage_;                     ///< where that was not shown
};

}  // namespace

std::vector<StateElsewhere> states_elsewhere(const Motion& motion, const Claim& claim,
                                             const CertifiedState& state, const StateDoubt& doubt,
                                             Expr about) {
  std::vector<StateElsewhere> result;
  for (const auto& values : doubt.others) {
    StateRequest request = state_request(*motion.space.system, claim);
    request.given.insert(request.given.end(), values.begin(), values.end());
    CompletedState other = complete_state(motion, request);
    if (!other.ok()) continue;
    const auto distance = [&](const auto& one) {
      const bool is_meant = about.empty() || depends_on(about, one.first);
      return std::pair(is_meant, std::abs(one.second - state.approximate.at(one.first)));
    };
    const auto moved = std::max_element(values.begin(), values.end(), [&](const auto& a, const auto& b) {
      return distance(a) < distance(b);
    });
    result.push_back(
        {fmt::format("{} = {:.6g}", moved->first.symbol().name, moved->second), std::move(other.values)});
  }
  return result;
}

StateDoubt doubt_about_state(Algebra& algebra, const Motion& motion, const Claim& claim,
                             const CertifiedState& state) {
  return OnlyState(algebra, motion, claim, state).doubt();
}

}  // namespace liaison

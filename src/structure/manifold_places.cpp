#include "manifold_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expr/raw.hpp"
#include "function_table.hpp"
#include "interval_roots.hpp"
#include "liaison/expr/differentiate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "manifold_rest.hpp"
#include "place_checks.hpp"
#include "rest_conditions.hpp"

namespace liaison {

namespace {

constexpr double half_width = 10;       ///< of the box of coordinates that are no angles
constexpr double angle_range = 3.1416;  ///< a little more than pi, so that pi lies inside
constexpr double section_edge = 0.7;    ///< less than 1/sqrt(2): two sections meet every attitude
constexpr std::size_t max_places = 12;
constexpr std::size_t max_pieces = 100'000;

/// A rotation whose turns about an axis of space change nothing.
struct FreeTurn {
  std::size_t rotation;
  std::size_t axis;  ///< 1, 2, 3
  Expr symbol;  ///< a moment about the axis: 0, and one unknown more for the equation that is one too many
};

/// Parts of quaternions that are 0, and the only positive one of each: every orbit of turns has such a point.
struct SectionOfTurns {
  std::vector<Expr> zero, positive;
};

class ManifoldSearch {
 public:
  ManifoldSearch(Algebra& algebra, const StateFlow& flow, const Substitution& values)
      : algebra_(algebra),
        flow_(flow),
        system_(*flow.motion->space.system),
        values_(values),
        checks_(algebra, flow, values),
        equations_(manifold_equations(*flow.motion, values)) {}

  std::optional<Equilibria> run() {
    if (!equations_.reason.empty() || !equations_.is_holonomic) return std::nullopt;
    if (!is_rest_without_velocities()) return std::nullopt;
    read_rows();
    if (is_decided_) return std::move(result_);
    find_free_turns();
    // A free turn has one place less, and one unknown moment more.
    if (rows_.size() != unknowns_.size() + factors_.size()) {
      if (flow_.quaternions.empty()) return std::nullopt;
      result_.reason = fmt::format("{} equations for {} unknowns: places of rest are not isolated",
                                   rows_.size(), unknowns_.size() + factors_.size());
      return std::move(result_);
    }
    std::vector<SectionOfTurns> sections{SectionOfTurns{}};
    for (const FreeTurn& turn : turns_) sections = with_turn(sections, turn);
    result_.all = true;
    for (const SectionOfTurns& section : sections) search(section);
    std::stable_sort(result_.found.begin(), result_.found.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(
          a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end(),
          [](const auto& x, const auto& y) { return x.value.mid() < y.value.mid(); });
    });
    return std::move(result_);
  }

 private:
  Expr at_rest(Expr e) const {
    Substitution zero;
    for (const std::vector<Expr>* list : {&equations_.velocities, &equations_.rates})
      for (Expr symbol : *list) zero.emplace(symbol, algebra_.pool().number(0));
    return algebra_.readable(substitute(e, zero));
  }

  bool is_rest_without_velocities() const {
    for (const std::vector<Expr>* list : {&equations_.place_rates, &equations_.speeds}) {
      for (Expr e : *list) {
        const Expr rest = at_rest(e);
        if (!rest.is_zero() && !algebra_.is_zero(rest).is_proved()) return false;
      }
    }
    return true;
  }

  bool occurs(Expr symbol, std::size_t but_for) const {
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (k != but_for && depends_on(rows_[k], symbol)) return true;
    return false;
  }

  /// Moments by their components on the body, which turns in space do not change.
  std::vector<Expr> forces_at_rest() const {
    std::vector<Expr> forces;
    for (std::size_t i = 0; i < equations_.rates.size(); ++i)
      forces.push_back(at_rest(equations_.residuals[i]));
    for (const Rotation& rotation : system_.rotations) {
      if (rotation.axes != Axes::space) continue;
      const std::array<Expr, 9> matrix = rotation_matrix(rotation.quaternion);
      std::vector<Expr> moment(3, algebra_.pool().number(0));
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t i = 0; i < 3; ++i)
          moment[j] = moment[j] + matrix[3 * i + j] * forces[rotation.first_direction + i];
      }
      for (std::size_t j = 0; j < 3; ++j) forces[rotation.first_direction + j] = algebra_.readable(moment[j]);
    }
    return forces;
  }

  /// The forces at rest with the factors, then the levels.
  void read_rows() {
    const std::size_t n = equations_.rates.size();
    force_rows_.assign(n, std::nullopt);
    const std::vector<Expr> forces = forces_at_rest();
    for (std::size_t i = 0; i < n; ++i) {
      const Expr row = forces[i];
      if (row.is_zero() || algebra_.is_zero(row).is_proved()) continue;
      force_rows_[i] = rows_.size();
      rows_.push_back(row);
    }
    for (Expr level : equations_.levels) rows_.push_back(algebra_.readable(level));
    drop_unmet_attitudes();
    for (Expr place : equations_.places) {
      if (std::find(result_.anywhere.begin(), result_.anywhere.end(), place) != result_.anywhere.end())
        continue;
      (occurs(place, rows_.size()) ? unknowns_ : result_.anywhere).push_back(place);
    }
    for (Expr factor : equations_.factors)
      if (occurs(factor, rows_.size())) factors_.push_back(factor);
    result_.equations = rows_;
    for (Expr symbol : symbols_in(rows_)) {
      if (symbol.symbol().kind == SymbolKind::parameter)
        result_.reason = fmt::format("the parameter {} has no value", symbol.symbol().name);
    }
    const FunctionTable table(algebra_, rows_, equations_.places);
    if (table.refusal().find("one piece") != std::string::npos) result_.reason = "forces of several pieces";
    if (result_.reason.empty()) result_.reason = unknown_function(rows_);
    const bool is_never_at_rest = std::any_of(rows_.begin(), rows_.end(), [](Expr row) {
      return row.is_constant() && constant_sign(row).value_or(0) != 0;
    });
    if (is_never_at_rest || rows_.empty()) {
      result_.box = "all positions";
      result_.all = is_decided_ = true;
    } else if (unknowns_.size() > max_places) {
      result_.reason = fmt::format("{} unknown coordinates: more than are searched", unknowns_.size());
    }
    if (!result_.reason.empty()) is_decided_ = true;
  }

  /// A rotation on which nothing depends has any attitude.
  void drop_unmet_attitudes() {
    for (const Rotation& rotation : system_.rotations) {
      const auto own = std::find_if(rows_.begin(), rows_.end(),
                                    [&](Expr row) { return row == algebra_.readable(length_of(rotation)); });
      const std::size_t place = static_cast<std::size_t>(own - rows_.begin());
      if (own == rows_.end() || std::any_of(rotation.quaternion.begin(), rotation.quaternion.end(),
                                            [&](Expr part) { return occurs(part, place); }))
        continue;
      rows_.erase(own);
      result_.anywhere.insert(result_.anywhere.end(), rotation.quaternion.begin(), rotation.quaternion.end());
    }
  }

  static Expr length_of(const Rotation& rotation) {
    const auto& e = rotation.quaternion;
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + Rational(-1);
  }

  bool is_met(const Rotation& rotation) const {
    return std::find(result_.anywhere.begin(), result_.anywhere.end(), rotation.quaternion[0]) ==
           result_.anywhere.end();
  }

  bool vanishes(Expr e) const {
    if (e.is_zero()) return true;
    return algebra_.is_zero(e).is_proved() || algebra_.follows(e, flow_.unit_quaternions());
  }

  /// d/da of a function of e under exp(a k) e.
  Expr turned(const Rotation& rotation, std::size_t k, Expr e) const {
    const auto& q = rotation.quaternion;
    const std::size_t i = k % 3 + 1, j = i % 3 + 1;  // (k, i, j) is even
    return derivative(e, q[k]) * q[0] - derivative(e, q[0]) * q[k] + derivative(e, q[j]) * q[i] -
           derivative(e, q[i]) * q[j];
  }

  /// By the components of moments on the body, which such turns leave as they are; the moment about the axis
  /// vanishes then.
  void find_free_turns() {
    for (std::size_t r = 0; r < system_.rotations.size(); ++r) {
      const Rotation& rotation = system_.rotations[r];
      if (!is_met(rotation)) continue;
      for (std::size_t k = 1; k <= 3; ++k) {
        if (!std::all_of(rows_.begin(), rows_.end(),
                         [&](Expr row) { return vanishes(turned(rotation, k, row)); }))
          continue;
        std::vector<Expr> moment{algebra_.pool().number(0)};
        for (std::size_t j = 0; j < 3; ++j) {
          if (const auto row = force_rows_[rotation.first_direction + j])
            moment.push_back(rows_[*row] * axis_of(rotation, k)[j]);
        }
        if (!vanishes(algebra_.pool().add(moment))) continue;
        for (std::size_t j = 0; j < 3; ++j) {  // a moment of zero has its part of the unknown one
          auto& row = force_rows_[rotation.first_direction + j];
          if (row) continue;
          row = rows_.size();
          rows_.push_back(algebra_.pool().number(0));
        }
        turns_.push_back({r, k, algebra_.pool().symbol(fmt::format("#turn{}", r), SymbolKind::auxiliary)});
        result_.turned.push_back(fmt::format("{} about axis {} of space",
                                             rotation.name.empty() ? "the rotation" : rotation.name, k));
        break;
      }
    }
  }

  /// The turns change no equation of the motion, in velocities and their rates too: what is said of one place
  /// beside its own is said of all that they give. What is on axes of space turns with it, by two for one of
  /// the quaternion.
  bool do_turns_keep_motions() {
    if (turns_keep_) return *turns_keep_;
    turns_keep_ = std::all_of(turns_.begin(), turns_.end(), [&](const FreeTurn& turn) {
      const Rotation& rotation = system_.rotations[turn.rotation];
      const bool in_space = rotation.axes == Axes::space;
      if (in_space && !system_.chart.parameters.empty()) return false;
      const std::size_t i = turn.axis % 3, j = (i + 1) % 3;  // of the two other axes, from 0
      const std::size_t a = rotation.first_direction + i, b = rotation.first_direction + j;
      const auto change = [&](Expr e) {
        Expr result = turned(rotation, turn.axis, e);
        if (!in_space) return result;
        for (const auto* list : {&equations_.velocities, &equations_.rates})
          result = result + Rational(2) * (derivative(e, (*list)[b]) * (*list)[a] -
                                           derivative(e, (*list)[a]) * (*list)[b]);
        return result;
      };
      for (std::size_t row = 0; row < equations_.residuals.size(); ++row) {
        Expr left = change(equations_.residuals[row]);
        if (in_space && row == a) left = left + Rational(2) * equations_.residuals[b];
        if (in_space && row == b) left = left - Rational(2) * equations_.residuals[a];
        if (!vanishes(left)) return false;
      }
      return true;
    });
    return *turns_keep_;
  }

  /// An axis of space on the axes of the body.
  static std::vector<Expr> axis_of(const Rotation& rotation, std::size_t k) {
    const std::array<Expr, 9> matrix = rotation_matrix(rotation.quaternion);
    return {matrix[3 * (k - 1)], matrix[3 * (k - 1) + 1], matrix[3 * (k - 1) + 2]};
  }

  /// (e0, ek) and (ei, ej) turn as two points of a plane: the one that is farther from the middle is put on
  /// an axis.
  std::vector<SectionOfTurns> with_turn(const std::vector<SectionOfTurns>& sections,
                                        const FreeTurn& turn) const {
    const auto& e = system_.rotations[turn.rotation].quaternion;
    const std::size_t i = turn.axis % 3 + 1, j = i % 3 + 1;
    std::vector<SectionOfTurns> result;
    for (const SectionOfTurns& section : sections) {
      for (const auto& [zero, positive] : {std::pair{e[turn.axis], e[0]}, std::pair{e[j], e[i]}}) {
        result.push_back(section);
        result.back().zero.push_back(zero);
        result.back().positive.push_back(positive);
      }
    }
    return result;
  }

  bool has_free_turn(std::size_t rotation) const {
    return std::any_of(turns_.begin(), turns_.end(),
                       [&](const FreeTurn& turn) { return turn.rotation == rotation; });
  }

  std::optional<std::size_t> rotation_of(Expr place) const {
    for (std::size_t r = 0; r < system_.rotations.size(); ++r) {
      const auto& e = system_.rotations[r].quaternion;
      if (std::find(e.begin(), e.end(), place) != e.end()) return r;
    }
    return std::nullopt;
  }

  SearchInterval interval_of(Expr place, const SectionOfTurns& section, bool is_angle) const {
    const auto rotation = rotation_of(place);
    if (!rotation)
      return {place, -(is_angle ? angle_range : half_width), is_angle ? angle_range : half_width};
    if (has_free_turn(*rotation)) {
      const auto& positive = section.positive;
      const bool is_positive = std::find(positive.begin(), positive.end(), place) != positive.end();
      return {place, is_positive ? section_edge : -section_edge - 0.02,
              is_positive ? 1.01 : section_edge + 0.02};
    }
    const bool is_first = place == system_.rotations[*rotation].quaternion[0];  // e and -e are one attitude
    return {place, is_first ? -1e-3 : -1.01, 1.01};
  }

  void describe_box(const std::vector<Expr>& places, const std::vector<bool>& angles) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (rotation_of(places[k])) continue;
      const std::string& name = places[k].symbol().name;
      parts.push_back(angles[k] ? name + " all around" : fmt::format("-10 <= {} <= 10", name));
    }
    for (const Rotation& rotation : system_.rotations)
      if (is_met(rotation))
        parts.push_back(rotation.name.empty() ? "every attitude" : "every attitude of " + rotation.name);
    result_.box = fmt::format("{}", fmt::join(parts, ", "));
  }

  void search(const SectionOfTurns& section) {
    Substitution zero;
    for (Expr part : section.zero) zero.emplace(part, algebra_.pool().number(0));
    std::vector<Expr> rows = rows_, linear = factors_;
    for (const FreeTurn& turn : turns_) {
      const Rotation& rotation = system_.rotations[turn.rotation];
      for (std::size_t j = 0; j < 3; ++j) {
        Expr& row = rows[*force_rows_[rotation.first_direction + j]];
        row = row + turn.symbol * axis_of(rotation, turn.axis)[j];
      }
      linear.push_back(turn.symbol);
    }
    for (Expr& row : rows) row = algebra_.readable(substitute(row, zero));
    std::vector<Expr> places;
    std::vector<bool> angles;
    std::vector<SearchInterval> box;
    std::vector<Expr> functions = equations_.residuals;
    for (const std::vector<Expr>* list : {&equations_.place_rates, &equations_.levels, &equations_.speeds})
      functions.insert(functions.end(), list->begin(), list->end());
    for (Expr place : unknowns_) {
      if (zero.contains(place)) continue;
      places.push_back(place);
      angles.push_back(!rotation_of(place) && is_angle_of(algebra_, functions, equations_.state(), place));
      box.push_back(interval_of(place, section, angles.back()));
    }
    describe_box(places, angles);
    const IsolatedRoots roots =
        isolate_roots(rows, box, max_pieces, [&] { return algebra_.options().is_interrupted(); }, linear);
    if (!roots.all) {
      result_.all = false;
      if (result_.reason.find(roots.reason) == std::string::npos)
        result_.reason += (result_.reason.empty() ? "" : "; ") + roots.reason;
    }
    for (const IsolatedRoot& root : roots.roots) {
      Place place;
      for (std::size_t k = 0; k < places.size(); ++k) {
        place.values.emplace(places[k], root.value[k]);
        place.boxes.emplace(places[k], root.box[k]);
      }
      for (Expr part : section.zero) {
        place.values.emplace(part, Ball(Rational(0)));
        place.boxes.emplace(part, Ball(Rational(0)));
      }
      place.angles = angles;
      if (is_in_box(place, box) && !is_known(place, places, angles)) add(place, section);
    }
  }

  struct Place {
    BallPoint values, boxes;
    std::vector<bool> angles;
  };

  /// A root of the margin belongs to no piece of the box; of an angle it is the same place on the other side.
  bool is_in_box(const Place& place, const std::vector<SearchInterval>& box) const {
    for (const SearchInterval& side : box) {
      const Ball& value = place.values.at(side.unknown);
      const auto rotation = rotation_of(side.unknown);
      if (!rotation && side.high == half_width && std::abs(value.mid()) > half_width + value.rad())
        return false;
      const bool is_half =
          rotation && !has_free_turn(*rotation) && side.unknown == system_.rotations[*rotation].quaternion[0];
      if (is_half && value.is_negative()) return false;
    }
    return true;
  }

  /// A whole number of turns away, or the same attitude.
  bool is_known(const Place& place, const std::vector<Expr>& places, const std::vector<bool>& angles) const {
    return std::any_of(kept_.begin(), kept_.end(), [&](const Place& other) {
      for (std::size_t k = 0; k < places.size(); ++k) {
        if (rotation_of(places[k])) continue;
        Ball moved = place.values.at(places[k]);
        if (angles[k]) {
          const double distance = moved.mid() - other.values.at(places[k]).mid();
          Ball turn;
          arb_const_pi(turn.raw(), 128);
          arb_mul_si(turn.raw(), turn.raw(), 2 * std::lround(distance / 6.283185307179586), 128);
          arb_sub(moved.raw(), moved.raw(), turn.raw(), 128);
        }
        if (arb_contains(other.boxes.at(places[k]).raw(), moved.raw()) == 0) return false;
      }
      for (std::size_t r = 0; r < system_.rotations.size(); ++r)
        if (is_met(system_.rotations[r]) && !is_same_attitude(place, other, r)) return false;
      return true;
    });
  }

  bool is_same_attitude(const Place& place, const Place& other, std::size_t r) const {
    const Rotation& rotation = system_.rotations[r];
    for (const FreeTurn& turn : turns_) {
      if (turn.rotation != r) continue;
      const std::vector<Expr> axis = axis_of(rotation, turn.axis);
      const BallValues here = evaluate_balls(axis, place.values, 128);
      const BallValues there = evaluate_balls(axis, other.values, 128);
      for (std::size_t j = 0; j < 3; ++j)
        if (!overlaps(here.values[j], there.values[j])) return false;
      return true;
    }
    for (const bool is_opposite : {false, true}) {
      bool is_inside = true;
      for (Expr part : rotation.quaternion) {
        Ball value = place.values.at(part);
        if (is_opposite) arb_neg(value.raw(), value.raw());
        is_inside = is_inside && arb_contains(other.boxes.at(part).raw(), value.raw()) != 0;
      }
      if (is_inside) return true;
    }
    return false;
  }

  void add(const Place& place, const SectionOfTurns& section) {
    kept_.push_back(place);
    if (checks_.is_outside(place.values)) return;
    Equilibrium equilibrium;
    for (Expr unknown : unknowns_) {
      const bool is_zero = std::find(section.zero.begin(), section.zero.end(), unknown) != section.zero.end();
      equilibrium.positions.push_back({unknown, place.values.at(unknown), std::nullopt});
      if (is_zero) equilibrium.positions.back().exact = algebra_.pool().number(0);
    }
    recognise(place, section, equilibrium);
    BallPoint at;
    for (const Equilibrium::Position& position : equilibrium.positions)
      at.emplace(position.coordinate, position.value);
    const ManifoldEquations kept = without_anywhere();
    const ManifoldRest rest(kept, at);
    if (const std::string acts = checks_.what_acts(at); !acts.empty()) {
      equilibrium.no_linearisation = "not computed: " + acts;
    } else if (!rest.reason().empty()) {
      equilibrium.no_linearisation = rest.reason();
    } else if (!do_turns_keep_motions()) {
      equilibrium.no_linearisation = "not computed: what turns freely at rest changes how it moves";
    } else {
      rest.linearise(equilibrium, families_of(kept, section));
      if (!equilibrium.has_linearisation) equilibrium.no_linearisation = "depend on the other coordinates";
      if (equilibrium.stability == Stability::undecided && has_strict_minimum(rest, section))
        equilibrium.stability = Stability::stable;
    }
    result_.found.push_back(std::move(equilibrium));
  }

  /// One for each free turn, by what the section keeps at zero.
  std::vector<RestFamily> families_of(const ManifoldEquations& kept, const SectionOfTurns& section) const {
    std::vector<RestFamily> families;
    for (std::size_t k = 0; k < turns_.size(); ++k) {
      const Rotation& rotation = system_.rotations[turns_[k].rotation];
      RestFamily family{{}, section.zero[k]};
      for (Expr place : kept.places) family.components.push_back(turned(rotation, turns_[k].axis, place));
      families.push_back(std::move(family));
    }
    return families;
  }

  /// Places that may have any value do not deviate.
  ManifoldEquations without_anywhere() const {
    ManifoldEquations result = equations_;
    for (Expr place : result_.anywhere) {
      result.leave_out(place);
      std::erase_if(result.levels, [&](Expr level) { return depends_on(level, place); });
    }
    return result;
  }

  /// Short numbers, roots of such or parts of pi that are the place: the levels vanish, and some factors hold
  /// it.
  void recognise(const Place& place, const SectionOfTurns& section, Equilibrium& equilibrium) const {
    Pool& pool = algebra_.pool();
    Substitution guess;
    std::vector<Expr> values;
    for (const Equilibrium::Position& position : equilibrium.positions) {
      const auto exact = position.exact ? position.exact : short_number(pool, position.value.mid());
      if (!exact) return;
      guess.emplace(position.coordinate, *exact);
      values.push_back(*exact);
    }
    const BallValues at = evaluate_balls(values, {}, 128);
    if (at.status != EvaluationStatus::ok) return;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Expr coordinate = equilibrium.positions[k].coordinate;
      const bool is_zero =
          std::find(section.zero.begin(), section.zero.end(), coordinate) != section.zero.end();
      if (!is_zero && arb_contains(place.boxes.at(coordinate).raw(), at.values[k].raw()) == 0) return;
    }
    try {
      Matrix matrix(pool, rows_.size(), factors_.size());
      std::vector<Expr> right;
      Substitution none;
      for (Expr factor : factors_) none.emplace(factor, pool.number(0));
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        for (std::size_t h = 0; h < factors_.size(); ++h)
          matrix(i, h) = algebra_.canonical(substitute(derivative(rows_[i], factors_[h]), guess)).value;
        right.push_back(algebra_.canonical(-substitute(substitute(rows_[i], none), guess)).value);
      }
      if (factors_.empty()) {
        if (!std::all_of(right.begin(), right.end(), [&](Expr e) { return algebra_.is_zero(e).is_proved(); }))
          return;
      } else {
        const SolveResult solved = solve(algebra_, matrix, right);
        if (solved.status == SolveStatus::inconsistent || solved.grade != Grade::proved) return;
      }
    } catch (const Error& error) {
      if (error.code() == ErrorCode::limit_reached) throw;
      return;  // no value there
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      equilibrium.positions[k].exact = values[k];
      equilibrium.positions[k].value = at.values[k];
    }
  }

  /// Lagrange's and Dirichlet's theorem on the states; where turns change nothing, of the set of all
  /// attitudes that they give.
  bool has_strict_minimum(const ManifoldRest& rest, const SectionOfTurns& section) {
    if (!result_.anywhere.empty()) return false;
    if (!is_energy_asked_) energy_ = rest_energy(algebra_, *flow_.motion, equations_, values_);
    is_energy_asked_ = true;
    return energy_ && rest.has_strict_minimum(*energy_, section.zero);
  }

  Algebra& algebra_;
  const StateFlow& flow_;
  const System& system_;
  const Substitution& values_;
  PlaceChecks checks_;
  ManifoldEquations equations_;
  std::vector<Expr> rows_, unknowns_, factors_;
  std::vector<std::optional<std::size_t>> force_rows_;  ///< of each direction
  std::vector<FreeTurn> turns_;
  std::optional<bool> turns_keep_;  ///< asked once
  std::vector<Place> kept_;
  std::optional<RestEnergy> energy_;
  bool is_energy_asked_ = false;
  bool is_decided_ = false;
  Equilibria result_;
};

}  // namespace

std::optional<Equilibria> find_rest_on_manifold(Algebra& algebra, const StateFlow& flow,
                                                const Substitution& values) {
  return ManifoldSearch(algebra, flow, values).run();
}

}  // namespace liaison

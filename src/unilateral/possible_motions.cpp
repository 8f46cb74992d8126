#include "liaison/unilateral/possible_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact_numbers.hpp"
#include "exact_numbers.hpp"
#include "factor_laws.hpp"
#include "higher_orders.hpp"
#include "kept_beside.hpp"
#include "kinks_at_state.hpp"
#include "liaison/expr/error.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/kinematics.hpp"
#include "liaison/model/motion_texts.hpp"
#include "liaison/unilateral/contact_law.hpp"
#include "liaison/unilateral/gap_corners.hpp"
#include "liaison/unilateral/mode_problem.hpp"
#include "liaison/unilateral/onset_in_space.hpp"
#include "limits_of_motions.hpp"
#include "motions_in_time.hpp"
#include "near_limits.hpp"
#include "proved_limits.hpp"
#include "resisted.hpp"
#include "search_in_space.hpp"
#include "slips_in_time.hpp"

namespace liaison {

namespace {

/// A resting contact with the constraints that its rows are.
struct RestingContact {
  ContactLaw law;
  ContactRows rows;
  std::vector<std::size_t> resistance_of = {};  ///< of the law, one a resisted row
};

class MotionsAtState {
 public:
  MotionsAtState(Algebra& algebra, const System& system, const ContactStateValues& state)
      : algebra_(algebra), system_(system), state_(state), at_(algebra, state) {}

  PossibleMotions find() {
    for (const Unilateral& unilateral : system_.unilaterals) classify(unilateral);
    const bool impact =
        std::any_of(result_.contacts.begin(), result_.contacts.end(), [](const ContactState& contact) {
          return contact.condition == ContactCondition::closing ||
                 contact.condition == ContactCondition::violated;
        });
    if (impact || !result_.no_normal.empty()) return std::move(result_);
    make_rows();
    const AssembledEquations equations = assemble_equations(algebra_, closed_.system);
    for (const Expr parameter : equations.parameters)
      result_.acceleration_symbols.push_back(acceleration_symbol(parameter));
    for (const Constraint& constraint : system_.constraints) result_.bilateral.push_back(constraint.name);
    numbers_ = contact_numbers(equations, closed_.bilateral, at_);
    const ContactNumbers& numbers = numbers_;
    if (at_.lost_rank())
      remark(
          "the constraints that cannot open depend on each other as far as the digits of the numbers tell");
    const std::vector<ContactRows> rows = all_rows();
    const ModeProblem problem(numbers, rows);
    const auto slipping = [&](std::size_t c, std::size_t i) {
      return resting_[c].law.resistances[resting_[c].resistance_of[i]].slipping;
    };
    if (state_.exact && laws_.laws.empty())
      leave_open(unproved_limits(algebra_, equations, closed_, state_.values, numbers, rows, slipping));
    Complementarity normal = problem.normal_problem();
    result_.r = std::move(normal.r);
    result_.drive = std::move(normal.drive);
    if (std::none_of(rows.begin(), rows.end(), [](const ContactRows& contact) { return contact.rests(); })) {
      result_.p_matrix = p_matrix(result_.r, numbers.noise);
    }
    const bool alone = rows.size() == 1 && rows[0].resisted.size() == 2;
    if (!laws_.laws.empty()) {
      add_under_laws(rows);
    } else if (in_space_ && !alone) {
      add_several_in_space(numbers, rows);
    } else {
      std::vector<PossibleMotion> motions = in_space_ ? all_in_space(numbers) : problem.all();
      leave_open(near_limits(numbers, rows, result_.relation_names, motions, state_.exact));
      for (PossibleMotion& motion : motions) settle_and_add(std::move(motion));
    }
    drop_parts(result_.motions);
    result_.verdict = result_.motions.empty() ? MotionVerdict::none
                      : moves_in_one_way()    ? MotionVerdict::unique
                                              : MotionVerdict::several;
    result_.state_is_exact = state_.exact && !beside_;
    result_.exact = at_.exact() && !beside_;
    for (const std::string& why : open_at_kinks(algebra_, system_, equations, state_, result_))
      leave_open(why);
    return std::move(result_);
  }

 private:
  void add_several_in_space(const ContactNumbers& numbers, const std::vector<ContactRows>& rows) {
    SpaceMotions found = motions_in_space(numbers, rows);
    if (!found.left_out.empty()) {
      leave_open(found.left_out);
      add_searched(numbers, rows, found.motions);
    }
    for (PossibleMotion& motion : found.motions) {
      const auto& modes = motion.modes;
      if (std::find(modes.begin(), modes.end(), ContactMode::touches) != modes.end())
        leave_open("contacts without force beside others along surfaces in space, at higher orders");
      if (std::find(modes.begin(), modes.end(), ContactMode::slips) != modes.end()) at_.round();
      motion.equilibrium = is_equilibrium(motion);
      if (!add_slips_in_space(motion, rows)) result_.motions.push_back(std::move(motion));
    }
  }
  /// What a motion becomes whose friction along a surface in space is at its limit.
  bool add_slips_in_space(const PossibleMotion& motion, const std::vector<ContactRows>& rows) {
    if (motion.equilibrium || !is_at_limit_in_space(motion, rows)) return false;
    if (motion.is_family()) {
      leave_open(
          "a family of forces with a friction at its limit along a surface in space: higher derivatives are "
          "not asked");
      return false;
    }
    const SlipsInTime found = slips_in_time(algebra_, system_, contacts_in_time(), rows, motion, state_);
    for (const std::string& why : found.left_open) leave_open(why);
    if (has_kinks())
      leave_open("a function with a kink in the model: higher derivatives are taken as if it had none");
    if (found.ways.empty() && !found.left_open.empty()) return false;
    for (const SlipsInTime::Way& way : found.ways) {
      PossibleMotion next = motion;
      next.modes = way.modes;
      for (std::size_t c = 0; c < way.how.size(); ++c)
        if (!way.how[c].empty()) next.settled.emplace_back(c, way.how[c]);
      result_.motions.push_back(std::move(next));
    }
    return true;
  }

  /// Where forces hold each other: motions that a search finds, beside those that are known.
  void add_searched(const ContactNumbers& numbers, const std::vector<ContactRows>& rows,
                    std::vector<PossibleMotion>& known) {
    constexpr double alike = 1e-8;
    double size = 0;
    for (const Rational& acceleration : numbers.free_acceleration)
      size = std::max(size, std::abs(acceleration.to_double()));
    SearchedMotions searched = search_in_space(numbers, rows);
    if (searched.depends_on_load)
      leave_open("a motion that depends on how the contacts share what they carry: of many some are shown");
    for (PossibleMotion& motion : searched.motions) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const PossibleMotion& other) {
        return other.modes == motion.modes && move_alike(motion, other, alike * size);
      });
      if (is_known) continue;
      drop_shared_otherwise(known, motion, alike * size);
      at_.round();
      remark("found by a search: forces that the motion does not determine are shown in one way of many");
      result_.motions.push_back(std::move(motion));
    }
  }

  std::vector<PossibleMotion> all_in_space(const ContactNumbers& numbers) {
    SpaceMotions found = motions_in_space(numbers, resting_[0].rows);
    for (const PossibleMotion& motion : found.motions) {
      if (motion.modes[0] == ContactMode::touches)
        leave_open("the direction of slip in space at higher orders");
    }
    if (found.every_direction) leave_open("it may begin to slip in any direction");
    at_.round();  // directions are roots of a polynomial
    return std::move(found.motions);
  }

  /// Equal to the digits of the state.
  bool are_near(const std::vector<Rational>& a, const std::vector<Rational>& b) const {
    Rational size;
    for (std::size_t i = 0; i < a.size(); ++i) size += abs(a[i]) + abs(b[i]);
    const Rational slack = size * at_.noise();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (abs(a[i] - b[i]) > slack) return false;
    }
    return true;
  }

  /// Factors may be open where the motion is not.
  bool moves_in_one_way() const {
    const std::vector<PossibleMotion>& motions = result_.motions;
    const std::vector<Rational>& first = motions[0].vertices[0].accelerations;
    const auto is_zero = [](const Rational& x) { return x.is_zero(); };
    return (motions.size() == 1 || std::all_of(motions.begin(), motions.end(),
                                               [](const PossibleMotion& motion) {
                                                 return motion.settled.empty() || stays_at_rest(motion);
                                               })) &&
           std::all_of(motions.begin(), motions.end(), [&](const PossibleMotion& motion) {
             return std::all_of(
                        motion.vertices.begin(), motion.vertices.end(),
                        [&](const MotionNumbers& vertex) { return are_near(vertex.accelerations, first); }) &&
                    std::all_of(motion.rays.begin(), motion.rays.end(), [&](const MotionNumbers& ray) {
                      return std::all_of(ray.accelerations.begin(), ray.accelerations.end(), is_zero);
                    });
           });
  }

  /// Zero beside the terms of which it is made: closed "to the tolerance of the state".
  int sign_beside_terms(Expr e) {
    const Rational value = at_(e);
    if (value.is_zero()) return 0;
    const Rational size = at_.size_of_terms(e);
    if (abs(value) > size * Rational(1, 1'000'000'000)) return value.sign();
    remark(fmt::format("{} = {:.3g} counts as zero beside its terms of {:.3g}", to_infix(e),
                       value.to_double(), size.to_double()));
    beside_ = true;
    return 0;
  }
  void leave_open(const std::string& why) {
    if (result_.undecided.find(why) == std::string::npos)
      result_.undecided += (result_.undecided.empty() ? "" : "; ") + why;
  }
  bool is_equilibrium(const PossibleMotion& motion) const {
    std::vector<Expr> all = motion_texts(closed_.system);
    for (const RestingContact& contact : resting_) {
      all.push_back(contact.law.held.relation);
      for (const Resistance& resistance : contact.law.resistances) {
        all.insert(all.end(), {resistance.sticking, resistance.slipping});
        all.insert(all.end(), resistance.velocity.begin(), resistance.velocity.end());
      }
    }
    return is_rest_that_goes_on(system_, all, state_, motion);
  }
  bool has_kinks() const { return liaison::has_kinks(motion_texts(closed_.system)); }
  void remark(const std::string& text) {
    if (result_.remark.find(text) == std::string::npos)
      result_.remark += (result_.remark.empty() ? "" : "; ") + text;
  }

  /// At an edge of its surface: the side to which the motion goes; nothing where that is not one side, or
  /// the motion meets it there.
  std::optional<Expr> side_of_edge(const Unilateral& unilateral, const GapCorner& corner) {
    const auto no_normal = [&](OnEdge how) {
      result_.no_normal.emplace_back(result_.contacts.size(),
                                     text_of_edge(unilateral.name, corner.argument, how));
      return std::nullopt;
    };
    const int side = corner.rate.empty() ? 0 : sign_beside_terms(corner.rate);
    const auto closes = [&](Expr rate) { return !corner.of_time && sign_beside_terms(rate) < 0; };
    if (side == 0) return no_normal(closes(corner.rate_above) ? OnEdge::closes : OnEdge::rests);
    if (closes(side > 0 ? corner.rate_above : corner.rate_below)) return no_normal(OnEdge::closes);
    return side > 0 ? corner.above : corner.below;
  }

  bool is_zero_here(const std::vector<Expr>& es) {
    return std::all_of(es.begin(), es.end(), [&](Expr e) { return sign_beside_terms(e) == 0; });
  }

  /// The gap of a closed contact without the corners that the state lies on.
  std::optional<Expr> smooth_gap(Unilateral unilateral) {
    for (bool again = true; again;) {
      again = false;
      for (const GapCorner& corner : gap_corners(system_, unilateral)) {
        if (sign_beside_terms(corner.argument) != 0) continue;
        if (corner.of_time ? sign_beside_terms(corner.rate) == 0 : is_zero_here(corner.bend)) continue;
        const auto side = side_of_edge(unilateral, corner);
        if (!side) return {};
        unilateral.relation = *side;
        again = true;
        break;
      }
    }
    return unilateral.relation;
  }

  void classify(Unilateral unilateral) {
    ContactState contact{.name = unilateral.name};
    const int gap = sign_beside_terms(unilateral.gap());
    contact.gap = at_(unilateral.gap()).to_double();
    if (gap == 0) {
      const auto smooth = smooth_gap(unilateral);
      if (!smooth) {
        result_.contacts.push_back(std::move(contact));
        return;
      }
      unilateral.relation = *smooth;
    }
    int rate = 0;
    if (unilateral.holonomic) {
      const Expr speed = time_derivative(system_, unilateral.gap());
      contact.rate = at_(speed).to_double();
      if (gap == 0) rate = sign_beside_terms(speed);
    }
    contact.condition = gap > 0    ? ContactCondition::open
                        : gap < 0  ? ContactCondition::violated
                        : rate > 0 ? ContactCondition::separating
                        : rate < 0 ? ContactCondition::closing
                                   : ContactCondition::resting;
    const bool presses =
        contact.condition == ContactCondition::resting || contact.condition == ContactCondition::closing;
    if (presses && is_zero_here(gap_gradient(system_, unilateral, unilateral.gap()))) {
      result_.no_normal.emplace_back(result_.contacts.size(), text_without_normal(unilateral.name));
    }
    if (contact.condition == ContactCondition::resting) {
      result_.resting.push_back(result_.contacts.size());
      result_.relation_names.push_back(unilateral.name);
      resting_.push_back({contact_law(system_, unilateral), {}, {}});
      if (!resting_.back().law.missing.empty()) {
        throw Error(ErrorCode::missing_value, resting_.back().law.missing,
                    "write `friction F on U` with the velocity U along the surface, `on [U, V]` in space");
      }
    }
    result_.contacts.push_back(std::move(contact));
  }

  std::size_t add_row(Constraint constraint) {
    closed_.system.constraints.push_back(std::move(constraint));
    return closed_.system.constraints.size() - closed_.bilateral - 1;
  }

  void make_rows() {
    closed_.system = system_;
    closed_.system.unilaterals.clear();
    closed_.bilateral = system_.constraints.size();
    for (RestingContact& contact : resting_) {
      contact.rows.normal = add_row(contact.law.held);
      for (std::size_t i = 0; i < contact.law.resistances.size(); ++i) {
        add_resistance(contact, contact.law.resistances[i]);
        contact.resistance_of.resize(contact.rows.resisted.size(), i);
      }
      std::vector<Expr>& resisted = result_.resisted.emplace_back();
      for (const ResistedRow& row : contact.rows.resisted) {
        resisted.push_back(closed_.system.constraints[closed_.bilateral + row.row].relation);
      }
    }
  }

  Constraint slip_of(const RestingContact& contact, Expr velocity) const {
    return slip_constraint(system_, contact.law.held, velocity,
                           std::to_string(contact.rows.resisted.size() + 1));
  }

  void add_resistance(RestingContact& contact, const Resistance& resistance) {
    if (has_factors(resistance.slipping) || has_factors(resistance.sticking))
      return add_law(contact, resistance);
    ResistedRow row{.slipping = at_(resistance.slipping), .sticking = at_(resistance.sticking)};
    if (row.slipping.sign() < 0 || row.sticking < row.slipping) {
      throw Error(
          ErrorCode::undefined_constant,
          fmt::format(
              "the coefficients of friction of `{}` are {:.6g} where it slips and {:.6g} where it sticks",
              contact.law.held.name, row.slipping.to_double(), row.sticking.to_double()),
          "give coefficients that are not negative, the one of sticking not smaller");
    }
    if (row.slipping.is_zero() && row.sticking.is_zero()) return;
    add_rows(contact, resistance, std::move(row));
  }

  void add_rows(RestingContact& contact, const Resistance& resistance, ResistedRow row) {
    std::vector<int> directions;
    for (const Expr component : resistance.velocity) directions.push_back(sign_beside_terms(component));
    const bool rests = std::all_of(directions.begin(), directions.end(), [](int d) { return d == 0; });
    if (resistance.velocity.size() == 2 && rests) {
      in_space_ = true;
      row.direction = 0;
      for (const Expr component : resistance.velocity) {
        row.row = add_row(slip_of(contact, component));
        contact.rows.resisted.push_back(row);
        row.second = true;
      }
      return;
    }
    Expr velocity = resistance.velocity[0];
    row.direction = directions[0];
    if (resistance.velocity.size() == 2) {
      velocity = sqrt(pow(resistance.velocity[0], 2) + pow(resistance.velocity[1], 2));
      row.direction = 1;
    }
    row.row = add_row(slip_of(contact, velocity));
    contact.rows.resisted.push_back(std::move(row));
  }

  bool has_factors(Expr e) const {
    const auto enters = [&](const Constraint& one) { return depends_on(e, one.factor); };
    return std::any_of(system_.unilaterals.begin(), system_.unilaterals.end(), enters) ||
           std::any_of(system_.constraints.begin(), system_.constraints.end(), enters);
  }

  /// A coefficient that depends on factors: what is open has none.
  void add_law(RestingContact& contact, const Resistance& resistance) {
    Substitution values = state_.values;
    for (const Unilateral& other : system_.unilaterals) {
      const bool rests = std::any_of(resting_.begin(), resting_.end(), [&](const RestingContact& one) {
        return one.law.held.factor == other.factor;
      });
      if (!rests) values[other.factor] = system_.pool->number(0);
    }
    const Expr slipping = substitute(resistance.slipping, values),
               sticking = substitute(resistance.sticking, values);
    if (slipping.is_number() && sticking.is_number())
      return add_resistance(contact, {resistance.velocity, slipping, sticking, resistance.turns});
    laws_.laws.push_back({static_cast<std::size_t>(&contact - resting_.data()), contact.rows.resisted.size(),
                          slipping, sticking});
    add_rows(contact, resistance, {});
  }

  void add_under_laws(const std::vector<ContactRows>& rows) {
    if (in_space_)
      throw Error(ErrorCode::undefined_constant,
                  fmt::format("the friction of `{}` depends on a factor, and a contact rests along a surface "
                              "in space: motions under such a law are not looked for yet",
                              resting_[laws_.laws[0].contact].law.held.name),
                  "give a coefficient of the state, or one velocity: `friction F on U`");
    for (const RestingContact& contact : resting_) laws_.contact_factors.push_back(contact.law.held.factor);
    for (const Constraint& constraint : system_.constraints)
      laws_.bilateral_factors.push_back(constraint.factor);
    LawMotions found = motions_of_laws(algebra_, numbers_, rows, laws_);
    for (const std::string& why : found.left_open) leave_open(why);
    if (!found.exact) at_.round();
    for (PossibleMotion& motion : found.motions) {
      motion.equilibrium = is_equilibrium(motion);
      result_.motions.push_back(std::move(motion));
    }
    result_.p_matrix.reset();
    remark("r is that without frictions whose coefficients depend on factors");
  }

  /// What a contact is in a motion that keeps it, as a constraint of that motion: what slips or begins to is
  /// resisted; what rests is handed to `stuck`, to be kept beside it.
  Constraint as_kept(const RestingContact& contact, const std::vector<Rational>& slip_rates,
                     std::vector<Constraint>& stuck) const {
    std::vector<ResistedSlip> slips;
    for (std::size_t i = 0; i < contact.rows.resisted.size(); ++i) {
      const ResistedRow& row = contact.rows.resisted[i];
      const Constraint& slip = closed_.system.constraints[closed_.bilateral + row.row];
      const int direction = row.direction != 0 ? row.direction : slip_rates[i].sign();
      if (direction == 0) {
        stuck.push_back(slip);
        continue;
      }
      const Expr slipping = contact.law.resistances[contact.resistance_of[i]].slipping;
      slips.push_back({system_.pool->number(direction) * slipping, slip.relation});
    }
    return with_resistance(system_, contact.law.held, slips);
  }

  std::vector<ContactRows> all_rows() const {
    std::vector<ContactRows> rows;
    for (const RestingContact& contact : resting_) rows.push_back(contact.rows);
    return rows;
  }
  void say_shared() {
    remark("how the contacts share what they carry is not determined, and the motion does not depend on it");
  }

  /// The contacts in formulas that hold around the state.
  std::vector<ContactInTime> contacts_in_time() const {
    std::vector<ContactInTime> result;
    for (const RestingContact& contact : resting_) {
      ContactInTime& added = result.emplace_back(ContactInTime{contact.law.held, {}});
      for (std::size_t i = 0; i < contact.rows.resisted.size(); ++i) {
        const Resistance& resistance = contact.law.resistances[contact.resistance_of[i]];
        added.resisted.push_back(
            {closed_.system.constraints[closed_.bilateral + contact.rows.resisted[i].row],
             resistance.slipping, resistance.sticking});
      }
    }
    return result;
  }

  /// What a motion that is at its limits becomes in time; false where that cannot be said.
  bool add_in_time(const PossibleMotion& motion) {
    const std::vector<ContactRows> rows = all_rows();
    const auto ways = ways_in_time(motion, rows);
    if (ways.empty()) return false;
    const MotionsInTime found = motions_in_time(algebra_, system_, contacts_in_time(), ways, state_);
    for (const std::string& why : found.left_open) leave_open(why);
    if (has_kinks())
      leave_open("a function with a kink in the model: higher derivatives are taken as if it had none");
    if (found.motions.empty() && !found.left_open.empty()) {
      result_.motions.push_back(motion);
      return true;
    }
    for (const MotionInTime& one : found.motions) {
      PossibleMotion next{one.modes, {}, {}, {}, false};
      for (const MotionInTime::Carried& carried : one.carried) {
        std::vector<Rational> forces(numbers_.r.size());
        for (std::size_t c = 0; c < rows.size(); ++c) {
          forces[rows[c].normal] = carried.normals[c];
          for (std::size_t i = 0; i < rows[c].resisted.size(); ++i)
            forces[rows[c].resisted[i].row] = carried.resistances[c][i];
        }
        MotionNumbers vertex = motion_numbers(numbers_, rows, forces, false);
        const bool known =
            std::any_of(next.vertices.begin(), next.vertices.end(), [&](const MotionNumbers& other) {
              return other.factors == vertex.factors && other.resistances == vertex.resistances;
            });
        if (!known) next.vertices.push_back(std::move(vertex));
      }
      add_rays(motion, next);
      next.equilibrium = is_equilibrium(next);
      if (one.carried.size() > 1 || next.is_family()) say_shared();
      for (std::size_t c = 0; c < one.how.size(); ++c)
        if (!one.how[c].empty()) next.settled.emplace_back(c, one.how[c]);
      result_.motions.push_back(std::move(next));
    }
    return true;
  }

  /// Contacts that stay closed may hold each other with any force, where they depend on each other for ever.
  void add_rays(const PossibleMotion& motion, PossibleMotion& next) {
    std::vector<Constraint> closed;
    for (std::size_t c = 0; c < resting_.size(); ++c)
      if (next.modes[c] != ContactMode::opens) closed.push_back(resting_[c].law.held);
    for (const MotionNumbers& ray : motion.rays) {
      bool within = true;
      for (std::size_t c = 0; c < resting_.size(); ++c)
        within = within && (next.modes[c] != ContactMode::opens || ray.factors[c].is_zero());
      if (within) next.rays.push_back(ray);
    }
    if (!next.rays.empty() && !are_kept_together(algebra_, system_, closed, state_))
      leave_open("contacts that depend on each other here are not proved to do so beside it");
  }

  /// Contacts without factor and without separation are asked for higher derivatives.
  void settle_and_add(PossibleMotion motion) {
    motion.equilibrium = is_equilibrium(motion);
    std::vector<std::size_t> left;
    std::vector<Constraint> kept, undecided;
    for (std::size_t c = 0; c < resting_.size(); ++c) {
      const std::vector<Rational>& slip_rates = motion.vertices[0].slip_rates[c];
      if (motion.modes[c] == ContactMode::touches) {
        left.push_back(c);
        std::vector<Constraint> without_force;  // whether they stick is not asked
        undecided.push_back(as_kept(resting_[c], slip_rates, without_force));
      } else if (motion.modes[c] != ContactMode::opens) {
        kept.push_back(as_kept(resting_[c], slip_rates, kept));
      }
    }
    const std::vector<ContactRows> rows = all_rows();
    if (add_slips_in_space(motion, rows)) return;
    const bool rests_without_force =
        std::any_of(left.begin(), left.end(), [&](std::size_t c) { return resting_[c].rows.rests(); });
    // rest that goes on needs no more than its forces of now
    const bool is_asked = motion.is_family() ? has_one_acceleration(motion) && !motion.equilibrium
                                             : !motion.equilibrium && (rests_without_force ||
                                                                       is_at_limit_of_friction(motion, rows));
    if (motion.is_family() && is_held_within_limits(motion, rows) &&
        (motion.equilibrium || are_kept_together(algebra_, system_, kept, state_))) {
      say_shared();
    } else if (is_asked && add_in_time(motion)) {
      return;
    } else if (motion.is_family() && !motion.equilibrium) {
      leave_open("a family of factors: higher derivatives, which may narrow it, are not asked");
    }
    if (left.empty() || motion.is_family()) {
      result_.motions.push_back(std::move(motion));
      return;
    }
    for (const std::size_t c : left) {
      if (!resting_[c].rows.rests() || motion.equilibrium) continue;
      leave_open(fmt::format("`{}` carries no force yet: whether it will stick or slip is not decided",
                             resting_[c].law.held.name));
    }
    if (has_kinks()) {
      leave_open("a function with a kink in the model: higher derivatives are taken as if it had none");
    }
    const std::vector<SettledContacts> all = settle(algebra_, system_, kept, undecided, state_);
    const bool has_family =
        std::any_of(all.begin(), all.end(), [](const SettledContacts& one) { return one.family; });
    if (has_family && add_in_time(motion)) return;
    for (const SettledContacts& settled : all) {
      if (settled.open) leave_open("derivatives of higher order than were looked at");
      PossibleMotion next = motion;
      for (std::size_t i = 0; i < left.size(); ++i) {
        next.modes[left[i]] = settled.modes[i];
        next.settled.emplace_back(left[i], settled.how[i]);
      }
      result_.motions.push_back(std::move(next));
    }
  }

  Algebra& algebra_;
  const System& system_;
  const ContactStateValues& state_;
  ExactNumbers at_;
  std::vector<RestingContact> resting_;
  ClosedSystem closed_;
  ContactNumbers numbers_;
  bool beside_ = false;  ///< the state lies next to a contact, not on it
  FactorLaws laws_;
  bool in_space_ = false;  ///< the one contact rests along a surface in space
  PossibleMotions result_;
};

}  // namespace

PossibleMotions possible_motions(Algebra& algebra, const System& system, const ContactStateValues& state) {
  System closable = system;  // one that is only asked about open contacts has their gaps in its domain
  for (const Unilateral& one : system.unilaterals)
    std::erase_if(closable.domain, [&](const auto& needed) { return needed.e == one.gap(); });
  return MotionsAtState(algebra, closable, state).find();
}

}  // namespace liaison

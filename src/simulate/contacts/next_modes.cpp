#include "next_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "liaison/expr/error.hpp"
#include "liaison/unilateral/onset_in_space.hpp"
#include "motion_family.hpp"
#include "onsets.hpp"

namespace liaison {

namespace {

/// A condition that has changed by less than this part of its terms is where it was.
constexpr double decided_beside = 1e-11;
/// Of the time of the motion, a moment after which a slip that begins has its direction.
constexpr double moment_part = 1e-9;
/// An acceleration that is this part of the largest without contacts is none.
constexpr double rounding = 1e-13;
/// Of the time of the motion, the shortest while for which a mode is followed.
constexpr double shortest_part = 1e-5;
/// A slip that loses this part of the speed that it was given does not begin.
constexpr double slower = 1e-6;

class Search {
 public:
  Search(ContactFrame& frame, Segments& segments, const ContactModes& modes, const ContactQuestion& question)
      : frame_(frame), segments_(segments), modes_(modes), question_(question) {}

  static NextModes failed(const std::string& why) {
    NextModes result;
    result.failure = why;
    return result;
  }

  NextModes run() {
    if (!frame_.take(question_.t, question_.y.data())) return failed(frame_.failure());
    if (!add_motions()) return failed(result_.failure.empty() ? frame_.failure() : result_.failure);
    add_neighbours();
    const auto& refuted = question_.refuted;
    for (const auto& [holds, wanted] : wanted_) {
      if (std::find(refuted.begin(), refuted.end(), holds) != refuted.end()) continue;
      if (!consider(holds, wanted) && wanted.is_motion)
        leave_out("a mode of the contacts whose equations have no solution here");
    }
    if (!frame_.take(question_.t, question_.y.data())) return failed(frame_.failure());
    keep_different();
    return std::move(result_);
  }

 private:
  ContactHolds all_open() const { return ContactHolds(modes_.size()); }

  /// The motions of the complementarity problem, and where one is at the limit of a condition both sides.
  bool add_motions() {
    if (question_.resting.empty()) {
      want({all_open()}, {{}, true});
      return true;
    }
    const auto problem = frame_.problem(question_.resting, question_.moving);
    if (!problem) return false;
    for (const Rational& acceleration : problem->numbers.free_acceleration)
      free_ = std::max(free_, std::abs(acceleration.to_double()));
    std::vector<PossibleMotion> motions;
    const bool in_space = std::any_of(question_.resting.begin(), question_.resting.end(), [&](std::size_t c) {
      const auto& resisted = modes_.rows()[c].resisted;
      for (std::size_t i = 0; i < resisted.size(); ++i) {
        if (resisted[i].size() == 2 && !question_.moving[c][i]) return true;
      }
      return false;
    });
    try {
      if (in_space && problem->contacts.size() == 1 && problem->contacts[0].resisted.size() == 2) {
        SpaceMotions found = motions_in_space(problem->numbers, problem->contacts[0]);
        if (found.every_direction) leave_out("it may begin to slip in any direction");
        motions = std::move(found.motions);
      } else if (in_space) {
        SpaceMotions found = motions_in_space(problem->numbers, problem->contacts);
        if (!found.left_out.empty()) {
          leave_out(
              "contacts at rest along surfaces in space, whose forces hold each other or are too many, may "
              "begin to slip in other ways");
        }
        if (!found.left_out.empty() || problem->contacts.size() > 1) add_onsets();
        motions = std::move(found.motions);
      } else {
        motions = ModeProblem(problem->numbers, problem->contacts).all();
      }
    } catch (const Error& error) {
      result_.failure = error.what();
      return false;
    }
    join_alike(motions, problem->numbers);
    for (const PossibleMotion& motion : motions) add_motion(motion, *problem);
    return true;
  }

  void leave_out(const std::string& what) {
    if (result_.not_looked_at.find(what) == std::string::npos)
      result_.not_looked_at += (result_.not_looked_at.empty() ? "" : "; ") + what;
  }

  /// Each of `all` with each way of a contact.
  std::vector<ContactHolds> with_ways(const std::vector<ContactHolds>& all, std::size_t contact,
                                      const std::vector<ContactHold>& ways) {
    constexpr std::size_t most = 4096;
    std::vector<ContactHolds> next;
    for (const ContactHolds& holds : all) {
      for (const ContactHold& way : ways) {
        next.push_back(holds);
        next.back()[contact] = way;
      }
    }
    if (next.size() > most) {
      leave_out(fmt::format("more than {} ways, because so many conditions are at their limits", most));
      next.resize(most);
    }
    return next;
  }

  /// A mode to be looked at: `nudge` are accelerations, where a slip in space begins; `begins`: those of the
  /// motion, not such as a friction at its limit holds back.
  struct Wanted {
    std::vector<double> nudge;
    bool is_motion;  ///< of the complementarity problem, not a neighbour of what was
    bool begins = false;
    std::optional<Onset> onset = {};  ///< a motion a moment later, whose conditions hold there
  };
  void want(const std::vector<ContactHolds>& all, const Wanted& wanted) {
    for (const ContactHolds& holds : all) {
      const bool known = std::any_of(wanted_.begin(), wanted_.end(), [&](const auto& other) {
        return other.first == holds && goes_alike(wanted, other.second);
      });
      if (!known) wanted_.emplace_back(holds, wanted);
    }
  }
  /// Of two with the same modes: motions that begin to slip in other directions are others.
  bool goes_alike(const Wanted& a, const Wanted& b) const {
    constexpr double alike = 1e-2;
    const std::vector<double> one = change_in(a), other = change_in(b);
    if (one.empty() || other.empty()) return true;
    double product = 0, squares[2] = {0, 0};
    for (std::size_t i = 0; i < one.size(); ++i) {
      product += one[i] * other[i];
      squares[0] += one[i] * one[i];
      squares[1] += other[i] * other[i];
    }
    return product >= (1 - alike * alike) * std::sqrt(squares[0] * squares[1]);
  }
  /// Of the velocities, where a slip begins.
  std::vector<double> change_in(const Wanted& wanted) const {
    if (!wanted.onset) return wanted.nudge;
    std::vector<double> change;
    for (std::size_t i = question_.y.size() - velocity_count(); i < question_.y.size(); ++i)
      change.push_back(wanted.onset->y[i] - question_.y[i]);
    return change;
  }

  /// One contact, at rest along a surface in space.
  bool rests_in_space() const {
    const std::size_t c = question_.resting[0];
    return question_.resting.size() == 1 && modes_.rows()[c].resisted.size() == 1 &&
           modes_.rows()[c].resisted[0].size() == 2 && !question_.moving[c][0];
  }
  /// What was at rest along a surface in space begins to slip.
  static bool begins_in_space(const MotionNumbers& vertex, const std::vector<ContactRows>& contacts) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto& rates = vertex.slip_rates[i];
      for (std::size_t row = 1; row < contacts[i].resisted.size(); ++row) {
        if (contacts[i].resisted[row].second && !(rates[row - 1].is_zero() && rates[row].is_zero()))
          return true;
      }
    }
    return false;
  }

  static double friction_in_space(const MotionNumbers& vertex, std::size_t index, std::size_t row) {
    return std::hypot(vertex.resistances[index][row].to_double(),
                      vertex.resistances[index][row + 1].to_double());
  }
  static bool is_at_limit_in_space(const MotionNumbers& vertex, std::size_t index, std::size_t row,
                                   const ContactRows& rows) {
    const double limit = (rows.resisted[row].sticking * vertex.factors[index]).to_double();
    return limit - friction_in_space(vertex, index, row) <= limit_beside * limit;
  }
  /// The accelerations that a friction at its limit holds back: where it gives way, the slip begins so.
  static std::vector<double> against_friction(const MotionNumbers& vertex,
                                              const ContactFrame::Problem& problem) {
    std::vector<double> nudge;
    if (!is_at_limit_in_space(vertex, 0, 0, problem.contacts[0])) return nudge;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& field = problem.numbers.fields[problem.contacts[0].resisted[i].row];
      nudge.resize(field.size());
      for (std::size_t a = 0; a < field.size(); ++a)
        nudge[a] -= vertex.resistances[0][i].to_double() * field[a].to_double();
    }
    return nudge;
  }

  void add_motion(const PossibleMotion& motion, const ContactFrame::Problem& problem) {
    if (is_continuum(motion, problem.numbers)) {
      result_.continuum = true;
      return;
    }
    const MotionNumbers way = middle_way(motion, problem.numbers);
    std::vector<ContactHolds> all{all_open()};
    for (std::size_t i = 0; i < question_.resting.size(); ++i) {
      const std::size_t c = question_.resting[i];
      std::vector<ContactHold> ways = ways_of(c, i, way, problem.contacts[i]);
      if (motion.is_family() && way.factors[i].is_zero() && way.separations[i].is_zero())
        ways = {{.kind = ContactHold::Kind::touching, .slips = {}}};
      all = with_ways(all, c, ways);
    }
    std::vector<double> nudge;
    if (begins_in_space(way, problem.contacts)) {
      for (const Rational& acceleration : way.accelerations) nudge.push_back(acceleration.to_double());
    } else if (rests_in_space()) {
      nudge = against_friction(way, problem);
    }
    want(all, {nudge, true, begins_in_space(way, problem.contacts)});
  }

  /// What a contact may do in a motion; several where a condition is at its limit.
  std::vector<ContactHold> ways_of(std::size_t c, std::size_t index, const MotionNumbers& vertex,
                                   const ContactRows& rows) const {
    const bool presses = !vertex.factors[index].is_zero(), opens = !vertex.separations[index].is_zero();
    std::vector<ContactHold> ways;
    if (!presses) ways.push_back({});
    if (!presses && opens) return ways;
    std::vector<std::vector<int>> slips{{}};
    std::size_t row = 0;
    for (std::size_t k = 0; k < modes_.rows()[c].resisted.size(); ++k) {
      std::vector<int> choices;
      if (question_.moving[c][k]) {
        choices = {rows.resisted[row].direction};
        ++row;
      } else if (modes_.rows()[c].resisted[k].size() == 2) {
        const bool moves =
            !vertex.slip_rates[index][row].is_zero() || !vertex.slip_rates[index][row + 1].is_zero();
        choices = {moves ? 1 : 0};
        if (!moves && presses && is_at_limit_in_space(vertex, index, row, rows)) choices.push_back(1);
        row += 2;
      } else {
        const Rational& rate = vertex.slip_rates[index][row];
        const Rational& force = vertex.resistances[index][row];
        const double limit = (rows.resisted[row].sticking * vertex.factors[index]).to_double();
        if (!rate.is_zero()) {
          choices = {rate.sign()};
        } else {
          choices = {0};
          if (!presses || limit - std::abs(force.to_double()) <= limit_beside * limit) {
            if (!presses || force.sign() < 0) choices.push_back(1);
            if (!presses || force.sign() > 0) choices.push_back(-1);
          }
        }
        ++row;
      }
      std::vector<std::vector<int>> next;
      for (const auto& so_far : slips) {
        for (const int choice : choices) {
          next.push_back(so_far);
          next.back().push_back(choice);
        }
      }
      slips = std::move(next);
    }
    for (auto& slip : slips) ways.push_back({.kind = ContactHold::Kind::closed, .slips = std::move(slip)});
    return ways;
  }

  /// Several contacts at rest along surfaces in space: the motions that are found a moment later, when what
  /// is at its limit now has given way.
  void add_onsets() {
    const bool came_to_rest = std::any_of(question_.fired.begin(), question_.fired.end(),
                                          [](const Guard& one) { return one.kind == Guard::Kind::stops; });
    for (Onset& onset : onsets(frame_, *segments_.open().evaluator, modes_, question_)) {
      if (came_to_rest && onset.holds == question_.before) continue;  // what is left of a slip that ends here
      if (onset.is_open) result_.continuum = true;
      const ContactHolds holds = onset.holds;
      Wanted wanted{.nudge = {}, .is_motion = false};
      if (onset.begins) wanted.onset = std::move(onset);
      want({holds}, wanted);
    }
    frame_.take(question_.t, question_.y.data());
  }

  /// What ended the modes before is at its limit by what is known: the modes beyond it.
  void add_neighbours() {
    const auto closes = [](const Guard& guard) { return guard.kind == Guard::Kind::closes; };
    if (question_.before.empty() || question_.fired.empty() ||
        std::any_of(question_.fired.begin(), question_.fired.end(), closes))
      return;
    ContactHolds holds = question_.before;
    for (std::size_t c = 0; c < holds.size(); ++c) {
      const bool rests =
          std::find(question_.resting.begin(), question_.resting.end(), c) != question_.resting.end();
      if (!rests) holds[c] = {};
    }
    for (const Guard& guard : question_.fired) {
      ContactHold& hold = holds[guard.contact];
      switch (guard.kind) {
        case Guard::Kind::closes:
        case Guard::Kind::turns: break;
        case Guard::Kind::opens: hold = {}; break;
        case Guard::Kind::stops:
          if (hold.kind == ContactHold::Kind::closed) hold.slips[guard.resistance] = 0;
          break;
        case Guard::Kind::slips:
          if (hold.kind == ContactHold::Kind::closed && guard.direction != 0)
            hold.slips[guard.resistance] = guard.direction;
          break;
      }
    }
    want({holds}, {{}, false});
  }

  /// Follows a mode for a short while: its conditions hold where they are clear, and where they are at their
  /// limits they leave them to the right side. False where its equations have no solution.
  bool consider(const ContactHolds& holds, const Wanted& wanted) {
    if (wanted.onset) return take_onset(*wanted.onset);
    Segment& segment = segments_.at(holds);
    std::vector<double> y = question_.y, values, sizes;
    const std::size_t positions = segment.evaluator->position_count();
    const double moment = moment_part * question_.time_scale;  // later it has its direction
    for (std::size_t a = 0; a < wanted.nudge.size(); ++a) y[positions + a] += moment * wanted.nudge[a];
    if (!segment.evaluator->project(question_.t, y.data())) return false;
    NextModes::Candidate candidate;
    for (std::size_t a = positions; a < y.size() && !wanted.nudge.empty() && !wanted.begins; ++a)
      candidate.nudged = std::max(candidate.nudged, std::abs(y[a] - question_.y[a]));
    const bool gives_way = candidate.nudged > 0 && rests_in_space() && slips_in_space(holds);
    const double slip = gives_way ? slip_at(question_.t, y) : 0;
    candidate.holds = holds;
    candidate.y = y;
    candidate.rates.resize(y.size());
    if (!segment.evaluator->rates(question_.t, y.data(), candidate.rates.data())) return false;
    for (std::size_t a = positions; a < y.size(); ++a) {
      if (std::abs(candidate.rates[a]) <= rounding * free_) candidate.rates[a] = 0;
    }
    if (wanted.begins) {
      candidate.moment = moment;
      for (std::size_t a = 0; a < positions; ++a) candidate.y[a] += moment * candidate.rates[a];
    }
    candidate.factors.assign(segment.evaluator->factors().begin(), segment.evaluator->factors().end());
    if (segment.shares()) candidate.sharing = segment.sharing->contacts();
    if (!segment.guards(question_.t, y.data(), values, sizes)) return false;
    std::vector<std::size_t> at_limit;
    for (std::size_t g = 0; g < values.size(); ++g) {
      const Guard& guard = segment.mode.guards[g];
      const bool is_closed = std::find(question_.resting.begin(), question_.resting.end(), guard.contact) !=
                             question_.resting.end();
      if (guard.kind == Guard::Kind::closes && !is_closed) continue;  // open, or separating
      const bool is_shared = segment.shares() && segment.sharing->decides(guard);
      if (!is_shared) sizes[g] = std::max(sizes[g], scale_of(guard, candidate, segment));
      const bool starts =
          guard.kind == Guard::Kind::stops && !question_.moving[guard.contact][guard.resistance];
      if (guard.kind == Guard::Kind::closes || starts || has_fired(holds, guard) ||
          std::abs(values[g]) <= limit_beside * sizes[g]) {
        at_limit.push_back(g);
      } else if (values[g] < 0) {
        return true;
      }
    }
    std::vector<double> later, later_sizes;
    const double short_while = 1e-2 * question_.time_scale,
                 long_while = std::max(short_while, while_of_gaps(segment));
    for (double h = shortest_part * question_.time_scale; h <= 1.01 * long_while; h *= 10) {
      const bool gaps_alone = h > 1.01 * short_while;
      const auto is_asked = [&](std::size_t g) {
        return g != values.size() && (!gaps_alone || segment.mode.guards[g].kind == Guard::Kind::closes);
      };
      if (gaps_alone && std::none_of(at_limit.begin(), at_limit.end(), is_asked)) break;
      if (!(gives_way ? follow_slip(segment, y, h) : follow(segment, y, h))) break;
      if (!gaps_alone) {
        candidate.later = moved_;
        candidate.span = h;
      }
      if (gives_way && slip_at(question_.t + h, moved_) < (1 - slower) * slip) return true;  // it sticks
      if (!segment.guards(question_.t + h, moved_.data(), later, later_sizes)) break;
      for (std::size_t& g : at_limit) {
        if (!is_asked(g)) continue;
        const double change = later[g] - values[g];
        if (std::abs(change) <= decided_beside * std::max(later_sizes[g], sizes[g])) continue;
        if (change < 0) return true;
        g = values.size();
      }
    }
    result_.candidates.push_back(std::move(candidate));
    return true;
  }

  /// Of one contact that rests in space.
  bool slips_in_space(const ContactHolds& holds) const {
    const ContactHold& hold = holds[question_.resting[0]];
    return hold.kind == ContactHold::Kind::closed && hold.slips[0] != 0;
  }
  double slip_at(double t, const std::vector<double>& y) {
    const double speed = frame_.take(t, y.data()) ? frame_.speed(question_.resting[0], 0) : 0;
    frame_.take(question_.t, question_.y.data());
    return speed;
  }

  /// A motion that satisfies the law a moment later, which its mode goes on from there.
  bool take_onset(const Onset& onset) {
    Segment& segment = segments_.at(onset.holds);
    NextModes::Candidate candidate;
    candidate.holds = onset.holds;
    candidate.y = onset.y;
    candidate.moment = onset.moment;
    const double then = question_.t + onset.moment;
    candidate.rates.resize(onset.y.size());
    if (!segment.evaluator->project(then, candidate.y.data()) ||
        !segment.evaluator->rates(then, candidate.y.data(), candidate.rates.data()))
      return false;
    candidate.factors.assign(segment.evaluator->factors().begin(), segment.evaluator->factors().end());
    if (segment.shares()) candidate.sharing = segment.sharing->contacts();
    candidate.later = candidate.y;
    result_.candidates.push_back(std::move(candidate));
    return true;
  }

  /// In which a gap changes by more than the rounding of the places, however slow the motion is at this
  /// moment: what comes to rest has a short time of its own.
  double while_of_gaps(const Segment& segment) const {
    double place = 0;
    for (std::size_t a = 0; a < segment.evaluator->position_count(); ++a)
      place = std::max(place, std::abs(question_.y[a]));
    return free_ > 0 ? 1e-2 * std::sqrt(place / free_) : 0;
  }

  /// Whether a condition of the mode before came to its limit here: that is known, also where the loads that
  /// it is measured by cancel.
  bool has_fired(const ContactHolds& holds, const Guard& guard) const {
    const auto is_it = [&](const Guard& fired) {
      return fired.kind == guard.kind && fired.contact == guard.contact &&
             fired.resistance == guard.resistance && fired.direction == guard.direction;
    };
    const auto closes = [](const Guard& fired) { return fired.kind == Guard::Kind::closes; };
    const auto& fired = question_.fired;
    return holds == question_.before && std::none_of(fired.begin(), fired.end(), closes) &&
           std::any_of(fired.begin(), fired.end(), is_it);
  }

  /// By what the value of a guard is measured where all its terms vanish: a gap and a slip by the motion
  /// itself, a factor by the other factors and the load, in its own unit. The limit of a friction in space is
  /// one of squares.
  double scale_of(const Guard& guard, const NextModes::Candidate& candidate, const Segment& segment) {
    if (guard.kind != Guard::Kind::opens && guard.kind != Guard::Kind::slips) return 0;
    const std::vector<double>& units = frame_.force_units();
    if (units.empty()) return 0;
    double largest = std::max(question_.force, frame_.force_of({}));
    for (std::size_t h = 0; h < candidate.factors.size(); ++h)
      largest = std::max(largest, std::abs(candidate.factors[h]) * units[segment.mode.places[h]]);
    const ContactModes::Rows& own = modes_.rows()[guard.contact];
    const bool opens = guard.kind == Guard::Kind::opens;
    const std::size_t row = opens ? own.normal : own.resisted[guard.resistance][0];
    const double size = largest / units[modes_.bilateral_count() + row];
    return !opens && own.resisted[guard.resistance].size() == 2 ? size * size : size;
  }

  /// One step of Runge and Kutta in a mode.
  bool follow(Segment& segment, const std::vector<double>& from, double h) {
    const std::size_t n = from.size();
    std::vector<double> k[4], at = from;
    const double t = question_.t;
    for (auto& stage : k) stage.resize(n);
    const auto stage = [&](std::size_t i, double part) {
      if (i > 0) {
        for (std::size_t a = 0; a < n; ++a) at[a] = from[a] + part * h * k[i - 1][a];
      }
      return segment.evaluator->rates(t + part * h, at.data(), k[i].data());
    };
    if (!stage(0, 0) || !stage(1, 0.5) || !stage(2, 0.5) || !stage(3, 1)) return false;
    moved_ = from;
    for (std::size_t a = 0; a < n; ++a) moved_[a] += h / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
    return true;
  }

  /// One step of Heun, where friction has the direction of a slip that was given: so slow it would turn it
  /// sooner than a step of higher order can follow.
  bool follow_slip(Segment& segment, const std::vector<double>& from, double h) {
    std::vector<double> first(from.size()), second(from.size());
    if (!segment.evaluator->rates(question_.t, from.data(), first.data())) return false;
    moved_ = from;
    for (std::size_t a = 0; a < from.size(); ++a) moved_[a] += h * first[a];
    if (!segment.evaluator->rates(question_.t + h, moved_.data(), second.data())) return false;
    for (std::size_t a = 0; a < from.size(); ++a) moved_[a] = from[a] + h / 2 * (first[a] + second[a]);
    return true;
  }

  /// Candidates with the same motion are one: the one that sticks the most and keeps the least without need.
  /// Where a contact that rests may stick or slip because it sticks better than it slips, it sticks.
  void keep_different() {
    auto& all = result_.candidates;
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return worth(a) > worth(b); });
    std::vector<NextModes::Candidate> different;
    for (auto& one : all) {
      const bool known = std::any_of(different.begin(), different.end(),
                                     [&](const auto& other) { return move_alike(one, other); });
      if (!known) different.push_back(std::move(one));
    }
    std::vector<NextModes::Candidate> left;
    for (const auto& one : different) {
      const bool sticks_elsewhere = std::any_of(different.begin(), different.end(), [&](const auto& other) {
        return &other != &one && is_stuck_version(other, one);
      });
      if (sticks_elsewhere) {
        result_.remark = "a contact that rests may begin to slip as well: it sticks";
        continue;
      }
      left.push_back(one);
    }
    all = std::move(left);
  }

  static int worth(const NextModes::Candidate& one) {
    int count = 0;
    for (const ContactHold& hold : one.holds) {
      if (hold.kind == ContactHold::Kind::closed)
        count += static_cast<int>(2 * std::count(hold.slips.begin(), hold.slips.end(), 0)) - 1;
    }
    return count;
  }

  /// By their accelerations, beside what they would be without the contacts (of what stays at rest only
  /// rounding is left), and by what these make of the velocities within the while that was followed; never
  /// beside the velocities themselves. What is left of a slip that ends is taken away in each mode in its own
  /// way: that is not a difference.
  bool move_alike(const NextModes::Candidate& a, const NextModes::Candidate& b) const {
    constexpr double alike = 1e-9, left_of_slip = 1e-7;
    const std::size_t positions = a.y.size() - velocity_count();
    double acceleration = free_, difference = 0, change = free_ * std::max(a.span, b.span), later = 0,
           speed = question_.speed, start = 0;
    if (a.later.size() != b.later.size()) return false;
    for (std::size_t i = positions; i < a.rates.size(); ++i) {
      acceleration = std::max({acceleration, std::abs(a.rates[i]), std::abs(b.rates[i])});
      difference = std::max(difference, std::abs(a.rates[i] - b.rates[i]));
    }
    if (difference > alike * acceleration) return false;
    for (std::size_t i = positions; i < a.later.size(); ++i) {
      change = std::max({change, std::abs(a.later[i] - a.y[i]), std::abs(b.later[i] - b.y[i])});
      later = std::max(later, std::abs((a.later[i] - a.y[i]) - (b.later[i] - b.y[i])));
      start = std::max(start, std::abs(a.y[i] - b.y[i]));
      speed = std::max(speed, std::abs(a.y[i]));
    }
    const double given = 2 * std::max(a.nudged, b.nudged);
    return start <= left_of_slip * speed + given && later <= alike * change + rounding * speed;
  }

  std::size_t velocity_count() const { return frame_.equations().parameters.size(); }

  /// `stuck` is `slipping` with contacts that stick where their coefficients for that are larger.
  bool is_stuck_version(const NextModes::Candidate& stuck, const NextModes::Candidate& slipping) const {
    bool differs = false;
    for (std::size_t c = 0; c < stuck.holds.size(); ++c) {
      const ContactHold &a = stuck.holds[c], &b = slipping.holds[c];
      if (a == b) continue;
      if (a.kind != b.kind || a.kind != ContactHold::Kind::closed) return false;
      for (std::size_t k = 0; k < a.slips.size(); ++k) {
        if (a.slips[k] == b.slips[k]) continue;
        if (a.slips[k] != 0 || !(frame_.sticking(c, k) > frame_.slipping(c, k))) return false;
        differs = true;
      }
    }
    return differs;
  }

  ContactFrame& frame_;
  Segments& segments_;
  const ContactModes& modes_;
  const ContactQuestion& question_;
  std::vector<std::pair<ContactHolds, Wanted>> wanted_;
  std::vector<double> moved_;
  double free_ = 0;  ///< the largest acceleration without the contacts
  NextModes result_;
};

}  // namespace

NextModes next_modes(ContactFrame& frame, Segments& segments, const ContactModes& modes,
                     const ContactQuestion& question) {
  return Search(frame, segments, modes, question).run();
}

}  // namespace liaison

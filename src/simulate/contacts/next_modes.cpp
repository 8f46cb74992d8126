#include "next_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "liaison/expr/error.hpp"
#include "liaison/unilateral/onset_in_space.hpp"
#include "mode_trial.hpp"
#include "motion_family.hpp"
#include "simulate/run/implicit_factors.hpp"

namespace liaison {

namespace {

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
    ModeTrial trial(frame_, segments_, modes_, question_, free_);
    bool broken = false;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {  // parts of it may be added on the way
      const auto [holds, wanted] = wanted_[i];
      if (std::ranges::find(question_.refuted, holds) != question_.refuted.end()) continue;
      auto candidate = trial.follow(holds, wanted);
      broken = broken || (!candidate && wanted.is_motion);
      if (candidate) result_.candidates.push_back(std::move(*candidate));
      if (!trial.has_solution() && wanted.is_motion)
        leave_out("a mode of the contacts whose equations have no solution here");
      if (trial.falls_apart()) add_parts(holds);
      if (trial.is_not_kept()) want(wanted.otherwise, {wanted.nudge, wanted.is_motion, wanted.begins});
    }
    if (!frame_.take(question_.t, question_.y.data())) return failed(frame_.failure());
    if (result_.candidates.empty() && broken)
      leave_out("motions whose conditions are at their limits here, and which break them at once");
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
    const auto is_law = [&](std::size_t c) { return modes_.depends_on_factors(c); };
    if (std::any_of(question_.resting.begin(), question_.resting.end(), is_law)) return add_modes_of_laws();
    const auto problem = frame_.problem(question_.resting, question_.moving);
    if (!problem) return false;
    for (const Rational& acceleration : problem->numbers.free_acceleration)
      free_ = std::max(free_, std::abs(acceleration.to_double()));
    // Where the load cancels, what cancels in it would accelerate so: by less two motions do not differ.
    for (const auto& field : problem->numbers.fields)
      for (const auto& x : field) free_ = std::max(free_, frame_.force_of({}) * std::abs(x.to_double()));
    std::vector<PossibleMotion> motions;
    try {
      SpaceMotions found = motions_of(*problem);
      if (found.every_direction) leave_out("it may begin to slip in any direction");
      if (!found.left_out.empty()) {
        leave_out(
            "contacts at rest along surfaces in space, whose forces hold each other or are too many, may "
            "begin to slip in other ways");
      }
      if (!found.left_out.empty() || (in_space() && problem->contacts.size() > 1)) add_onsets();
      motions = std::move(found.motions);
    } catch (const Error& error) {
      result_.failure = error.what();
      return false;
    }
    if (motions.empty() && !in_space()) leave_out_beyond_limits(*problem);
    join_alike(motions, problem->numbers);
    for (const PossibleMotion& motion : motions) add_motion(motion, *problem);
    return true;
  }

  /// No motion at a limit to which doubles know the state: beyond it there may be one, with a large force.
  void leave_out_beyond_limits(const ContactFrame::Problem& problem) {
    constexpr auto text =
        "`{}` is within rounding of the limit at which what its pressure and its friction do cancels, and "
        "beyond it there may be one";
    for (const ModeProblem::Limit& limit : ModeProblem(problem.numbers, problem.contacts).limits_of_r())
      leave_out(fmt::format(text, modes_.name(question_.resting[limit.contact])));
  }

  /// Coefficients that depend on factors: every mode, with every set of factors that its equations allow.
  bool add_modes_of_laws() {
    constexpr std::size_t most = 1000;
    const auto free = frame_.problem({}, question_.moving);
    if (!free) return false;
    for (const Rational& acceleration : free->numbers.free_acceleration)
      free_ = std::max(free_, std::abs(acceleration.to_double()));
    std::vector<ContactHolds> all{all_open()};
    for (const std::size_t c : question_.resting) {
      all = with_ways(all, c, ways_of_law(c));
      if (all.size() > most) {
        result_.failure = fmt::format("more than {} modes, under a law of friction in factors", most);
        return false;
      }
    }
    for (const ContactHolds& holds : all) add_factors_of(holds);
    return true;
  }

  std::vector<ContactHold> ways_of_law(std::size_t c) {
    std::vector<std::vector<int>> slips{{}};
    for (std::size_t k = 0; k < modes_.rows()[c].resisted.size(); ++k) {
      const bool in_space = modes_.rows()[c].resisted[k].size() == 2, moves = question_.moving[c][k];
      std::vector<int> choices{0, 1, -1};
      if (moves) choices = {in_space || frame_.slip(c, k).value > 0 ? 1 : -1};
      if (in_space && !moves) {
        choices = {0};
        leave_out("slips in space that begin beside a law of friction in factors");
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
    std::vector<ContactHold> ways{{}};
    for (auto& slip : slips) ways.push_back({.kind = ContactHold::Kind::closed, .slips = std::move(slip)});
    return ways;
  }

  void add_factors_of(const ContactHolds& holds) {
    Segment& segment = segments_.at(holds);
    std::vector<double> y = question_.y, rates(y.size());
    if (!segment.equations.implicit) {
      if (segment.evaluator->project(question_.t, y.data()) &&
          segment.evaluator->rates(question_.t, y.data(), rates.data()) &&
          !segment.evaluator->open_factors().empty())
        return leave_out("forces that are not determined, under a law of friction in factors");
      return want({holds}, {{}, false});
    }
    if (!segment.evaluator->project(question_.t, y.data())) return;
    const FoundFactors found = find_factors(*segment.evaluator, question_.t, y.data());
    if (!found.all) leave_out("factors in their own friction beside those that a search found");
    if (!found.all && found.roots.empty()) want({holds}, {{}, false});
    for (const std::vector<double>& root : found.roots) {
      WantedMode wanted{.nudge = {}, .is_motion = false};
      wanted.factors = root;
      want({holds}, wanted);
    }
  }

  /// Contacts that depend on each other here and not from here on: every part of them.
  void add_parts(const ContactHolds& holds) {
    constexpr std::size_t most = 9;
    std::vector<std::size_t> closed;
    for (const std::size_t c : question_.resting)
      if (holds[c].kind == ContactHold::Kind::closed) closed.push_back(c);
    if (closed.size() > most)
      return leave_out(fmt::format("parts of more than {} contacts that part from each other", most));
    for (std::size_t part = 0; part + 1 < (std::size_t{1} << closed.size()); ++part) {
      ContactHolds kept = holds;
      for (std::size_t i = 0; i < closed.size(); ++i)
        if ((part >> i & 1) == 0) kept[closed[i]] = {};
      want({kept}, {{}, false});
    }
  }

  /// Something rests along a surface in space.
  bool in_space() const {
    for (const std::size_t c : question_.resting) {
      for (std::size_t k = 0; k < modes_.rows()[c].resisted.size(); ++k) {
        if (!question_.moving[c][k] && modes_.rows()[c].resisted[k].size() == 2) return true;
      }
    }
    return false;
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

  void want(const std::vector<ContactHolds>& all, const WantedMode& wanted) {
    for (const ContactHolds& holds : all) {
      const bool known = std::any_of(wanted_.begin(), wanted_.end(), [&](const auto& other) {
        return other.first == holds && goes_alike(wanted, other.second);
      });
      if (!known) wanted_.emplace_back(holds, wanted);
    }
  }
  /// Of two with the same modes: motions that begin to slip in other directions are others.
  bool goes_alike(const WantedMode& a, const WantedMode& b) const {
    constexpr double alike = 1e-2;
    if (a.factors != b.factors) return false;
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
  std::vector<double> change_in(const WantedMode& wanted) const {
    if (!wanted.onset) return wanted.nudge;
    std::vector<double> change;
    for (std::size_t i = question_.y.size() - velocity_count(); i < question_.y.size(); ++i)
      change.push_back(wanted.onset->y[i] - question_.y[i]);
    return change;
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
    std::vector<ContactHolds> all{all_open()}, otherwise{all_open()};
    for (std::size_t i = 0; i < question_.resting.size(); ++i) {
      const std::size_t c = question_.resting[i];
      const std::vector<ContactHold> ways = ways_of(c, i, way, problem.contacts[i]);
      const bool is_idle = motion.is_family() && way.factors[i].is_zero() && way.separations[i].is_zero();
      otherwise = with_ways(otherwise, c, ways);
      if (is_idle && frame_.is_kept_by(c, rows_that_press(way))) {
        all = with_ways(all, c, {{.kind = ContactHold::Kind::touching, .slips = {}}});
      } else {
        all = with_ways(all, c, ways);
      }
    }
    for (ContactHolds& holds : all) touch_what_is_kept(holds, way);
    std::vector<double> nudge;
    if (begins_in_space(way, problem.contacts)) {
      for (const Rational& acceleration : way.accelerations) nudge.push_back(acceleration.to_double());
    } else if (rests_in_space(modes_, question_)) {
      nudge = against_friction(way, problem);
    }
    const bool is_same = all == otherwise;
    const auto gives_way = [&](const ContactHolds& holds) { return begins_slip_in_space(holds); };
    if (!begins_in_space(way, problem.contacts) && std::any_of(all.begin(), all.end(), gives_way) &&
        add_onsets())
      std::erase_if(all, gives_way);
    want(all, {nudge,
               true,
               begins_in_space(way, problem.contacts),
               {},
               is_same ? std::vector<ContactHolds>() : otherwise});
  }

  bool begins_slip_in_space(const ContactHolds& holds) const {
    for (const std::size_t c : question_.resting) {
      for (std::size_t k = 0; k < holds[c].slips.size(); ++k) {
        if (holds[c].slips[k] != 0 && !question_.moving[c][k] && modes_.rows()[c].resisted[k].size() == 2)
          return true;
      }
    }
    return false;
  }

  /// What has no force and does not separate is no open contact where the closed ones keep its gap: that is
  /// zero, and its sign is rounding.
  void touch_what_is_kept(ContactHolds& holds, const MotionNumbers& way) {
    std::vector<std::size_t> rows;
    for (const std::size_t c : question_.resting) {
      if (holds[c].kind != ContactHold::Kind::closed) continue;
      const ContactModes::Rows& own = modes_.rows()[c];
      rows.push_back(own.normal);
      for (std::size_t k = 0; k < own.resisted.size(); ++k)
        if (holds[c].slips[k] == 0) rows.insert(rows.end(), own.resisted[k].begin(), own.resisted[k].end());
    }
    for (std::size_t i = 0; i < question_.resting.size(); ++i) {
      ContactHold& hold = holds[question_.resting[i]];
      const bool is_idle = way.factors[i].is_zero() && way.separations[i].is_zero();
      if (is_idle && !rows.empty() && hold.kind == ContactHold::Kind::open &&
          frame_.is_kept_by(question_.resting[i], rows))
        hold.kind = ContactHold::Kind::touching;
    }
  }

  /// Of the contacts that press, their gaps and what sticks.
  std::vector<std::size_t> rows_that_press(const MotionNumbers& way) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < question_.resting.size(); ++i) {
      if (way.factors[i].is_zero()) continue;
      const std::size_t c = question_.resting[i];
      const ContactModes::Rows& own = modes_.rows()[c];
      rows.push_back(own.normal);
      std::size_t row = 0;
      for (std::size_t k = 0; k < own.resisted.size(); ++k) {
        const std::size_t count = question_.moving[c][k] ? 1 : own.resisted[k].size();
        bool sticks = !question_.moving[c][k];
        for (std::size_t component = 0; component < count; ++component)
          sticks = sticks && way.slip_rates[i][row++].is_zero();
        if (sticks) rows.insert(rows.end(), own.resisted[k].begin(), own.resisted[k].end());
      }
    }
    return rows;
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

  /// Contacts at rest along surfaces in space: the motions that are found a moment later, when what is at its
  /// limit now has given way. Whether a slip in space is among them.
  bool add_onsets() {
    if (onset_begins_) return *onset_begins_;
    bool begins = false;
    const bool came_to_rest = std::any_of(question_.fired.begin(), question_.fired.end(),
                                          [](const Guard& one) { return one.kind == Guard::Kind::stops; });
    for (Onset& onset : onsets(frame_, *segments_.open().evaluator, modes_, question_)) {
      if (came_to_rest && onset.holds == question_.before) continue;  // what is left of a slip that ends here
      if (onset.is_open) result_.continuum = true;
      const ContactHolds holds = onset.holds;
      WantedMode wanted{.nudge = {}, .is_motion = false};
      begins = begins || onset.begins;
      if (onset.begins) wanted.onset = std::move(onset);
      want({holds}, wanted);
    }
    frame_.take(question_.t, question_.y.data());
    onset_begins_ = begins;
    return begins;
  }

  /// What ended the modes before is at its limit by what is known: the modes beyond it.
  void add_neighbours() {
    const auto closes = [](const Guard& guard) { return guard.kind == Guard::Kind::closes; };
    if (question_.before.empty() || question_.fired.empty() ||
        std::any_of(question_.fired.begin(), question_.fired.end(), closes))
      return;
    ContactHolds holds = question_.before;
    for (std::size_t c = 0; c < holds.size(); ++c) {
      const bool rests = std::ranges::find(question_.resting, c) != question_.resting.end();
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
    add_slips_in_space(holds);
  }

  /// Several contacts at rest along surfaces in space, of which some came to their limits: those at their
  /// limits slip, each against the friction that held it.
  void add_slips_in_space(ContactHolds holds) {
    const auto slips = [](const Guard& guard) {
      return guard.kind == Guard::Kind::slips && guard.direction == 0;
    };
    if (question_.resting.size() < 2 || std::none_of(question_.fired.begin(), question_.fired.end(), slips))
      return;
    Segment& segment = segments_.at(question_.before);
    std::vector<double> values, sizes;
    if (!segment.guards(question_.t, question_.y.data(), values, sizes)) return;
    const std::vector<std::size_t> rows = frame_.rows_of(question_.resting);
    std::vector<double> freed(rows.size(), 0.0), state(question_.y.size(), 0.0);
    for (std::size_t g = 0; g < values.size(); ++g) {
      const Guard& guard = segment.mode.guards[g];
      if (!slips(guard) || holds[guard.contact].kind != ContactHold::Kind::closed) continue;
      const bool has_fired =
          std::any_of(question_.fired.begin(), question_.fired.end(), [&](const Guard& fired) {
            return slips(fired) && fired.contact == guard.contact && fired.resistance == guard.resistance;
          });
      if (!has_fired && values[g] > limit_beside * sizes[g]) continue;
      holds[guard.contact].slips[guard.resistance] = 1;
      for (const std::size_t row : modes_.rows()[guard.contact].resisted[guard.resistance]) {
        const auto place = std::find(rows.begin(), rows.end(), row) - rows.begin();
        for (std::size_t h = 0; h < segment.mode.places.size(); ++h) {
          if (segment.mode.places[h] == modes_.bilateral_count() + row)
            freed[static_cast<std::size_t>(place)] = -segment.evaluator->factors()[h];
        }
      }
    }
    const bool is_known =
        std::ranges::any_of(wanted_, [&](const auto& other) { return other.first == holds; });
    if (is_known) return;
    frame_.add_impulses(question_.resting, freed, state.data());
    want({holds}, {{state.end() - static_cast<std::ptrdiff_t>(velocity_count()), state.end()}, false});
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
    return start <= left_of_slip * speed + given && later <= alike * change + rounding_of_rates * speed;
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
  std::vector<std::pair<ContactHolds, WantedMode>> wanted_;
  double free_ = 0;                   ///< the largest acceleration without the contacts
  std::optional<bool> onset_begins_;  ///< a moment later a slip in space has; not asked yet
  NextModes result_;
};

}  // namespace

NextModes next_modes(ContactFrame& frame, Segments& segments, const ContactModes& modes,
                     const ContactQuestion& question) {
  return Search(frame, segments, modes, question).run();
}

}  // namespace liaison

#include "liaison/mechanism/motions_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "liaison/expr/error.hpp"
#include "liaison/mechanism/motions_at_state.hpp"
#include "liaison/unilateral/onset_in_space.hpp"
#include "simulate/contacts/contact_frame.hpp"
#include "state_problems.hpp"
#include "touching.hpp"

namespace liaison {

std::string_view word_for(ScanVerdict verdict) {
  switch (verdict) {
    case ScanVerdict::unique: return "unique";
    case ScanVerdict::several: return "several";
    case ScanVerdict::none: return "none";
    case ScanVerdict::not_found: return "not found";
    case ScanVerdict::impact: return "impact";
    case ScanVerdict::no_state: break;
  }
  return "no state";
}

std::string text_of(const ScanKind& kind) {
  std::string text(word_for(kind.verdict));
  if (!kind.reason.empty()) text += ": " + kind.reason;
  if (!kind.motions.empty()) text += fmt::format(": {}", fmt::join(kind.motions, " | "));
  return text;
}

namespace {

/// Accelerations that differ by less are the same.
constexpr double same_beside = 1e-9;
/// A condition that is this part of its terms may be at its limit.
constexpr double limit_beside = 1e-10;
/// A drive that is this part of the accelerations is next to none.
constexpr double unpressed_beside = 1e-7;
/// Of the distance of two grid points, where a point that doubles do not decide is the boundary itself.
constexpr double near_boundary = 1e-10;
/// The same for one that is not decided exactly either.
constexpr double near_limit = 1e-6;

ScanKind no_state(std::string why) {
  return {ScanVerdict::no_state, {}, std::move(why)};
}

ScanKind violated(const std::string& contact) {
  return no_state(fmt::format("`{}` is violated", contact));
}

ScanKind closes(const std::string& contact) {
  return {ScanVerdict::impact, {}, fmt::format("`{}` closes", contact)};
}

/// The first name in a message, between its marks.
std::string first_name(const std::string& text) {
  const std::size_t begin = text.find('`') + 1;
  return text.substr(begin, text.find('`', begin) - begin);
}

std::string in_words(const std::vector<std::string>& names, const std::vector<ContactMode>& modes) {
  std::string text;
  for (std::size_t c = 0; c < modes.size(); ++c)
    text += fmt::format("{}{} {}", c == 0 ? "" : ", ", names[c], word_for(modes[c]));
  return text.empty() ? "no contact rests" : text;
}

double size_of(const std::vector<Rational>& values) {
  double size = 0;
  for (const Rational& value : values) size = std::max(size, std::abs(value.to_double()));
  return size;
}

/// Relations that depend on each other, or nearly: which of their sets are consistent hangs on rounding. By
/// elimination with the largest pivots of r, whose diagonal measures each.
bool are_dependent(const RationalMatrix& r) {
  constexpr double small = 1e-9;
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < r.size(); ++k) {
    rows.emplace_back();
    for (std::size_t h = 0; h < r.size(); ++h) {
      const double size = std::sqrt(std::abs(r[k][k].to_double() * r[h][h].to_double()));
      rows.back().push_back(size > 0 ? r[k][h].to_double() / size : 0);
    }
  }
  for (std::size_t done = 0; done < rows.size(); ++done) {
    std::size_t pivot = done;
    for (std::size_t k = done; k < rows.size(); ++k)
      if (std::abs(rows[k][k]) > std::abs(rows[pivot][pivot])) pivot = k;
    if (!(std::abs(rows[pivot][pivot]) > small)) return true;
    std::swap(rows[done], rows[pivot]);
    for (auto& row : rows) std::swap(row[done], row[pivot]);
    for (std::size_t k = done + 1; k < rows.size(); ++k) {
      const double times = rows[k][done] / rows[done][done];
      for (std::size_t h = done; h < rows.size(); ++h) rows[k][h] -= times * rows[done][h];
    }
  }
  return false;
}

/// Every motion, all of each family, has the same accelerations, beside those without the contacts.
bool moves_in_one_way(const std::vector<PossibleMotion>& motions, const std::vector<Rational>& free) {
  const std::vector<Rational>& first = motions[0].vertices[0].accelerations;
  const double slack = same_beside * std::max(size_of(first), size_of(free));
  return std::all_of(motions.begin(), motions.end(), [&](const PossibleMotion& motion) {
    return std::all_of(motion.vertices.begin(), motion.vertices.end(),
                       [&](const MotionNumbers& vertex) {
                         std::vector<Rational> change = vertex.accelerations;
                         for (std::size_t a = 0; a < change.size(); ++a) change[a] = change[a] - first[a];
                         return size_of(change) <= slack;
                       }) &&
           std::all_of(motion.rays.begin(), motion.rays.end(), [&](const MotionNumbers& ray) {
             return size_of(ray.accelerations) <= slack * size_of(ray.factors);
           });
  });
}

/// Of a contact that rests along its surface: it slips off without being seen to, or its friction is all that
/// it may be. `rows`: of one velocity, one or two.
bool is_at_limit(const MotionNumbers& numbers, std::size_t contact, const std::vector<std::size_t>& rows,
                 const ResistedRow& law, double acceleration, bool family) {
  double rate = 0, force = 0;
  for (const std::size_t row : rows) {
    rate = std::hypot(rate, numbers.slip_rates[contact][row].to_double());
    force = std::hypot(force, numbers.resistances[contact][row].to_double());
  }
  if (rate != 0) return rate <= limit_beside * acceleration;
  const double limit = (law.sticking * numbers.factors[contact]).to_double();
  return !family && limit > 0 && limit - force <= limit_beside * limit;  // those of a family are its vertices
}

bool is_at_limit(const PossibleMotion& motion, const std::vector<ContactRows>& contacts, bool in_space,
                 double acceleration) {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const std::vector<ResistedRow>& resisted = contacts[c].resisted;
    for (std::size_t k = 0; k < resisted.size(); k += in_space ? 2 : 1) {
      if (resisted[k].direction != 0) continue;
      const std::vector<std::size_t> rows = in_space ? std::vector{k, k + 1} : std::vector{k};
      for (const MotionNumbers& vertex : motion.vertices) {
        if (is_at_limit(vertex, c, rows, resisted[k], acceleration, motion.is_family())) return true;
      }
    }
  }
  return false;
}

/// The modes of each motion; equal ones once.
ScanKind kind_of(MotionVerdict verdict, const std::vector<std::string>& names,
                 const std::vector<PossibleMotion>& motions) {
  ScanKind kind;
  kind.verdict = verdict == MotionVerdict::unique    ? ScanVerdict::unique
                 : verdict == MotionVerdict::several ? ScanVerdict::several
                                                     : ScanVerdict::none;
  for (const PossibleMotion& motion : motions) {
    const std::string words = in_words(names, motion.modes);
    if (std::find(kind.motions.begin(), kind.motions.end(), words) == kind.motions.end())
      kind.motions.push_back(words);
  }
  return kind;
}

/// What the contacts allow at one state after the other.
class Judge {
 public:
  Judge(MechanismParts& parts, const GivenState& given, const std::vector<std::string>& touching,
        const std::vector<ScanRange>& ranges)
      : parts_(parts), given_(given), touching_(touching), ranges_(ranges) {
    if (!touching.empty()) {
      closed_ = with_closed(parts.system(), touching);
      closed_equations_ = assemble_equations(parts.algebra(), closed_);
    }
    for (const ScanRange& range : ranges) {
      const auto& all = parts.system().parameters;
      is_parameter_.push_back(std::any_of(all.begin(), all.end(),
                                          [&](const Parameter& one) { return one.symbol == range.symbol; }));
    }
  }

  struct Answer {
    ScanKind kind;
    bool open = false;  ///< the list is not the last word
  };
  /// Nothing where doubles do not decide.
  std::optional<Answer> in_doubles(const std::vector<double>& values) {
    parts_.require_not_interrupted();
    ++evaluations_;
    StateRequest request{.given = liaison::in_doubles(given_.state),
                         .parameters = liaison::in_doubles(given_.parameters),
                         .use_start = given_.use_start};
    for (std::size_t k = 0; k < ranges_.size(); ++k)
      (is_parameter_[k] ? request.parameters : request.given).emplace_back(ranges_[k].symbol, values[k]);
    try {
      const CompletedState state =
          complete_state(touching_.empty() ? parts_.equations() : closed_equations_, request);
      if (!state.ok()) return {};
      return judged(state.values);
    } catch (const Error&) {
      return {};
    } catch (const Refused&) {
      return {};
    }
  }
  /// `exact`: the values as they were given, one a range.
  Answer exactly(const std::vector<double>& values, const std::vector<Expr>& exact) {
    ++exact_;
    GivenState given = given_;
    for (std::size_t k = 0; k < ranges_.size(); ++k)
      (is_parameter_[k] ? given.parameters : given.state).push_back({ranges_[k].symbol, exact[k], values[k]});
    try {
      const PossibleMotions found = motions_at(parts_, given, touching_).motions;
      const bool open = !found.undecided.empty();
      ScanKind kind = kind_of(found.verdict, found.relation_names, found.motions);
      if (open && kind.verdict == ScanVerdict::none) kind.verdict = ScanVerdict::not_found;
      return {kind, open};
    } catch (const Refused& refused) {
      if (refused.status == Status::interrupted) throw;
      return {reason_of(refused)};
    }
  }
  std::size_t evaluations() const { return evaluations_; }
  std::size_t exact_count() const { return exact_; }

 private:
  /// Compiled once, with the parameters as inputs; where the law of a contact is none that it follows, every
  /// state is judged exactly.
  bool prepare(const DoublePoint& state) {
    if (frame_ || no_frame_) return frame_ != nullptr;
    DoublePoint fixed = state;
    for (const ScanRange& range : ranges_) fixed.erase(range.symbol);
    try {
      modes_ = std::make_unique<ContactModes>(parts_.system(), fixed);
      frame_ = std::make_unique<ContactFrame>(parts_.algebra(), *modes_, state, Engine::compiled,
                                              ParameterUse::inputs);
    } catch (const Error&) {
      no_frame_ = true;
    }
    return frame_ != nullptr;
  }

  std::optional<Answer> judged(const DoublePoint& state) {
    if (!prepare(state)) return {};
    frame_->set_parameters(state);
    const std::vector<double> y = frame_->pack(state);
    if (!frame_->take(state.at(parts_.system().time), y.data())) return {};
    std::vector<std::size_t> resting;
    std::vector<std::string> names;
    std::string closing;
    for (std::size_t c = 0; c < modes_->size(); ++c) {
      const std::string& name = modes_->unilateral(c).name;
      const int gap = frame_->gap(c).sign(), rate = frame_->rate(c).sign();
      if (gap < 0) return Answer{violated(name)};
      if (gap > 0) continue;
      if (frame_->edge(c)) return {};
      if (rate > 0) continue;
      if (rate < 0 && closing.empty()) closing = name;
      resting.push_back(c);
      names.push_back(name);
    }
    if (!closing.empty()) return Answer{closes(closing)};
    const auto found = motions_of(resting);
    if (!found) return {};
    return decided(*found, names, state);
  }

  struct Found {
    std::vector<PossibleMotion> motions;
    std::vector<Rational> free_acceleration;
  };
  std::optional<Found> motions_of(const std::vector<std::size_t>& resting) {
    ContactFrame::Moving moving(modes_->size());
    bool in_space = false;
    for (const std::size_t c : resting) {
      if (modes_->depends_on_factors(c)) return {};
      const auto& resisted = modes_->rows()[c].resisted;
      for (std::size_t k = 0; k < resisted.size(); ++k) {
        const double slipping = frame_->slipping(c, k);
        if (slipping < 0 || frame_->sticking(c, k) < slipping) return {};
        bool moves = false;
        for (std::size_t i = 0; i < resisted[k].size(); ++i)
          moves = moves || frame_->slip(c, k, i).sign() != 0;
        moving[c].push_back(moves);
        in_space = in_space || (!moves && resisted[k].size() == 2);
      }
    }
    const auto problem = frame_->problem(resting, moving);
    if (!problem || are_dependent(problem->numbers.r)) return {};
    Found found{.motions = {}, .free_acceleration = problem->numbers.free_acceleration};
    if (!in_space) {
      const ModeProblem modes(problem->numbers, problem->contacts);
      if (!modes.limits_of_r().empty()) return {};
      found.motions = modes.all();
    } else {
      if (resting.size() > 1 || problem->contacts[0].resisted.size() != 2) return {};
      SpaceMotions all = motions_in_space(problem->numbers, problem->contacts[0]);
      if (all.every_direction) return {};
      found.motions = std::move(all.motions);
    }
    // Where a contact is hardly pressed, rounding may hide that it just opens or just stays.
    const double size = size_of(found.free_acceleration);
    if (found.motions.empty()) {
      for (const ContactRows& contact : problem->contacts) {
        const double drive = std::abs(problem->numbers.drive[contact.normal].to_double());
        if (drive <= unpressed_beside * std::max(size, size_of(problem->numbers.drive))) return {};
      }
    }
    for (const PossibleMotion& motion : found.motions)
      if (is_at_limit(motion, problem->contacts, in_space, size)) return {};
    return found;
  }

  /// Contacts without force and without separation are decided by higher derivatives, families that move
  /// differently by what is exact.
  std::optional<Answer> decided(const Found& found, const std::vector<std::string>& names,
                                const DoublePoint& state) {
    const std::vector<PossibleMotion>& motions = found.motions;
    require_directions(parts_, state, given_.option);
    if (motions.empty()) return Answer{kind_of(MotionVerdict::none, names, {})};
    const bool one = moves_in_one_way(motions, found.free_acceleration);
    std::vector<PossibleMotion> families;
    bool touches = false;
    for (const PossibleMotion& motion : motions) {
      if (motion.is_family()) families.push_back(motion);
      touches = touches || std::find(motion.modes.begin(), motion.modes.end(), ContactMode::touches) !=
                               motion.modes.end();
    }
    if (touches && families.empty()) return {};
    if (!parts_.system().contacts.empty() && pulls(motions, state)) return {};
    if (!families.empty() && !one) return {};
    if (families.empty() && one && motions.size() > 1) return {};  // different, but not by what is known
    const MotionVerdict verdict = one ? MotionVerdict::unique : MotionVerdict::several;
    if (families.empty()) return Answer{kind_of(verdict, names, motions)};
    // The faces of a family are no motions of their own.
    const auto size = [](const PossibleMotion& motion) {
      return motion.vertices.size() + motion.rays.size();
    };
    const auto whole = std::max_element(families.begin(), families.end(),
                                        [&](const auto& a, const auto& b) { return size(a) < size(b); });
    return Answer{kind_of(verdict, names, {*whole}), true};
  }

  bool pulls(const std::vector<PossibleMotion>& motions, const DoublePoint& state) {
    std::vector<std::string> bilateral;
    for (const Constraint& constraint : parts_.system().constraints) bilateral.push_back(constraint.name);
    return std::any_of(motions.begin(), motions.end(), [&](const PossibleMotion& motion) {
      std::vector<double> factors;
      for (const Rational& factor : motion.vertices[0].bilateral_factors)
        factors.push_back(factor.to_double());
      return !pulling_contacts(parts_, bilateral, factors, state).empty();
    });
  }

  /// Numbers differ from state to state, the code of a message does not.
  static ScanKind reason_of(const Refused& refused) {
    if (refused.messages.empty()) return no_state("no value");
    const Message& message = refused.messages[0];
    const auto is = [&](Problem problem) { return message.code == code_of(problem); };
    if (is(Problem::closed_contact)) return closes(first_name(message.text));
    if (message.text.starts_with("the state violates")) return violated(first_name(message.text));
    if (is(Problem::no_parameter_value)) throw refused;
    if (is(Problem::not_on_constraint) || is(Problem::no_state_on_constraints))
      return no_state("not on the constraints");
    if (is(Problem::no_direction)) return no_state("friction without a direction");
    if (is(Problem::no_normal)) return no_state(fmt::format("`{}` has no normal", first_name(message.text)));
    if (is(Problem::pulling_contact)) return no_state("a `contact` pulls");
    const bool has_digits =
        std::any_of(message.text.begin(), message.text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return no_state(has_digits ? "no value" : message.text);
  }

  MechanismParts& parts_;
  const GivenState& given_;
  const std::vector<std::string>& touching_;
  const std::vector<ScanRange>& ranges_;
  std::vector<bool> is_parameter_;
  System closed_;
  AssembledEquations closed_equations_;
  std::unique_ptr<ContactModes> modes_;
  std::unique_ptr<ContactFrame> frame_;
  bool no_frame_ = false;
  std::size_t evaluations_ = 0, exact_ = 0;
};

class Scan {
 public:
  Scan(MechanismParts& parts, const GivenState& given, const std::vector<std::string>& touching,
       const std::vector<ScanRange>& ranges)
      : pool_(*parts.system().pool), judge_(parts, given, touching, ranges) {
    result_.ranges = ranges;
  }

  MotionsScan run() {
    const std::size_t columns = result_.ranges[0].count, rows = result_.rows();
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        const std::vector<double> values = values_at(i, j);
        std::optional<Judge::Answer> quick = judge_.in_doubles(values);
        const Judge::Answer answer = quick ? *quick : judge_.exactly(values, exact_at(i, j));
        result_.at.push_back(index_of(answer.kind));
        result_.open += answer.open ? 1 : 0;
      }
    }
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        if (i + 1 < columns) refine(0, i, j, i + 1, j);
        if (j + 1 < rows) refine(1, i, j, i, j + 1);
      }
    }
    result_.evaluations = judge_.evaluations();
    result_.exact = judge_.exact_count();
    return std::move(result_);
  }

 private:
  std::vector<double> values_at(std::size_t i, std::size_t j) const {
    std::vector<double> values{result_.ranges[0].value(i)};
    if (result_.ranges.size() == 2) values.push_back(result_.ranges[1].value(j));
    return values;
  }
  std::vector<Expr> exact_at(std::size_t i, std::size_t j) const {
    std::vector<Expr> values;
    for (std::size_t k = 0; k < result_.ranges.size(); ++k) {
      const ScanRange& range = result_.ranges[k];
      const auto place = static_cast<long>(k == 0 ? i : j);
      const Expr part = pool_.number(Rational(place, static_cast<long>(range.count - 1)));
      values.push_back(range.first + (range.last - range.first) * part);
    }
    return values;
  }

  std::size_t index_of(const ScanKind& kind) {
    const auto found = std::find(result_.kinds.begin(), result_.kinds.end(), kind);
    if (found != result_.kinds.end()) return static_cast<std::size_t>(found - result_.kinds.begin());
    result_.kinds.push_back(kind);
    return result_.kinds.size() - 1;
  }

  /// All changes that are seen between two neighbours.
  void refine(std::size_t axis, std::size_t i, std::size_t j, std::size_t next_i, std::size_t next_j) {
    constexpr int most_changes = 4;
    const std::size_t last = result_.at[next_i + next_j * result_.ranges[0].count];
    std::size_t kind = result_.at[i + j * result_.ranges[0].count];
    std::vector<double> low = values_at(i, j);
    const double end = values_at(next_i, next_j)[axis];
    for (int n = 0; n < most_changes && kind != last; ++n) {
      const Change change = first_change(axis, low, end, kind, last);
      result_.boundaries.push_back(
          {.axis = axis, .i = i, .j = j, .value = change.value, .before = kind, .after = change.after});
      kind = change.after;
      low[axis] = change.value;
    }
  }

  struct Change {
    double value;
    std::size_t after;
  };
  /// From `low`, of one kind, to `high`, of another, where it ceases to be the one.
  Change first_change(std::size_t axis, std::vector<double> point, double high, std::size_t kind,
                      std::size_t after) {
    double low = point[axis];
    const double whole = std::abs(high - low);
    while (true) {
      const double middle = low + (high - low) / 2;
      if (middle == low || middle == high || std::abs(high - low) <= 1e-13 * whole) break;
      point[axis] = middle;
      std::optional<Judge::Answer> found = judge_.in_doubles(point);
      if (!found && std::abs(high - low) <= near_boundary * whole) {
        low = high = middle;
        break;
      }
      if (!found) {
        std::vector<Expr> exact;
        for (const double value : point) exact.push_back(pool_.number(Rational::from_double(value)));
        found = judge_.exactly(point, exact);
        // within rounding of a limit: so near to a change that is where it is
        if (found->kind.verdict == ScanVerdict::not_found && std::abs(high - low) <= near_limit * whole) {
          low = high = middle;
          break;
        }
      }
      const std::size_t here = index_of(found->kind);
      if (here == kind) {
        low = middle;
      } else {
        high = middle;
        after = here;
      }
    }
    return {low + (high - low) / 2, after};
  }

  Pool& pool_;
  Judge judge_;
  MotionsScan result_;
};

}  // namespace

MotionsScan scan_motions(MechanismParts& parts, const GivenState& given,
                         const std::vector<std::string>& touching, const std::vector<ScanRange>& ranges) {
  parts.require_written_out({}, "all motions of so many are not listed");
  if (given.project) {
    refuse(Status::bad_input, "--scan", Problem::bad_usage,
           "states that --project moves are not those of the map", "leave out --project");
  }
  if (parts.system().unilaterals.empty()) {
    refuse(Status::bad_input, parts.name(), Problem::bad_usage,
           "the model has no unilateral constraint: its motion is one everywhere",
           "`unilateral NAME: L >= R` writes one");
  }
  return Scan(parts, given, touching, ranges).run();
}

}  // namespace liaison

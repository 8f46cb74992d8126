#include "onsets.hpp"

#include <algorithm>
#include <cmath>

#include "liaison/unilateral/step_motions.hpp"

namespace liaison {

namespace {

/// Of the time of the motion, moments after which it is looked at: the first that tells what moves.
constexpr double moments[] = {1e-4, 1e-3, 1e-2};
/// Beside what the load alone would give, a velocity that is none, and one that is surely some.
constexpr double rest_part = 1e-11, slip_part = 1e-8;

class OnsetSearch {
 public:
  OnsetSearch(ContactFrame& frame, Evaluator& open, const ContactModes& modes,
              const ContactQuestion& question)
      : frame_(frame), open_(open), modes_(modes), question_(question), positions_(open.position_count()) {}

  std::vector<Onset> find() {
    for (const double part : moments) {
      moment_ = part * question_.time_scale;
      found_.clear();
      is_clear_ = true;
      if (!look()) return {};
      const bool begins =
          std::any_of(found_.begin(), found_.end(), [](const Onset& one) { return one.begins; });
      if (!found_.empty() && is_clear_ && (begins || !is_at_limit())) break;
    }
    return std::move(found_);
  }

 private:
  bool is_at_limit() const {
    return std::any_of(question_.fired.begin(), question_.fired.end(),
                       [](const Guard& guard) { return guard.kind == Guard::Kind::slips; });
  }

  bool look() {
    const Moment whole{question_.t, question_.y, moment_};
    const auto first = step(whole, std::vector<double>(question_.y.size() - positions_, 0.0));
    if (!first) return false;
    for (const StepMotion& motion : step_motions(*first)) {
      const auto second = step_again(whole, motion);
      if (!second) continue;
      const StepMotion better = step_motion_near(*second, motion.impulses);
      add(better.impulses.empty() ? *first : *second, better.impulses.empty() ? motion : better);
    }
    return true;
  }

  struct Moment {
    double t;
    std::vector<double> y;
    double span;
  };

  /// Once more with the state in the middle of the moment, as this motion goes.
  std::optional<ManyContacts> step_again(const Moment& moment, const StepMotion& motion) {
    std::vector<double> mean(motion.velocities.size());
    for (std::size_t a = 0; a < mean.size(); ++a)
      mean[a] = (motion.velocities[a] - moment.y[positions_ + a]) / moment.span;
    return step(moment, mean);
  }

  /// Where a motion has come in the moment, by shorter steps: within one the direction of a slip turns by as
  /// much as it has speed. Nothing where a step is lost.
  std::optional<std::vector<double>> in_parts(const StepMotion& motion) {
    constexpr int parts = 16;
    Moment part{question_.t, question_.y, moment_ / parts};
    std::vector<double> impulses = motion.impulses;
    for (double& impulse : impulses) impulse /= parts;
    for (int i = 0; i < parts; ++i) {
      part.t = question_.t + i * part.span;
      const auto first = step(part, std::vector<double>(part.y.size() - positions_, 0.0));
      if (!first) return {};
      const StepMotion begun = step_motion_near(*first, impulses);
      if (begun.impulses.empty()) return {};
      const auto second = step_again(part, begun);
      if (!second) return {};
      const StepMotion better = step_motion_near(*second, begun.impulses);
      if (better.impulses.empty() || !go(part, better.velocities)) return {};
      impulses = better.impulses;
    }
    return part.y;
  }
  /// To the end of a moment.
  bool go(Moment& moment, const std::vector<double>& velocities) {
    std::vector<double> first(moment.y.size()), last(moment.y.size());
    if (!open_.rates(moment.t, moment.y.data(), first.data())) return false;
    std::copy(velocities.begin(), velocities.end(),
              moment.y.begin() + static_cast<std::ptrdiff_t>(positions_));
    if (!open_.rates(moment.t + moment.span, moment.y.data(), last.data())) return false;
    for (std::size_t i = 0; i < positions_; ++i) moment.y[i] += moment.span / 2 * (first[i] + last[i]);
    return true;
  }

  /// Moreau's step over the moment, with the forces of the state in its middle.
  std::optional<ManyContacts> step(const Moment& moment, const std::vector<double>& accelerations) {
    const auto& [t, y, span] = moment;
    std::vector<double> rates(y.size()), middle = y;
    if (!open_.rates(t, y.data(), rates.data())) return {};
    for (std::size_t i = 0; i < positions_; ++i) middle[i] += span / 2 * rates[i];
    for (std::size_t a = 0; a < accelerations.size(); ++a)
      middle[positions_ + a] += span / 2 * accelerations[a];
    if (!frame_.take(t + span / 2, middle.data())) return {};
    const auto free = frame_.problem({}, question_.moving);
    if (!free) return {};
    std::vector<double> velocities(y.begin() + static_cast<std::ptrdiff_t>(positions_), y.end());
    for (std::size_t a = 0; a < velocities.size(); ++a)
      velocities[a] += span * free->numbers.free_acceleration[a].to_double();
    return frame_.step(question_.resting, velocities);
  }

  /// Measured in the metric of the mass.
  double velocity_of(const ManyContacts& step, std::size_t row, const std::vector<double>& u) const {
    return ((step.bias.empty() ? 0 : step.bias[row]) + step.rows.times(row, u)) / units_[row];
  }
  /// Of the rows of a step; components of one velocity have one.
  bool find_units(const ManyContacts& step) {
    const std::vector<double>& units = frame_.rate_units();
    if (units.empty()) return false;
    units_.clear();
    for (const std::size_t row : frame_.rows_of(question_.resting))
      units_.push_back(units[modes_.bilateral_count() + row]);
    for (const ManyContacts::Contact& contact : step.contacts) {
      for (const ManyContacts::Resistance& resisted : contact.resisted) {
        if (resisted.components == 2)
          units_[resisted.row] = units_[resisted.row + 1] =
              std::max(units_[resisted.row], units_[resisted.row + 1]);
      }
    }
    return true;
  }

  void add(const ManyContacts& step, const StepMotion& motion) {
    const std::vector<double> before(question_.y.begin() + static_cast<std::ptrdiff_t>(positions_),
                                     question_.y.end());
    if (!find_units(step)) return;
    double largest = 0;  // what the load alone changes of any row
    for (std::size_t row = 0; row < step.rows.size(); ++row)
      largest = std::max(
          largest, std::abs(step.rows.times(row, step.free) - step.rows.times(row, before)) / units_[row]);
    Onset onset{.holds = ContactHolds(modes_.size()), .moment = moment_, .y = question_.y};
    onset.is_open = motion.is_open;
    for (std::size_t i = 0; i < question_.resting.size(); ++i) {
      const std::size_t c = question_.resting[i];
      onset.holds[c] = hold_of(step, step.contacts[i], c, motion, largest, onset.begins);
    }
    Moment moment{question_.t, question_.y, moment_};
    if (!go(moment, motion.velocities)) return;
    onset.y = std::move(moment.y);
    if (onset.begins)
      if (auto better = in_parts(motion)) onset.y = std::move(*better);
    found_.push_back(std::move(onset));
  }

  ContactHold hold_of(const ManyContacts& step, const ManyContacts::Contact& contact, std::size_t c,
                      const StepMotion& motion, double largest, bool& begins) {
    ContactHold hold;
    if (motion.impulses[contact.normal] == 0) {
      const double gap_rate = velocity_of(step, contact.normal, motion.velocities);
      if (gap_rate <= rest_part * largest) hold.kind = ContactHold::Kind::touching;
      return hold;
    }
    hold.kind = ContactHold::Kind::closed;
    std::size_t row = contact.normal + 1;
    for (std::size_t k = 0; k < modes_.rows()[c].resisted.size(); ++k) {
      const std::size_t components = modes_.rows()[c].resisted[k].size();
      double speed = 0;
      for (std::size_t i = 0; i < components; ++i)
        speed = std::hypot(speed, velocity_of(step, row + i, motion.velocities));
      const bool was_moving = question_.moving[c][k];
      const bool moves = speed > rest_part * largest;  // what moved may have come to rest
      if (!was_moving && moves && speed < slip_part * largest) is_clear_ = false;
      const int way = components == 2 || velocity_of(step, row, motion.velocities) > 0 ? 1 : -1;
      hold.slips.push_back(moves ? way : 0);
      begins = begins || (moves && !was_moving && components == 2);
      row += components;
    }
    return hold;
  }

  ContactFrame& frame_;
  Evaluator& open_;
  const ContactModes& modes_;
  const ContactQuestion& question_;
  std::size_t positions_;
  double moment_ = 0;
  bool is_clear_ = true;
  std::vector<double> units_;  ///< of the rows
  std::vector<Onset> found_;
};

}  // namespace

std::vector<Onset> onsets(ContactFrame& frame, Evaluator& open, const ContactModes& modes,
                          const ContactQuestion& question) {
  return OnsetSearch(frame, open, modes, question).find();
}

}  // namespace liaison

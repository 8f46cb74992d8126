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
    const std::vector<double> accelerations(question_.y.size() - positions_, 0.0);
    const auto first = step(accelerations);
    if (!first) return false;
    for (const StepMotion& motion : step_motions(*first)) {
      // Once more with the state in the middle of the moment, as this motion goes.
      std::vector<double> mean(motion.velocities.size());
      for (std::size_t a = 0; a < mean.size(); ++a)
        mean[a] = (motion.velocities[a] - question_.y[positions_ + a]) / moment_;
      const auto second = step(mean);
      if (!second) continue;
      const StepMotion better = step_motion_near(*second, motion.impulses);
      add(better.impulses.empty() ? *first : *second, better.impulses.empty() ? motion : better);
    }
    return true;
  }

  /// Moreau's step over the moment, with the forces of the state in its middle.
  std::optional<ManyContacts> step(const std::vector<double>& accelerations) {
    std::vector<double> rates(question_.y.size()), middle = question_.y;
    if (!open_.rates(question_.t, question_.y.data(), rates.data())) return {};
    for (std::size_t i = 0; i < positions_; ++i) middle[i] += moment_ / 2 * rates[i];
    for (std::size_t a = 0; a < accelerations.size(); ++a)
      middle[positions_ + a] += moment_ / 2 * accelerations[a];
    if (!frame_.take(question_.t + moment_ / 2, middle.data())) return {};
    const auto free = frame_.problem({}, question_.moving);
    if (!free) return {};
    std::vector<double> velocities(question_.y.begin() + static_cast<std::ptrdiff_t>(positions_),
                                   question_.y.end());
    for (std::size_t a = 0; a < velocities.size(); ++a)
      velocities[a] += moment_ * free->numbers.free_acceleration[a].to_double();
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
    for (std::size_t a = 0; a < motion.velocities.size(); ++a) onset.y[positions_ + a] = motion.velocities[a];
    std::vector<double> first(onset.y.size()), last(onset.y.size());
    if (!open_.rates(question_.t, question_.y.data(), first.data()) ||
        !open_.rates(question_.t + moment_, onset.y.data(), last.data()))
      return;
    for (std::size_t i = 0; i < positions_; ++i) onset.y[i] += moment_ / 2 * (first[i] + last[i]);
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

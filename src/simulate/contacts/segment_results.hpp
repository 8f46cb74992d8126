#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contact_frame.hpp"
#include "liaison/simulate/simulation.hpp"
#include "segments.hpp"
#include "simulate/run/integrals.hpp"
#include "simulate/run/state_between.hpp"

namespace liaison {

/// Where other motions than the one that is followed were looked for while contacts stick.
struct WatchCoverage {
  std::size_t moments = 0;   ///< at which all motions were asked for, where signs do not decide in between
  bool beyond = false;       ///< at some time too many contacts were kept to ask for them
  std::size_t contacts = 0;  ///< that can be asked about
  bool partly = false;       ///< at some moments not all motions could be asked for
};

/// The results of the segments of a run as those of one run.
class SegmentResults {
 public:
  /// The first row is told at this time, also where the run begins as much later as rounding tells.
  void begins_at(double t) { asked_begin_ = t; }
  SegmentResults(const ContactModes& modes, ContactFrame& frame, const SimulationReceivers& receivers)
      : modes_(modes),
        frame_(frame),
        receivers_(receivers),
        fastest_(modes.size()),
        widest_(modes.size(), 0.0) {}

  SimulationResult result;

  /// Of one segment: its rows get the factors of all contacts.
  SimulationReceivers receivers(Segment& segment, const ContactHolds& holds);
  void add(const Segment& segment, const ContactHolds& holds, double begin,
           const SimulationResult& segment_result);
  void note(const std::string& text);  ///< once
  /// A slip in space begins: its first row is that of the moment's end, and comes with those before it, at
  /// the start and at times of the grid. The state where the moment ends, or the run within it.
  std::vector<double> pass(const StateBetween& moment, const SimulationOptions& options);
  /// Pressures that the motion does not determine: what the rows show of them is one of many.
  void leave_open(const std::vector<std::size_t>& contacts);
  /// How far other motions were looked for while contacts stick.
  void look_for_others(const WatchCoverage& one);
  /// Motions may be possible that were not looked for.
  void leave_unexplored(double t, const std::string& why);
  /// What ends the run. False.
  bool end(SimulationOutcome outcome, double t, const std::string& message, const std::string& remedy = {});
  /// A change of the state at once: what it took or gave of each quantity that is watched is counted apart.
  /// Returns the change of the energy.
  double jump(Segment& open, double t, const std::vector<double>& before, const std::vector<double>& after);
  /// The same by the reset of an event, whose record gets what it took or gave.
  void reset(Segment& open, std::size_t event, double t, const std::vector<double>& before,
             const std::vector<double>& after);
  /// What an impact leaves of the balance of energy and work, beside what it moved.
  void balance(double left, double size);
  /// A contact that is open and has a negative gap, beside the largest that it had: an event was missed.
  const std::optional<std::pair<std::size_t, double>>& penetrated() const { return penetrated_; }
  /// A contact that others were to keep closed, with its gap.
  const std::optional<std::pair<std::size_t, double>>& parted() const { return parted_; }
  double largest_velocity() const { return velocity_; }  ///< so far
  /// Velocities that stand in no row, as those before an impact at the start: what it leaves is rounding
  /// beside them.
  void saw(std::span<const double> velocities) {
    for (const double velocity : velocities) velocity_ = std::max(velocity_, std::abs(velocity));
  }
  /// Of all rows, where the motion has come to this time in a mode; else empty.
  std::vector<double> factors_at(double t) const {
    return has_row_ && last_.t == t ? last_.factors : std::vector<double>();
  }
  /// The largest speed of a slip so far.
  double fastest(std::size_t contact, std::size_t resistance) const;
  SimulationResult finish(double t, const std::vector<double>& y);  ///< where the run ended

 private:
  bool take(const Row& row, Segment& segment, const ContactHolds& holds);
  void add_friction(Row& full, std::size_t contact, const ContactHold& hold);
  double travelled(const Row& row, Segment& segment, std::size_t contact);
  void drop_powers_of_slips();
  bool give(const Row& row);  ///< once
  /// `factors`: of the segment.
  bool give_passed(const Row& next, const std::vector<double>& factors, Segment& segment);

  const ContactModes& modes_;
  ContactFrame& frame_;
  const SimulationReceivers& receivers_;
  std::vector<std::vector<double>> fastest_;
  std::vector<double> widest_;  ///< gap of each contact
  std::optional<std::pair<std::size_t, double>> penetrated_, parted_;
  double velocity_ = 0;
  WatchCoverage coverage_;
  Row last_;
  bool has_row_ = false;
  std::shared_ptr<IntegralHistory> integrals_ = std::make_shared<IntegralHistory>();
  double begin_ = 0;  ///< the time of the first row
  std::optional<double> asked_begin_;
  struct Passed {
    StateBetween moment;
    double grid, every;
    IntegralHistory::Entry integrals;  ///< at its begin
  };
  std::optional<Passed> passed_;  ///< whose rows are not given yet
  struct Jumps {
    double sum = 0;
    std::size_t count = 0;
  };
  std::map<std::string, Jumps> jumps_;  ///< of a quantity by its name
  double left_ = 0, left_size_ = 0;     ///< by impacts that no mode went before
};

}  // namespace liaison

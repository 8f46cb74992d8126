#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "next_modes.hpp"
#include "onsets.hpp"

namespace liaison {

/// A mode to be looked at: `nudge` are accelerations, where a slip in space begins; `begins`: those of the
/// motion, not such as a friction at its limit holds back.
struct WantedMode {
  std::vector<double> nudge;
  bool is_motion;  ///< of the complementarity problem, not a neighbour of what was
  bool begins = false;
  std::optional<Onset> onset = {};  ///< a motion a moment later, whose conditions hold there
  /// What is looked at in its place where others do not keep what they were thought to keep.
  std::vector<ContactHolds> otherwise = {};
  std::vector<double> factors = {};  ///< of several that the equations allow, those that are meant
};

/// One contact alone, at rest along a surface in space.
bool rests_in_space(const ContactModes& modes, const ContactQuestion& question);

/// A mode from a state on, followed for a short while: its conditions hold where they are clear, and where
/// they are at their limits they leave them to the right side, as far as rounding of the rates lets it be
/// told.
class ModeTrial {
 public:
  /// `free`: the largest acceleration without the contacts.
  ModeTrial(ContactFrame& frame, Segments& segments, const ContactModes& modes,
            const ContactQuestion& question, double free)
      : frame_(frame), segments_(segments), modes_(modes), question_(question), free_(free) {}

  /// The motion that goes on so; nothing where a condition is broken, and where the equations have no
  /// solution, of which `has_solution` tells.
  std::optional<NextModes::Candidate> follow(const ContactHolds& holds, const WantedMode& wanted);
  bool has_solution() const { return has_solution_; }
  /// What the last mode keeps depends on each other here, and cannot be kept together from here on.
  bool falls_apart() const { return falls_apart_; }
  /// A contact that touches moves from where the others were to keep it.
  bool is_not_kept() const { return is_not_kept_; }

 private:
  /// The conditions of the mode, where it begins.
  struct Conditions {
    std::vector<double> values, sizes;
    std::vector<std::size_t> at_limit;  ///< those to be followed
    bool hold = true;                   ///< none is broken
  };
  std::optional<NextModes::Candidate> unsolved();
  std::optional<Conditions> conditions(Segment& segment, const NextModes::Candidate& candidate);
  std::optional<NextModes::Candidate> take_onset(const Onset& onset);
  using Slips = std::vector<std::pair<std::size_t, std::size_t>>;  ///< by contact and resistance
  Slips begun_in_space(const ContactHolds& holds) const;
  double slip_at(double t, const std::vector<double>& y, const Slips& slips);
  double while_of_gaps(const Segment& segment) const;
  bool has_fired(const ContactHolds& holds, const Guard& guard) const;
  double largest_force(const NextModes::Candidate& candidate, const Segment& segment);
  double rounding_of(const Guard& guard, double force, double h);
  bool keeps(Segment& segment, double h) const;
  bool keeps_touching(Segment& segment, const ContactHolds& holds, double h);
  bool step(Segment& segment, const std::vector<double>& from, double h);
  bool step_of_slip(Segment& segment, const std::vector<double>& from, double h);

  ContactFrame& frame_;
  Segments& segments_;
  const ContactModes& modes_;
  const ContactQuestion& question_;
  double free_;
  bool has_solution_ = true, falls_apart_ = false, is_not_kept_ = false;
  double force_ = 0;           ///< the largest of the candidate, by ContactFrame::force_of
  std::vector<double> moved_;  ///< where a step has led
};

}  // namespace liaison

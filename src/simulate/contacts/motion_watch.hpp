#pragma once

#include <functional>
#include <optional>

#include "liaison/simulate/simulation.hpp"
#include "lone_contact.hpp"
#include "next_modes.hpp"
#include "segment_results.hpp"
#include "simulate/run/state_between.hpp"

namespace liaison {

/// Contacts that stick, along a motion: how they hold it is no event of theirs, but from some moment on
/// another motion may be possible as well (a wedge that is pushed so that it might slip). One contact in the
/// plane is followed by signs of functions, others are asked at moments.
class MotionWatch {
 public:
  /// `question`: about the mode at its start. `known`: motions that were found possible before.
  MotionWatch(ContactFrame& frame, Segments& segments, const ContactModes& modes, ContactQuestion question,
              std::size_t known);

  /// As `simulate`, up to where another motion becomes possible. Parts before the last are told by when they
  /// begin.
  using Part = std::function<void(double, const SimulationResult&)>;
  SimulationResult simulate(Segment& segment, Integrator& integrator, SimulationOptions how,
                            const SimulationReceivers& receivers, const Part& add);
  double begin() const { return begin_; }  ///< of the last part
  bool has_found() const { return has_found_; }
  bool gave_up() const { return gave_up_; }  ///< too often another motion was suspected and was none
  WatchCoverage coverage() const;

 private:
  struct Place {
    double t;
    std::vector<double> y;
  };
  /// Another motion is suspected at a place, and was not at the time before.
  struct Doubt {
    double before;
    Place at;
  };
  bool sticks() const;
  bool is_needed() const { return sticks() && question_.resting.size() <= most_contacts; }
  bool in_space() const;
  bool is_looked_at(int step) const;
  int looks_in(int step) const;
  bool is_lone() const { return LoneContact::is_one(modes_, question_.resting); }
  std::optional<std::size_t> count_at(double t, const std::vector<double>& y);
  bool is_several(double t, const std::vector<double>& y);
  std::vector<Doubt> look(Segment& segment, const Place& now, double until, int looks);
  std::vector<double> times_between_signs(const StateBetween& way, double until, int looks);
  std::optional<double> first_of_several(Segment& segment, const Doubt& doubt);

  ContactFrame& frame_;
  Segments& segments_;
  const ContactModes& modes_;
  ContactQuestion question_;
  std::size_t known_;
  Place last_;  ///< where no further motion was possible
  double begin_;
  bool has_found_ = false, gave_up_ = false;
  std::size_t moments_ = 0;  ///< at which all motions were asked for, where signs do not decide
  bool partly_ = false;      ///< at some not all of them could be
  bool by_signs_ = false;    ///< the last look
  /// Beyond that all motions are asked for at events only.
  static constexpr std::size_t most_contacts = 12;
};

/// A question about the mode that begins there.
ContactQuestion question_in_mode(ContactQuestion question, const ContactHolds& holds);

}  // namespace liaison

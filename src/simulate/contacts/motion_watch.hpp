#pragma once

#include <functional>

#include "liaison/simulate/simulation.hpp"
#include "next_modes.hpp"
#include "state_between.hpp"

namespace liaison {

/// Contacts that stick in the plane, along a motion: how they hold it is no event of theirs, but from some
/// moment on another motion may be possible as well (a wedge that is pushed so that it might slip).
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
  std::size_t known() const { return known_; }

 private:
  struct Place {
    double t;
    std::vector<double> y;
  };
  bool is_needed() const;
  std::size_t count_at(double t, const std::vector<double>& y);
  bool is_surely_one();
  bool is_several(double t, const std::vector<double>& y);
  StateBetween between(const Place& now);
  std::optional<Place> look(const Place& now, int looks);
  std::optional<double> first_of_several(Segment& segment, const Place& now);

  ContactFrame& frame_;
  Segments& segments_;
  const ContactModes& modes_;
  ContactQuestion question_;
  std::size_t known_;
  Place last_;  ///< where no further motion was possible
  double begin_;
  bool has_found_ = false;
};

}  // namespace liaison

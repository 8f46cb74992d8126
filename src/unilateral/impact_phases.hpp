#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "friction_problem.hpp"
#include "impact_path.hpp"

namespace liaison {

/// What a contact does on the path.
enum class Place {
  open,
  resting,  ///< neither closing nor owing: it carries what keeps it from closing, without work
  in,       ///< pressed, and closing
  out,      ///< pressed, and giving back
};

struct PathState {
  std::vector<double> impulses, v;
  std::vector<Place> places;
  std::vector<double> taken, given;  ///< accounts of the contacts, both >= 0
  std::vector<std::vector<char>>
      resting;  ///< what each contact resists: 0 moves, 1 has come to rest, 2 sticks
  std::string how;
  double step = 0;  ///< of the integration in space
  std::size_t phases = 0;
};

/// Follows the path of the normal impulses from phase to phase, and each of its branches.
class ImpactPath {
 public:
  ImpactPath(const ImpactProblem& problem, std::size_t jammed)
      : problem_(problem), jammed_(jammed), noise_(impact_noise(problem)) {}

  Impacts follow();

 private:
  using Rates = std::vector<double>;  ///< of the impulses

  std::size_t size() const { return problem_.velocity.size(); }
  const ImpactContact& contact(std::size_t c) const { return problem_.contacts[c]; }
  void note(const std::string& text);
  static bool pressed(Place place) { return place == Place::in || place == Place::out; }

  double owed(const PathState& state, std::size_t c) const;
  PathState start();

  double speed(const PathState& state, const ImpactResistance& resisted) const;
  void rest_what_stands(PathState& state) const;

  /// Impulses for one more unit of those of the pressed contacts, at the velocities v.
  FrictionProblem rate_problem(const PathState& state, const std::vector<double>& v) const;
  /// Nothing is asked for: all contacts that are not open are pressed, and what they resist slips.
  static bool everything_slips(const PathState& state);
  Rates slip_rates(const PathState& state, const std::vector<double>& v) const;
  static std::array<double, 2> direction(const ImpactResistance& resisted, const std::vector<double>& v);

  void run(PathState state, std::vector<PathState>& open);

  /// No rates of the contacts at rest keep them from closing: slip that presses one of them jams, and it
  /// closes as in a tangential impact.
  void press_what_jams(const PathState& state, std::vector<PathState>& open);

  /// What has stuck goes on where it can, though it could also begin to slip.
  void keep_what_sticks(const PathState& state, const FrictionProblem& problem,
                        std::vector<Rates>& all) const;
  std::string place_on(const PathState& state) const;

  void say(PathState& state, std::size_t c, std::string_view what) const;

  /// One phase, or in space one step of it. False: the path has no end this way.
  bool advance(PathState& state, const FrictionProblem& problem, const Rates& rates);

  /// What was at rest sticks or begins to move.
  void say_beginnings(PathState& state, const std::vector<double>& dv) const;

  /// Something slips in space, and not along a straight line.
  bool turns(const PathState& state, const std::vector<double>& dv) const;

  /// Rates are constant: to the next event.
  bool go_straight(PathState& state, const Rates& rates, const std::vector<double>& dv);
  /// Friction holds all that is pressed, at rest: nothing is given back.
  bool hold_what_cannot_expand(PathState& state, const std::vector<double>& dv) const;
  double time_to_pay(const PathState& state, std::size_t c, double v, double a) const;

  void book(PathState& state, const std::vector<double>& works, double length) const;

  /// After a phase: what has come to zero, and who has paid.
  void change_places(PathState& state) const;

  /// Works of the contacts behind the impulses, as what is integrated in space.
  std::vector<double> derivative(const PathState& state, const std::vector<double>& y,
                                 const Rates& near) const;
  std::vector<double> velocities_at(const PathState& state, const std::vector<double>& y) const;

  /// y after one step, and its error in units of the noise.
  std::pair<std::vector<double>, double> try_step(const PathState& state, const std::vector<double>& first,
                                                  double h) const;
  bool step_in_space(PathState& state, const Rates& rates);
  double longest_step(const PathState& state, const std::vector<double>& first) const;
  bool is_torn(const PathState& state, const std::vector<double>& y, const Rates& near) const;
  bool has_passed(const PathState& state, const std::vector<double>& y, double h) const;

  const ImpactProblem& problem_;
  std::size_t jammed_;
  std::vector<double> noise_;
  mutable std::size_t problems_ = 0;  ///< of several contacts, solved on the way in space
  Impacts result_;
};

}  // namespace liaison
